// Made by assay from "all\n.md.flow.json", which it is made from again: changes belong there.
import { expect, test } from '@playwright/test';

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
let requests: { method: string; url: string }[] = [];
let answers: { url: string; status: number; document: boolean }[] = [];
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
  page.context().on('request', (r) => requests.push({ method: r.method(), url: r.url() }));
  answers = [];
  page.context().on('response', (r) => {
    const document = r.request().isNavigationRequest() && r.frame() === page.mainFrame();
    answers.push({ url: r.url(), status: r.status(), document });
  });
});

test("It's \"all\"", async ({ page }) => {
  test.setTimeout(60000);
  await test.step("Sign in */ `now`", async () => {
    await page.goto(at("/"));
    await page.getByRole("textbox", { name: "E-mail", exact: true }).nth(1).fill("a" + variable("MAIL") + "b" + variable("MAIL"));
    await page.getByLabel("Pass \\ word", { exact: true }).fill("it's `${x}`\n\u2028</script>");
    // "a\nb"
    await page.getByRole("row").filter({ has: page.getByText("Anna", { exact: true }) }).filter({ has: page.getByText("3", { exact: true }) }).getByRole("button", { name: "Say \"hi\"", exact: true }).click({ timeout: 1500 });
    await page.getByTestId("pay").nth(-1).filter({ visible: true }).click();
    await page.locator("iframe:is([title=\"Pay\"], [aria-label=\"Pay\"], [name=\"Pay\"], [id=\"Pay\"], [src*=\"/Pay\"], [src^=\"Pay\"])").nth(1).contentFrame().getByText("Now", { exact: true }).hover();
  });
  await test.step("Look on", async () => {
  });
  await page.locator("css=#s > .x").selectOption("Two");
  await page.locator("role=button[name=\"Go\"]").press("Enter");
  await page.keyboard.press("Control+A");
  await page.goto(at("/next?a=1#b"));
  await page.goto("https://other.test/");
  await page.waitForTimeout(20);
  await page.locator("xpath=//p").filter({ visible: true }).first().waitFor({ timeout: 10000 });
  await test.info().attach("screenshot end", { body: await page.screenshot(), contentType: 'image/png' });
  await page.locator("css=#f").setInputFiles(["a.txt", "b.txt"]);
  page.removeAllListeners('dialog');
  page.on('dialog', (dialog) => dialog.accept("Bob"));
  page.removeAllListeners('dialog');
  page.on('dialog', (dialog) => dialog.dismiss());
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
    await expect(page).toHaveURL(new RegExp("^.*/a\\?b=.*$", "s"));
    await expect(page).toHaveTitle("T");
    await expect.poll(() => errors, { message: "errors of this page in the console" }).toEqual([]);
    await expect.poll(() => requests.some((r) => r.method === "POST" && new RegExp("^.*/api/.*$", "s").test(r.url)), { message: "a request POST */api/*" }).toBe(true);
    await expect.poll(() => requests.some((r) => new RegExp("^https://.*\\.js$").test(r.url)), { message: "a request re:^https://.*\\.js$" }).toBe(true);
    await expect.poll(() => answers.filter((r) => new RegExp("/api").test(r.url)).at(-1)?.status, { message: "status of /api" }).toBe(204);
    await expect.poll(() => answers.filter((r) => r.document).at(-1)?.status, { message: "status of the page" }).toBe(200);
  });
});

test.afterEach('tidy up', async ({ page }) => {
  await page.locator("css=#tidy").click();
});
