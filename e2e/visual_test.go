package e2e_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
)

// report is a page whose heading can be changed.
func report(t *testing.T) (url string, heading *atomic.Value) {
	t.Helper()
	heading = new(atomic.Value)
	heading.Store("Sales of the week")
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Report</title><body style="font:16px sans-serif">
			<h1 style="width:600px;font-size:60px">%s</h1><table><tr><th>Orders</th><td>1,240</td></tr><tr><th>Revenue</th><td>$24,567</td></tr></table></body></html>`, heading.Load())
	}))
	t.Cleanup(site.Close)
	return site.URL, heading
}

// visualRun compares the page with its baseline in a run of its own.
func (w *wire) visualRun(url string) (row pictureRow, said answer, verdict string) {
	w.t.Helper()
	w.do("run_start", map[string]any{"goal": "the report looks as it did"})
	w.do("page_navigate", map[string]any{"url": url})
	said = w.do("compare_visual_regression", map[string]any{"name": "report", "threshold": 0})
	rows := field[[]pictureRow](w, said, "pictures")
	if len(rows) != 1 {
		w.t.Fatalf("%d pictures, want 1: %s", len(rows), said.text())
	}
	return rows[0], said, field[string](w, w.do("run_finish", nil), "status")
}

// person runs a command of the binary on the server's data folder.
func (w *wire) person(arguments ...string) (out string, err error) {
	cmd := exec.Command(binary(w.t), append(arguments, "--data-dir", w.data)...)
	cmd.Dir, cmd.Env = w.t.TempDir(), environment(w.temp)
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// B9: what a user sees: the first run has nothing to compare with and says so,
// the second is equal and proves nothing while nobody has approved the picture, an edit fails with a sentence that names it, and only a
// person makes the new look the right one.
func TestVisualRegressionStory(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	w := attach(t, november25)
	url, heading := report(t)

	row, said, verdict := w.visualRun(url)
	if row.Status != "captured" || row.Approved || verdict != "inconclusive" || !strings.Contains(said.text(), "assay baseline approve") {
		t.Errorf("the first run: %s, %+v: %s", verdict, row, said.text())
	}
	row, said, verdict = w.visualRun(url)
	if row.Status != "same" || row.RawPixels != 0 || row.Approved || verdict != "inconclusive" || !strings.Contains(said.text(), "no person has approved version 1") {
		t.Errorf("the unchanged page: %s, %+v: %s", verdict, row, said.text())
	}

	heading.Store("Sales of the month, and of all the months before it")
	row, said, verdict = w.visualRun(url)
	if row.Status != "changed" && row.Status != "size" || verdict != "failed" || row.ProposalID == "" || len(row.Regions) == 0 {
		t.Fatalf("the edited page: %s, %+v: %s", verdict, row, said.text())
	}
	first := row.Regions[0]
	if first.Kind != "text" || !first.Cause || first.From != "Sales of the week" || !strings.Contains(said.text(), "Sales of the month") {
		t.Errorf("the cause: %+v: %s", first, said.text())
	}

	if out, err := w.person("baseline", "approve", row.ProposalID); err == nil {
		t.Errorf("approved without a name and a reason: %s", out)
	}
	if out, err := w.person("baseline", "approve", row.ProposalID, "--name", "Ada L.", "--reason", "the report is monthly now"); err != nil {
		t.Fatalf("approve: %v: %s", err, out)
	}
	row, said, verdict = w.visualRun(url)
	if row.Status != "same" || !row.Approved || verdict != "passed" {
		t.Errorf("the approved look: %s, %+v: %s", verdict, row, said.text())
	}
	heading.Store("Sales of the week")
	if row, said, verdict = w.visualRun(url); verdict != "failed" {
		t.Errorf("the look of before: %s, %+v: %s", verdict, row, said.text())
	}
}

// B12: the settings of [visual] decide where a call says nothing: here that a
// first picture is no baseline, and that half of the page may differ, whatever
// has a name.
func TestVisualSettings(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	w := launchWith(t, november25, t.TempDir(), []string{"--visual-threshold", "0.5"}, "ASSAY_VISUAL_AUTO_CAPTURE=false", "ASSAY_VISUAL_NAMED_CHANGES=ignore")
	w.greet()
	url, heading := report(t)
	w.do("page_navigate", map[string]any{"url": url})
	if got := w.call("compare_visual_regression", map[string]any{"name": "report"}); got.envelope.OK || got.envelope.Error.Code != "BASELINE_NOT_FOUND" {
		t.Errorf("a first picture: %s", got.text())
	}
	w.do("capture_visual_baseline", map[string]any{"name": "report"})
	heading.Store("Sales of the month")
	w.do("page_navigate", map[string]any{"url": url})
	said := w.do("compare_visual_regression", map[string]any{"name": "report"})
	if rows := field[[]pictureRow](w, said, "pictures"); len(rows) != 1 || rows[0].Status != "within" || !strings.Contains(said.text(), "threshold of 50 %") {
		t.Errorf("half of the page may differ: %s", said.text())
	}
}
