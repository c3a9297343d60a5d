package tools_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/demo"
	"github.com/assay-qa/assay/qa"
)

// variantTask is the sanity task, as the demo has it in a file.
const variantTask = `{"goal": "g", "kpiSpec": {"type": "apiEndpoint", "url": "/api/kpi", "params": {"category": "All"},
	"map": {"Revenue": "/kpis/Revenue/value", "Orders": "/kpis/Orders/value", "Conversion rate": "/kpis/Conversion rate/value",
		"Average order value": "/kpis/Average order value/value", "Refunds": "/kpis/Refunds/value", "Active users": "/kpis/Active users/value", "Orders total": "/ordersTotal"},
	"units": {"Revenue": "USD", "Conversion rate": "percent", "Average order value": "USD", "Refunds": "USD", "Orders total": "USD"},
	"selectors": {"Orders total": "testid=orders-total"}, "sums": [{"kpi": "Revenue", "selector": "testid=chart-legend"}]},
	"tolerance": {"absolute": 0.005, "perKpi": {"Orders": {"absolute": 0}, "Active users": {"absolute": 0}}},
	"ranges": [{"name": "today", "params": {"range": "today"}},
		{"name": "7d", "params": {"range": "7d"}, "steps": [{"action": "select", "selector": "combobox \"Range\"", "option": "Last 7 days"}]},
		{"name": "Hardware", "params": {"range": "today", "category": "Hardware"}, "steps": [
			{"action": "select", "selector": "combobox \"Range\"", "option": "Today"}, {"action": "select", "selector": "combobox \"Category\"", "option": "Hardware"}]}]}`

// A8: no healthy variant of the demo fails, and in each faulty one exactly the
// figures that are wrong are found, with the cause that they have.
func TestCheckKPIsOnEveryVariant(t *testing.T) {
	t.Parallel()
	all := patient(t)
	for i, v := range demo.Variants() {
		if !soak() && i%18 != 0 { // make soak has all of them
			continue
		}
		if v.Name == "console-error" || v.Name == "expired-session" {
			continue // nothing is wrong with their figures
		}
		t.Run(v.Name, func(t *testing.T) {
			d := all
			d.t = t
			server, err := demo.Start(context.Background(), demo.Options{Addr: "127.0.0.1:0", Variant: v.Name})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := server.Close(); err != nil {
					t.Error(err)
				}
			})
			d.ok("page_navigate", `{"url": %q}`, server.URL()+"/login")
			d.ok("page_fill", `{"selector": "css=[name=email]", "value": %q}`, demo.Email)
			d.ok("page_fill", `{"selector": "css=[name=password]", "value": %q}`, demo.Password)
			d.ok("page_press", `{"selector": "css=[name=password]", "key": "Enter"}`)
			d.ok("run_start", "%s", variantTask)
			timeout := 6000
			if !v.Healthy {
				timeout = 500
			}
			a := d.ok("check_kpis", `{"timeout_ms": %d}`, timeout)
			all := rows(a)
			if a.Data["passed"] != v.Healthy || len(all) != 21 {
				t.Errorf("passed %v with %d rows\n%s", a.Data["passed"], len(all), a.text)
			}
			for key, row := range all {
				told := len(v.Expect.Ranges) == 0 || slices.Contains(v.Expect.Ranges, row.Range)
				wrong := !v.Healthy && told && slices.Contains(v.Expect.KPIs, row.Label)
				switch {
				case v.Expect.Unread && told:
				case !wrong && row.Status != qa.KPIOk && v.Name != "subtotal":
					t.Errorf("%s: %+v", key, row)
				case wrong && row.Status == qa.KPIOk:
					t.Errorf("%s is not found: %+v", key, row)
				case wrong && v.Expect.Cause != "" && string(row.Cause) != v.Expect.Cause:
					t.Errorf("%s: cause %s, want %s (%s for %s)", key, row.Cause, v.Expect.Cause, row.Observed, row.Expected)
				}
			}
			if f := d.ok("run_finish", `{}`); f.Data["status"] != v.Expect.Status || !v.Healthy && !strings.Contains(d.files(), `"category": "`+v.Expect.Category+`"`) {
				t.Errorf("verdict %v, want %s with %s: %v", f.Data["status"], v.Expect.Status, v.Expect.Category, f.Data["statusReason"])
			}
		})
	}
}
