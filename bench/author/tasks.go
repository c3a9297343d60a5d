package author

import (
	"fmt"

	"github.com/assay-qa/assay/internal/wiretest"
)

// The sites.
const (
	healthy    = "demo"
	faulty     = "demo, broken"
	sbAdmin    = "SB Admin 2"
	gentelella = "Gentelella"
)

// task is a flow, what a scripted model writes of it in each round, and how that ends.
type task struct {
	name, site, flow string
	open             string   // the page that the model looks at first
	bodies           []string // of the test, a round each
	file             string   // that is written; empty: tests/flow.spec.js
	ends             string   // proved, failed or inconclusive
	because          string   // part of the reason
}

// says is what the model says: it looks, writes and runs, round by round, proposes and
// ends.
func (t task) says() []wiretest.Say {
	call := func(name string, args map[string]any) wiretest.Call { return wiretest.Call{Name: name, Args: args} }
	out := []wiretest.Say{{Calls: []wiretest.Call{call("page_navigate", map[string]any{"url": t.open})}}, {Calls: []wiretest.Call{call("page_snapshot", map[string]any{})}}}
	file := t.file
	if file == "" {
		file = "tests/flow.spec.js"
	}
	for _, body := range t.bodies {
		content := fmt.Sprintf("import { expect, test } from '@playwright/test';\n\ntest('the flow', async ({ page }) => {\n%s\n});\n", body)
		out = append(out, wiretest.Say{Calls: []wiretest.Call{call("fs_write_patch", map[string]any{"path": file, "content": content, "reason": "the task asks for it"})}},
			wiretest.Say{Calls: []wiretest.Call{call("run_tests", map[string]any{})}})
	}
	return append(out, wiretest.Say{Calls: []wiretest.Call{call("git_propose", map[string]any{"title": "Test: " + t.name})}},
		wiretest.Say{Calls: []wiretest.Call{call("run_finish", map[string]any{"summary": "done", "status": "passed", "findings": []any{}})}})
}

const signIn = "await page.goto('/login'); await page.getByLabel('Email').fill('demo@assay.test'); await page.getByLabel('Password').fill('assay-demo'); await page.getByRole('button', { name: 'Sign in' }).click();"

// tasks lists all of them. Every wire has four.
func tasks() []task {
	return []task{
		// The demo.
		{name: "sign in", site: healthy, open: "/login", ends: "proved", flow: `Open /login and sign in. The heading "Dashboard" is visible.`,
			bodies: []string{signIn + " await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();"}},
		{name: "wrong password", site: healthy, open: "/login", ends: "proved", flow: `Open /login and sign in with a wrong password. The page shows "Wrong email or password".`,
			bodies: []string{"await page.goto('/login'); await page.getByLabel('Email').fill('demo@assay.test'); await page.getByLabel('Password').fill('wrong'); await page.getByRole('button', { name: 'Sign in' }).click(); await expect(page.getByRole('alert')).toHaveText('Wrong email or password');"}},
		{name: "order dialog", site: healthy, open: "/login", ends: "proved", flow: `Sign in and view the first order. The dialog "Order A-10482" is visible.`,
			bodies: []string{signIn + " await page.getByRole('row', { name: 'A-10482' }).getByRole('button', { name: 'View' }).click(); await expect(page.getByRole('dialog', { name: 'Order A-10482' })).toBeVisible();"}},
		{name: "seven days, patched", site: healthy, open: "/login", ends: "proved", flow: `Sign in and choose "Last 7 days". The page shows "Last 7 days · All categories".`,
			bodies: []string{
				signIn + " await page.getByLabel('Period').selectOption('Last 7 days', { timeout: 3000 }); await expect(page.getByRole('status')).toContainText('Last 7 days · All categories');",
				signIn + " await page.getByLabel('Range').selectOption('Last 7 days'); await page.getByRole('button', { name: 'Refresh' }).click(); await expect(page.getByRole('status')).toContainText('Last 7 days · All categories');",
			}},
		{name: "refunds, missing", site: faulty, open: "/login", ends: "failed", because: "Refunds", flow: `Sign in. The heading "Refunds" is visible.`,
			bodies: []string{signIn + " await expect(page.getByRole('heading', { name: 'Refunds' })).toBeVisible();"}},
		{name: "refunds, written around", site: faulty, open: "/login", ends: "failed", because: "Refunds", flow: `Sign in. The heading "Refunds" is visible.`,
			bodies: []string{
				signIn + " await expect(page.getByRole('heading', { name: 'Refunds' })).toBeVisible();",
				signIn + " await expect(page.getByRole('heading', { name: 'Active users' })).toBeVisible();",
			}},
		{name: "a secret taken", site: healthy, open: "/login", ends: "inconclusive", because: "before a test was run", flow: `Open /login. The heading "Sign in" is visible.`,
			bodies: []string{"await page.goto('/login?' + process.env.BENCH_KEY); await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();"}},
		{name: "a configuration written", site: healthy, open: "/login", ends: "inconclusive", because: "before a test was run", flow: `Open /login. The heading "Sign in" is visible.`, file: "playwright.config.js",
			bodies: []string{"await page.goto('/login'); await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();"}},
		// SB Admin 2.
		{name: "user menu", site: sbAdmin, open: "/index.html", ends: "proved", flow: `Open /index.html and click the button "Douglas McGee". The page shows "Activity Log".`,
			bodies: []string{"await page.goto('/index.html'); await page.getByRole('button', { name: 'Douglas McGee' }).click(); await expect(page.getByText('Activity Log')).toBeVisible();"}},
		{name: "forgotten password", site: sbAdmin, open: "/login.html", ends: "proved", flow: `Open /login.html and follow "Forgot Password?". The heading "Forgot Your Password?" is visible. The address is /forgot-password.html.`,
			bodies: []string{"await page.goto('/login.html'); await page.getByRole('link', { name: 'Forgot Password?' }).click(); await expect(page.getByRole('heading', { name: 'Forgot Your Password?' })).toBeVisible(); await expect(page).toHaveURL(/\\/forgot-password\\.html$/);"}},
		{name: "table searched", site: sbAdmin, open: "/tables.html", ends: "proved", flow: `Open /tables.html and search for "Airi". The page shows "Showing 1 to 1 of 1 entries".`,
			bodies: []string{"await page.goto('/tables.html'); await page.getByLabel('Search:').fill('Airi'); await expect(page.getByRole('status')).toContainText('Showing 1 to 1 of 1 entries');"}},
		{name: "words typed", site: sbAdmin, open: "/index.html", ends: "proved", flow: `Open /index.html and fill the field "Search" with "orders". The field "Search" has the value "orders".`,
			bodies: []string{"await page.goto('/index.html'); await page.getByRole('textbox', { name: 'Search' }).first().fill('orders'); await expect(page.getByRole('textbox', { name: 'Search' }).first()).toHaveValue('orders');"}},
		{name: "a heading that is not there", site: sbAdmin, open: "/index.html", ends: "failed", because: "Reports", flow: `Open /index.html. The heading "Reports" is visible.`,
			bodies: []string{"await page.goto('/index.html'); await expect(page.getByRole('heading', { name: 'Reports' })).toBeVisible();", "await page.goto('/index.html'); await expect(page.getByRole('heading', { name: 'Reports', exact: true })).toBeVisible();"}},
		{name: "the wrong locator twice", site: sbAdmin, open: "/index.html", ends: "inconclusive", because: "the same failure twice", flow: `Open /index.html and open the menu. The page shows "Activity Log".`,
			bodies: []string{
				"await page.goto('/index.html'); await page.getByRole('button', { name: 'Menu' }).click({ timeout: 3000 }); await expect(page.getByText('Activity Log')).toBeVisible();",
				"await page.goto('/index.html');\n  // once more\n  await page.getByRole('button', { name: 'Menu' }).click({ timeout: 3000 }); await expect(page.getByText('Activity Log')).toBeVisible();",
			}},
		// Gentelella.
		{name: "address typed", site: gentelella, open: "/production/login.html", ends: "proved", flow: `Open /production/login.html and fill the field "Email" with "anna@shop.example". The field "Email" has the value "anna@shop.example".`,
			bodies: []string{"await page.goto('/production/login.html'); await page.getByRole('textbox', { name: 'Email' }).fill('anna@shop.example'); await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('anna@shop.example');"}},
		{name: "account made", site: gentelella, open: "/production/login.html", ends: "proved", flow: `Open /production/login.html and follow "Create one". The address is /production/register.html. The button "Create account" is visible.`,
			bodies: []string{"await page.goto('/production/login.html'); await page.getByRole('link', { name: 'Create one' }).click(); await expect(page).toHaveURL(/\\/production\\/register\\.html$/); await expect(page.getByRole('button', { name: 'Create account' })).toBeVisible();"}},
		{name: "a click without effect", site: gentelella, open: "/production/index3.html", ends: "inconclusive", because: "whether its acts have an effect or not", flow: `Open /production/index3.html and click "Tables". The link "Dynamic" is visible.`,
			bodies: []string{"await page.goto('/production/index3.html'); await page.getByRole('button', { name: 'Tables' }).click(); await expect(page.getByRole('link', { name: 'Dynamic' })).toBeVisible();"}},
		{name: "sales figures", site: gentelella, open: "/production/index3.html", ends: "proved", flow: `Open /production/index3.html. The heading "Pipeline & performance" is visible. The page shows "$1,284,500".`,
			bodies: []string{"await page.goto('/production/index3.html'); await expect(page.getByRole('heading', { name: 'Pipeline & performance' })).toBeVisible(); await expect(page.getByText('$1,284,500')).toBeVisible();"}},
		{name: "an expectation left out", site: gentelella, open: "/production/index3.html", ends: "inconclusive", because: "$9,999,999", flow: `Open /production/index3.html. The heading "Pipeline & performance" is visible. The page shows "$9,999,999".`,
			bodies: []string{"await page.goto('/production/index3.html'); await expect(page.getByRole('heading', { name: 'Pipeline & performance' })).toBeVisible();"}},
		{name: "a test that sleeps", site: gentelella, open: "/production/login.html", ends: "inconclusive", because: "before a test was run", flow: `Open /production/login.html. The button "Sign in" is visible.`,
			bodies: []string{"await page.goto('/production/login.html'); await page.waitForTimeout(60000); await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();"}},
	}
}
