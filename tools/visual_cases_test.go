package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/qa"
)

// B9: which differences count is told by thresholds, components and places
// that are left out; large pale areas count although no pixel of them does.
func TestVisualLimits(t *testing.T) {
	t.Parallel()
	d, b := online(t), newBoard(t, salesBoard)
	d.at(b.url, "capture_visual_baseline", `{"name": "board"}`)
	d.approve(baseline.Unapproved, "board")
	text := func() { b.change(t, "Revenue 42", "Revenue 17") }
	pale := func() { b.change(t, `style="width:600px"`, `style="width:600px;background:#fef9c3"`) }
	for i, c := range []struct {
		name, args string
		change     func()
		want       qa.VisualStatus
		run        qa.Status
		says       string
	}{
		{"a text, by default", ``, text, qa.VisualChanged, qa.Failed, "a named change (text) since version 1, in 0.008"},
		{"a text, whatever the threshold", `, "threshold": 1`, text, qa.VisualChanged, qa.Failed, "fails whatever the threshold of 100 %"},
		{"within the default", `, "named_changes": "ignore"`, text, qa.VisualWithin, qa.Passed, "PASSED WITHIN THE THRESHOLD: board: 0.00836 % of the pixels differ from version 1, within the threshold of 1 %"},
		{"its own threshold", `, "threshold": 0`, text, qa.VisualChanged, qa.Failed, "more than the threshold of 0 %"},
		{"a component", `, "components": {"testid=card": 0}`, text, qa.VisualChanged, qa.Failed, "of component testid=card"},
		{"another component", `, "named_changes": "ignore", "components": {"heading \"Sales\"": 0}`, text, qa.VisualWithin, qa.Passed, "within"},
		{"ignored", `, "threshold": 0, "ignore": ["testid=card"]`, text, qa.VisualSame, qa.Passed, "equal"},
		{"masked only now", `, "threshold": 0, "mask": ["testid=card"]`, text, qa.VisualSame, qa.Passed, "equal"},
		{"a mask that hides nothing", `, "threshold": 0, "mask": ["testid=crad"]`, text, qa.VisualChanged, qa.Failed, "mask testid=crad matches nothing"},
		{"a pale area", ``, pale, qa.VisualChanged, qa.Failed, "in pale areas"},
		{"the other engine", `, "engine": "pixelmatch", "named_changes": "ignore"`, text, qa.VisualWithin, qa.Passed, "PASSED WITHIN THE THRESHOLD: board: 0.00836 % of the pixels differ from version 1, within the threshold of 1 %"},
		{"brightness only", `, "ignore_colors": true, "named_changes": "ignore", "threshold": 0.5`, pale, qa.VisualWithin, qa.Passed, "within"},
	} {
		if !sampled(i, 4) && c.name != "a pale area" {
			continue
		}
		b.body.Store(salesBoard)
		c.change()
		got := d.lookAt(b.url, `{"name": "board"%s}`, c.args)
		row := got.row(t)
		if row.Status != c.want || got.report.Status != c.run || !strings.Contains(got.text, c.says) {
			t.Errorf("%s: %s, %s, want %s, %s, %q:\n%s", c.name, row.Status, got.report.Status, c.want, c.run, c.says, got.text)
		}
		if strings.Count(got.text, "matches nothing") > 1 {
			t.Errorf("%s is told twice:\n%s", c.name, got.text)
		}
		if c.want == qa.VisualWithin && len(row.Regions) == 0 {
			t.Errorf("%s: passes without a word on what differs", c.name)
		}
		if within, _ := got.Data["within_threshold"].(bool); within != (c.want == qa.VisualWithin) {
			t.Errorf("%s: within_threshold %v", c.name, within)
		}
		if agreed := 100 * got.Data["changed_pixels"].(float64) / float64(row.Compared); math.Abs(agreed-got.Data["diff_percentage"].(float64)) > 1e-9 || row.DiffPercentage != got.Data["diff_percentage"] {
			t.Errorf("%s: %v changed pixels of %d are %v %%, and not %v %%", c.name, got.Data["changed_pixels"], row.Compared, agreed, got.Data["diff_percentage"])
		}
	}
}

// B9: a comparison of nothing is refused, and so is what can't be meant.
func TestVisualComparesSomething(t *testing.T) {
	t.Parallel()
	d, b := online(t), newBoard(t, salesBoard)
	d.at(b.url, "capture_visual_baseline", `{"name": "board"}`)
	d.ok("page_navigate", `{"url": %q}`, b.url)
	for args, want := range map[string]string{
		`{"name": "board", "ignore": ["box=0,0,1280,720"]}`:         "INVALID_INPUT: all of the page is ignored",
		`{"name": "board", "mask": ["box=0,0,1280,720"]}`:           "INVALID_INPUT: a mask covers the whole picture",
		`{"name": "board", "components": {"testid=crad": 0}}`:       "INVALID_INPUT: component testid=crad matches nothing",
		`{"name": "board", "threshold": 1.5}`:                       "INVALID_INPUT",
		`{"name": "board", "named_changes": "no"}`:                  `INVALID_INPUT: named_changes is "no": use fail or ignore`,
		`{"name": "board", "mask": ["box=1,2"]}`:                    "INVALID_INPUT",
		`{"name": "board", "freeze": "noon"}`:                       `INVALID_INPUT: "noon" is no time with its offset`,
		`{"name": ""}`:                                              "INVALID_INPUT",
		`{}`:                                                        "INVALID_INPUT",
		`{"name": "board", "selectors": ["testid=none"]}`:           "ELEMENT_NOT_FOUND",
		`{"baseline_id": "b-00"}`:                                   "BASELINE_NOT_FOUND",
		`{"name": "x", "baseline_id": "b-00", "url": "ftp://a.b/"}`: "INVALID_INPUT",
	} {
		d.ok("run_start", `{"goal": "g"}`)
		a := d.raw("compare_visual_regression", args)
		r := d.finished()
		if a.OK || !strings.HasPrefix(a.text, want) || r.Status != qa.Inconclusive || len(r.Checks) != 0 {
			t.Errorf("%s: %s, want %s; the run is %s", args, a.text, want, r.Status)
		}
	}
}

// B9: pictures of two sizes are a fault, and never made to fit.
func TestVisualSize(t *testing.T) {
	t.Parallel()
	d, b := online(t), newBoard(t, salesBoard)
	d.at(b.url, "capture_visual_baseline", `{"name": "board"}`)
	b.change(t, "<table", `<div style="height:700px">A long new part</div><table`)
	got := d.lookAt(b.url, `{"name": "board", "threshold": 1}`)
	row := got.row(t)
	if row.Status != qa.VisualSize || got.report.Status != qa.Failed || row.BeforeSize != "1280×720" || !strings.Contains(string(row.Reason.Text()), row.BeforeSize) ||
		!strings.Contains(string(row.Reason.Text()), row.AfterSize) || row.ProposalID == "" || row.Diff != "" || row.Before == "" {
		t.Errorf("%s %+v\n%s", got.report.Status, row, got.text)
	}
	if f := got.report.Findings[0]; !strings.Contains(string(f.Observed), "A long new part") {
		t.Errorf("the cause is not named: %s", f.Observed)
	}
}

// B9: what is masked or ignored is never named as a cause, also where the page
// was pushed aside or has another size.
func TestVisualCausesAreSeen(t *testing.T) {
	t.Parallel()
	d, b := online(t), newBoard(t, salesBoard)
	d.at(b.url, "capture_visual_baseline", `{"name": "board", "mask": ["testid=card"]}`)
	d.at(b.url, "capture_visual_baseline", `{"name": "bare"}`)
	for _, height := range []int{20, 700} {
		b.body.Store(salesBoard)
		b.change(t, "Revenue 42", "Revenue 17")
		b.change(t, "<h1", fmt.Sprintf(`<div style="height:%dpx;width:90px">A new part</div><h1`, height))
		for _, args := range []string{`"name": "board"`, `"name": "bare", "ignore": ["testid=card"]`} {
			got := d.lookAt(b.url, `{"threshold": 0, %s}`, args)
			if said := got.report.Findings[0].Observed; strings.Contains(string(said), "Revenue") || !strings.Contains(string(said), "A new part") {
				t.Errorf("%s, %d px: %s", args, height, said)
			}
		}
	}
}

// B9: no page is no picture, and an error page, however empty, does not pass
// for the one that was meant.
func TestVisualOfAnotherPage(t *testing.T) {
	t.Parallel()
	d, b := online(t), newBoard(t, salesBoard)
	for _, tool := range []string{"capture_visual_baseline", "compare_visual_regression"} {
		if a := d.raw(tool, `{"name": "board"}`); a.OK || !strings.Contains(a.text, "INVALID_INPUT: no page is loaded") {
			t.Errorf("%s: %s", tool, a.text)
		}
	}
	d.at(b.url, "capture_visual_baseline", `{"name": "board"}`)
	b.body.Store("404|<h1>Not found</h1>")
	if got := d.lookAt(b.url, `{"name": "board"}`); got.report.Status != qa.Failed || !strings.Contains(got.text, "status 404") {
		t.Errorf("%s: %s", got.report.Status, got.text)
	}
}

// elsewhere captures the board as another version of the browser would have
// painted it, and puts that in force under another name.
func (d desk) elsewhere(id, name string, change func(*qa.VisualEnvironment)) {
	d.t.Helper()
	v, err := d.Baselines.Get(context.Background(), id)
	if err != nil {
		d.t.Fatal(err)
	}
	v.Name = name
	change(&v.Environment)
	n := baseline.New{Version: v, Blobs: map[string][]byte{}}
	for _, p := range v.Pictures {
		for _, digest := range []string{p.SHA256, p.Layout} {
			if n.Blobs[digest], err = d.Baselines.Read(digest); err != nil {
				d.t.Fatal(err)
			}
		}
	}
	if _, err := d.Baselines.Capture(context.Background(), n); err != nil {
		d.t.Fatal(err)
	}
}

// B9: a difference may be the fault of another browser or other fonts: then
// nobody is accused. An equal picture passes with a warning. Another viewport
// has pictures of its own.
func TestVisualEnvironment(t *testing.T) {
	t.Parallel()
	d, b := online(t), newBoard(t, salesBoard)
	id := d.at(b.url, "capture_visual_baseline", `{"name": "board"}`).Data["baseline_id"].(string)
	d.elsewhere(id, "older", func(e *qa.VisualEnvironment) { e.Version, e.Fonts = "1.0", "other" })
	d.elsewhere(id, "phone", func(e *qa.VisualEnvironment) { e.Viewport = "320×640" })

	d.approve(baseline.Unapproved, "older")
	equal := d.lookAt(b.url, `{"name": "older"}`)
	if row := equal.row(t); row.Status != qa.VisualSame || equal.report.Status != qa.Passed || len(row.Environment) != 2 || !strings.Contains(equal.text, "another environment: browser version") {
		t.Errorf("equal: %s %+v\n%s", equal.report.Status, row, equal.text)
	}
	phone := d.lookAt(b.url, `{"name": "phone"}`)
	if row := phone.row(t); row.Status != qa.VisualCaptured || !strings.Contains(phone.text, "320×640") {
		t.Errorf("another viewport: %+v\n%s", row, phone.text)
	}
	b.change(t, "Revenue 42", "Revenue 17")
	differs := d.lookAt(b.url, `{"name": "older", "threshold": 0}`)
	row := differs.row(t)
	if row.Status != qa.VisualForeign || differs.report.Status != qa.Inconclusive || len(differs.report.Checks) != 0 || row.ProposalID == "" || !strings.Contains(differs.text, "Revenue 17") {
		t.Errorf("differs: %s %+v\n%s", differs.report.Status, row, differs.text)
	}
}

// B9: a clock that stands makes pages equal that show the time.
func TestVisualFreeze(t *testing.T) {
	t.Parallel()
	d, b := online(t), newBoard(t, `<h1></h1><script>document.querySelector('h1').textContent = Date.now() + ' ' + Math.random()</script>`)
	d.ok("capture_visual_baseline", `{"url": %q, "name": "clock", "freeze": "2026-01-31T09:00:00Z", "selectors": ["", "css=h1"]}`, b.url)
	d.approve(baseline.Unapproved, "clock")
	if got := d.look(`{"url": %q, "name": "clock", "threshold": 0}`, b.url); got.report.Status != qa.Passed || len(got.report.Visual) != 2 {
		t.Errorf("frozen as the baseline was: %s\n%s", got.report.Status, got.text)
	}
	if got := d.look(`{"url": %q, "name": "clock", "threshold": 0, "freeze": "2026-01-31T10:00:00Z"}`, b.url); got.report.Status != qa.Failed {
		t.Errorf("at another time: %s\n%s", got.report.Status, got.text)
	}
}

// A2: what a lapsed sign-in shows is no picture of the page that was meant: it
// neither fails, nor becomes a baseline.
func TestVisualAtALapsedSignIn(t *testing.T) {
	t.Parallel()
	d, g := online(t), newGuarded(t)
	d.target(g, g.loginFlow(password))
	d.ok("browser_launch", `{"options":{"role":"analyst"}}`)
	d.ok("page_navigate", `{"url":"/app"}`)
	d.ok("page_wait_for_selector", `{"selector": "heading \"App of ada\""}`)
	d.ok("capture_visual_baseline", `{"name": "app"}`)
	d.ok("page_navigate", `{"url":"/open"}`)
	g.forget()
	d.ok("page_click", `{"selector":"link \"To the app\""}`)
	got := d.look(`{"name": "app"}`)
	if got.Error.Code != "NEEDS_HUMAN" || got.report.Status != qa.Inconclusive || len(got.report.Checks) != 0 {
		t.Errorf("compared at the login page: %s\n%s", got.report.Status, got.text)
	}
	if a := d.call("capture_visual_baseline", `{"name": "new"}`); a.Error.Code != "NEEDS_HUMAN" {
		t.Errorf("captured the login page: %s", a.text)
	}
	if got := d.look(`{"name": "other"}`); got.Error.Code != "NEEDS_HUMAN" || len(got.report.Visual) != 0 {
		t.Errorf("captured the login page as the first: %s", got.text)
	}
}

// A9: a comparison costs one picture, whatever is stored beside it.
func TestVisualBudget(t *testing.T) {
	t.Parallel()
	d, b := online(t), newBoard(t, salesBoard)
	d.at(b.url, "capture_visual_baseline", `{"name": "board"}`)
	d.approve(baseline.Unapproved, "board")
	b.change(t, "Revenue 42", "Revenue 17")
	finish := d.budgeted(`{"maxScreenshots": 1}`)
	d.at(b.url, "compare_visual_regression", `{"name": "board", "named_changes": "ignore"}`)
	if r := finish(); r.Status != qa.Passed || r.Costs.Screenshots != 1 || len(r.Artifacts) < 3 {
		t.Errorf("one of one: %s (%s), %d counted, %d stored", r.Status, r.StatusReason, r.Costs.Screenshots, len(r.Artifacts))
	}
	finish = d.budgeted(`{"maxScreenshots": 1}`)
	d.at(b.url, "compare_visual_regression", `{"name": "board", "named_changes": "ignore"}`)
	if a := d.call("compare_visual_regression", `{"url": %q, "name": "board"}`, b.url); a.Error.Code != "BUDGET_EXCEEDED" {
		t.Errorf("a second one: %s", a.text)
	}
	wantSpent(t, finish(), "maxScreenshots")
}

// A10, B9: what a task demands of a picture is not for a caller to loosen, and
// a picture of this very run proves nothing.
func TestVisualTaskDecides(t *testing.T) {
	t.Parallel()
	d, b := online(t), newBoard(t, salesBoard)
	task, err := json.Marshal(map[string]any{"goal": "g", "visual": []any{map[string]any{"name": "board", "threshold": 0}}})
	if err != nil {
		t.Fatal(err)
	}
	d.raw("run_start", string(task))
	d.at(b.url, "capture_visual_baseline", `{"name": "board"}`)
	d.at(b.url, "compare_visual_regression", `{"name": "board", "named_changes": "ignore"}`)
	if r := d.finished(); r.Status != qa.Inconclusive {
		t.Errorf("compared with what this run captured: %s, %s", r.Status, r.StatusReason)
	}
	b.change(t, "Revenue 42", "Revenue 17")
	d.raw("run_start", string(task))
	d.at(b.url, "compare_visual_regression", `{"name": "board", "threshold": 1, "ignore": ["testid=card"]}`)
	r := d.finished()
	if r.Status != qa.Failed {
		t.Fatalf("loosened: %s, %+v", r.Status, r.Visual)
	}
	d.raw("run_start", string(task))
	if a := d.call("compare_visual_regression", `{"url": %q, "baseline_id": %q}`, b.url, r.Visual[0].ProposalID); a.Error.Code != "INVALID_INPUT" {
		t.Errorf("compared with its own proposal: %s", a.text)
	}
	if r := d.finished(); r.Status != qa.Inconclusive {
		t.Errorf("then: %s", r.Status)
	}
}

// B2: what hinders one picture does not hide the fault that another one shows.
func TestVisualPartlyHindered(t *testing.T) {
	t.Parallel()
	d, b := online(t), newBoard(t, salesBoard)
	d.at(b.url, "capture_visual_baseline", `{"name": "board", "selectors": ["css=h1", "testid=card"]}`)
	b.change(t, `data-testid="card"`, `hidden`)
	b.change(t, `>Sales<`, `>Sale<`)
	got := d.lookAt(b.url, `{"name": "board", "threshold": 0}`)
	if row := got.row(t); row.Part != "css=h1" || row.Status != qa.VisualChanged || got.report.Status != qa.Failed || len(got.report.Checks) != 1 {
		t.Errorf("%s: %+v\n%s", got.report.Status, row, got.text)
	}
	if strings.Contains(got.text, "the page became") {
		t.Errorf("what lies outside of the picture is blamed: %s", got.text)
	}
	v, err := d.Baselines.Get(context.Background(), got.row(t).ProposalID)
	if err != nil || len(v.Pictures) != 2 {
		t.Errorf("the proposal lost the other picture: %+v, %v", v, err)
	}
	b.body.Store(strings.Replace(salesBoard, `data-testid="card"`, `hidden`, 1))
	if got := d.lookAt(b.url, `{"name": "board"}`); got.report.Status != qa.Inconclusive || len(got.report.Checks) != 1 {
		t.Errorf("the other one equal: %s\n%s", got.report.Status, got.text)
	}
}
