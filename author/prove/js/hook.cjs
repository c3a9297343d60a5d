// Watches what a test does in a control run, and brings one mutant about in others.
// It wraps the public methods of Playwright's client, so that tests stay as they are.
'use strict';
const { AsyncLocalStorage } = require('node:async_hooks');
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const answers = require('./answers.cjs');
const { eachContext } = require('./contexts.cjs'); // of author/testrun
const page = require('./page.cjs');
const { survey } = require('./survey.cjs');

// Methods of a frame by where their options stand.
const ACTS = { click: 1, dblclick: 1, tap: 1, check: 1, uncheck: 1, press: 2, fill: 2, type: 2, selectOption: 2, setInputFiles: 2, dragAndDrop: 2, dispatchEvent: 3 };
const READS = { textContent: 1, innerText: 1, innerHTML: 1, inputValue: 1, getAttribute: 2, isVisible: 1, isChecked: 1, isEnabled: 1, isDisabled: 1, _queryCount: 1 };

// The position of the options in calls that only wait. Those of a page and of a locator do not come by its frame.
const WAITS = { waitForURL: 1, waitForSelector: 1, waitForLoadState: 1, waitForFunction: 2, waitForNavigation: 0 };
const PAGE_WAITS = { waitForResponse: 1, waitForRequest: 1, waitForEvent: 1 };
const LOCATOR_WAITS = { waitFor: 0 };

// The waits that say what is waited for. They are expectations by another name.
const STATES = new Set(['waitFor', 'waitForURL', 'waitForSelector', 'waitForFunction', 'waitForResponse', 'waitForRequest', 'waitForEvent']);

const inside = new AsyncLocalStorage(); // set in our own calls, and in those of a call that is watched
const digest = (bytes) => crypto.createHash('sha256').update(bytes).digest('hex').slice(0, 16);
const patched = Symbol.for('assay.prove.patched');

// wrap replaces a method once.
function wrap(object, name, wrapper) {
  const original = object && object[name];
  if (typeof original !== 'function' || original[patched]) return;
  object[name] = async function (...args) {
    return await wrapper(this, args, (changed) => original.apply(this, changed || args)); // awaited: else the stack of what follows ends here
  };
  object[name][patched] = true;
}

// asWritten lets stacks name a module that a slot loads again as the file that it is: the lines
// of that are known. Our own calls are left out: the runner takes the first place that is not
// its own for that of a step.
function asWritten() {
  const told = Error.prepareStackTrace;
  if (!told) return;
  Error.prepareStackTrace = (error, frames) => told(error, frames.filter((frame) => frame.getFileName() !== __filename).map((frame) => {
    const found = /^(file:.*)\?assay-slot=[\w-]+$/.exec(frame.getFileName() || '');
    if (!found) return frame;
    const methods = {};
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(frame))) if (/^(is|get)/.test(name)) methods[name] = () => frame[name]();
    methods.getFileName = methods.getScriptNameOrSourceURL = () => found[1];
    return Object.create(methods);
  }));
}

// where is the place in a test's file that a call comes from.
function where() {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 60;
  const lines = String(new Error().stack).split('\n').slice(1);
  Error.stackTraceLimit = limit;
  for (const line of lines) {
    const found = /\(?((?:file:\/\/)?[^()\s]*[^()]*?):(\d+):(\d+)\)?$/.exec(line.trim().replace(/^at (async )?/, ''));
    if (!found || /node_modules|^node:|[\\/](hook|answers|page|wrap)\.cjs$/.test(found[1])) continue;
    const file = found[1].replace(/^.* \(/, '').replace(/^file:\/\//, '');
    if (file.startsWith('node:') || !path.isAbsolute(file)) continue;
    return { file, line: Number(found[2]), column: Number(found[3]) };
  }
  return undefined;
}

// within ends a promise after a time.
const within = (promise, ms) => Promise.race([promise, new Promise((done) => setTimeout(done, ms).unref())]);

class Watch {
  constructor(info, data) {
    this.slot = (/(?:^|[\\/])\d{3}-([\w-]+)[\\/]\d+\.[cm]js$/.exec(info.titlePath[0]) || [])[1] || info.project.name;
    this.test = info.file + '\n' + info.titlePath.slice(1).join(' › ');
    this.data = data;
    this.recording = this.slot === data.record;
    this.studying = this.slot === data.study;
    this.comparing = this.slot === data.compare;
    this.waits = {}; // how long calls took that only wait, in milliseconds
    this.pages = []; // what was worked on pages, each page once
    this.mutant = ((data.mutants || {})[this.slot] || {})[this.test];
    this.faulty = !!this.mutant && !this.mutant.equivalent;
    this.ops = [];
    this.seen = {};
    this.names = new Set();
    this.made = new Map(); // where locators were made, by their selectors
    this.typed = new Map(); // what fields were given since the last act of another kind, by selector
    this.pending = [];
    this.last = {}; // the last answers by method and path, for stale ones
    this.active = !!this.mutant && !this.mutant.key;
    this.proof = { reached: this.active, changed: 0 };
    this.info = info;
    const whole = ((data.limits || {})[this.test] || {}).whole;
    if (this.faulty && whole && info.timeout > whole) info.setTimeout(whole); // what waits by a loop of its own
    if (this.studying && info.timeout) info.setTimeout(info.timeout + STUDY_MORE); // the looks take time that a test does not have
  }

  begin(kind, method, selector, frame) {
    const at = where();
    const key = [method, selector, at ? `${at.file}:${at.line}` : ''].join('|');
    const n = (this.seen[key] = (this.seen[key] || 0) + 1);
    const op = { key, n, kind, method, selector, at, made: this.made.get(selector), url: safely(() => frame.page().url()), requests: [], pending: true };
    this.ops.push(op);
    return op;
  }

  // page returns which of the pages has these elements.
  page(elements) {
    const text = JSON.stringify(elements || []);
    if (!this.pages.includes(text)) this.pages.push(text);
    return this.pages.indexOf(text);
  }

  // limit is the time that a call may take under a mutant.
  limit(op) {
    const known = (this.data.limits || {})[this.test] || {};
    return known[op.key] || known[''];
  }

  // timed bounds a call that only waits, as acts are: what a mutant breaks would be waited for until the test's own time is up.
  async timed(method, args, at, call) {
    const place = where();
    const key = [method, place ? `${place.file}:${place.line}` : ''].join('|');
    const changed = [...args];
    if (this.faulty) {
      const given = args[at] || {};
      const options = typeof given === 'function' ? { predicate: given } : given;
      while (changed.length < at) changed.push(undefined);
      changed[at] = { ...options, timeout: Math.min(options.timeout || Infinity, this.limit({ key })) };
    }
    const started = Date.now();
    return await inside.run(true, async () => {
      try {
        return await call(changed);
      } catch (e) {
        if (STATES.has(method)) this.waited = { at: place, said: String(e.message || e).split('\n')[0] };
        throw e;
      } finally {
        this.waits[key] = Math.max(this.waits[key] || 0, Date.now() - started);
      }
    });
  }

  // isStopped reports whether nobody wants to know any more what comes of the test.
  isStopped() {
    return !!this.data.mutants && fs.existsSync(path.join(this.data.out, this.file('stopped')));
  }

  file(slot) {
    return digest(slot + '\n' + this.test) + '.json';
  }

  // flush writes what is known; the last writing counts.
  async flush() {
    await within(Promise.allSettled(this.pending), 3000);
    if (this.mutant && this.handle) await this.verify();
    if (this.faulty) this.ownWord(this.info.errors[0]);
    if (this.faulty && this.info.status === 'failed') this.info.fail(); // a mutant that is noticed restarts no worker
    fs.writeFileSync(path.join(this.data.out, this.file(this.slot)), JSON.stringify({ slot: this.slot, test: this.test, ops: this.recording || this.studying || this.comparing ? this.ops : undefined, waits: this.recording ? this.waits : undefined, pages: this.pages.map((text) => JSON.parse(text)), names: [...this.names], mutant: this.mutant && this.mutant.id, proof: this.mutant && this.proof }));
  }

  // ownWord keeps whether what failed first is a wait for a state, or an error that neither an expectation nor JavaScript itself (ECMA-262,
  // 20.5.5) has thrown.
  ownWord(failed) {
    if (!failed) return;
    if (this.waited && String(failed.message).includes(this.waited.said)) this.proof.waited = this.waited.at;
    else this.proof.thrown = !/^(?:Eval|Range|Reference|Syntax|Type|URI)Error: /.test(failed.message);
  }

  async verify() {
    const found = await within(inside.run(true, () => this.handle.evaluate(page.probe)).catch(() => undefined), 2000);
    if (!found) return;
    if (found.count) this.proof.changed = Math.max(this.proof.changed, found.count);
    if (found.held !== undefined) this.proof.held = found.held;
  }
}

function safely(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

exports.install = ({ core, test, request }) => {
  const mark = Symbol.for('assay.prove');
  if (globalThis[mark]) return;
  globalThis[mark] = true;
  asWritten();
  const watches = new WeakMap();
  const current = () => {
    const info = safely(() => test.test.info());
    if (!info) return undefined;
    if (!watches.has(info)) watches.set(info, new Watch(info, request.data));
    return watches.get(info);
  };
  eachContext(core, 'prove.contexts', (context) => prepare(context, current()));

  async function prepare(context, watch) {
    if (watch && watch.isStopped()) test.test.skip(true, 'it fails without a mutant');
    wrap(Object.getPrototypeOf(context), 'newPage', async (self, args, call) => {
      const made = await call();
      patchPage(made, current);
      return made;
    });
    wrap(Object.getPrototypeOf(context), 'close', async (self, args, call) => {
      const w = self[mark];
      if (w) await w.flush().catch(() => undefined);
      return call();
    });
    context.on('page', (opened) => patchPage(opened, current));
    if (!watch) return;
    context[mark] = watch;
    if (watch.recording) record(context, watch);
    if (watch.mutant && watch.mutant.on === 'route') await inside.run(true, () => context.route(() => true, (route) => answer(route, watch)));
  }
};

// Members that make locators.
const MAKERS = ['locator', 'getByRole', 'getByText', 'getByLabel', 'getByPlaceholder', 'getByAltText', 'getByTitle', 'getByTestId', 'first', 'last', 'nth', 'filter', 'and', 'or'];

// watchMakers keeps where the locators of a study are made.
function watchMakers(object, current) {
  for (const name of MAKERS) {
    const original = object[name];
    if (typeof original !== 'function' || original[patched]) continue;
    object[name] = function (...args) {
      const made = original.apply(this, args);
      const watch = inside.getStore() ? undefined : current();
      const at = watch && watch.studying && made && made._selector ? where() : undefined;
      if (at) {
        const known = watch.made.get(made._selector) || [];
        if (!known.some((one) => one.file === at.file && one.line === at.line && one.column === at.column)) watch.made.set(made._selector, [...known, at]);
      }
      return made;
    };
    object[name][patched] = true;
  }
}

function patchPage(opened, current) {
  const frame = Object.getPrototypeOf(opened.mainFrame());
  for (const one of [opened.mainFrame(), opened.mainFrame().locator('html'), opened.mainFrame().frameLocator('html')]) watchMakers(Object.getPrototypeOf(one), current);
  for (const [method, at] of Object.entries(ACTS)) wrap(frame, method, (self, args, call) => around(self, 'act', method, args, at, call, current));
  for (const [method, at] of Object.entries(READS)) wrap(frame, method, (self, args, call) => around(self, 'read', method, args, at, call, current));
  wrap(frame, '_expect', (self, args, call) => around(self, 'expect', args[0], args, 1, call, current));
  for (const [object, waits] of [[frame, WAITS], [Object.getPrototypeOf(opened), PAGE_WAITS], [Object.getPrototypeOf(opened.mainFrame().locator('html')), LOCATOR_WAITS]]) {
    for (const [method, at] of Object.entries(waits)) {
      wrap(object, method, (self, args, call) => {
        const watch = inside.getStore() ? undefined : current();
        return watch ? watch.timed(method, args, at, call) : call();
      });
    }
  }
  wrap(frame, 'goto', (self, args, call) => around(self, 'goto', 'goto', args, 1, call, current));
}

// around watches one call, and brings the mutant about if it belongs there.
async function around(frame, kind, method, args, at, call, current) {
  const watch = inside.getStore() ? undefined : current();
  if (!watch || !frame.page()) return call();
  const options = args[at] || {};
  const selector = kind === 'expect' ? options.selector || '' : String(args[0]);
  const op = watch.begin(kind, method, selector, frame);
  const m = watch.mutant && watch.mutant.key === op.key && watch.mutant.n === op.n ? watch.mutant : undefined;
  return await inside.run(true, async () => {
    if ((watch.recording || watch.comparing) && kind === 'act') {
      await frame.waitForSelector(selector, { state: 'attached', timeout: 5000 }).catch(() => undefined);
      if (watch.recording) op.elements = await look(frame, selector);
      op.marks = await marks(frame, selector);
      op.page = watch.page(await worked(frame, selector));
    }
    if (watch.studying && kind === 'act') await study(watch, frame, op);
    if (watch.mutant && watch.mutant.kind === 'page-other' && kind === 'act' && !watch.first) watch.first = await frame.evaluate(page.shown).catch(() => undefined);
    if (m) await bring(watch, frame, op, m).catch((e) => (watch.proof.why = String(e.message || e).split('\n')[0]));
    const changed = [...args];
    if (watch.faulty && kind !== 'goto') changed[at] = { ...options, timeout: Math.min(options.timeout || Infinity, watch.limit(op)) };
    if (watch.studying && kind === 'act') changed[at] = { ...options, timeout: Math.min(options.timeout || Infinity, op.count === 1 ? STUDY_ACT : STUDY_LOST) };
    const started = Date.now();
    let result;
    try {
      result = await call(changed);
      op.ok = kind !== 'expect' || result.matches === !options.isNot;
    } finally {
      op.ms = Date.now() - started;
      op.pending = false;
      if (m && watch.handle) await watch.verify();
      if (watch.studying && !op.ok && kind !== 'goto') await study(watch, frame, op);
    }
    if (watch.recording && op.ok) {
      op.echo = echoes(watch, op, args[1], kind === 'expect' ? (options.expectedText || []).map((one) => one.string) : [result]);
      await remember(watch, frame, op, options);
    }
    return result;
  });
}

// echoes reports whether a look at a field finds what the test itself has put there, with no act between that may have done something.
function echoes(watch, op, value, found) {
  if (op.kind === 'act' || op.kind === 'goto') {
    if (!/^(fill|type)$/.test(op.method)) watch.typed.clear();
    else if (typeof value === 'string' && value) watch.typed.set(op.selector, value);
    return false;
  }
  return /^(to\.have\.value|inputValue)$/.test(op.method) && found.length === 1 && watch.typed.get(op.selector) === found[0];
}

// remember keeps what an expectation or a reading was about.
async function remember(watch, frame, op, options) {
  op.not = !!options.isNot;
  op.argument = typeof options.expressionArg === 'string' ? options.expressionArg : undefined;
  op.expected = (options.expectedText || []).map((one) => one.string).filter((one) => typeof one === 'string');
  op.urlAfter = frame.page().url();
  if (op.kind === 'act' || op.kind === 'goto') return;
  if (op.selector && !op.not) {
    op.elements = await look(frame, op.selector);
    op.marks = await marks(frame, op.selector);
  }
  const names = await within(frame.evaluate(page.names).catch(() => []), 2000);
  (names || []).forEach((name) => watch.names.add(name));
}

// Times of a study, in milliseconds: for an element to come, for an act on it, for one
// on an element that is not there, between two looks.
const STUDY_SEEK = 5000;
const STUDY_ACT = 5000;
const STUDY_LOST = 500;
const STUDY_PAUSE = 300;
const STUDY_MORE = 60000;

const ENTER = 'internal:control=enter-frame';

// rootOf is the document in which a selector looks for its element.
const rootOf = (selector) => (selector.includes(ENTER) ? selector.slice(0, selector.lastIndexOf(ENTER) + ENTER.length) + ' >> html' : 'html');

const marks = (frame, selector) => within(frame.$$eval(selector, survey, {}).catch(() => undefined), 3000);
const worked = (frame, selector) => within(frame.$$eval(rootOf(selector), survey, { all: true, worked: true }).catch(() => undefined), 3000);
const everything = (frame, selector) => within(frame.$$eval(rootOf(selector), survey, { all: true }).catch(() => undefined), 10000);

// study looks at the page before an act, and where a call has failed: what the selector
// leads to, all elements twice, and a picture where something is wrong.
async function study(watch, frame, op) {
  if (!op.looks) {
    const began = Date.now();
    if (op.selector && op.kind === 'act') await frame.waitForSelector(op.selector, { state: 'attached', timeout: STUDY_SEEK }).catch(() => undefined);
    op.sought = Date.now() - began;
    op.marks = op.selector ? await marks(frame, op.selector) : [];
    op.count = (op.marks || []).length;
    const first = await everything(frame, op.selector);
    await new Promise((done) => setTimeout(done, STUDY_PAUSE));
    op.looks = [first || [], (await everything(frame, op.selector)) || []];
  }
  if (op.picture || (op.kind === 'act' && op.count === 1 && op.ok === undefined && !op.ms)) return;
  op.picture = path.join(watch.data.out, `${digest(watch.test)}-${watch.ops.indexOf(op)}.jpeg`);
  await within(frame.page().screenshot({ path: op.picture, type: 'jpeg', quality: 75, fullPage: true, scale: 'css', timeout: 5000 }).catch(() => (op.picture = undefined)), 6000);
}

const look = (frame, selector) => frame.$$eval(selector, page.describe).catch(() => []);

// record keeps the requests of each call, with what is in their answers.
function record(context, watch) {
  context.on('response', (response) => {
    const op = watch.ops[watch.ops.length - 1];
    if (!op || op.requests.length > 60) return;
    const req = response.request();
    const url = safely(() => new URL(req.url()));
    if (!url || !/^https?:$/.test(url.protocol)) return;
    const one = { method: req.method(), path: url.pathname, origin: url.origin, url: req.url(), type: req.resourceType(), status: response.status(),
      navigation: req.isNavigationRequest() && safely(() => req.frame() === req.frame().page().mainFrame()) === true, mime: response.headers()['content-type'] || '' };
    op.requests.push(one);
    if (!/^(xhr|fetch|document)$/.test(one.type) || one.status >= 300) return;
    watch.pending.push(inside.run(true, async () => {
      const body = await response.body();
      one.digest = digest(body);
      if (/json/.test(one.mime) && body.length < 1 << 20) one.shape = answers.shape(body.toString());
    }).catch(() => undefined));
  });
}

// bring changes the page just before a call, once it is as it was in the control run.
async function bring(watch, frame, op, m) {
  watch.active = true;
  watch.proof.reached = true;
  if (m.on === 'route') {
    if (m.kind === 'elsewhere') {
      frame.page().on('response', (r) => {
        const req = r.request();
        if (req.isNavigationRequest() && r.status() < 300 && watch.proof.changed && new URL(r.url()).pathname === m.url) watch.proof.why = 'the site led back to where the test was meant to be';
      });
    }
    return;
  }
  if (m.on === 'page') {
    await within(frame.page().waitForURL(m.url, { timeout: m.wait }).catch(() => undefined), m.wait + 100);
    const told = await frame.evaluate(page.elsewhere, { m, first: watch.first });
    if (m.kind === 'page-other') watch.handle = await frame.$('html');
    watch.proof = { ...watch.proof, changed: told.before === told.after ? 0 : 1, before: digest(told.before), after: digest(told.after) };
    return;
  }
  const els = await settled(frame, op.selector, m);
  if (!els.length) throw new Error('the page never came to the element that the control run met');
  watch.handle = els[0];
  const told = await els[0].evaluate(page.mutate, { els, m });
  watch.proof.before = digest(told.before);
  watch.proof.after = digest(told.after);
  if (told.before !== told.after) watch.proof.changed = 1;
}

// settled waits for the elements that the control run met, with their text.
async function settled(frame, selector, m) {
  const until = Date.now() + m.wait;
  await frame.waitForSelector(selector, { state: 'attached', timeout: m.wait }).catch(() => undefined);
  for (;;) {
    const found = await look(frame, selector);
    const same = found.length === m.count && (!found.length || found[0].text === m.text);
    if (same || Date.now() > until) return frame.$$(selector);
    await new Promise((done) => setTimeout(done, 50));
  }
}

const pathOf = (req) => `${req.method()} ${new URL(req.url()).pathname}`;

// answer changes the answers that a mutant is about.
async function answer(route, watch) {
  const req = route.request();
  const m = watch.mutant;
  const wanted = watch.active && (!m.request || m.request === pathOf(req));
  try {
    if (m.kind === 'stale') return await stale(route, watch, wanted);
    if (!wanted) return await route.fallback();
    return await change(route, watch, m, req);
  } catch {
    return route.abort().catch(() => undefined);
  }
}

async function change(route, watch, m, req) {
  const delivered = (before, after) => {
    watch.proof.changed++;
    watch.proof.before = before;
    watch.proof.after = after;
  };
  if (m.status) {
    const body = m.script ? '' : `<!doctype html><title>${m.status}</title><h1>${m.status}</h1>`;
    await route.fulfill({ status: m.status, contentType: m.script ? 'text/javascript' : 'text/html', body });
    return delivered('', digest(String(m.status) + body));
  }
  switch (m.kind) {
    case 'elsewhere':
      if (watch.proof.changed) return route.fallback();
      await route.fulfill({ status: 302, headers: { location: m.other } });
      return delivered('', digest(m.other));
    case 'write-dropped':
      await route.fulfill({ status: 200, contentType: m.mime || 'application/json', body: /json/.test(m.mime || 'json') ? '{}' : '' });
      return delivered('', digest('{}'));
    case 'delayed':
      if (!/^(xhr|fetch)$/.test(req.resourceType()) && !(m.documents && req.resourceType() === 'document')) return route.fallback();
      await new Promise((done) => setTimeout(done, 1500));
      watch.proof.changed++;
      return route.fallback();
  }
  return rewrite(route, m, req, delivered);
}

// rewrite asks the server, and hands a changed body to the page.
async function rewrite(route, m, req, delivered) {
  const isDocument = req.resourceType() === 'document';
  if (m.equivalent && !m.keep && !isDocument && !(m.names && /^(script|stylesheet|xhr|fetch)$/.test(req.resourceType()))) return route.fallback();
  const response = await route.fetch({ maxRedirects: 0 });
  const text = await response.text();
  const changed = m.keep ? answers.otherData(text, m.keep) : m.equivalent ? answers.text(text, m, isDocument) : answers.json(text, m.kind);
  await route.fulfill({ response, body: changed });
  if (changed !== text) delivered(digest(text), digest(changed));
}

// stale hands out the answer before, where there is one that differs.
async function stale(route, watch, wanted) {
  const req = route.request();
  if (!/^(xhr|fetch)$/.test(req.resourceType()) || req.method() !== 'GET') return route.fallback();
  const response = await route.fetch({ maxRedirects: 0 });
  const text = await response.text();
  const old = watch.last[pathOf(req)];
  if (!wanted) watch.last[pathOf(req)] = text;
  if (!wanted || old === undefined) return route.fulfill({ response, body: text });
  await route.fulfill({ response, body: old });
  if (old !== text) watch.proof = { ...watch.proof, changed: watch.proof.changed + 1, before: digest(text), after: digest(old) };
}
