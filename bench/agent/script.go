package agent

import (
	"fmt"

	"github.com/assay-qa/assay/internal/demo"
	"github.com/assay-qa/assay/internal/wiretest"
)

// password names the secret by which a script and a spec have the demo's
// password.
const password = "DEMO_PASSWORD"

func call(name string, args map[string]any) wiretest.Say {
	return wiretest.Say{Calls: []wiretest.Call{{Name: name, Args: args}}}
}

func stepDone(n int) wiretest.Say { return call("step_done", map[string]any{"step": n}) }

func finish() wiretest.Say {
	return call("run_finish", map[string]any{"summary": "All of it was done.", "status": "passed", "findings": []any{}})
}

func pressed(selector string) wiretest.Say {
	return call("page_click", map[string]any{"selector": selector})
}

func typed(field, value string) wiretest.Say {
	return call("page_fill", map[string]any{"selector": fmt.Sprintf("textbox %q", field), "value": value})
}

func chosen(filter, option string) wiretest.Say {
	return call("page_select", map[string]any{"selector": fmt.Sprintf("combobox %q", filter), "option": option})
}

func look() wiretest.Say { return call("page_snapshot", map[string]any{}) }

// proves makes the check that an expectation demands.
func proves(expects string) wiretest.Say {
	return call("verify_assertion", map[string]any{"expects": []string{expects}})
}

// shown returns the expectation that the page shows a figure as the demo computes
// it.
func shown(kpi, rangeName, category string) string {
	return fmt.Sprintf("the page shows %q", demo.Display(kpi, demo.KPIs(rangeName, category)[kpi]))
}

// signIn returns the five turns from nothing to the dashboard.
func signIn(site string) []wiretest.Say {
	return []wiretest.Say{call("page_navigate", map[string]any{"url": site + "/login"}), look(),
		typed("Email", demo.Email), typed("Password", "${secret:"+password+"}"), pressed(`button "Sign in"`)}
}

// conversation returns a task of 20 calls, one a turn, in the order of a model:
// it looks, acts, looks again, checks, and takes one picture to see for itself.
func conversation(site string) []wiretest.Say {
	return append(signIn(site),
		look(), proves("E1"), proves("E2"),
		chosen("Range", "Last 7 days"), look(), proves("E3"),
		chosen("Category", demo.CategoryHardware), look(), proves("E4"),
		call("page_screenshot", map[string]any{"include_image": true}),
		pressed(`button "View" [1]`), proves("E5"), pressed(`button "Close"`),
		proves("E6"), call("page_get_console_logs", map[string]any{}),
		finish())
}

// task returns the file of that task.
func task() string {
	return fmt.Sprintf(`goal = "The dashboard follows its filters and shows an order"
route = "/login"
expectations = [
  { text = 'the heading "Dashboard" is shown' },
  { text = '%s' },
  { text = '%s' },
  { text = '%s' },
  { text = "a dialog is shown" },
  { text = "the dialog is not visible" },
]
`, shown(demo.KPIRevenue, demo.RangeToday, demo.CategoryAll), shown(demo.KPIOrders, demo.Range7Days, demo.CategoryAll), shown(demo.KPIRevenue, demo.Range7Days, demo.CategoryHardware))
}

// procedure returns the turns that work the spec.
func procedure(site string) []wiretest.Say {
	return append(signIn(site), proves("E1"), stepDone(1),
		chosen("Range", "Last 7 days"), proves("E2"), stepDone(2),
		chosen("Category", demo.CategoryHardware), proves("E3"), stepDone(3),
		pressed(`button "View" [1]`), proves("E4"), stepDone(4), finish())
}

// spec returns the file of a spec of four steps. Its number makes its
// conversation another than that of the next one.
func spec(n int) string {
	return fmt.Sprintf(`---
title: The dashboard, number %d
secrets: [%s]
---

## Steps

1. Open /login and sign in as %s with {{secret:%[2]s}}.
   - Expected: the heading "Dashboard" is shown
2. Choose the range "Last 7 days".
   - Expected: %[4]s
3. Choose the category "Hardware".
   - Expected: %[5]s
4. View the first order.
   - Expected: a dialog is shown
`, n, password, demo.Email, shown(demo.KPIOrders, demo.Range7Days, demo.CategoryAll), shown(demo.KPIRevenue, demo.Range7Days, demo.CategoryHardware))
}
