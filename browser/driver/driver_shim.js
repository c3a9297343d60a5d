// Stands where playwright-go expects the driver's cli.js, and starts the real one with additions: its
// temporary files go to a folder of ours, that folder goes when the driver ends (also when the server was
// killed and cannot clean up), its compiled code is kept between starts, its heap stays small, a
// trace has DOM snapshots of actions only, and no page holds up the routes of its context.
'use strict';

const fs = require('fs');
const path = require('path');

const home = path.dirname(__dirname);
const launch = JSON.parse(fs.readFileSync(path.join(home, 'launch.json'), 'utf8'));

if (process.argv[2] === '--version') {
  // playwright-go asks before every start; the driver itself takes a third of a second to answer.
  process.stdout.write(`Version ${launch.version}\n`);
} else {
  // The heap for short-lived objects stays small: 6 MB less at launch, 11 after some work, for 12 ms.
  require('v8').setFlagsFromString('--semi-space-growth-factor=1');
  ownTheDriver();
  const store = keepCompiledCode();
  process.argv[1] = launch.cli;
  require(launch.cli);
  store();
  traceActionsOnly();
  routeWithoutThePage();
  consoleAsText();
  observeFromTheStart();
  readStorageOnce();
}

function ownTheDriver() {
  fs.writeFileSync(path.join(home, 'driver.pid'), String(process.pid));
  process.env.TMPDIR = process.env.TEMP = process.env.TMP = launch.temp;
  // Playwright kills its browsers in an exit handler of its own; ours must stay the last one, or a
  // browser would still write into the folder that is being removed.
  process.on('exit', removeHome);
  process.on('newListener', (event, listener) => {
    if (event !== 'exit' || listener === removeHome) return;
    process.nextTick(() => {
      process.off('exit', removeHome);
      process.on('exit', removeHome);
    });
  });
  noteGroups();
  sweepAtFirstStart();
  // The server is gone: Playwright gives a hanging browser 30 s, we give it 2.
  process.stdin.on('close', () => setTimeout(() => process.exit(0), 2000));
}

// A browser has a process group of its own. A file named after it, which goes when the group has ended, lets
// the server kill it when this process can't any more: killed itself, or stopped. On Windows a job holds all.
function noteGroups() {
  if (process.platform === 'win32') return;
  const groups = path.join(home, 'groups');
  fs.mkdirSync(groups, { mode: 0o700 });
  const children = require('child_process');
  const spawn = children.spawn;
  children.spawn = function (...call) {
    const child = spawn.apply(this, call);
    if (child.pid && call.some((options) => options?.detached)) {
      const file = path.join(groups, String(child.pid));
      fs.writeFileSync(file, '');
      child.once('exit', () => forgetGroup(child.pid, file));
    }
    return child;
  };
}

// A browser's helpers end moments after it. As long as one is there, and be it a zombie, the group's number
// can't be another's.
function forgetGroup(group, file) {
  try {
    process.kill(-group, 0);
    setTimeout(forgetGroup, 500, group, file).unref();
  } catch {
    fs.rmSync(file, { force: true });
  }
}

// In a trace, a DOM snapshot before and after every question to a page would double the time of a tool's
// call, which asks a dozen. They are kept for what acts, and for the one question by which MarkTrace (trace.go) wants one.
// A driver that is built otherwise takes them all, as it always did.
function traceActionsOnly() {
  try {
    const { methodMetainfo } = require(path.join(path.dirname(launch.cli), 'lib/coreBundle.js')).iso;
    const looks = /\.(eval|evaluate|query|get[A-Z]|inner|inputValue|is[A-Z]|textContent|content$|wait|ariaSnapshot|screenshot|boundingBox|scrollInto|expect)/;
    for (const [name, info] of methodMetainfo) {
      if (info.snapshot && looks.test(name) && name !== 'Frame.isHidden') info.snapshot = false;
    }
  } catch {
    // slower, and as good (see TestTraceSnapshotsWhatActs)
  }
}

// Routes hold once each page has said so, which one that is frozen never does. The binding holds its
// context's lock meanwhile, for which the next event of that context waits, and behind it those of every
// session: one frozen page would stop them all. After a second the routes are in force for whoever answers.
function routeWithoutThePage() {
  try {
    const { server } = require(path.join(path.dirname(launch.cli), 'lib/coreBundle.js'));
    const dispatcher = Object.getPrototypeOf(server.RequestDispatcher.prototype);
    const run = dispatcher._runCommand;
    dispatcher._runCommand = function (metadata, method, params) {
      return run.call(this, metadata, method, method === 'setNetworkInterceptionPatterns' ? { ...params, timeout: 1000 } : params);
    };
  } catch {
    // a driver that is built otherwise (see TestRoutesBesideAFrozenPage)
  }
}

// For each value that a page logs the driver makes an object, and keeps 100,000 of them, here and in the
// server: 180 MB there, and twenty seconds. The server reads the text alone, so that is made at once, and the
// values let go, in the page too. A driver that is built otherwise keeps them.
function consoleAsText() {
  try {
    const { Page } = require(path.join(path.dirname(launch.cli), 'lib/coreBundle.js')).server;
    const add = Page.prototype.addConsoleMessage;
    if (!add) return;
    Page.prototype.addConsoleMessage = function (worker, type, values, place, text, ...rest) {
      const said = text === undefined ? values.map((value) => value.preview()).join(' ') : text;
      for (const value of values) value.dispose();
      return add.call(this, worker, type, [], place, said, ...rest);
    };
  } catch {
    // as much as before, and as good (see TestConsoleWithoutValues)
  }
}

// The driver makes its own world in each new document, before the page's scripts, by an empty script. Ours takes
// its place there: it costs no message, and reaches frames of other sites, new tabs and popups. A driver or a
// browser that makes its world otherwise gets none, and the selector engine observes from when it comes.
function observeFromTheStart() {
  if (!launch.observer) return;
  try {
    const { Browser } = require(path.join(path.dirname(launch.cli), 'lib/coreBundle.js')).server;
    const open = Browser.prototype.newContext;
    const taught = new WeakSet();
    Browser.prototype.newContext = function (...args) {
      const sessions = this._session && Object.getPrototypeOf(this._session);
      if (sessions && Object.hasOwn(sessions, 'send') && !taught.has(sessions)) {
        taught.add(sessions);
        const send = sessions.send;
        sessions.send = function (method, params, ...rest) {
          const empty = method === 'Page.addScriptToEvaluateOnNewDocument' && params?.worldName && params.source === '';
          return send.call(this, method, empty ? { ...params, source: launch.observer } : params, ...rest);
        };
      }
      return open.apply(this, args);
    };
  } catch {
    // as before (see TestTraceSnapshotsWhatActs)
  }
}

// The driver reads the storage of each origin that no page shows any more in a page of its own, at every question: a
// process for each call of a session that was elsewhere once. What was read then holds until a page shows the origin again.
// A driver that is built otherwise opens its pages as before (see TestStorageIsReadOnce).
function readStorageOnce() {
  try {
    const { BrowserContext } = require(path.join(path.dirname(launch.cli), 'lib/coreBundle.js')).server;
    const { addVisitedOrigin, storageState } = BrowserContext.prototype;
    if (!addVisitedOrigin || !storageState) return;
    const contexts = new WeakMap(); // to what is known: visits and kept, both by origin
    const known = (context) => {
      if (!contexts.has(context)) contexts.set(context, { visits: new Map(), kept: new Map() });
      return contexts.get(context);
    };
    BrowserContext.prototype.addVisitedOrigin = function (origin) {
      const { visits, kept } = known(this);
      visits.set(origin, (visits.get(origin) || 0) + 1);
      kept.delete(origin);
      return addVisitedOrigin.call(this, origin);
    };
    BrowserContext.prototype.storageState = async function (progress, indexedDB, ...rest) {
      if (indexedDB || !(this._origins instanceof Set)) return storageState.call(this, progress, indexedDB, ...rest);
      const { visits, kept } = known(this);
      const inFrames = await storageInFrames(this, progress);
      const asked = new Set([...this._origins].filter((origin) => !kept.has(origin) && !inFrames.has(origin)));
      const gone = [...asked].filter((origin) => !mayChange(this, origin));
      const before = new Map(visits);
      const old = [...inFrames, ...kept];
      const state = await storageState.call(withOrigins(this, asked), progress, indexedDB, ...rest);
      for (const origin of gone) {
        // The driver's own page has visited it once.
        if (mayChange(this, origin) || visits.get(origin) - (before.get(origin) || 0) > 1) continue;
        kept.set(origin, state.origins.find((known) => known.origin === origin)?.localStorage || []);
      }
      for (const [origin, localStorage] of old) if (localStorage.length) state.origins.push({ origin, localStorage });
      return state;
    };
  } catch {
    // see above
  }
}

// withOrigins returns a context that has visited these origins alone.
function withOrigins(context, origins) {
  return new Proxy(context, {
    get(of, name) {
      if (name === '_origins') return origins;
      return typeof of[name] === 'function' ? of[name].bind(of) : of[name];
    },
  });
}

// mayChange reports whether a page may change an origin's storage: one of its frames shows it, with the storage that it has as
// a page, or it is a blank one that another page has opened, whose origin it has. Within pages of another site an origin has
// another storage.
function mayChange(context, origin) {
  return context.pages().some((page) => {
    const main = page.mainFrame();
    if (!main.origin()) return !!page.opener();
    return page.frames().some((frame) => frame.origin() === origin) && siteOf(main.origin()) === siteOf(origin);
  });
}

// siteOf returns two labels of a host: those of one site share them, and so may others.
const siteOf = (origin) => new URL(origin).hostname.split('.').slice(-2).join('.');

// storageInFrames reads what frames within pages of their own host show, which no page shows: their storage is one.
async function storageInFrames(context, progress) {
  const found = new Map();
  const shown = new Set(context.pages().map((page) => page.mainFrame().origin()));
  for (const page of context.pages()) {
    for (const frame of page.frames()) {
      const origin = frame.origin();
      if (!origin || shown.has(origin) || found.has(origin) || !withinItsHost(frame)) continue;
      const read = frame.nonStallingEvaluateInExistingContext('Object.keys(localStorage).map((name) => ({ name, value: localStorage.getItem(name) }))', 'utility');
      const items = await progress.race(read).catch(() => null);
      if (items && frame.origin() === origin) found.set(origin, items);
    }
  }
  return found;
}

function withinItsHost(frame) {
  const at = ({ protocol, hostname }) => protocol + hostname;
  for (let outer = frame.parentFrame(); outer; outer = outer.parentFrame()) {
    if (!outer.origin() || at(new URL(outer.origin())) !== at(new URL(frame.origin()))) return false;
  }
  return true;
}

function removeHome() {
  try {
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  } catch {
    // The server, or the next one, removes what a dying browser still held.
  }
}

// Compiling the driver's 264 modules is half of its start. V8 can store the result: one file, valid for
// one Node and one driver. Anything wrong with it means compiling as usual.
function keepCompiledCode() {
  const vm = require('vm');
  // Without it, as in Node 18, what is compiled here can't import while it runs, which the driver does there.
  const importModuleDynamically = vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  if (!launch.codeCache || !importModuleDynamically) return () => {};
  const Module = require('module');
  const root = path.dirname(launch.cli) + path.sep;
  const file = codeFile();
  const stored = readCode(file);
  const scripts = [];
  let changed = false;
  const compile = Module.prototype._compile;

  Module.prototype._compile = function (content, filename, ...rest) {
    if (!filename.startsWith(root)) return compile.call(this, content, filename, ...rest);
    const name = filename.slice(root.length);
    let script;
    try {
      script = new vm.Script(inOneByte(Module.wrap(content.replace(/^#!.*/, ''))), {
        filename,
        cachedData: stored.get(name),
        columnOffset: -Module.wrapper[0].length,
        importModuleDynamically,
      });
    } catch {
      return compile.call(this, content, filename, ...rest); // its error names the place
    }
    scripts.push([name, script]);
    changed ||= script.cachedDataRejected !== false; // undefined: there was none
    const require = (id) => this.require(id);
    require.resolve = (request, options) => Module._resolveFilename(request, this, false, options);
    require.main = process.mainModule;
    require.extensions = Module._extensions;
    require.cache = Module._cache;
    const run = script.runInThisContext();
    return run.call(this.exports, this.exports, require, this, filename, path.dirname(filename));
  };

  return () => {
    Module.prototype._compile = compile; // what is loaded later is rare
    stored.clear(); // each module's require holds this function's variables, and with them 3 MB
    if (!changed) return void scripts.splice(0);
    setTimeout(() => writeCode(file, scripts.splice(0)), 1000).unref(); // by then its hot functions are in it
  };
}

// V8 keeps the source of what runs, and takes two bytes for each character where one of them is not Latin-1:
// 13 MB for two bundles, of which 200 characters are. Written as escapes they mean the same, but behind a
// backslash: there the source stays as it is.
function inOneByte(source) {
  if (/\\[^\x00-\x7f]/.test(source)) return source;
  const escaped = source.replace(/[^\x00-\x7f]/g, (unit) => '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0'));
  return Buffer.from(escaped, 'latin1').toString('latin1');
}

// Reading and compiling leave 16 MB that nothing uses, which V8 would keep until its heap has grown by as much
// again. They go while the first browser starts, for which the driver waits anyway.
function sweepAtFirstStart() {
  const v8 = require('v8');
  v8.setFlagsFromString('--expose-gc');
  const collect = require('vm').runInNewContext('gc');
  v8.setFlagsFromString('--no-expose-gc');
  const children = require('child_process');
  const spawn = children.spawn;
  let swept = false;
  children.spawn = function (...call) {
    if (!swept) setImmediate(collect);
    swept = true;
    return spawn.apply(this, call);
  };
}

function codeFile() {
  const { mtimeMs, size } = fs.statSync(launch.cli);
  const key = ['one byte', launch.cli, launch.version, mtimeMs, size, process.version, process.arch].join('\n');
  return path.join(launch.codeCache, `${sha256(key).toString('hex').slice(0, 24)}.bin`);
}

function sha256(data) {
  return require('crypto').createHash('sha256').update(data).digest();
}

// The file: the SHA-256 of what follows (32 bytes; V8 checks little itself and dies of a flipped bit), the
// index's length (4), the index {name: [offset, length]} as JSON, the code.
function readCode(file) {
  const stored = new Map();
  try {
    const bytes = fs.readFileSync(file);
    const body = bytes.subarray(32);
    if (!sha256(body).equals(bytes.subarray(0, 32))) return stored;
    const start = 4 + body.readUInt32LE(0);
    const index = JSON.parse(body.toString('utf8', 4, start));
    for (const [name, [offset, length]] of Object.entries(index))
      stored.set(name, body.subarray(start + offset, start + offset + length));
  } catch {
    stored.clear(); // absent or unreadable: compile
  }
  return stored;
}

function writeCode(file, scripts) {
  const index = {};
  const parts = [];
  let offset = 0;
  for (const [name, script] of scripts) {
    const code = script.createCachedData();
    index[name] = [offset, code.length];
    offset += code.length;
    parts.push(code);
  }
  const head = Buffer.from(JSON.stringify(index));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const temporary = `${file}.${process.pid}`;
    const body = Buffer.concat([length, head, ...parts]);
    fs.writeFileSync(temporary, Buffer.concat([sha256(body), body]), { mode: 0o600 });
    fs.renameSync(temporary, file);
  } catch {
    // No room or no right to write: the next start compiles again.
  }
}
