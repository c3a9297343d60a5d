package tools_test

import (
	"strings"
	"testing"
)

// A12: findings say what should have held, of which KPI and range, and figures
// stand in one pair of brackets.
func TestKPIFindingsAreWellWorded(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.ok("page_navigate", `{"url": %q}`, site(t, map[string]string{"/": `<html lang=en><div><h3>Revenue</h3><p>$15.00</p></div><div><h3>Orders</h3><p>12</p></div><ul><li>Only $10.00</li></ul>`})+"/")
	d.ok("run_start", `{"goal": "g", "ranges": [{"name": "today"}], "kpiSpec": {"type": "staticValues", "values": {"Revenue": "15", "Orders": "10"}, "units": {"Revenue": "USD"}, "sums": [{"kpi": "Revenue", "selector": "css=ul"}]}}`)
	a := d.ok("check_kpis", `{"timeout_ms": 400}`)
	if !strings.Contains(a.text, "it does not hold that Revenue (today) is the sum of its parts: they add up to 10, shown $15.00") {
		t.Errorf("the answer:\n%s", a.text)
	}
	d.ok("run_finish", `{}`)
	files := d.files()
	for _, want := range []string{`"assertion": "Revenue (today) is the sum of its parts"`, `"expected": "10, the sum of 1 part"`, `"expected": "10 (1 part)"`, `"observed": "$15.00 (+5, +50.0 %)"`, `"observed": "12 (+2, +20.0 %)"`} {
		if !strings.Contains(files, want) {
			t.Errorf("the report has no %s", want)
		}
	}
}
