package tools_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/workspace"
)

// looking is a desk that keeps baselines, and a page whose heading and whose
// note can be changed.
type looking struct {
	desk
	url           string
	heading, note atomic.Value
}

func newLooking(t *testing.T) *looking {
	t.Helper()
	d := &looking{desk: patient(t)}
	store, err := baseline.Open(d.dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	d.Baselines = store
	d.Visual = workspace.VisualDefaults{Threshold: 0.01, IgnoreAntialiasing: true, AutoCapture: true}
	d.heading.Store("Sales")
	d.note.Store("")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, `<!doctype html><title>Sales</title><style>h1 { font: 160px sans-serif; margin: 0 }</style><h1>%s</h1>
			<button onclick="document.getElementById('sum').textContent='Paid'">Pay</button><p id=sum data-testid=sum>Open</p>%s`, d.heading.Load(), d.note.Load())
	}))
	t.Cleanup(server.Close)
	d.url = server.URL
	return d
}

// flow compares the page, acts, and compares an element. Nothing else is
// asserted.
func (d *looking) flow(expects string) answer {
	d.t.Helper()
	return d.ok("verify_user_flow", `{"name": "pay", "start_url": %q, "expects": [%s], "steps": [{"action": "visual", "name": "sales"},
		{"action": "click", "selector": "button \"Pay\""}, {"action": "visual", "name": "sum", "selector": "testid=sum", "visual": {"threshold": 0}}]}`, d.url, expects)
}

// approve is a person's act.
func (d desk) approve(status baseline.Status, name string) {
	d.t.Helper()
	all, err := d.Baselines.(*baseline.Store).List(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	for _, v := range all {
		if v.Name == name && v.Status == status {
			if _, err := d.Baselines.(*baseline.Store).Approve(d.t.Context(), v.ID, "Ada L.", "as it should be"); err != nil {
				d.t.Fatal(err)
			}
			return
		}
	}
	d.t.Fatalf("no %s version of %s in %+v", status, name, all)
}

// B2, B3, B9: a flow whose only assertions are pictures. Its first run captures
// all of them and proves nothing; then it passes; a change fails it at that
// step, once, with the element named and a proposal; and passes again when a
// person has approved that.
func TestFlowComparesPictures(t *testing.T) {
	t.Parallel()
	d := newLooking(t)
	status := func(a answer, want string, completed float64, text ...string) {
		t.Helper()
		if a.Data["status"] != want || a.Data["steps_completed"] != completed || a.Data["attempts"] != 1.0 {
			t.Errorf("%v after %v steps in %v attempts, want %s after %v\n%s", a.Data["status"], a.Data["steps_completed"], a.Data["attempts"], want, completed, a.text)
		}
		for _, part := range text {
			if !strings.Contains(a.text, part) {
				t.Errorf("the answer lacks %q:\n%s", part, a.text)
			}
		}
	}
	run := func(want qa.Status, check func()) qa.QAReport {
		t.Helper()
		id := d.ok("run_start", `{"goal": "the sum is paid", "visual": [{"name": "sales"}, {"name": "sum", "selector": "testid=sum", "threshold": 0}]}`).Data["run_id"].(string)
		check()
		if got, why := d.finish(); got != string(want) {
			t.Errorf("the run is %s (%s), want %s", got, why, want)
		}
		report, err := d.Store.Report(id)
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	first := run(qa.Inconclusive, func() {
		status(d.flow(`"E1"`), "inconclusive", 1, "captured", "unapproved", "step 1: visual", "unapproved; the next run compares with it")
	})
	if len(first.Visual) != 2 || first.Visual[1].Part != "testid=sum" || first.Visual[0].Status != qa.VisualCaptured || first.Visual[1].Status != qa.VisualCaptured {
		t.Errorf("not all was captured at once: %+v", first.Visual)
	}
	second := run(qa.Inconclusive, func() {
		status(d.flow(`"E1"`), "inconclusive", 1, "no person has approved version 1", "so it proves nothing", "assay baseline approve ")
	})
	if n := len(second.Visual); n != 2 || second.Visual[0].Approved {
		t.Errorf("%d rows: %+v", n, second.Visual)
	}
	bound := 0
	for _, c := range second.Checks {
		if c.Kind == qa.VisualKind && c.Source == qa.SourceTool && len(c.Expects) == 1 {
			bound++
		}
	}
	if bound != 2 {
		t.Errorf("%d bound checks of kind visual, want 2: %+v", bound, second.Checks)
	}
	d.approve(baseline.Unapproved, "sales")
	d.heading.Store("Orders")
	third := run(qa.Failed, func() {
		a := d.flow(`"E1"`)
		status(a, "failed", 0, "step 1: visual sales", "Sales", "Orders", "as its baseline")
		if a.Screenshot == nil || !strings.Contains(a.Screenshot.Name, "diff") {
			t.Errorf("shown: %+v", a.Screenshot)
		}
		if shots := a.Data["screenshots"].([]any); len(shots) < 3 {
			t.Errorf("pictures of before and after: %v", shots)
		}
	})
	major := 0
	for _, f := range third.Findings {
		if f.Severity == qa.Major && f.Category == qa.Visual && strings.Contains(string(f.Observed), "Orders") {
			major++
		}
	}
	if major != 1 || len(third.Visual) != 1 || third.Visual[0].ProposalID == "" {
		t.Errorf("%d findings, rows %+v", major, third.Visual)
	}
	d.approve(baseline.Proposed, "sales")
	d.approve(baseline.Unapproved, "sum")
	run(qa.Passed, func() { status(d.flow(`"E1"`), "passed", 3) })
}

// B2: an element that is not there is the page's fault; a picture of a page that
// does not come to rest proves nothing, and what follows is done all the same.
func TestFlowPicturesThatCannotBeCompared(t *testing.T) {
	t.Parallel()
	d := newLooking(t)
	a := d.ok("verify_user_flow", `{"start_url": %q, "steps": [{"action": "visual", "name": "x", "selector": "css=#none", "timeout_ms": 100}]}`, d.url)
	if a.Data["status"] != "failed" || !strings.Contains(a.text, "ELEMENT_NOT_FOUND") {
		t.Errorf("no such element: %s", a.text)
	}
	d.note.Store(`<p id=clock data-testid=clock>0</p><script>setInterval(() => { document.getElementById('clock').textContent = Math.random() }, 5)</script>`)
	a = d.ok("verify_user_flow", `{"start_url": %q, "steps": [{"action": "visual", "name": "restless", "timeout_ms": 3000}, {"action": "assert", "assertion": {"type": "title_equals", "expected": "Sales"}}]}`, d.url)
	if a.Data["status"] != "inconclusive" || a.Data["steps_completed"] != 1.0 || !strings.Contains(a.text, "rest") || !strings.Contains(a.text, "paragraph") {
		t.Errorf("a restless page: %s", a.text)
	}
	for i := range 2 {
		if i > 0 {
			d.approve(baseline.Unapproved, "masked")
		}
		a = d.ok("verify_user_flow", `{"start_url": %q, "steps": [{"action": "visual", "name": "masked", "visual": {"mask": ["css=#clock"]}}]}`, d.url)
	}
	if a.Data["status"] != "passed" {
		t.Errorf("what moves is masked: %s", a.text)
	}
}

// B2: on a page that is open, the first step may be a picture; what could not be
// compared is an answer then, and no error.
func TestFlowComparesTheOpenPage(t *testing.T) {
	t.Parallel()
	d := newLooking(t)
	d.ok("page_navigate", `{"url": %q}`, d.url)
	for i, want := range []string{"inconclusive", "inconclusive", "passed"} {
		if want == "passed" { // until then it is as a picture that nobody has looked at
			d.approve(baseline.Unapproved, "open page")
		}
		d.ok("run_start", `{"goal": "the page looks as its baseline"}`)
		if a := d.ok("verify_user_flow", `{"steps": [{"action": "visual", "name": "open page"}]}`); a.Data["status"] != want {
			t.Errorf("look %d: %s", i+1, a.text)
		}
		if got, why := d.finish(); got != want {
			t.Errorf("the run is %s (%s), want %s", got, why, want)
		}
	}
}

// B2, A13: a task's picture can't be had by comparing the page with itself, nor
// by a wider threshold or a mask over all that matters.
func TestTaskPictureCannotBeAvoided(t *testing.T) {
	t.Parallel()
	d := newLooking(t)
	task := `{"goal": "the page is as it was", "visual": [{"name": "sales", "threshold": 0}]}`
	for name, calls := range map[string][]string{
		"left out":               {`verify_assertion {"assertion": {"type": "title_equals", "expected": "Sales"}}`},
		"captured and compared":  {`capture_visual_baseline {"name": "sales"}`, `compare_visual_regression {"name": "sales"}`},
		"compared with itself":   {`compare_visual_regression {"name": "sales"}`, `compare_visual_regression {"name": "sales"}`},
		"another name":           {`compare_visual_regression {"name": "mine"}`, `compare_visual_regression {"name": "mine"}`},
		"captured within a flow": {`verify_user_flow {"steps": [{"action": "visual", "name": "sales"}, {"action": "visual", "name": "sales"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			outer, store := d.t, d.Baselines
			defer func() { d.t, d.Baselines = outer, store }()
			kept, err := baseline.Open(t.TempDir(), time.Now) // each case sees the name for the first time
			if err != nil {
				t.Fatal(err)
			}
			d.t, d.Baselines = t, kept
			d.ok("run_start", "%s", task)
			d.ok("page_navigate", `{"url": %q}`, d.url)
			for _, call := range calls {
				tool, arguments, _ := strings.Cut(call, " ")
				d.ok(tool, "%s", arguments)
			}
			if got, why := d.finish(); got != string(qa.Inconclusive) {
				t.Errorf("the run is %s (%s)", got, why)
			}
		})
	}
	d.ok("page_navigate", `{"url": %q}`, d.url)
	d.ok("capture_visual_baseline", `{"name": "sales"}`)
	d.heading.Store("Sale")
	d.ok("run_start", "%s", task)
	d.ok("page_navigate", `{"url": %q}`, d.url)
	d.call("compare_visual_regression", `{"name": "sales", "threshold": 1, "mask": ["css=h1"], "ignore": ["css=h1"]}`)
	if got, why := d.finish(); got != string(qa.Failed) {
		t.Errorf("the run is %s (%s)", got, why)
	}
}

// B2, A5: the steps of a range may compare a picture, too. One that there was
// nothing to compare with leaves the figures to be read, and the run open.
func TestRangeComparesPictures(t *testing.T) {
	t.Parallel()
	d := newLooking(t)
	d.note.Store(`<dl lang=en><dt>Revenue</dt><dd data-testid=revenue>$1,234</dd></dl>`)
	for _, want := range []struct {
		heading, run, revenue string
	}{{"Sales", "inconclusive", "ok"}, {"Sales", "inconclusive", "ok"}, {"Orders", "failed", ""}} {
		d.heading.Store(want.heading)
		d.ok("run_start", `{"goal": "the figures are right", "kpiSpec": {"type": "staticValues", "values": {"Revenue": "$1,234"}, "selectors": {"Revenue": "testid=revenue"}}}`)
		d.ok("page_navigate", `{"url": %q}`, d.url)
		a := d.ok("check_kpis", `{"ranges": [{"name": "paid", "steps": [{"action": "click", "selector": "button \"Pay\""}, {"action": "visual", "name": "paid"}]}]}`)
		revenue := ""
		for _, row := range rows(a) {
			revenue = string(row.Status)
		}
		if got, why := d.finish(); got != want.run || revenue != want.revenue {
			t.Errorf("%s: the run is %s (%s), revenue %q; want %+v\n%s", want.heading, got, why, revenue, want, a.text)
		}
	}
}
