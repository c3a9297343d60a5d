import { expect, test } from '@playwright/test';

const user = 'ada@example.test';

test.use({ viewport: { width: 1280, height: 720 }, locale: 'en-US' });

async function signIn(page, name) {
  await page.getByLabel('Email').fill(name);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
}

test.describe('sign-in', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/login');
  });

  test('leads to the dashboard', async ({ page }) => {
    await signIn(page, user);
  });

  test('refuses a wrong password', { tag: '@slow' }, async ({ page, baseURL }) => {
    await page.goto(`${baseURL}/login?from=${encodeURIComponent('/a/b')}`);
    await page.getByLabel('Password', { exact: true }).fill('wrong', { timeout: 5_000 });
    await page.locator('form >> button').first().click();
    await expect(page, 'stays where it is').toHaveURL(/\/login$/);
    await expect(page.getByRole('alert')).not.toContainText('undefined');
    await expect.poll(async () => page.getByRole('row').count(), { timeout: 10000 }).toBeGreaterThan(3);
  });

  for (const [title, path] of [['Orders', '/orders'], ['Customers', '/customers']]) {
    test(`${title} has its heading`, async ({ page, context }) => {
      const dialogs = [];
      page.on('dialog', async (dialog) => {
        dialogs.push(dialog.message());
        await dialog.accept();
      });
      const popup = page.waitForEvent('popup');
      await page.goto(path);
      await test.step('open the list', async () => {
        const [other, answer] = await Promise.all([popup, page.waitForResponse(/\/api\/list/), page.getByText('List').click()]);
        expect(answer.status()).toBe(200);
        await expect(other.getByRole('heading', { level: 1 })).toHaveText(title);
      });
      const texts = await page.getByRole('cell').allInnerTexts();
      const figures = texts.map((text) => Number(text.replace(/[^\d.]/g, '')));
      let sum = 0;
      for (const figure of figures) sum += figure;
      expect(sum).toBeCloseTo(100.5, 1);
      expect(dialogs).toEqual(['Really?']);
      expect(context.pages()[0].url()).toMatch(/orders|customers/);
    });
  }
});
