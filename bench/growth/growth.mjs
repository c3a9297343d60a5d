// Playwright's own click and aria snapshot: no server around them. Usage:
// node growth.mjs DRIVER EXECUTABLE SANDBOX; each line of stdin is a command as
// JSON, each line of stdout what it took in milliseconds.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

const [driver, executablePath, sandbox] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(join(driver, 'package', 'index.mjs')));
const browser = await chromium.launch({ executablePath, chromiumSandbox: sandbox === 'true' });
const page = await browser.newPage();
page.setDefaultTimeout(120_000);

const verbs = {
  open: ({ url }) => page.goto(url),
  click: ({ name }) => page.getByRole('button', { name, exact: true }).click(),
  snapshot: () => page.locator('body').ariaSnapshot(),
};

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  const start = performance.now();
  await verbs[command.verb](command);
  console.log(JSON.stringify({ MS: performance.now() - start }));
}
await browser.close();
