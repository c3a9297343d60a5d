// The configuration of one run: the project's own, if it has one, with what the
// caller decides: browser, proxy, address, reporter, no retries.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

// resolved returns a path of the project's configuration as seen from elsewhere.
const resolved = (base, p) => (typeof p === 'string' ? path.resolve(base, p) : p);

// script resolves a file or a module that the configuration names.
function script(base, id) {
  if (Array.isArray(id)) return id.map((one) => script(base, one));
  if (typeof id !== 'string') return id;
  const file = path.resolve(base, id);
  return fs.existsSync(file) ? file : require.resolve(id, { paths: [base] });
}

// needsBrowser reports whether the project's browser is missing, so that ours is used.
function needsBrowser(core, use) {
  const name = use.browserName || use.defaultBrowserType || 'chromium';
  const launch = use.launchOptions || {};
  if (name !== 'chromium' || use.channel || launch.channel || launch.executablePath || use.connectOptions) return false;
  try {
    return !fs.existsSync(core.chromium.executablePath());
  } catch {
    return true;
  }
}

function settled(request, core, ownUse, use) {
  const all = { ...ownUse, ...use };
  const out = { ...use, headless: !request.headed };
  if (request.baseURL) out.baseURL = request.baseURL;
  if (request.state && all.storageState === undefined) out.storageState = request.state;
  if (request.proxy) out.proxy = request.proxy;
  out.trace = request.quiet ? 'off' : all.trace || 'retain-on-failure';
  out.screenshot = request.quiet ? 'off' : all.screenshot || 'only-on-failure';
  out.video = request.quiet ? 'off' : all.video || 'off';
  if (request.browser && needsBrowser(core, all)) out.launchOptions = { ...all.launchOptions, executablePath: request.browser };
  return out;
}

// slotted returns a project for each slot, after those that it depends on; where the slots
// load their files again, one for all slots, since each project needs workers of its own.
function slotted(request, projects) {
  const named = (name) => projects.find((p) => p.name === name);
  const isChromium = (p) => ((p.use || {}).browserName || (p.use || {}).defaultBrowserType || 'chromium') === 'chromium';
  const setups = new Set(projects.flatMap((p) => [...(p.dependencies || []), p.teardown].filter(Boolean)));
  const target = request.project ? named(request.project) : projects.find((p) => isChromium(p) && !setups.has(p.name)) || projects[0];
  if (!target) throw new Error(`assay: the configuration has no project ${JSON.stringify(request.project)}`);
  const needed = new Set();
  const need = (p) => (p.dependencies || []).forEach((name) => {
    if (!needed.has(name) && named(name)) {
      needed.add(name);
      need(named(name));
    }
  });
  need(target);
  const out = projects.filter((p) => needed.has(p.name));
  if (request.again) {
    const project = { ...target, name: 'again', teardown: undefined, use: { ...target.use }, testDir: request.again, testMatch: /\d+\.[cm]js$/, testIgnore: [], grepInvert: undefined };
    return [...out, { ...project, grep: request.slots.map((s) => new RegExp(s.grep)) }];
  }
  for (const slot of request.slots) {
    const project = { ...target, name: slot.name, teardown: undefined, use: { ...target.use } };
    if (slot.grep) project.grep = new RegExp(slot.grep);
    out.push(project);
  }
  return out;
}

module.exports = function wrap(own, request) {
  own = own && own.default ? own.default : own || {};
  own = own && own.default ? own.default : own;
  const base = request.config ? path.dirname(request.config) : request.testDir;
  const core = require(request.core);
  const config = { ...own };
  config.testDir = request.config ? path.resolve(base, own.testDir || '.') : request.testDir;
  for (const key of ['snapshotDir', 'tsconfig']) if (own[key]) config[key] = resolved(base, own[key]);
  for (const key of ['globalSetup', 'globalTeardown']) if (own[key]) config[key] = script(base, own[key]);
  if (own.snapshotPathTemplate) config.snapshotPathTemplate = resolved(base, own.snapshotPathTemplate);
  if (own.webServer) {
    const servers = Array.isArray(own.webServer) ? own.webServer : [own.webServer];
    config.webServer = servers.map((s) => ({ ...s, cwd: path.resolve(base, s.cwd || '.') }));
  }
  config.outputDir = path.join(request.out, 'files');
  config.reporter = [[request.reporter, { file: path.join(request.out, 'events.jsonl') }]];
  config.retries = 0;
  config.preserveOutput = 'always';
  if (request.workers) config.workers = request.beside && own.workers === 1 ? 1 : request.workers;
  if (request.timeout) config.timeout = request.timeout;
  let projects = own.projects && own.projects.length ? own.projects : [{}];
  projects = projects.map((p) => {
    const project = { ...p, retries: 0, use: settled(request, core, own.use || {}, p.use || {}) };
    for (const key of ['testDir', 'snapshotDir']) if (p[key]) project[key] = resolved(base, p[key]);
    if (p.snapshotPathTemplate) project.snapshotPathTemplate = resolved(base, p.snapshotPathTemplate);
    delete project.outputDir;
    if (request.timeout) project.timeout = request.timeout;
    return project;
  });
  config.projects = request.slots ? slotted(request, projects) : projects;
  if ((request.slots || []).some((s) => s.late)) require('./late.cjs').install({ core, test: require(request.runner), slots: request.slots });
  if (request.writes) require('./writes.cjs').install({ core, file: path.join(request.out, 'events.jsonl') });
  if (request.hook) require(request.hook).install({ core, test: require(request.runner), request });
  return config;
};
