package testfile

import (
	_ "embed"
	"encoding/json"
	"strings"

	"github.com/assay-qa/assay/browser/readingorder"
	"github.com/assay-qa/assay/qa/kpi"
)

// checkHelper returns a helper function of the file's header. Those that decide whether something holds return
// yes, no, or why that is undecided. Only a no proves the opposite.
func checkHelper(name string) string {
	switch name {
	case "compared":
		return figures()
	case "reading":
		return readings()
	}
	return map[string]string{
		"sorted": ordered, "before": places, "lines": snapshotted, "upload": uploading, "drop": dropping, "code": authenticator, "tab": numberedTab, "popup": newestPopup, "close": closedTab,
	}[name]
}

// numberedTab waits for the n-th tab that was opened, from 1.
const numberedTab = `async function tab(n: number, tabs: Page[]): Promise<Page> {
  await expect.poll(() => tabs.length, { message: 'tab ' + n + ' was opened' }).toBeGreaterThanOrEqual(n);
  await tabs[n - 1].waitForLoadState();
  return tabs[n - 1];
}
`

// newestPopup waits for the newest tab that another one has opened since there were that many.
const newestPopup = `async function popupOf(opener: Page, tabs: Page[], since: number): Promise<Page> {
  let popup = opener;
  const look = async () => {
    for (const tab of tabs.slice(since)) if (!tab.isClosed() && (await tab.opener()) === opener) popup = tab;
    return popup !== opener;
  };
  await expect.poll(look, { message: 'another tab was opened' }).toBe(true);
  await popup.waitForLoadState();
  return popup;
}
`

// closedTab closes a tab, and returns the one that had opened it, or else the first.
const closedTab = `async function closed(page: Page, tabs: Page[]): Promise<Page> {
  const opener = await page.opener();
  await page.close();
  return opener ?? tabs.filter((tab) => !tab.isClosed())[0] ?? (await page.context().newPage());
}
`

// dropping drops files on an element.
const dropping = `async function drop(on: Locator, names: string[]): Promise<void> {
  const files = names.map((name) => ({ name: path.basename(name), text: fs.readFileSync(path.resolve(process.env.UPLOAD_ROOT ?? '.', name)).toString('base64') }));
  const dataTransfer = await on.evaluateHandle((_, files) => {
    const held = new DataTransfer();
    for (const f of files) held.items.add(new File([Uint8Array.from(atob(f.text), (c) => c.charCodeAt(0))], f.name));
    return held;
  }, files);
  await on.hover({ trial: true });
  const taken = await on.evaluate((e, dataTransfer) => {
    const held = (type: string) => !e.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, composed: true }));
    held('dragenter');
    return held('dragover');
  }, dataTransfer);
  if (!taken) throw new Error('the element takes no files that are dropped on it');
  await on.dispatchEvent('drop', { dataTransfer });
}
`

// authenticator computes the one-time code of an authenticator's key, by RFC 6238.
const authenticator = `function oneTimeCode(key: string): string {
  const of = key.startsWith('otpauth:') ? new URL(key).searchParams : new URLSearchParams({ secret: key });
  const bits = [...(of.get('secret') ?? '').toUpperCase().replace(/[\s=-]/g, '')].map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0')).join('');
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000 / Number(of.get('period') ?? 30))));
  const sum = createHmac(of.get('algorithm') ?? 'SHA1', Buffer.from(bytes)).update(counter).digest();
  const digits = Number(of.get('digits') ?? 6);
  return String((sum.readUInt32BE(sum[sum.length - 1] & 15) & 0x7fffffff) % 10 ** digits).padStart(digits, '0');
}
`

// uploading gives files to a file input, its label, or the button that opens its file chooser.
const uploading = `async function upload(on: Locator, names: string[], options: { timeout?: number } = {}): Promise<void> {
  const files = names.map((name) => path.resolve(process.env.UPLOAD_ROOT ?? '.', name)); // the folder of network.upload_roots
  if (await on.evaluate((e: any) => (e.control ?? e).type === 'file', undefined, options)) return on.setInputFiles(files, options);
  const opened = on.page().waitForEvent('filechooser', { timeout: 10_000, ...options });
  await Promise.all([opened, on.click(options)]);
  await (await opened).setFiles(files, options);
}
`

//go:embed figure_reader.ts
var figureReader string

// figures returns the reader of figures with its tables, which are those of our own,
// and what compares with it.
func figures() string {
	tables, err := json.Marshal(kpi.ReaderTables())
	if err != nil {
		panic("the tables of figures are no JSON: " + err.Error()) // they are texts and whole numbers
	}
	return "const tables = " + string(tables) + ";\n" + figureReader + comparing
}

const comparing = `const language = (on: Locator): Promise<string> => on.evaluateAll((all: any[]) => all[0]?.closest('[lang]')?.getAttribute('lang') ?? '');
function compared(text: string, op: string, value: number, lang: string): string {
  const answers = figures([text], lang).map(([n]) => (Number.isNaN(n) ? 'not one number: ' + text : { '<': n < value, '<=': n <= value, '==': near(n, value), '>=': n >= value, '>': n > value, '!=': !near(n, value) }[op] ? 'yes' : 'no'));
  return new Set(answers).size === 1 ? answers[0] : 'several numbers: ' + text;
}
const near = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.abs(b); // but for what binary fractions round
`

// readings returns what tells in a page in which order a person reads, which is our own script.
func readings() string {
	var b strings.Builder
	b.WriteString(readingHead)
	for line := range strings.Lines(readingorder.TypeScript()) {
		if !strings.HasPrefix(strings.TrimLeft(line, " "), "//") && line != "\n" {
			b.WriteString("  " + line)
		}
	}
	b.WriteString(readingFoot)
	return b.String()
}

const readingHead = `// reading runs in the page: the texts of elements in the order in which a person reads them or, with two boxes, whether the first is read before the second.
function reading(all: any[], boxes: any): any {
  const styleOf = (el: any): any => getComputedStyle(el), boxOf = (el: any): any => el.getBoundingClientRect();
  const ownerDocument = (el: any): any => el.ownerDocument, newRange = (doc: any): any => doc.createRange();
  const flatParent = (el: any): any => el.assignedSlot ?? el.parentElement ?? el.getRootNode().host ?? null;
  const contains = (box: any, el: any): boolean => box === el || (el !== null && contains(box, flatParent(el)));
`

const readingFoot = `  const sides = (b: any) => ({ left: b.x, top: b.y, right: b.x + b.width, bottom: b.y + b.height });
  return boxes ? readsFirst(all[0], sides(boxes[0]), sides(boxes[1])) : asRead(all).map((i) => all[i].innerText);
}
`

const ordered = `const monthNames = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];
// day reads a text as a date, in seconds; NaN where it is none.
function day(text: string, dayFirst: boolean): number {
  const at = (year: string, month: number, of: string, clock: (string | undefined)[] = []): number => {
    const [h, m, s] = [0, 1, 2].map((i) => Number(clock[i] ?? 0)), ms = Date.UTC(+year, month - 1, +of, h, m, s);
    return month >= 1 && month <= 12 && new Date(ms).getUTCDate() === +of && h < 24 && m < 60 && s < 60 ? ms / 1000 : NaN;
  };
  let found = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z| ?UTC)?)?$/.exec(text.trim());
  if (found) return at(found[1], +found[2], found[3], found.slice(4));
  found = /^(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4})(?:,? +(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/.exec(text.trim());
  if (found) return dayFirst || found[2] === '.' ? at(found[4], +found[3], found[1], found.slice(5)) : at(found[4], +found[1], found[3], found.slice(5));
  const t = text.replace(/\s+/g, ' ').trim();
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?[+-]\d{2}:\d{2}$|^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} (GMT|UTC|[+-]\d{4})$/.test(t)) return Math.floor(Date.parse(t) / 1000);
  const named = (name: string): number => monthNames.findIndex((m) => m === name.toLowerCase() || m.slice(0, 3) === name.toLowerCase()) + 1;
  const week = '(?:mon|tues|wednes|thurs|fri|satur|sun)day, ', short = '(?:mon|tue|wed|thu|fri|sat|sun), ';
  found = new RegExp('^(?:' + short + ')?(\\d{1,2}) ([a-z]+) (\\d{4})$', 'i').exec(t);
  if (found && (found[2].length === 3 || !t.includes(','))) return at(found[3], named(found[2]), found[1]);
  found = /^(\d{1,2}) ([a-z]{3}) (\d{4}),? (\d{1,2}):(\d{2})$/i.exec(t);
  if (found) return at(found[3], named(found[2]), found[1], found.slice(4));
  found = new RegExp('^(' + week + '|' + short + ')?([a-z]+) (\\d{1,2}), (\\d{4})$', 'i').exec(t);
  if (found && (!found[1] || found[2].toLowerCase() === 'may' || (found[1].length > 5) === (found[2].length > 3))) return at(found[4], named(found[2]), found[3]);
  found = /^([a-z]{3}) (\d{1,2}), (\d{4}),? (\d{1,2}):(\d{2})$/i.exec(t);
  if (found) return at(found[3], named(found[1]), found[2], found.slice(4));
  found = /^([a-z]{3}) (\d{1,2}), (\d{4}), (\d{1,2}):(\d{2}) (AM|PM)$/i.exec(t);
  if (found && +found[4] >= 1 && +found[4] <= 12) return at(found[3], named(found[1]), found[2], [String((+found[4] % 12) + (found[6] === 'PM' ? 12 : 0)), found[5]]);
  found = /^([a-z]+) (\d{4})$/i.exec(t);
  return found ? at(found[2], named(found[1]), '1') : NaN;
}
function sorted(texts: string[], order: string, as: string, lang: string): string {
  if (texts.length < 2) return texts.length + ' elements: an order needs two';
  const word = (t: string) => t.replace(/\s+/g, ' ').trim().normalize('NFKD').replace(/\p{Mn}/gu, '').toLowerCase();
  const ways: any[][] = as === 'number' ? figures(texts, lang) : as === 'date' ? [true, false].map((first) => texts.map((t) => day(t, first))) : [texts.map(word)];
  const read = ways.filter((keys) => !keys.some((k) => Number.isNaN(k)));
  if (!read.length) return 'no ' + as + ': ' + texts[ways[0].findIndex((k) => Number.isNaN(k))];
  const answers = read.map((keys) => (keys.every((k, i) => i === 0 || (order === 'asc' ? keys[i - 1] <= k : keys[i - 1] >= k)) ? 'yes' : 'no'));
  return new Set(answers).size === 1 ? answers[0] : 'several orders';
}
`

const places = `async function before(on: Locator, other: Locator): Promise<string> {
  const a = await on.boundingBox(), b = await other.boundingBox();
  if (!a || !b) return 'not seen';
  const holds = (o: any, i: any) => i.x >= o.x && i.y >= o.y && i.x + i.width <= o.x + o.width && i.y + i.height <= o.y + o.height;
  if (holds(a, b) || holds(b, a)) return 'one lies within the other';
  return (await on.evaluateAll(reading, [a, b])) ? 'yes' : 'no';
}
`

const snapshotted = `function lines(snapshot: string, wanted: { head: string; marks: string[]; value: string }[]): string {
  const parsed = snapshot.split('\n').map((line) => {
    const text = line.trim().replace(/^- /, '').replace(/^'((?:[^']|'')*)'/, (_, key) => key.replaceAll("''", "'"));
    const [, head = '', marks = '', value = ''] = /^([a-z]+(?: "(?:[^"\\]|\\.)*")?)((?: \[[^\]]*\])*)(?::(?: (.*))?)?$/.exec(text) ?? [];
    const quoted = /^"(?:[^"\\]|\\.)*"$/.test(value);
    return { head, marks: marks.slice(2, -1).split('] ['), value: quoted ? JSON.parse(value.replace(/\\x([0-9a-fA-F]{2})/g, '\\u00$1')) : value };
  });
  let at = 0;
  for (const w of wanted) {
    const i = parsed.findIndex((l, n) => n >= at && l.head === w.head && w.marks.every((m) => l.marks.includes(m)) && (!w.value || l.value === w.value));
    if (i < 0) return 'no';
    at = i + 1;
  }
  return 'yes';
}
`
