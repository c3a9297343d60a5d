package tools_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/qa"
)

// board is a page whose parts can be changed between two looks.
type board struct {
	url  string
	body atomic.Value
}

const salesBoard = `<h1 style="width:300px">Sales</h1>
	<div data-testid="card" style="width:200px;height:80px;background:#fff;border:1px solid #333">Revenue 42</div>
	<table style="width:600px"><tr><td style="height:40px">Mugs</td></tr><tr><td style="height:40px">Cups</td></tr></table>`

func newBoard(t *testing.T, body string) *board {
	t.Helper()
	b := &board{}
	b.body.Store(body)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		content := b.body.Load().(string)
		if status, rest, ok := strings.Cut(content, "|"); ok && len(status) == 3 {
			w.WriteHeader(http.StatusNotFound)
			content = rest
		}
		_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Board</title><body style="font:16px sans-serif;margin:20px;background:#fff">%s</body></html>`, content)
	}))
	t.Cleanup(server.Close)
	b.url = server.URL + "/"
	return b
}

// change replaces a part of the page, which must be there.
func (b *board) change(t *testing.T, old, now string) {
	t.Helper()
	body := b.body.Load().(string)
	if strings.Count(body, old) != 1 {
		t.Fatalf("%q stands %d times in the page", old, strings.Count(body, old))
	}
	b.body.Store(strings.Replace(body, old, now, 1))
}

// seen is what a run came to.
type seen struct {
	answer
	report qa.QAReport
}

// row is the only picture of a run.
func (s seen) row(t *testing.T) qa.VisualRow {
	t.Helper()
	if len(s.report.Visual) != 1 {
		t.Fatalf("%d pictures, want 1: %s", len(s.report.Visual), s.text)
	}
	return s.report.Visual[0]
}

// look compares in a run of its own.
func (d desk) look(args string, values ...any) seen {
	d.t.Helper()
	d.ok("run_start", `{"goal": "the board looks as it did"}`)
	a := d.call("compare_visual_regression", args, values...)
	return seen{a, d.finished()}
}

// at makes a call on the open session, which is led to the address first. A session
// of its own for each look costs as much as all else: [TestVisualWay] has that.
func (d desk) at(url, tool, args string, values ...any) answer {
	d.t.Helper()
	d.ok("page_navigate", `{"url": %q}`, url)
	return d.ok(tool, args, values...)
}

// lookAt is look on the open session, which is led to the address first.
func (d desk) lookAt(url, args string, values ...any) seen {
	d.t.Helper()
	d.ok("page_navigate", `{"url": %q}`, url)
	return d.look(args, values...)
}

// finished ends the open run.
func (d desk) finished() qa.QAReport {
	d.t.Helper()
	id, _ := d.ok("run_finish", `{}`).Data["runId"].(string)
	r, err := d.Store.Report(id)
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

// B2, B9: the whole way: the first picture proves nothing, nor does an equal one while
// nobody has approved it; an edit fails and is named, a program's proposal changes nothing, and once a
// person has approved it the new page passes and the old one fails.
func TestVisualWay(t *testing.T) {
	t.Parallel()
	d, b := online(t), newBoard(t, salesBoard)
	first := d.look(`{"url": %q, "name": "board"}`, b.url)
	row := first.row(t)
	if row.Status != qa.VisualCaptured || row.Version != 1 || row.Approved || first.report.Status != qa.Inconclusive || !strings.HasPrefix(first.text, "INCONCLUSIVE") ||
		!strings.Contains(first.text, "assay baseline approve "+row.BaselineID) || strings.Contains(first.text, "no such baseline") {
		t.Errorf("first: %s %+v\n%s", first.report.Status, row, first.text)
	}

	equal := d.look(`{"url": %q, "name": "board", "threshold": 0}`, b.url)
	if row := equal.row(t); row.Status != qa.VisualSame || row.RawPixels != 0 || equal.report.Status != qa.Inconclusive || len(equal.report.Findings) != 2 ||
		equal.report.Findings[0].Severity != qa.Info || !strings.HasPrefix(equal.text, "INCONCLUSIVE") || !strings.Contains(equal.text, "no person has approved version 1") || equal.Data["passed"] != false {
		t.Errorf("equal: %s %+v %+v\n%s", equal.report.Status, row, equal.report.Findings, equal.text)
	}

	b.change(t, "Revenue 42", "Revenue 17")
	edited := d.look(`{"url": %q, "name": "board", "threshold": 0}`, b.url)
	row = edited.row(t)
	if row.Status != qa.VisualChanged || edited.report.Status != qa.Failed || row.ProposalID == "" || row.ChangedPixels == 0 || row.Before == "" || row.Diff == "" {
		t.Fatalf("edited: %s %+v\n%s", edited.report.Status, row, edited.text)
	}
	f := edited.report.Findings[0]
	if f.Severity != qa.Major || f.Category != qa.Visual || !strings.Contains(string(f.Observed), "Revenue 42") || !strings.Contains(string(f.Observed), "Revenue 17") ||
		len(f.Evidence) != 3 || f.Evidence[0].Selector == "" || !strings.HasSuffix(f.Evidence[0].ScreenshotRef, row.Diff) {
		t.Errorf("finding: %+v", f)
	}
	if !strings.HasPrefix(edited.text, "FAILED") || edited.Screenshot == nil || !strings.Contains(row.Diff, edited.Screenshot.Name) || strings.Count(edited.text, "\n") > 14 {
		t.Errorf("answer: %s", edited.text)
	}
	if again := d.look(`{"url": %q, "name": "board", "threshold": 0}`, b.url); again.row(t).ProposalID != row.ProposalID {
		t.Errorf("proposed twice: %s, %s", row.ProposalID, again.row(t).ProposalID)
	}

	if _, err := d.Baselines.(*baseline.Store).Approve(context.Background(), row.ProposalID, "Ada L.", "new figures"); err != nil {
		t.Fatal(err)
	}
	approved := d.look(`{"url": %q, "name": "board", "threshold": 0}`, b.url)
	if row := approved.row(t); row.Status != qa.VisualSame || !row.Approved || row.Version != 2 || approved.report.Status != qa.Passed || len(approved.report.Findings) != 0 {
		t.Errorf("approved: %s %+v %+v", approved.report.Status, row, approved.report.Findings)
	}
	b.body.Store(salesBoard)
	if old := d.look(`{"url": %q, "name": "board", "threshold": 0}`, b.url); old.report.Status != qa.Failed {
		t.Errorf("the old page: %s\n%s", old.report.Status, old.text)
	}
}

// B2: a first picture proves nothing, nor does what is compared with it in the
// same run.
func TestVisualFirstRunProvesNothing(t *testing.T) {
	t.Parallel()
	d, b := online(t), newBoard(t, salesBoard)
	d.ok("run_start", `{"goal": "the board looks as it did"}`)
	d.ok("compare_visual_regression", `{"url": %q, "name": "board"}`, b.url)
	if a := d.ok("compare_visual_regression", `{"url": %q, "name": "board"}`, b.url); a.Data["passed"] != false || !strings.Contains(a.text, "equal to version 1") {
		t.Errorf("equal: %s", a.text)
	}
	if r := d.finished(); r.Status != qa.Inconclusive {
		t.Errorf("%s: %s", r.Status, r.StatusReason)
	}
}

// B2: a capture is no check, and no program's word replaces what is in force.
func TestCaptureVisualBaseline(t *testing.T) {
	t.Parallel()
	d, b := online(t), newBoard(t, salesBoard)
	d.ok("run_start", `{"goal": "capture only"}`)
	first := d.ok("capture_visual_baseline", `{"url": %q, "name": "board", "selectors": ["", "testid=card"]}`, b.url)
	if first.Data["status"] != "unapproved" || first.Data["version"] != 1.0 || len(first.Data["screenshots"].([]any)) != 2 || !strings.Contains(first.text, "unapproved") {
		t.Errorf("first: %s %+v", first.text, first.Data)
	}
	if r := d.finished(); r.Status != qa.Inconclusive || len(r.Checks) != 0 {
		t.Errorf("a run of captures: %s, %+v", r.Status, r.Checks)
	}
	if again := d.ok("capture_visual_baseline", `{"url": %q, "name": "board"}`, b.url); again.Data["baseline_id"] != first.Data["baseline_id"] {
		t.Errorf("captured again: %s", again.text)
	}
	b.change(t, "background:#fff;border", "background:#e00;border")
	second := d.ok("capture_visual_baseline", `{"url": %q, "name": "board"}`, b.url)
	if second.Data["status"] != "proposed" || !strings.Contains(second.text, "not in force") {
		t.Errorf("second: %s", second.text)
	}
	fails := d.look(`{"url": %q, "name": "board"}`, b.url)
	if fails.report.Status != qa.Failed || len(fails.report.Visual) != 2 || len(fails.report.Checks) != 2 {
		t.Fatalf("a captured fault: %s\n%s", fails.report.Status, fails.text)
	}
	if p := fails.report.Visual[1].ProposalID; p == "" || p != fails.report.Visual[0].ProposalID {
		t.Errorf("two pictures, proposals %q and %q", fails.report.Visual[0].ProposalID, p)
	}
	explicit := d.look(`{"url": %q, "baseline_id": %q}`, b.url, second.Data["baseline_id"])
	if explicit.report.Status != qa.Passed || !strings.Contains(explicit.text, "proposed and not in force") {
		t.Errorf("compared with the proposal: %s\n%s", explicit.report.Status, explicit.text)
	}
	v, err := d.Baselines.Get(context.Background(), second.Data["baseline_id"].(string))
	if err != nil || v.Status != baseline.Proposed || len(v.Pictures) != 2 || len(v.Diffs) == 0 {
		t.Errorf("the proposal: %+v, %v", v, err)
	}
}
