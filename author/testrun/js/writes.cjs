// Writes down which requests of the pages ask the site to change something: those whose method is not safe (RFC 9110, 9.2.1).
// A request has a line when it is sent, and another one when its answer has come.
'use strict';
const fs = require('node:fs');
const { eachContext } = require('./contexts.cjs');
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

exports.install = ({ core, file }) => {
  const ids = new WeakMap();
  let last = 0;
  const write = (request, status) => {
    if (SAFE.has(request.method())) return;
    if (!ids.has(request)) ids.set(request, process.pid + '-' + ++last);
    fs.appendFileSync(file, JSON.stringify({ event: 'write', request: { requestId: ids.get(request), method: request.method(), url: request.url(), status } }) + '\n');
  };
  eachContext(core, 'writes', (context) => {
    context.on('request', (request) => write(request));
    context.on('response', (response) => write(response.request(), response.status()));
  });
};
