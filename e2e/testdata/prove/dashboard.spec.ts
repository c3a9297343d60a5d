import { expect, test } from '@playwright/test';

test.beforeEach(async ({ page }) => {
  await page.goto('/login');
  await page.getByLabel('Email').fill('demo@assay.test');
  await page.getByLabel('Password').fill('assay-demo');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
});

test('shows the figures of today', async ({ page }) => {
  await expect(page).toHaveTitle(/Dashboard/);
  await expect(page.locator('[data-kpi="Revenue"]')).toHaveText('$22,236.07');
  await expect(page.locator('#order-rows tr')).toHaveCount(5);
});

test('filters by category', async ({ page }) => {
  await page.getByLabel('Category').selectOption('Hardware');
  await expect(page.locator('#status')).toContainText('Hardware');
  await expect(page.locator('[data-kpi="Revenue"]')).toHaveText('$10,675.28');
  await expect(page.getByLabel('Category')).toHaveValue('Hardware');
});

test('shows an order', async ({ page }) => {
  await page.getByRole('button', { name: 'View' }).first().click();
  await expect(page.getByRole('dialog')).toContainText('A-10482');
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('signs out', async ({ page }) => {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
});
