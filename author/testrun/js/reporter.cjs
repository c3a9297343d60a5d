// Writes what happens in a run as lines of JSON, each as soon as it is known.
'use strict';
const fs = require('node:fs');

const plain = (text) => String(text || '').replace(/\u001b\[[0-9;]*[A-Za-z]/g, '');
const place = (l) => (l ? { file: l.file, line: l.line, column: l.column } : undefined);
const failure = (e) => e && { message: plain(e.message || e.value || e), location: place(e.location), snippet: plain(e.snippet) };

// flat lists the steps of a result in order, those within others after them.
function flat(steps, depth, out) {
  for (const s of steps) {
    out.push({ category: s.category, title: plain(s.title).slice(0, 300), depth, location: place(s.location), duration: s.duration, error: failure(s.error) });
    flat(s.steps, depth + 1, out);
  }
  return out;
}

// slotOf is the slot that a file loads tests again for.
const slotOf = (file) => (/(?:^|[\\/])\d{3}-([\w-]+)[\\/]\d+\.[cm]js$/.exec(file) || [])[1];

module.exports = class {
  constructor(options) {
    this.file = options.file;
    // Stdin ends with whoever started the run: then nobody wants it any more.
    process.stdin.on('error', () => {}).on('end', () => process.kill(process.pid, 'SIGINT')).resume().unref();
  }
  write(line) {
    fs.appendFileSync(this.file, JSON.stringify(line) + '\n');
  }
  printsToStdio() {
    return true;
  }
  onBegin(config, suite) {
    this.write({ event: 'begin', root: config.rootDir, version: config.version, tests: suite.allTests().length });
  }
  onError(error) {
    this.write({ event: 'error', error: failure(error) });
  }
  onTestEnd(test, result) {
    const titles = test.titlePath();
    this.write({
      event: 'test',
      project: slotOf(titles[2]) || titles[1],
      titles: titles.slice(3),
      location: place(test.location),
      status: result.status,
      expected: test.expectedStatus,
      duration: result.duration,
      retry: result.retry,
      errors: (result.errors || []).map(failure),
      steps: flat(result.steps, 0, []),
      attachments: result.attachments.filter((a) => a.path).map((a) => ({ name: a.name, type: a.contentType, path: a.path })),
    });
  }
  onEnd(result) {
    this.write({ event: 'end', status: result.status });
  }
};
