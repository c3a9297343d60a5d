import { expect, test } from '@playwright/test';

test('looks at nothing', async ({ page }) => {
  await page.goto('/login');
  expect(true).toBe(true);
});

test('looks at what is always there', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading').first()).toBeVisible();
});
