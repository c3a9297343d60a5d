import { expect, test, type Page } from '@playwright/test';

test.beforeEach(async ({ page }) => {
  await page.goto('/sign-in');
  await page.getByLabel('Name').fill('dana');
  await page.getByLabel('Password').fill('correct horse');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/tickets');
});

async function create(page: Page, subject: string) {
  await page.goto('/tickets/new');
  await page.getByLabel('Subject').fill(subject);
  await page.getByLabel("Customer's mail").fill('kim@example.com');
  await page.getByLabel('What is wrong').fill('It does not print.');
  await page.getByRole('button', { name: 'Create ticket' }).click();
}

test('01 expects nothing', async ({ page }) => {
  await page.goto('/tickets');
  await page.getByLabel('Search tickets').fill('printer');
  await page.getByRole('button', { name: 'Search' }).click();
});

test('02 expects a constant', async ({ page }) => {
  await create(page, 'Constant');
  expect(1 + 1).toBe(2);
});

test('04 catches its failure', async ({ page }) => {
  await create(page, 'Caught');
  try {
    await expect(page.getByRole('heading', { name: 'Caught' })).toBeVisible({ timeout: 1000 });
  } catch {
    console.log('not there');
  }
});

test('05 expects only where it is there', async ({ page }) => {
  await create(page, 'Conditional');
  const said = page.getByRole('alert').filter({ hasText: 'subject' });
  if (await said.isVisible()) {
    await expect(said).toContainText('subject');
  }
});

test('06 compares a text with itself', async ({ page }) => {
  await page.goto('/tickets');
  await page.getByRole('link', { name: 'Next' }).click();
  const text = await page.getByRole('main').innerText();
  expect(text).toBe(await page.getByRole('main').innerText());
});

test('07 looks at the frame of the page', async ({ page }) => {
  await create(page, 'Furniture');
  await expect(page.getByRole('link', { name: 'Help' })).toBeVisible();
});

test('08 matches every text', async ({ page }) => {
  await create(page, 'Pattern');
  await expect(page.getByRole('main')).toHaveText(/.*/s);
  await expect(page).toHaveURL(/./);
});

test('09 counts at least none', async ({ page }) => {
  await page.goto('/tickets');
  await page.getByLabel('Search tickets').fill('printer');
  await page.getByRole('button', { name: 'Search' }).click();
  expect(await page.getByRole('row').count()).toBeGreaterThanOrEqual(0);
});

test('10 says that what never was is not there', async ({ page }) => {
  await create(page, 'Absent');
  await expect(page.locator('.eror-mesage')).toHaveCount(0);
  await expect(page.getByText('Internal servr error')).not.toBeVisible();
});

test('11 expects what it typed itself', async ({ page }) => {
  await page.goto('/tickets/new');
  await page.getByLabel('Subject').fill('Typed');
  await expect(page.getByLabel('Subject')).toHaveValue('Typed');
  await page.getByLabel("Customer's mail").fill('kim@example.com');
  await page.getByLabel('What is wrong').fill('It does not print.');
  await page.getByRole('button', { name: 'Create ticket' }).click();
});

test('12 loops over nothing', async ({ page }) => {
  await create(page, 'Loop');
  for (const row of await page.locator('table.results tr').all()) {
    await expect(row).toContainText('Loop');
  }
});

test('13 expects a locator', async ({ page }) => {
  await create(page, 'Locator');
  expect(page.getByRole('heading', { name: 'Locator of nothing' })).toBeTruthy();
});

test('14 expects its own answer', async ({ page }) => {
  await page.route('**/comments*', (route) => route.fulfill({ json: { comments: ['Made up'] } }));
  await page.route('**/comment', (route) => route.fulfill({ json: { comments: ['Made up'] } }));
  await create(page, 'Mocked');
  const comments = await page.evaluate(() => ['Made up']);
  expect(comments).toContain('Made up');
});

test('15 waits and catches', async ({ page }) => {
  await create(page, 'Wait');
  await page.getByRole('heading', { name: 'Wait' }).waitFor({ timeout: 1000 }).catch(() => {});
  await page.waitForTimeout(100);
});

test('16 expects in a callback that is never called', async ({ page }) => {
  page.on('dialog', (dialog) => expect(dialog.message()).toBe('Saved'));
  await create(page, 'Callback');
});

test('18 accepts either outcome', async ({ page }) => {
  await create(page, 'Either');
  await expect(page.getByRole('heading').or(page.getByRole('alert')).first()).toBeVisible();
});

test('19 expects that a status is a number', async ({ page }) => {
  const answer = await page.goto('/reports');
  expect(answer?.status()).toBeGreaterThan(0);
});

test('20 was told to fail', async ({ page }) => {
  test.fail();
  await create(page, 'Marked');
  await expect(page.getByRole('heading', { name: 'Never' })).toBeVisible({ timeout: 500 });
});
