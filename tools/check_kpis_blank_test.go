package tools_test

import (
	"strings"
	"testing"
)

// A8, B5: figures are not missing where no page is open, as after a crash whose page
// could not be loaded again: nothing was compared, and the run is inconclusive.
func TestCheckKPIsOnABlankPage(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.ok("run_start", `{"goal": "g", "kpiSpec": {"type": "staticValues", "values": {"Revenue": "5"}}}`)
	d.ok("browser_launch", `{"options": {}}`)
	if a := d.raw("check_kpis", `{"timeout_ms": 300}`); a.OK || a.Error.Code != "NAVIGATION_FAILED" || !strings.Contains(a.Error.Message, "the page is blank") || !strings.Contains(a.Error.Hint, "page_navigate") {
		t.Errorf("%s", a.text)
	}
	if r := d.report(); r.Status != "inconclusive" || len(r.KPITable) > 0 || len(r.Checks) > 0 {
		t.Errorf("%s (%s): %+v", r.Status, r.StatusReason, r.KPITable)
	}
}
