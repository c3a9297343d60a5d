package tools_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/qa"
)

// B2: a name that there is no picture of is an error that helps, where the
// first picture is not to become the baseline by itself.
func TestVisualBaselineNotFound(t *testing.T) {
	t.Parallel()
	d, b := online(t), newBoard(t, salesBoard)
	d.at(b.url, "capture_visual_baseline", `{"name": "board"}`)
	b.body.Store("404|<h1>Not here</h1>")
	if got := d.lookAt(b.url, `{"name": "lost"}`); got.Error.Code != "BASELINE_NOT_FOUND" || !strings.Contains(got.text, "status 404") || got.report.Status != qa.Inconclusive {
		t.Errorf("a page that is not there became a baseline: %s\n%s", got.report.Status, got.text)
	}
	b.body.Store(salesBoard)
	added := d.lookAt(b.url, `{"name": "board", "selectors": ["testid=card"]}`)
	if row := added.row(t); row.Status != qa.VisualCaptured || row.ProposalID == "" || added.report.Status != qa.Inconclusive {
		t.Errorf("a part that is new: %s %+v\n%s", added.report.Status, row, added.text)
	}
	if v, err := d.Baselines.Get(context.Background(), added.row(t).ProposalID); err != nil || len(v.Pictures) != 2 {
		t.Errorf("its proposal: %+v, %v", v, err)
	}
	d.Visual.AutoCapture = false
	if got := d.lookAt(b.url, `{"name": "bord"}`); got.Error.Code != "BASELINE_NOT_FOUND" || !strings.Contains(got.text, `"board"`) || got.report.Status != qa.Inconclusive {
		t.Errorf("misspelt: %s", got.text)
	}
	if got := d.lookAt(b.url, `{"name": "board", "selectors": ["testid=card"]}`); got.Error.Code != "BASELINE_NOT_FOUND" || !strings.Contains(got.text, "it has: the page") {
		t.Errorf("a part that there is none of: %s", got.text)
	}
}

// B8: a damaged baseline is an error, also where the page looks as it did.
func TestVisualDamagedBaseline(t *testing.T) {
	t.Parallel()
	d, b := online(t), newBoard(t, salesBoard)
	id := d.at(b.url, "capture_visual_baseline", `{"name": "board"}`).Data["baseline_id"].(string)
	v, err := d.Baselines.Get(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(d.dir, "blobs", "sha256", "*", "*"+v.Pictures[0].SHA256[10:]))
	if err != nil || len(found) != 1 {
		t.Fatalf("the picture is at %q, %v", found, err)
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.Chmod(found[0], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(found[0], data, 0o600); err != nil {
		t.Fatal(err)
	}
	got := d.lookAt(b.url, `{"name": "board"}`)
	if got.Error.Code != "STORE_CORRUPT" || got.report.Status != qa.Inconclusive || len(got.report.Checks) != 0 {
		t.Errorf("%s: %s", got.report.Status, got.text)
	}
}

// B6, B9: two servers that see a name for the first time at once: one picture
// is the baseline, and neither takes it for a pass.
func TestVisualTwoDesks(t *testing.T) {
	t.Parallel()
	d, b := online(t), newBoard(t, `<h1></h1><script>document.querySelector('h1').textContent = Math.random()</script>`)
	second, err := baseline.Open(d.dir, d.Now)
	if err != nil {
		t.Fatal(err)
	}
	other := d
	other.Workspace = d.Fork()
	other.Baselines = second
	for n := range 10 {
		name := fmt.Sprintf("board %d", n)
		var both sync.WaitGroup
		var answers [2]answer
		for i, each := range []desk{d, other} {
			both.Go(func() { answers[i] = each.call("compare_visual_regression", `{"url": %q, "name": %q}`, b.url, name) })
		}
		both.Wait()
		later := 0
		for _, a := range answers {
			if strings.Contains(a.text, "since version 1") && a.Data["status"] == "failed" {
				later++ // it came when the other's picture was the baseline already
			} else if !a.OK || a.Data["status"] != "inconclusive" || a.Data["passed"] != false {
				t.Fatalf("at once: %s", a.text)
			}
		}
		if later > 0 {
			continue
		}
		all, err := d.Baselines.(*baseline.Store).List(context.Background())
		all = slices.DeleteFunc(all, func(v baseline.Version) bool { return v.Name != name })
		if err != nil || len(all) != 2 || all[0].Number == all[1].Number || all[0].Status == all[1].Status {
			t.Errorf("kept: %+v, %v", all, err)
		}
		return
	}
	t.Error("the two were never there at once")
}

// B2, B6: a picture beyond the limit, and a store that another process holds,
// are errors with their own codes, and no check. No report comes without the
// log's word; once it can be had, the same run can be finished.
func TestVisualRefusals(t *testing.T) {
	t.Parallel()
	d, b := online(t), newBoard(t, salesBoard)
	d.at(b.url, "capture_visual_baseline", `{"name": "board"}`)
	limit := d.MaxPixels
	d.MaxPixels = 1000
	if got := d.lookAt(b.url, `{"name": "board"}`); got.Error.Code != "IMAGE_INVALID" || got.report.Status != qa.Inconclusive || len(got.report.Checks) != 0 {
		t.Errorf("too large: %s: %s", got.report.Status, got.text)
	}
	d.MaxPixels = limit
	held, err := bbolt.Open(filepath.Join(d.dir, "assay.db"), 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	d.ok("run_start", `{"goal": "the board looks as it did"}`)
	got, finished := d.call("compare_visual_regression", `{"url": %q, "name": "board"}`, b.url), d.call("run_finish", `{}`)
	if got.Error.Code != "STORE_LOCKED" || finished.Error.Code != "STORE_LOCKED" || finished.Data["status"] != nil {
		t.Errorf("held: %s\n%s", got.text, finished.text)
	}
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	if r := d.finished(); r.Status != qa.Inconclusive || len(r.Checks) != 0 {
		t.Errorf("held: %s", r.Status)
	}
	d.approve(baseline.Unapproved, "board")
	if again := d.lookAt(b.url, `{"name": "board"}`); again.report.Status != qa.Passed {
		t.Errorf("released: %s: %s", again.report.Status, again.text)
	}
}

// B7: what a baseline keeps of a page holds no secret that the page shows.
func TestVisualKeepsNoSecret(t *testing.T) {
	t.Parallel()
	const value = "hunter2-of-the-board"
	d, b := online(t), newBoard(t, `<h1>Key `+value+`</h1><p style="color:red">`+value+`</p>`)
	d.withSecrets(map[string]string{"KEY": value})
	if _, err := d.Secrets.Reveal(context.Background(), "KEY"); err != nil {
		t.Fatal(err)
	}
	d.at(b.url, "capture_visual_baseline", `{"name": "board"}`)
	b.change(t, "color:red", "color:green")
	got := d.lookAt(b.url, `{"name": "board", "threshold": 0}`)
	if files := d.files(); strings.Contains(files, value) || !strings.Contains(files, `"elements"`) || strings.Contains(got.text, value) {
		t.Errorf("told: in answers %v, in files %v", strings.Contains(got.text, value), strings.Contains(files, value))
	}
}
