// The official TypeScript client, worked by the Go tests: reads an order
// {command, args, env, steps: [{tool, arguments}]} on stdin, attaches to that
// server, does the steps, and prints what came of them as one JSON text.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { text } from 'node:stream/consumers';

const order = JSON.parse(await text(process.stdin));
const client = new Client({ name: 'e2e-typescript', version: '1.0.0' });
const transport = new StdioClientTransport({ command: order.command, args: order.args, env: order.env, stderr: 'inherit' });
const errors = [];
client.onerror = (error) => errors.push(String(error));

await client.connect(transport);
const outcome = { instructions: client.getInstructions(), tools: [], answers: [], progress: 0, links: [], errors };
await client.ping();
// With the list the client knows the output schemas, and holds every answer to its own.
outcome.tools = (await client.listTools()).tools.map((tool) => tool.name);
for (const step of order.steps) {
  const result = await client.callTool({ name: step.tool, arguments: step.arguments }, undefined, { onprogress: () => outcome.progress++ });
  outcome.answers.push(result.structuredContent);
  outcome.links.push(...result.content.filter((part) => part.type === 'resource_link').map((part) => part.uri));
}
for (const { uri } of (await client.listResources()).resources) await client.readResource({ uri });
await client.listResourceTemplates();
for (const uri of outcome.links) await client.readResource({ uri });
outcome.unknownTool = await client.callTool({ name: 'page_dance', arguments: {} }).then(() => '', String);
await client.close();
process.stdout.write(JSON.stringify(outcome));
