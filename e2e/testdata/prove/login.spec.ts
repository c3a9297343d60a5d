import { expect, test } from '@playwright/test';

test('signs in', async ({ page }) => {
  await page.goto('/login');
  await page.getByLabel('Email').fill('demo@assay.test');
  await page.getByLabel('Password').fill('assay-demo');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/dashboard/);
  await expect(page.locator('[data-kpi="Revenue"]')).toHaveText('$22,236.07');
});
