// The flow as a script on playwright-core: no server, no checks but waiting, a
// picture after each step. Usage: node flow.mjs DRIVER EXECUTABLE SANDBOX STEPS;
// each line of stdin is an address to start from, each line of stdout what it took.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

const [driver, executablePath, sandbox, stepList] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(join(driver, 'package', 'index.mjs')));
const steps = JSON.parse(stepList);
const browser = await chromium.launch({ executablePath, chromiumSandbox: sandbox === 'true' });

async function flow(address) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  for (const [i, step] of steps.entries()) {
    const element = step.role && page.getByRole(step.role, { name: step.name, exact: true });
    switch (step.verb) {
      case 'fill': await element.fill(step.value); break;
      case 'click': await element.click(); break;
      case 'select': await element.selectOption({ label: step.value }); break;
      case 'verify': await element.waitFor(); break;
      case 'verify text': await page.getByText(step.value).first().waitFor(); break;
      default: throw new Error(`unknown step ${step.verb}`);
    }
    await page.screenshot({ path: `step-${i}.png` });
  }
  await context.close();
}

for await (const address of createInterface({ input: process.stdin })) {
  const start = performance.now();
  await flow(address);
  console.log(JSON.stringify({ MS: performance.now() - start }));
}
await browser.close();
