package testfile

// checkHelper returns a helper function of the file's header. Those that decide whether something holds return
// yes, no, or why that is undecided. Only a no proves the opposite.
func checkHelper(name string) string {
	return map[string]string{"compared": figures, "sorted": ordered, "before": places, "lines": snapshotted, "upload": uploading}[name]
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

// figures reads a text with one number, as en, de and the like write them.
const figures = `const language = (page: any) => page.evaluate(() => document.documentElement.lang);
function figure(text: string, lang: string): number {
  const all = [...text.matchAll(/([-−–(]?)\s?\p{Sc}?\s?(\d[\d.,'’\u00a0\u202f]*\d|\d)([kmb](?!\p{L}))?(\+?)/giu)];
  if (all.length !== 1 || all[0][4]) return NaN;
  const [, sign, digits, short] = all[0];
  const plain = digits.replace(/['’\u00a0\u202f]/g, ''), last = plain.match(/[.,](?=\d*$)/)?.[0] ?? '';
  const parts = last ? plain.split(last) : [plain];
  const other = last === '.' ? ',' : '.';
  let point = last;
  if (parts.length > 2) point = '';
  else if (last && !plain.includes(other) && /^\d{1,3}[.,]\d{3}$/.test(plain) && !plain.startsWith('0')) {
    const own = /^(en|zh|ja|ko|th|he)/.test(lang) ? '.' : /^(de|fr|it|es|pt|nl|pl|ru|da|sv|nb|fi|tr|cs)/.test(lang) ? ',' : '?';
    if (own === '?') return NaN;
    point = own === last ? last : '';
  }
  const value = Number((point ? plain.split(point === '.' ? ',' : '.').join('').replace(point, '.') : plain.replace(/[.,]/g, '')));
  return (sign ? -1 : 1) * value * ({ k: 1e3, m: 1e6, b: 1e9 }[(short ?? '').toLowerCase()] ?? 1);
}
function compared(text: string, op: string, value: number, lang: string): string {
  const n = figure(text, lang);
  if (Number.isNaN(n)) return 'not one number: ' + text;
  const holds = { '<': n < value, '<=': n <= value, '==': n === value, '>=': n >= value, '>': n > value, '!=': n !== value }[op];
  return holds ? 'yes' : 'no';
}
`

const ordered = `function day(text: string): number {
  const first = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?/.exec(text);
  if (first) return Date.UTC(+first[1], +first[2] - 1, +first[3], +(first[4] ?? 0), +(first[5] ?? 0), +(first[6] ?? 0));
  const last = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:,? +(\d{1,2}):(\d{2}))?$/.exec(text);
  if (last) return Date.UTC(+last[3], +last[2] - 1, +last[1], +(last[4] ?? 0), +(last[5] ?? 0));
  return /[a-z]/i.test(text) ? Date.parse(text + ' UTC') : NaN;
}
function sorted(texts: string[], order: string, as: string, lang: string): string {
  const key = (t: string) => (as === 'number' ? figure(t, lang) : as === 'date' ? day(t.trim()) : t.replace(/\s+/g, ' ').trim().normalize('NFKD').replace(/\p{Mn}/gu, '').toLowerCase());
  const keys = texts.map(key);
  if (keys.length < 2) return keys.length + ' elements: an order needs two';
  const odd = keys.findIndex((k) => Number.isNaN(k));
  if (odd >= 0) return 'no ' + as + ': ' + texts[odd];
  return keys.every((k, i) => i === 0 || (order === 'asc' ? keys[i - 1] <= k : keys[i - 1] >= k)) ? 'yes' : 'no';
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
