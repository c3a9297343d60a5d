package testfile

import (
	_ "embed"
	"encoding/json"

	"github.com/assay-qa/assay/qa/kpi"
)

// checkHelper returns a helper function of the file's header. Those that decide whether something holds return
// yes, no, or why that is undecided. Only a no proves the opposite.
func checkHelper(name string) string {
	if name == "compared" {
		return figures()
	}
	return map[string]string{"sorted": ordered, "before": places, "lines": snapshotted, "upload": uploading}[name]
}

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

const ordered = `function day(text: string): number {
  const first = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?/.exec(text);
  if (first) return Date.UTC(+first[1], +first[2] - 1, +first[3], +(first[4] ?? 0), +(first[5] ?? 0), +(first[6] ?? 0));
  const last = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:,? +(\d{1,2}):(\d{2}))?$/.exec(text);
  if (last) return Date.UTC(+last[3], +last[2] - 1, +last[1], +(last[4] ?? 0), +(last[5] ?? 0));
  return /[a-z]/i.test(text) ? Date.parse(text + ' UTC') : NaN;
}
function sorted(texts: string[], order: string, as: string, lang: string): string {
  if (texts.length < 2) return texts.length + ' elements: an order needs two';
  const word = (t: string) => t.replace(/\s+/g, ' ').trim().normalize('NFKD').replace(/\p{Mn}/gu, '').toLowerCase();
  const ways: any[][] = as === 'number' ? figures(texts, lang) : [texts.map((t) => (as === 'date' ? day(t.trim()) : word(t)))];
  const answers = ways.map((keys) => {
    const odd = keys.findIndex((k) => Number.isNaN(k));
    if (odd >= 0) return 'no ' + as + ': ' + texts[odd];
    return keys.every((k, i) => i === 0 || (order === 'asc' ? keys[i - 1] <= k : keys[i - 1] >= k)) ? 'yes' : 'no';
  });
  return new Set(answers).size === 1 ? answers[0] : 'several orders';
}
`

const places = `type Box = { x: number; y: number; width: number; height: number } | null;
const direction = (on: any) => on.evaluate((e: any) => getComputedStyle(e.parentElement ?? e).direction);
function before(a: Box, b: Box, way: string): string {
  if (!a || !b) return 'not seen';
  const holds = (o: any, i: any) => i.x >= o.x && i.y >= o.y && i.x + i.width <= o.x + o.width && i.y + i.height <= o.y + o.height;
  if (holds(a, b) || holds(b, a)) return 'one lies within the other';
  const overlap = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  if (overlap <= Math.min(a.height, b.height) / 2) return a.y < b.y ? 'yes' : 'no';
  return (way === 'rtl' ? a.x + a.width > b.x + b.width : a.x < b.x) ? 'yes' : 'no';
}
`

const snapshotted = `function lines(snapshot: string, wanted: { head: string; marks: string[]; value: string }[]): string {
  const all = snapshot.split('\n').map((line) => {
    let text = line.trim().replace(/^- /, '');
    text = text.replace(/^'((?:[^']|'')*)'(.*)$/, (_, key, rest) => key.replaceAll("''", "'") + rest);
    return text.replace(/^([^:]*: )"((?:[^"\\]|\\.)*)"$/, (_, key, value) => key + JSON.parse('"' + value + '"'));
  });
  let at = 0;
  for (const w of wanted) {
    const i = all.findIndex((l, n) => n >= at && (l === w.head || l.startsWith(w.head + ' [') || l.startsWith(w.head + ':')) &&
      w.marks.every((m) => l.includes('[' + m + ']')) && (!w.value || l.endsWith(': ' + w.value)));
    if (i < 0) return 'no';
    at = i + 1;
  }
  return 'yes';
}
`
