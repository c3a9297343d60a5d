package tools_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/demo"
	"github.com/assay-qa/assay/qa"
)

// demoTask is the task that a person would write for the demo.
const demoTask = `"goal": "the dashboard shows the right figures",
	"kpiSpec": {"type": "apiEndpoint", "url": "/api/kpi", "params": {"range": "today"}, "units": {"Revenue": "USD", "Conversion rate": "percent", "Average order value": "USD", "Refunds": "USD"},
		"map": {"Revenue": "/kpis/Revenue/value", "Orders": "/kpis/Orders/value", "Conversion rate": "/kpis/Conversion rate/value",
			"Average order value": "/kpis/Average order value/value", "Refunds": "/kpis/Refunds/value", "Active users": "/kpis/Active users/value"}},
	"ranges": [
		{"name": "today", "steps": [{"action": "select", "selector": "combobox \"Range\"", "option": "Today"}]},
		{"name": "7d", "params": {"range": "7d"}, "steps": [{"action": "select", "selector": "combobox \"Range\"", "option": "Last 7 days"}]},
		{"name": "Hardware", "params": {"range": "7d", "category": "Hardware"}, "steps": [{"action": "select", "selector": "combobox \"Category\"", "option": "Hardware"}]}]`

// openDemo signs in to the demo's dashboard.
func openDemo(t *testing.T, d desk, broken bool) {
	t.Helper()
	server, err := demo.Start(context.Background(), demo.Options{Addr: "127.0.0.1:0", Broken: broken})
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
}

// rows are the lines of the KPI table, by label and range.
func rows(a answer) map[string]qa.KPIRow {
	out := map[string]qa.KPIRow{}
	for _, item := range a.Data["kpiTable"].([]any) {
		m := item.(map[string]any)
		text := func(key string) string { s, _ := m[key].(string); return s }
		row := qa.KPIRow{Label: text("label"), Range: text("range"), Expected: text("expected"), Observed: text("observed"), Difference: text("difference"),
			Status: qa.KPIStatus(text("status")), Cause: qa.KPICause(text("cause")), Selector: text("selector"), ScreenshotRef: text("screenshotRef"), NetworkRequestID: text("networkRequestId")}
		out[row.Label+"/"+row.Range] = row
	}
	return out
}

// A8: a healthy dashboard passes for two ranges and a filter, each value with
// its place and the request that carried it.
func TestCheckKPIsOnTheHealthyDemo(t *testing.T) {
	t.Parallel()
	d := patient(t)
	openDemo(t, d, false)
	d.ok("run_start", `{%s}`, demoTask)
	start := time.Now()
	a := d.ok("check_kpis", `{}`)
	t.Logf("3 ranges in %d ms\n%s", time.Since(start).Milliseconds(), a.text)
	all := rows(a)
	if a.Data["passed"] != true || len(all) != 18 {
		t.Fatalf("passed %v with %d rows\n%s", a.Data["passed"], len(all), a.text)
	}
	for key, row := range all {
		if row.Status != qa.KPIOk || row.Selector == "" || row.NetworkRequestID == "" || row.Cause != "" {
			t.Errorf("%s: %+v", key, row)
		}
	}
	if all["Revenue/today"].NetworkRequestID == all["Revenue/7d"].NetworkRequestID {
		t.Error("two ranges came with one request")
	}
	if f := d.ok("run_finish", `{}`); f.Data["status"] != "passed" {
		t.Errorf("verdict %v: %v", f.Data["status"], f.text)
	}
}

// A8: on the broken dashboard, the wrong and the missing figure are found, with
// their causes, and nothing else.
func TestCheckKPIsOnTheBrokenDemo(t *testing.T) {
	t.Parallel()
	d := patient(t)
	openDemo(t, d, true)
	d.ok("run_start", `{%s}`, demoTask)
	a := d.ok("check_kpis", `{"timeout_ms": 600}`)
	for key, row := range rows(a) {
		want := qa.KPIRow{Status: qa.KPIOk}
		switch row.Label {
		case "Revenue":
			want = qa.KPIRow{Status: qa.KPIMismatch, Cause: qa.CauseWrongValue}
		case "Refunds":
			want = qa.KPIRow{Status: qa.KPIMissing, Cause: qa.CauseNotShown}
		}
		if row.Status != want.Status || row.Cause != want.Cause {
			t.Errorf("%s: %+v, want %s %s", key, row, want.Status, want.Cause)
		}
		if row.Status != qa.KPIOk && row.ScreenshotRef == "" {
			t.Errorf("%s has no picture", key)
		}
	}
	if a.Data["passed"] != false || !strings.Contains(a.text, "FAILED: 12 of 18") || !strings.Contains(fmt.Sprint(rows(a)["Revenue/today"].Difference), "(+10.0 %)") {
		t.Errorf("%s", a.text)
	}
	if f := d.ok("run_finish", `{}`); f.Data["status"] != "failed" {
		t.Errorf("verdict %v", f.Data["status"])
	}
}
