// npm's @copilotkit/aimock, worked by the Go tests: a mock of model providers
// that was made by others. Reads {turns, key} on the first line of stdin: what
// the model says in each turn, as aimock's fixtures have it, and the key that
// requests must bring, if any. Prints {url} on a line of its own, and when stdin
// ends, one JSON text: what it was asked, and the last request for a turn as
// aimock understood it.
import { createInterface } from 'node:readline';
import { LLMock } from '@copilotkit/aimock';

const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const { turns, key } = JSON.parse((await input.next()).value);
const mock = new LLMock({ host: '127.0.0.1', port: 0, strict: true, ...(key && { auth: { apiKeys: [key] } }) });
let understood; // the last request: the journal keeps no body over 64 KB
turns.forEach((response, turnIndex) => mock.on({ turnIndex, predicate: (request) => ((understood = request), true) }, response));

// aimock lists models and does not tell of a single one.
for (const path of ['/v1/models', '/v1beta/models']) {
  mock.mount(path, {
    async handleRequest(request, response, rest) {
      const id = rest.slice(1);
      if (request.method !== 'GET' || id === '') return false;
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ id, name: `models/${id}`, object: 'model', type: 'model', display_name: id, owned_by: 'aimock', created: 0, created_at: '2026-01-01T00:00:00Z' }));
      return true;
    },
  });
}
await mock.start();
process.stdout.write(JSON.stringify({ url: mock.url }) + '\n');
while (!(await input.next()).done);
const text = (content) => (typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n'));
process.stdout.write(
  JSON.stringify({
    requests: mock.getRequests().map(({ method, path, response }) => ({ method, path, status: response.status })),
    tools: (understood?.tools ?? []).map((tool) => tool.function?.name ?? tool.type),
    messages: (understood?.messages ?? []).map((message) => ({
      role: message.role,
      text: text(message.content),
      answers: message.tool_call_id ?? '',
      calls: (message.tool_calls ?? []).map((call) => ({ id: call.id, name: call.function.name })),
    })),
  }),
);
await mock.stop();
