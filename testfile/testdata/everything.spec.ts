// Made by assay from "all\n.md.flow.json", which it is made from again: changes belong there.
import * as path from 'node:path';

import { type Dialog, type Locator, expect, test } from '@playwright/test';

function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error('set ' + name + ' in the environment: the test needs it');
  return value;
}

function at(path: string): string {
  const base = process.env.BASE_URL ?? test.info().project.use.baseURL;
  if (!base) throw new Error('set BASE_URL, or use.baseURL of the configuration: the test opens ' + path);
  return base.replace(/\/+$/, '') + path;
}

test.use({ actionTimeout: 10000, navigationTimeout: 10000, viewport: { width: 800, height: 600 }, storageState: variable("STORAGE_STATE") });

let errors: string[] = [];
let requests: { of: unknown; method: string; url: string; status: number; failed: boolean }[] = [];
let acted = 0; // how many there were before the last act
let opened = 0; // and before the page's document was asked for
let answers: number[] = []; // status of each of the page's documents
let happened: { kind: string; dialog?: string; text: () => string }[] = []; // dialogs, popups and downloads
let brought = 0; // how many there were before the last act
const keep = (dialog: Dialog) => happened.push({ kind: 'dialog', dialog: dialog.type(), text: () => dialog.message() });
let next: ((dialog: Dialog) => Promise<void>)[] = []; // the answers to the dialogs that come, one each
const language = (page: any) => page.evaluate(() => document.documentElement.lang);
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
function day(text: string): number {
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
type Box = { x: number; y: number; width: number; height: number } | null;
const direction = (on: any) => on.evaluate((e: any) => getComputedStyle(e.parentElement ?? e).direction);
function before(a: Box, b: Box, way: string): string {
  if (!a || !b) return 'not seen';
  const holds = (o: any, i: any) => i.x >= o.x && i.y >= o.y && i.x + i.width <= o.x + o.width && i.y + i.height <= o.y + o.height;
  if (holds(a, b) || holds(b, a)) return 'one lies within the other';
  const overlap = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  if (overlap <= Math.min(a.height, b.height) / 2) return a.y < b.y ? 'yes' : 'no';
  return (way === 'rtl' ? a.x + a.width > b.x + b.width : a.x < b.x) ? 'yes' : 'no';
}
function lines(snapshot: string, wanted: { head: string; marks: string[]; value: string }[]): string {
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
async function upload(on: Locator, names: string[], options: { timeout?: number } = {}): Promise<void> {
  const files = names.map((name) => path.resolve(process.env.UPLOAD_ROOT ?? '.', name)); // the folder of network.upload_roots
  if (await on.evaluate((e: any) => (e.control ?? e).type === 'file', undefined, options)) return on.setInputFiles(files, options);
  const opened = on.page().waitForEvent('filechooser', { timeout: 10_000, ...options });
  await Promise.all([opened, on.click(options)]);
  await (await opened).setFiles(files, options);
}
test.beforeEach(({ page }) => {
  page.on('response', (r) => {
    if (r.request().isNavigationRequest() && r.frame() === page.mainFrame()) expect.soft(r.status(), 'status of ' + r.url()).toBeLessThan(500);
  });
  let before = 0;
  errors = [];
  page.on('request', (r) => {
    if (r.isNavigationRequest() && r.frame() === page.mainFrame()) before = errors.length;
  });
  page.on('framenavigated', (f) => {
    if (f !== page.mainFrame()) return;
    errors = errors.slice(before);
    before = 0;
  });
  page.on('console', (m) => {
    if (m.type() === 'error') errors.push(m.text());
  });
  page.on('pageerror', (e) => errors.push(String(e)));
  requests = [];
  acted = opened = 0;
  page.context().on('request', (r) => {
    if (r.isNavigationRequest() && r.frame() === page.mainFrame()) opened = requests.length;
    requests.push({ of: r, method: r.method(), url: r.url(), status: 0, failed: false });
  });
  page.context().on('response', (r) => {
    for (const sent of requests) if (sent.of === r.request()) sent.status = r.status();
  });
  page.context().on('requestfailed', (r) => {
    for (const sent of requests) {
      if (sent.of !== r || (sent.status > 0 && r.failure()?.errorText.includes('ERR_ABORTED'))) continue;
      sent.failed = true;
      sent.status = 0;
    }
  });
  answers = [];
  page.on('response', (r) => {
    if (r.request().isNavigationRequest() && r.frame() === page.mainFrame()) answers.push(r.status());
  });
  happened = [];
  brought = 0;
  page.on('dialog', keep);
  page.on('popup', (popup) => happened.push({ kind: 'popup', text: () => popup.url() }));
  page.on('download', async (d) => {
    if (!(await d.failure())) happened.push({ kind: 'download', text: () => d.suggestedFilename() });
  });
  next = [];
  page.context().on('dialog', (dialog) => {
    const usual = () => (['alert', 'beforeunload'].includes(dialog.type()) ? dialog.accept() : dialog.dismiss());
    return (next.shift() ?? usual)(dialog);
  });
});

test("It's \"all\"", async ({ page }) => {
  test.setTimeout(60000);
  await test.step("Sign in */ `now`", async () => {
    acted = requests.length;
    brought = happened.length;
    await page.goto(at("/"));
    acted = requests.length;
    brought = happened.length;
    await page.getByRole("textbox", { name: "E-mail", exact: true }).nth(1).fill("a" + variable("MAIL") + "b" + variable("MAIL"));
    acted = requests.length;
    brought = happened.length;
    await page.getByLabel("Pass \\ word", { exact: true }).fill("it's `${x}`\n\u2028</script>");
    // "a\nb"
    acted = requests.length;
    brought = happened.length;
    await page.getByRole("row").filter({ has: page.getByText("Anna", { exact: true }) }).filter({ has: page.getByText("3", { exact: true }) }).getByRole("button", { name: "Say \"hi\"", exact: true }).click({ timeout: 1500 });
    acted = requests.length;
    brought = happened.length;
    await page.getByTestId("pay").nth(-1).filter({ visible: true }).click();
    acted = requests.length;
    brought = happened.length;
    await page.locator("css=label").dblclick({ timeout: 1500 });
    acted = requests.length;
    brought = happened.length;
    await page.locator("iframe:is([title=\"Pay\"], [aria-label=\"Pay\"], [name=\"Pay\"], [id=\"Pay\"], [src*=\"/Pay\"], [src^=\"Pay\"])").nth(1).contentFrame().getByText("Now", { exact: true }).hover();
  });
  await test.step("Look on", async () => {
  });
  acted = requests.length;
  brought = happened.length;
  await page.locator("css=#s > .x").selectOption("Two");
  acted = requests.length;
  brought = happened.length;
  await page.locator("role=button[name=\"Go\"]").press("Enter");
  acted = requests.length;
  brought = happened.length;
  await page.keyboard.press("Control+A");
  acted = requests.length;
  brought = happened.length;
  await page.goto(at("/next?a=1#b"));
  acted = requests.length;
  brought = happened.length;
  await page.goto("https://other.test/");
  await page.waitForTimeout(20);
  await page.locator("xpath=//p").filter({ visible: true }).first().waitFor({ timeout: 10000 });
  await test.info().attach("screenshot end", { body: await page.screenshot(), contentType: 'image/png' });
  acted = requests.length;
  brought = happened.length;
  await upload(page.locator("css=#f"), ["a.txt", "b.txt"]);
  next.push((dialog) => dialog.accept("Bob"));
  next.push((dialog) => dialog.dismiss());
  await test.step("Check", async () => {
    await expect(page.getByLabel("Mail").first()).toBeAttached();
    await expect(page.getByRole("listitem").filter({ hasText: new RegExp("^\\s*Tea \\(1\\)\\s*$") }).filter({ visible: true }).first()).toBeVisible();
    await expect(page.getByRole("heading", { name: new RegExp("^A long one") }).nth(1).filter({ visible: true })).toHaveCount(0);
    await expect(page.locator("body")).toContainText("Hi", { useInnerText: true });
    await expect(page.locator("text=/h.i/i")).toHaveText("Hi", { useInnerText: true });
    await expect(page.getByRole("textbox", { name: "", exact: true }).nth(0)).toHaveValue("");
    await expect(page.locator("css=h1")).toHaveCount(3);
    await expect(page.locator("css=a")).toHaveAttribute("href", "/x");
    await expect(page.locator("css=#c")).toBeChecked();
    await expect(page.locator("css=#c")).toBeEnabled({ enabled: false });
    await expect(page).toHaveURL(/^[^\/?#]*\/\/[^\/?#]*(?:\/[^?#]*)?\/+a\/*(?=\?(?:[^#]*&)?b=[^\/?#&]*(?:[&#]|$))(?!\?(?:[^#]*&)?(?=b(?:=|[&#]|$))(?!(?:b=[^\/?#&]*)(?:[&#]|$)))\?[^#]*(?:#.*)?$/s);
    await expect(page).toHaveTitle("T");
    await expect.poll(() => errors, { message: "errors of this page in the console" }).toEqual([]);
    await expect.poll(() => requests.slice(Math.min(acted, opened)).some((r) => r.method === "POST" && /^[^\/?#]*\/\/[^\/?#]*(?:\/[^?#]*)?\/+api\/+[^\/?#]+\/*(?:\?[^#]*)?(?:#.*)?$/s.test(r.url) && r.status === 201), { message: "a request POST **/api/* 201" }).toBe(true);
    await expect.poll(() => requests.slice(Math.min(acted, opened)).some((r) => r.method !== 'OPTIONS' && new RegExp("^https://.*\\.js$").test(r.url) && r.status > 0 && r.status < 400), { message: "a request re:^https://.*\\.js$" }).toBe(true);
    await expect.poll(() => requests.slice(Math.min(acted, opened)).filter((r) => r.method === "PUT" && /^[^\/?#]*\/\/[^\/?#]*\/+api\/*(?:\?[^#]*)?(?:#.*)?$/s.test(r.url) && (r.failed || r.status > 0)).at(-1)?.status, { message: "status of PUT /api" }).toBe(204);
    await expect.poll(() => answers.at(-1), { message: "status of the page" }).toBe(200);
    await expect(page.locator("css=#a")).toBeAttached();
    await expect(page.locator("css=#a")).not.toBeInViewport();
    await expect.poll(async () => (await page.locator("body").innerText()).replace(/\s+/g, ' ').trim(), { message: "the text" }).toMatch(new RegExp("^a\\s\"b\"$", 'i'));
    await expect(page.locator("css=#a")).not.toContainText(new RegExp("(?<!\\p{Nd}[.,:/'’])(?<!(?<![\\p{L}\\p{M}\\p{Nd}_)\\]])[-−–‐]\\p{Sc}?)(?<!(?<![\\p{L}\\p{M}\\p{Nd}_])\\.)(?<!(?![\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}])[\\p{L}\\p{M}\\p{Nd}_])5\\s+kg(?!(?![\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}])[\\p{L}\\p{M}\\p{Nd}_])", 'u'), { useInnerText: true });
    await expect(page.locator("body")).toContainText(new RegExp("\\(Paid\\)", 'u'), { useInnerText: true });
    await expect(page.locator("css=#a").filter({ visible: true }).first()).not.toBeVisible();
    await expect.poll(() => page.locator("css=#a").filter({ visible: true }).count(), { message: "number of elements" }).toBeGreaterThanOrEqual(2);
    await expect.poll(() => page.locator("css=#a").filter({ visible: true }).count(), { message: "number of elements" }).not.toBeLessThanOrEqual(2);
    await expect.poll(() => page.locator("css=#a").evaluate((e: any) => [...e.selectedOptions].map((o) => o.value)), { message: "what is chosen" }).toEqual(["a", "b"]);
    await expect.poll(() => page.locator("css=#a").evaluate((e: any) => (e.selectedOptions ? [...e.selectedOptions].map((o) => o.label) : [e.value ?? e.innerText]).map((t) => t.replace(/\s+/g, ' ').trim())), { message: "what is chosen" }).toEqual(["A b"]);
    await expect(page.locator("css=#a")).toContainClass("a b");
    await expect(page.locator("css=#a")).toHaveCSS("color", "red");
    await expect(page.locator("css=#a")).toHaveRole("button");
    await expect(page.locator("css=#a")).toHaveAccessibleName("A");
    await expect(page.locator("css=#a")).toHaveAccessibleDescription("A");
    await expect(page.locator("css=#a")).not.toHaveAccessibleErrorMessage("A");
    await expect(page.locator("css=#a")).toBeChecked({ checked: false });
    await expect(page.locator("css=#a")).not.toBeChecked({ indeterminate: true });
    await expect(page.locator("css=#a")).toBeEditable({ editable: false });
    await expect(page.locator("css=#a")).toBeFocused();
    await expect(page.locator("css=#a")).not.toBeEmpty();
    await expect.poll(() => page.locator("css=#a").evaluate((e: any) => (e.localName === 'summary' ? e.parentElement : e).open ?? e.getAttribute('aria-expanded') === 'true'), { message: "expanded" }).toBe(true);
    await expect.poll(() => page.locator("css=#a").evaluate((e: any) => e.getAttribute('aria-pressed') === 'true'), { message: "pressed" }).toBe(false);
    await expect.poll(async () => compared(await page.locator("css=#a").innerText(), "!=", -0.5, await language(page)), { message: "number != -0.5" }).toBe('no');
    await expect.poll(async () => sorted(await page.locator("css=#a").filter({ visible: true }).allInnerTexts(), "desc", "date", await language(page)), { message: "order desc by date" }).toBe('yes');
    await expect.poll(async () => before(await page.locator("css=#a").boundingBox(), await page.getByRole("button", { name: "B", exact: true }).boundingBox(), await direction(page.locator("css=#a"))), { message: "before button \"B\"" }).toBe('yes');
    await expect.poll(async () => lines(await page.locator("body").ariaSnapshot(), [{ head: "main", marks: [], value: "" }, { head: "paragraph: It's \"x\"", marks: [], value: "" }, { head: "textbox \"N\"", marks: ["disabled"], value: "Ada" }]), { message: "lines of the snapshot" }).toBe('yes');
    await page.waitForTimeout(1000);
    await expect.poll(() => requests.slice(Math.min(acted, opened)).some((r) => r.method !== 'OPTIONS' && /^[^\/?#]*\/\/[^\/?#]*\/+a\/*(?:\?[^#]*)?(?:#.*)?$/s.test(r.url) && r.status > 0 && r.status < 400), { message: "a request /a" }).toBe(false);
    await expect.poll(() => { const status = answers.at(-1); return !status ? 'no answer' : status === 200 ? 'yes' : 'no'; }, { message: "status of the page" }).toBe('no');
    await expect.poll(() => { const status = requests.slice(Math.min(acted, opened)).filter((r) => r.method !== 'OPTIONS' && /^[^\/?#]*\/\/[^\/?#]*\/+a\/*(?:\?[^#]*)?(?:#.*)?$/s.test(r.url) && (r.failed || r.status > 0)).at(-1)?.status; return !status ? 'no answer' : status >= 200 && status <= 299 ? 'yes' : 'no'; }, { message: "status of /a" }).toBe('yes');
    await expect.poll(() => happened.slice(brought).some((h) => h.kind === "download" && new RegExp("^(?:a\\*\\.csv|a[^/]*\\.csv)$").test(h.text())), { message: "a download a*.csv" }).toBe(true);
    await page.waitForTimeout(1000);
    await expect.poll(() => happened.slice(brought).some((h) => h.kind === "dialog" && h.text().replace(/\s+/g, ' ').includes("a b")), { message: "a dialog a  b" }).toBe(false);
    await expect.poll(() => happened.slice(brought).some((h) => h.kind === "popup" && /^[^\/?#]*\/\/[^\/?#]*\/+p\/*(?:\?[^#]*)?(?:#.*)?$/s.test(h.text())), { message: "a popup /p" }).toBe(true);
    await expect(page.locator("body")).toContainText("Saved", { useInnerText: true });
    acted = requests.length;
    brought = happened.length;
    await page.locator("css=#k").fill("", { timeout: 1500 });
    await page.locator("css=#k").pressSequentially("Zoë", { delay: 20, timeout: 1620 });
    acted = requests.length;
    brought = happened.length;
    await page.locator("css=#k").fill("");
    await page.locator("css=#k").pressSequentially(variable("PIN") + "x", { delay: 20, timeout: 10000 + 40 * (variable("PIN") + "x").length });
    await expect.poll(async () => (await page.locator("css=#k").inputValue()) === variable("PIN") + "x", { message: 'the field holds what was typed' }).toBe(true);
    acted = requests.length;
    brought = happened.length;
    await page.locator("css=#k").fill("Ada");
    await expect(page.locator("css=#k")).toHaveValue("Ada");
  });
});

test.afterEach('tidy up', async ({ page }) => {
  acted = requests.length;
  brought = happened.length;
  await page.locator("css=#tidy").click();
});
