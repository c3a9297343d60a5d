package script_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/script"
	"github.com/assay-qa/assay/qa"
)

func file(body string) string {
	return "import { expect, test } from '@playwright/test';\ntest('a', async ({ page }) => {\n" + body + "\n});\n"
}

// TestAssertionsCoverExpectations shows which assertions look for what an expectation in
// words says, and which look alike and do not (A16).
func TestAssertionsCoverExpectations(t *testing.T) {
	for _, c := range []struct {
		words, body string
		covers      bool
	}{
		{`The page shows "Saved"`, `await expect(page.getByText('Saved')).toBeVisible();`, true},
		{`The page shows "Saved"`, `await expect(page.getByRole('status')).toHaveText('Saved');`, true},
		{`The page shows "Saved"`, `await expect(page.getByRole('status')).toHaveText(/^Saved$/);`, true},
		{`The page shows "Saved"`, `const status = page.getByText('Saved'); await expect(status).toBeVisible();`, true},
		{`The page shows "Saved"`, "await expect(page.getByText(`Saved`)).toBeVisible();", true},
		{`The page shows "Saved"`, `await expect(page.getByText('Save')).toBeVisible();`, false},
		{`The page shows "Saved"`, `await expect(page.getByText('Saved').or(page.getByText('Error'))).toBeVisible();`, false},
		{`The page shows "Saved"`, `await expect(page.getByText(/Saved|Error/)).toBeVisible();`, false},
		{`The page shows "Saved"`, `await expect(page.getByRole('main').filter({ hasNotText: 'Saved' })).toBeVisible();`, false},
		{`The page shows "Saved"`, `await expect(page.getByText('Saved')).toBeHidden();`, false},
		{`The page shows "Saved"`, `await expect(page.getByText('Saved')).toHaveCount(0);`, false},
		{`The page shows "Saved"`, `await expect(page.getByText('Saved')).not.toBeVisible();`, false},
		{`The page shows "Saved"`, `await page.getByText('Saved').click(); await expect(page.getByRole('main')).toBeVisible();`, false},
		{`The page shows "Saved"`, `await expect(page.getByRole('main')).toHaveText(page.url() ? 'Saved' : 'Error');`, false},
		{`"Error" is not shown`, `await expect(page.getByText('Error')).toBeHidden();`, true},
		{`"Error" is not shown`, `await expect(page.getByText('Error')).toBeVisible();`, false},
		{`The heading "Dashboard" is visible`, `await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();`, true},
		{`The heading "Dashboard" is visible`, `await expect(page.getByText('Dashboard')).toBeVisible();`, false},
		{`The button "Save" is disabled`, `await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();`, true},
		{`The button "Save" is disabled`, `await expect(page.getByRole('button', { name: 'Save' })).toBeVisible();`, false},
		{`The field "Name" has the value "Anna"`, `await expect(page.getByLabel('Name')).toHaveValue('Anna');`, true},
		{`The field "Name" has the value "Anna"`, `await expect(page.getByRole('searchbox', { name: 'Name' })).toHaveValue('Anna');`, true},
		{`The field "Name" has the value "Anna"`, `await expect(page.getByLabel('Name')).not.toHaveValue('Anna');`, false},
		{`There are 3 rows in the table "Orders"`, `await expect(page.getByRole('table', { name: 'Orders' }).getByRole('row')).toHaveCount(3);`, true},
		{`There are 3 rows in the table "Orders"`, `await expect(page.getByRole('table', { name: 'Orders' }).getByRole('row')).toHaveCount(30);`, false},
		{`the list shows 3 items`, `await expect(page.getByRole('list').getByRole('listitem')).toHaveCount(3);`, true},
		{`The address is /done`, `await expect(page).toHaveURL(/\/done$/);`, true},
		{`The address is /done`, `await expect(page).toHaveURL('/start');`, false},
		{`The title is "Shop"`, `await expect(page).toHaveTitle('Shop');`, true},
		{`the dialog "Sure?" is not visible`, `await expect(page.getByRole('dialog', { name: 'Sure?' })).toBeHidden();`, true},
		{`Total is 42`, `await expect(page.getByRole('row', { name: 'Total' })).toContainText('42');`, true},
		{`Total is 42`, `await expect(page.getByRole('row', { name: 'Total' })).toContainText('43');`, false},
	} {
		demands, err := qa.Demands(c.words)
		if err != nil {
			t.Fatal(err)
		}
		all := script.Assertions(read(t, "a.spec.ts", file(c.body)))
		made, missing := script.CoveredBy(demands, all)
		if (len(missing) == 0) != c.covers || c.covers && len(made) == 0 {
			t.Errorf("%s by %s: made by %v, missing %+v", c.words, c.body, made, missing)
		}
		for _, i := range made {
			if all[i].From != 3 || all[i].To != 3 {
				t.Errorf("%s: lines %d to %d", c.body, all[i].From, all[i].To)
			}
		}
	}
}

// TestWhatNoTestSays shows that an expectation beyond Playwright's own is named.
func TestWhatNoTestSays(t *testing.T) {
	demands, err := qa.Demands("The console has no errors")
	if err != nil {
		t.Fatal(err)
	}
	if err := script.CanCover(demands[0]); err == nil || !strings.Contains(err.Error(), "console") {
		t.Errorf("got %v", err)
	}
}
