package tools_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/qa"
)

// What an element's picture does not show is not blamed for its change.
func TestVisualElementBlamesNothingBesideIt(t *testing.T) {
	t.Parallel()
	d, b := online(t), newBoard(t, salesBoard)
	d.at(b.url, "capture_visual_baseline", `{"name": "card", "selectors": ["testid=card"]}`)
	b.change(t, "Revenue 42", "Revenue 17")
	b.change(t, `<table style="`, `<p style="height:900px">More</p><table style="margin:30px;color:red;`)
	got := d.lookAt(b.url, `{"name": "card", "threshold": 0}`)
	row := got.row(t)
	if row.Status != qa.VisualChanged || len(row.Regions) == 0 {
		t.Fatalf("%s %+v", row.Status, row)
	}
	for _, r := range row.Regions {
		if r.Box.Width == 0 || r.Box.Height == 0 || strings.Contains(r.Text, "table") || strings.Contains(r.Text, "margin") || strings.Contains(r.Text, "the page") {
			t.Errorf("blamed: %+v", r)
		}
	}
}

// bound begins a run with the expectation E1, that the board looks as it did.
func (d desk) bound() {
	d.t.Helper()
	d.ok("run_start", `{"goal": "g", "expectations": [{"text": "the board looks as its baseline"}]}`)
}

// A10, B9: a picture that is bound to an expectation is compared neither with what
// the same run captured, nor with a version that is not in force, nor with a
// threshold that a caller chooses. It proves no sentence at all: pictures are
// demanded by the task's visual.
func TestVisualExpectationIsNotForACallerToProve(t *testing.T) {
	t.Parallel()
	d, b := online(t), newBoard(t, salesBoard)
	d.bound()
	id := d.at(b.url, "capture_visual_baseline", `{"name": "board", "threshold": 1, "named_changes": "ignore"}`).Data["baseline_id"].(string)
	d.at(b.url, "compare_visual_regression", `{"name": "board", "expects": ["E1"]}`)
	if r := d.finished(); r.Status != qa.Inconclusive {
		t.Errorf("compared with what this run captured: %s, %s", r.Status, r.StatusReason)
	}
	d.bound()
	d.at(b.url, "compare_visual_regression", `{"name": "board", "expects": ["E1"]}`)
	if r := d.finished(); r.Status != qa.Inconclusive || !r.Checks[0].Passed || !strings.Contains(string(r.StatusReason), "no person has approved") {
		t.Errorf("in the next run: %s, %s, %+v", r.Status, r.StatusReason, r.Checks)
	}
	b.change(t, "background:#fff;border", "background:#e00;border")
	for _, args := range []string{`"name": "board"`, `"name": "board", "threshold": 1`, `"name": "board", "threshold": 1, "named_changes": "ignore"`, `"name": "board", "threshold": 1, "components": {"testid=card": 1}`} {
		d.bound()
		a := d.at(b.url, "compare_visual_regression", `{"expects": ["E1"], %s}`, args)
		if r := d.finished(); r.Status != qa.Failed || !strings.Contains(a.text, "1 % holds") {
			t.Errorf("%s: %s, %s\n%s", args, r.Status, r.StatusReason, a.text)
		}
	}
	proposal := d.at(b.url, "capture_visual_baseline", `{"name": "board"}`).Data["baseline_id"]
	d.bound()
	a := d.call("compare_visual_regression", `{"url": %q, "baseline_id": %q, "expects": ["E1"]}`, b.url, proposal)
	if r := d.finished(); a.Error.Code != "INVALID_INPUT" || r.Status != qa.Inconclusive {
		t.Errorf("with its own proposal: %s\n%s", r.Status, a.text)
	}
	if _, err := d.Baselines.(*baseline.Store).Approve(t.Context(), id, "Ada L.", "anything goes"); err != nil {
		t.Fatal(err)
	}
	d.bound()
	d.at(b.url, "compare_visual_regression", `{"name": "board", "expects": ["E1"]}`)
	if r := d.finished(); r.Status != qa.Inconclusive || !r.Checks[0].Passed {
		t.Errorf("a person has approved that threshold: %s, %s, %+v", r.Status, r.StatusReason, r.Checks)
	}
}

// A10, B9: where two environments have a version in force each, a caller does
// not choose the one that suits.
func TestVisualVersionOfAnotherEnvironment(t *testing.T) {
	t.Parallel()
	d, b := online(t), newBoard(t, salesBoard)
	d.at(b.url, "capture_visual_baseline", `{"name": "board"}`)
	b.change(t, "Revenue 42", "Revenue 17")
	id := d.at(b.url, "capture_visual_baseline", `{"name": "other"}`).Data["baseline_id"].(string)
	d.elsewhere(id, "board", func(e *qa.VisualEnvironment) { e.Version = "1.0" })
	all, err := d.Baselines.(*baseline.Store).List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		if v.Environment.Version != "1.0" {
			continue
		}
		if _, err := d.Baselines.(*baseline.Store).Approve(t.Context(), v.ID, "Ada L.", "as it was then"); err != nil {
			t.Fatal(err)
		}
		d.ok("run_start", `{"goal": "g", "visual": [{"name": "board", "threshold": 0}]}`)
		a := d.call("compare_visual_regression", `{"url": %q, "baseline_id": %q}`, b.url, v.ID)
		if r := d.finished(); a.Error.Code != "INVALID_INPUT" || r.Status != qa.Inconclusive {
			t.Errorf("%s: %s\n%s", r.Status, r.StatusReason, a.text)
		}
		return
	}
	t.Fatal("there is no version of the other environment")
}

// B9: pictures of one name that have options of their own keep them apart.
func TestVisualOptionsOfEachPart(t *testing.T) {
	t.Parallel()
	d, b := online(t), newBoard(t, salesBoard)
	look := func() seen {
		d.ok("run_start", `{"goal": "g", "visual": [{"name": "board", "threshold": 1, "named_changes": "ignore"}, {"name": "board", "selector": "testid=card"}]}`)
		a := d.at(b.url, "compare_visual_regression", `{"name": "board", "selectors": ["", "testid=card"]}`)
		return seen{a, d.finished()}
	}
	look()
	b.change(t, "background:#fff;border", "background:#e00;border")
	if got := look(); got.report.Status != qa.Failed || got.report.Visual[0].Status != qa.VisualWithin || got.report.Visual[1].Status != qa.VisualChanged {
		t.Errorf("%s: %+v\n%s", got.report.Status, got.report.Visual, got.text)
	}
}

// B2, B9: a flow that captured its first picture, and then had to start over,
// has not compared anything.
func TestFlowRetriedAfterItsFirstPicture(t *testing.T) {
	t.Parallel()
	d := newLooking(t)
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, _ *http.Request) {
		if requests.Add(1) > 1 {
			return
		}
		panic(http.ErrAbortHandler) // the first connection is cut
	}))
	t.Cleanup(server.Close)
	a := d.ok("verify_user_flow", `{"name": "two pages", "start_url": %q, "steps": [{"action": "visual", "name": "sales"}, {"action": "navigate", "url": %q}]}`, d.url, server.URL)
	if a.Data["attempts"] != 2.0 || a.Data["status"] != "inconclusive" || a.Data["success"] != false {
		t.Errorf("%v after %v attempts\n%s", a.Data["status"], a.Data["attempts"], a.text)
	}
}
