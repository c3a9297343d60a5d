package main

import (
	"fmt"

	"github.com/assay-qa/assay/agent/wiretest"
	"github.com/assay-qa/assay/demo"
)

// password is how a script and a spec name the demo's password.
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

func shows(selector, expects string) wiretest.Say {
	return call("verify_element_exists", map[string]any{"selector": selector, "expects": []string{expects}})
}

func holds(selector, kind, expected, expects string) wiretest.Say {
	return call("verify_assertion", map[string]any{"selector": selector, "expects": []string{expects},
		"assertion": map[string]any{"type": kind, "expected": expected}})
}

// figure holds a figure of the dashboard against what the demo computes.
func figure(kpi, rangeName, category, expects string) wiretest.Say {
	return holds(fmt.Sprintf("css=[data-kpi=%q]", kpi), "text_equals", demo.Display(kpi, demo.KPIs(rangeName, category)[kpi]), expects)
}

// signIn are the five turns from nothing to the dashboard.
func signIn(site string) []wiretest.Say {
	return []wiretest.Say{call("page_navigate", map[string]any{"url": site + "/login"}), look(),
		typed("Email", demo.Email), typed("Password", "${secret:"+password+"}"), pressed(`button "Sign in"`)}
}

// conversation is a task of 20 calls, one a turn, as a model would go about it:
// it looks, acts, looks again, checks, and takes one picture to see for itself.
func conversation(site string) []wiretest.Say {
	return append(signIn(site),
		look(), shows(`heading "Dashboard"`, "E1"), figure(demo.KPIRevenue, demo.RangeToday, demo.CategoryAll, "E2"),
		chosen("Range", "Last 7 days"), look(), figure(demo.KPIOrders, demo.Range7Days, demo.CategoryAll, "E3"),
		chosen("Category", demo.CategoryHardware), look(), figure(demo.KPIRevenue, demo.Range7Days, demo.CategoryHardware, "E4"),
		call("page_screenshot", map[string]any{"include_image": true}),
		pressed(`button "View" [1]`), holds("css=#order-dialog", "text_contains", "Order", "E5"), pressed(`button "Close"`),
		holds("css=#order-dialog", "hidden", "", "E6"), call("page_get_console_logs", map[string]any{}),
		finish())
}

// task is the file of that task.
const task = `goal = "The dashboard follows its filters and shows an order"
route = "/login"
expectations = [
  { text = "the dashboard is there after the sign-in" },
  { text = "the revenue of today is right" },
  { text = "the orders of the last seven days are right" },
  { text = "the revenue of one category is right" },
  { text = "an order is shown" },
  { text = "it can be closed again" },
]
`

// procedure is what works the spec.
func procedure(site string) []wiretest.Say {
	return append(signIn(site), shows(`heading "Dashboard"`, "E1"), stepDone(1),
		chosen("Range", "Last 7 days"), figure(demo.KPIOrders, demo.Range7Days, demo.CategoryAll, "E2"), stepDone(2),
		chosen("Category", demo.CategoryHardware), figure(demo.KPIRevenue, demo.Range7Days, demo.CategoryHardware, "E3"), stepDone(3),
		pressed(`button "View" [1]`), holds("css=#order-dialog", "text_contains", "Order", "E4"), stepDone(4), finish())
}

// spec is the file of a spec of four steps. Its number makes its conversation
// another than that of the next one.
func spec(n int) string {
	return fmt.Sprintf(`---
title: The dashboard, number %d
secrets: [%s]
---

## Steps

1. Open /login and sign in as %s with {{secret:%[2]s}}.
   - Expected: the heading of the dashboard is shown
2. Choose the range "Last 7 days".
   - Expected: the orders are those of seven days
3. Choose the category "Hardware".
   - Expected: the revenue is that of the category
4. View the first order.
   - Expected: a dialog shows it
`, n, password, demo.Email)
}
