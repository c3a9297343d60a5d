import { expect, test, type Page } from '@playwright/test';

test.beforeEach(async ({ page }) => {
  await page.goto('/sign-in');
  await page.getByLabel('Name').fill('dana');
  await page.getByLabel('Password').fill('correct horse');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/tickets');
});

const fresh = () => Date.now().toString(36) + Math.random().toString(36).slice(2, 6);

async function create(page: Page, subject: string) {
  await page.goto('/tickets/new');
  await page.getByLabel('Subject').fill(subject);
  await page.getByLabel("Customer's mail").fill('kim@example.com');
  await page.getByLabel('What is wrong').fill('It does not print.');
  await page.getByRole('button', { name: 'Create ticket' }).click();
}

test('01 finds a ticket', async ({ page }) => {
  const subject = 'Sharp ' + fresh();
  await create(page, subject);
  await page.goto('/tickets');
  await page.getByLabel('Search tickets').fill(subject);
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByRole('row').filter({ hasText: subject })).toHaveCount(1);
});

test('02 creates a ticket', async ({ page }) => {
  const subject = 'Sharp ' + fresh();
  await create(page, subject);
  await expect(page.getByRole('heading', { name: subject })).toBeVisible();
});

test('03 refuses a ticket without a subject', async ({ page }) => {
  await create(page, '');
  await expect(page.getByRole('alert').first()).toContainText(/subject/i);
});

test('04 catches one failure and expects another', async ({ page }) => {
  const subject = 'Sharp ' + fresh();
  await create(page, subject);
  try {
    await expect(page.getByText('A hint that is there at times')).toBeVisible({ timeout: 200 });
  } catch {
    console.log('no hint');
  }
  await expect(page.getByRole('heading', { name: subject })).toBeVisible();
});

test('05 expects in a branch that is taken', async ({ page }) => {
  const subject = 'Sharp ' + fresh();
  await create(page, subject);
  if (await page.getByRole('button', { name: 'Close ticket' }).isVisible()) {
    await expect(page.getByRole('main')).toContainText('Open');
  } else {
    throw new Error('no button');
  }
});

test('06 compares a text with that of before', async ({ page }) => {
  await page.goto('/tickets');
  const before = await page.getByRole('row').nth(1).innerText();
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByRole('row').nth(1)).not.toHaveText(before);
  await page.waitForURL(/page=2/);
  expect(await page.getByRole('row').nth(1).innerText()).not.toBe(before);
});

test('08 matches a pattern of a subject', async ({ page }) => {
  await create(page, 'Sharp ' + fresh());
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Sharp [0-9a-z]+$/);
  await expect(page).toHaveURL(/\/tickets\/\d+$/);
});

test('09 counts rows', async ({ page }) => {
  await page.goto('/tickets');
  await page.getByLabel('Search tickets').fill('zzzz-nothing');
  await page.getByRole('button', { name: 'Search' }).click();
  expect(await page.locator('tbody tr').count()).toBe(0);
});

test('10 says that what was there is gone', async ({ page }) => {
  await create(page, 'Sharp ' + fresh());
  await expect(page.getByRole('button', { name: 'Assign to me' })).toBeVisible();
  await page.getByRole('button', { name: 'Assign to me' }).click();
  await expect(page.getByRole('button', { name: 'Assign to me' })).toHaveCount(0);
});

test('11 expects a stored value', async ({ page }) => {
  const subject = 'Sharp ' + fresh();
  await create(page, subject);
  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(page.getByLabel('Subject')).toHaveValue(subject);
});

test('12 loops over rows', async ({ page }) => {
  await page.goto('/tickets');
  await page.getByRole('link', { name: 'Closed', exact: true }).click();
  await page.waitForURL(/closed/i);
  const rows = await page.locator('tbody tr').all();
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) await expect(row).toContainText('Closed');
});

test('15 waits for what it says', async ({ page }) => {
  const subject = 'Sharp ' + fresh();
  await create(page, subject);
  await page.getByRole('heading', { name: subject }).waitFor({ timeout: 5000 });
  expect(await page.title()).toContain(subject);
});

test('17 awaits a step', async ({ page }) => {
  const subject = 'Sharp ' + fresh();
  await create(page, subject);
  await test.step('looks', async () => {
    await expect(page.getByRole('heading', { name: subject })).toBeVisible();
  });
});

test('19 expects a status', async ({ page }) => {
  const answer = await page.goto('/reports');
  expect(answer?.status()).toBe(200);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/report/i);
});

test('20 adds a comment', async ({ page }) => {
  await create(page, 'Sharp ' + fresh());
  const words = 'Comment ' + fresh();
  await page.getByLabel('Your comment').fill(words);
  await page.getByRole('button', { name: 'Add comment' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: words })).toHaveCount(1);
});



test('21 uses an assertion library', async ({ page }) => {
  const subject = 'Sharp ' + fresh();
  await create(page, subject);
  const { default: assert } = await import('node:assert');
  assert.equal((await page.getByRole('heading', { level: 1 }).innerText()).trim(), subject);
});
