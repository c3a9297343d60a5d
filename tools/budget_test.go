package tools_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/workspace"
)

// budgeted starts a run with budgets and returns how to end it.
func (d desk) budgeted(budgets string) (finish func() qa.QAReport) {
	d.t.Helper()
	id := d.ok("run_start", `{"goal": "g", "budgets": %s}`, budgets).Data["run_id"].(string)
	return func() qa.QAReport {
		d.t.Helper()
		d.ok("run_finish", `{}`)
		report, err := d.Store.Report(id)
		if err != nil {
			d.t.Fatal(err)
		}
		return report
	}
}

// wantSpent fails unless exactly one finding says that the budget is spent, and
// the run is inconclusive because of it (A9).
func wantSpent(t *testing.T, report qa.QAReport, budget string) {
	t.Helper()
	told := 0
	for _, f := range report.Findings {
		if strings.Contains(string(f.Assertion), budget) && strings.HasPrefix(string(f.Observed), "budget:") {
			told++
		}
	}
	if report.Status != qa.Inconclusive || !strings.Contains(string(report.StatusReason), budget) || told != 1 {
		t.Errorf("%s (%s), %d findings about %s, want inconclusive and 1: %+v", report.Status, report.StatusReason, told, budget, report.Findings)
	}
}

// TestCallsOfABudget: as many calls as a budget names are made, the next one is
// refused, and a run may still be finished and its session closed (A9).
func TestCallsOfABudget(t *testing.T) {
	t.Parallel()
	d := patient(t)
	url := site(t, map[string]string{"/": goodPage})
	finish := d.budgeted(`{"maxToolCalls": 2}`)
	d.ok("page_navigate", `{"url": %q}`, url)
	d.ok("verify_element_exists", `{"selector": "css=h1"}`)
	if report := finish(); report.Status != qa.Passed {
		t.Errorf("2 of 2 calls: %s (%s)", report.Status, report.StatusReason)
	}

	finish = d.budgeted(`{"maxToolCalls": 1}`)
	d.ok("verify_element_exists", `{"selector": "css=h1"}`)
	for range 2 {
		a := d.call("verify_element_exists", `{"selector": "css=h1"}`)
		if a.Error.Code != "BUDGET_EXCEEDED" || !strings.Contains(a.Error.Hint, "run_finish") || !strings.Contains(a.Error.Message, "maxToolCalls: 1 of 1 spent") {
			t.Errorf("the second call: %+v", a.Error)
		}
	}
	d.ok("browser_close", `{}`)
	report := finish()
	wantSpent(t, report, "maxToolCalls")
	if len(report.Checks) != 1 {
		t.Errorf("the partial report has %d checks, want 1", len(report.Checks))
	}
}

// TestCallsSideBySideShareABudget: of many calls at once exactly as many are
// made as the budget names (A9).
func TestCallsSideBySideShareABudget(t *testing.T) {
	t.Parallel()
	d := offline(t)
	finish := d.budgeted(`{"maxToolCalls": 7}`)
	var all sync.WaitGroup
	var mu sync.Mutex
	codes := map[string]int{}
	for range 20 {
		all.Go(func() {
			a := d.call("assert", `{"severity":"info","category":"visual","assertion":"a","expected":"b","observed":"c","confidence":1}`)
			mu.Lock()
			defer mu.Unlock()
			codes[a.Error.Code]++
		})
	}
	all.Wait()
	if codes[""] != 7 || codes["BUDGET_EXCEEDED"] != 13 {
		t.Errorf("of 20 calls: %v, want 7 made", codes)
	}
	wantSpent(t, finish(), "maxToolCalls")
}

// TestTimeOfABudget: what runs when the time is spent is cut off within a
// second and says so, the next call is refused, and no check was failed by the
// shorter time (A9).
func TestTimeOfABudget(t *testing.T) {
	t.Parallel()
	d := patient(t)
	url := site(t, map[string]string{"/": goodPage})
	d.ok("page_navigate", `{"url": %q}`, url)
	finish := d.budgeted(`{"maxTimeMs": 3000}`)
	a := d.call("verify_assertion", `{"selector": "css=#never", "assertion": {"type": "visible"}, "timeout_ms": 40000}`)
	if a.Error.Code != "BUDGET_EXCEEDED" || !strings.Contains(a.Error.Message, "cut off: maxTimeMs") {
		t.Errorf("the running call: %+v", a.Error)
	}
	if a := d.call("page_snapshot", `{}`); a.Error.Code != "BUDGET_EXCEEDED" || !strings.Contains(a.Error.Message, "page_snapshot was refused") {
		t.Errorf("the next call: %+v", a.Error)
	}
	report := finish()
	wantSpent(t, report, "maxTimeMs")
	if len(report.Checks) != 0 {
		t.Errorf("a check that had no time was filed: %+v", report.Checks)
	}
	if report.Costs.DurationMS < 3000 || report.Costs.DurationMS >= 40_000 {
		t.Errorf("it took %d ms, want what the budget has, and not what the call asked for", report.Costs.DurationMS)
	}
}

// TestPicturesOfABudget: the picture that would exceed it is not taken; a check
// is made without, and the call says so (A9).
func TestPicturesOfABudget(t *testing.T) {
	t.Parallel()
	d := patient(t)
	url := site(t, map[string]string{"/": goodPage})
	d.ok("page_navigate", `{"url": %q}`, url)
	finish := d.budgeted(`{"maxScreenshots": 1}`)
	d.ok("page_screenshot", `{}`)
	if a := d.call("page_screenshot", `{"name": "second"}`); a.Error.Code != "BUDGET_EXCEEDED" || !strings.Contains(a.Error.Message, "the picture second was not taken") {
		t.Errorf("the second picture: %+v", a.Error)
	}
	a := d.ok("verify_element_exists", `{"selector": "css=h1"}`)
	if a.Screenshot != nil || !strings.Contains(a.text, "no screenshot: maxScreenshots: 1 of 1 spent") || a.Data["passed"] != true {
		t.Errorf("a check without its picture: %v\n%s", a.Data, a.text)
	}
	report := finish()
	wantSpent(t, report, "maxScreenshots")
	if report.Costs.Screenshots != 1 || len(report.Checks) != 1 {
		t.Errorf("%d pictures, %d checks", report.Costs.Screenshots, len(report.Checks))
	}

	finish = d.budgeted(`{"maxScreenshots": 1}`)
	d.ok("verify_user_flow", `{"start_url": %q, "steps": [{"action": "hover", "selector": "css=h1"}, {"action": "assert", "selector": "css=h1", "assertion": {"type": "visible"}}]}`, url)
	report = finish()
	wantSpent(t, report, "maxScreenshots")
	if report.Costs.Screenshots != 1 {
		t.Errorf("a flow took %d pictures of 1", report.Costs.Screenshots)
	}
}

// TestPicturesOfKPIsHaveABudget: without room for their pictures figures are
// compared all the same, and the run can't pass (A9).
func TestPicturesOfKPIsHaveABudget(t *testing.T) {
	t.Parallel()
	d := patient(t)
	url := site(t, map[string]string{"/": `<title>t</title><main><article aria-label="Revenue"><h3>Revenue</h3><p>$1,234.00</p></article></main>`})
	d.ok("page_navigate", `{"url": %q}`, url)
	id := d.ok("run_start", `{"goal": "g", "kpiSpec": {"type": "staticValues", "values": {"Revenue": "1234"}}, "budgets": {"maxScreenshots": 1}}`).Data["run_id"].(string)
	d.ok("page_screenshot", `{}`)
	a := d.ok("check_kpis", `{}`)
	if a.Data["passed"] != true || !strings.Contains(a.text, "no screenshot: maxScreenshots: 1 of 1 spent") {
		t.Errorf("%v\n%s", a.Data, a.text)
	}
	d.ok("run_finish", `{}`)
	report, err := d.Store.Report(id)
	if err != nil {
		t.Fatal(err)
	}
	wantSpent(t, report, "maxScreenshots")
	if len(report.KPITable) != 1 || report.Costs.Screenshots != 1 {
		t.Errorf("%d figures, %d pictures", len(report.KPITable), report.Costs.Screenshots)
	}
}

// TestTheEnvironmentsBudgets: a task without budgets has those of the
// environment under test; empty ones of its own are no limit (A9).
func TestTheEnvironmentsBudgets(t *testing.T) {
	t.Parallel()
	d := offline(t)
	d.Target = workspace.Target{Budgets: &qa.Budgets{MaxToolCalls: 1}}
	finding := `{"severity":"info","category":"visual","assertion":"a","expected":"b","observed":"c","confidence":1}`
	d.ok("run_start", `{"goal": "g"}`)
	d.ok("assert", "%s", finding)
	if a := d.call("assert", "%s", finding); a.Error.Code != "BUDGET_EXCEEDED" {
		t.Errorf("the environment's budget is not kept: %+v", a)
	}
	d.ok("run_finish", `{}`)
	d.ok("run_start", `{"goal": "g", "budgets": {}}`)
	d.ok("assert", "%s", finding)
	d.ok("assert", "%s", finding)
	d.ok("run_finish", `{}`)
}

// TestABudgetOfACallInFlight: a navigation that hangs when the time is spent
// comes back within a second of it, and the page can be used afterwards.
func TestABudgetOfACallInFlight(t *testing.T) {
	d := patient(t)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	good := site(t, map[string]string{"/": goodPage})
	d.ok("page_navigate", `{"url": %q}`, good)
	finish := d.budgeted(`{"maxTimeMs": 500}`)
	began := time.Now()
	a := d.call("page_navigate", `{"url": %q}`, server.URL)
	if a.Error.Code != "BUDGET_EXCEEDED" {
		t.Errorf("%+v", a.Error)
	}
	if took := time.Since(began); took > 1500*time.Millisecond {
		t.Errorf("cancelled after %v, want within a second of 500 ms", took)
	}
	report := finish()
	wantSpent(t, report, "maxTimeMs")
	raw, _ := json.Marshal(report)
	if strings.Contains(string(raw), `"severity":"blocker"`) {
		t.Errorf("our own cutting off is taken for the site's fault: %s", raw)
	}
	d.ok("page_navigate", `{"url": %q}`, good)
}
