package report_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// shopReport is a failed run of a flow with twenty checks: one wrong text, which the
// check of the whole flow repeats, and a click on nothing.
func shopReport() qa.QAReport {
	r := base(qa.Failed, "2 checks of 20 failed")
	r.Task = qa.TaskSpec{Goal: "Saving works", Route: "http://shop.test/", Metadata: map[string]string{qa.CommandKey: "assay run saving.flow.toml"}}
	r.TaskID, r.Artifacts, r.Checks, r.Timeline = "", nil, nil, nil
	for i := range 20 {
		shop := shot(fmt.Sprintf("%03d", i+1), "shop", i+1)
		r.Artifacts = append(r.Artifacts, shop)
		c := check(fmt.Sprint("C", i+1), "text_equals", "status", "Saved", "Saved")
		c.Step, c.Evidence = i+1, []string{shop.Name}
		r.Checks = append(r.Checks, c)
		r.Timeline = append(r.Timeline, qa.TimelineEntry{Step: i + 1, Name: "verify_assertion", Detail: "status", StartedAt: at(i), DurationMS: 900})
	}
	r.Artifacts[4].Boxes = []qa.ElementBox{{Selector: "status", X: 900, Y: 500, Width: 120, Height: 24}}
	fail := func(i int, kind, observed, finding string) {
		c := &r.Checks[i]
		c.Kind, c.Passed, c.Observed, c.Finding = kind, false, pagetext.Text(observed), finding
	}
	fail(4, "text_equals", "Error 17", "F1")
	fail(5, "verify_user_flow", "4 of 9 steps passed; failed: step 5: assert status: text_equals status: expected Saved, observed Error 17", "F1")
	fail(6, "click", `ELEMENT_NOT_FOUND: page_click status: no element matches status`, "F2")
	f1, f2 := r.Checks[4].AsFinding(), r.Checks[6].AsFinding()
	f1.ID, f2.ID = "F1", "F2"
	r.Findings = []qa.Finding{f1, f2}
	return r
}

// A7, D4: the first screen of a phone shows what was observed, with the place boxed in
// the picture; what passed is folded, and twenty checks stay within six screens or so.
func TestFirstScreen(t *testing.T) {
	r := shopReport()
	w := open(t, chromium(t), filepath.Join(stored(t, r), "report.html"), playwright.BrowserNewPageOptions{Viewport: &playwright.Size{Width: 390, Height: 844}})
	if high := w.eval(`() => document.documentElement.scrollHeight`).(int); high > 6000 {
		t.Errorf("the page is %d pixels long on a phone", high)
	}
	const seen = `() => [...document.querySelectorAll('h1, .failure h2, .crop')].filter(e => e.getBoundingClientRect().bottom <= innerHeight).map(e => e.matches('.crop') ? 'picture' : e.textContent.trim())`
	want := []any{"✕Failed Saving works", `status shows "Error 17" instead of "Saved"`, "picture"}
	if got := w.eval(seen).([]any); !slices.Equal(got[:min(3, len(got))], want) {
		t.Errorf("the first screen shows %q, want %q", got, want)
	}
	if n := w.eval(`() => document.querySelectorAll('.failure').length`); n != 2 {
		t.Errorf("%v failures are shown: the check of the flow repeats the one of its step", n)
	}
	// The frame stands in the picture where the element stood.
	const where = `() => {
		const frame = document.querySelector('.crop .frame').getBoundingClientRect(), img = document.querySelector('.crop img').getBoundingClientRect(), crop = document.querySelector('.crop').getBoundingClientRect();
		const scale = 1280 / img.width, edge = 3;
		return [(frame.left + edge - img.left) * scale, (frame.top + edge - img.top) * scale, (frame.width - 2 * edge) * scale, (frame.height - 2 * edge) * scale,
			+(frame.left >= crop.left && frame.right <= crop.right && frame.top >= crop.top && frame.bottom <= crop.bottom)].map(Math.round);
	}`
	box := r.Artifacts[4].Boxes[0]
	for i, got := range w.eval(where).([]any) {
		want := []int{box.X, box.Y, box.Width, box.Height, 1}[i]
		if n, ok := got.(int); !ok || n < want-4 || n > want+4 {
			t.Errorf("measure %d of the frame is %v, want %d", i, got, want)
		}
	}
	if got := w.eval(`() => [...document.querySelectorAll('.failure')][1].querySelector('figcaption').textContent`); !strings.HasPrefix(got.(string), "The whole picture, no place is known") {
		t.Errorf("a picture without a known place: %v", got)
	}
	red := w.eval(`() => [...document.querySelectorAll('.timeline tr.bad')].map(r => r.id)`).([]any)
	if !slices.Equal(red, []any{"step-5", "step-6", "step-7"}) {
		t.Errorf("red in the timeline: %v", red)
	}
	if shown := w.eval(`() => [...document.querySelectorAll('#checks tbody tr')].filter(r => r.checkVisibility()).length`); shown != 3 {
		t.Errorf("%v checks are shown unfolded, want the three failed ones", shown)
	}
}

// The heading is a name and the verdict: the goal of a client, which the verdict may
// deny, is none.
func TestHeading(t *testing.T) {
	t.Parallel()
	client := failedReport()
	client.Task.Goal, client.TaskID = "the dashboard throws no errors", ""
	for name, c := range map[string]struct {
		report qa.QAReport
		want   string
	}{
		"flow":     {shopReport(), `Failed</span> <span class="text">Saving works</span></h1>`},
		"client":   {client, `Failed</span> <span class="text">Run on ` + client.Task.Route},
		"nameless": {qa.QAReport{RunID: "r1", Status: qa.Inconclusive, Task: qa.TaskSpec{Goal: "all is well"}}, `Inconclusive</span> <span class="text">Run r1</span></h1>`},
	} {
		page := render(t, asHTML, c.report)
		if !strings.Contains(page, c.want) {
			t.Errorf("%s: the heading is not %s", name, c.want)
		}
		if heading := page[strings.Index(page, "<h1>"):strings.Index(page, "</h1>")]; name == "client" && strings.Contains(heading, "no errors") {
			t.Errorf("the heading denies the verdict: %s", heading)
		}
	}
}

// A7, A15: cases are chosen by verdict and tag without a script, and listed.
func TestIndexFilters(t *testing.T) {
	s := suite()
	s.Cases[0].Tags, s.Cases[1].Tags, s.Cases[2].Tags = []string{"smoke"}, []string{"smoke", "<b>"}, nil
	for len(s.Cases) < 20 {
		s.Cases = append(s.Cases, report.SuiteCase{Name: fmt.Sprint("More ", len(s.Cases)), Path: "specs/more.md", Status: qa.Passed, DurationMS: 1200, Checks: 1})
	}
	dir := stored(t, failedReport())
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte(showSuite(t, report.Index, s)), 0o600); err != nil {
		t.Fatal(err)
	}
	w := open(t, chromium(t), filepath.Join(dir, "index.html"), playwright.BrowserNewPageOptions{Viewport: &playwright.Size{Width: 390, Height: 844}})
	names := func() string {
		return fmt.Sprint(w.eval(`() => [...document.querySelectorAll('.card')].filter(c => c.checkVisibility()).map(c => c.querySelector('h3').textContent)`))
	}
	choose := func(label string) {
		t.Helper()
		if err := w.Locator("label:has-text('" + label + "')").First().Click(); err != nil {
			t.Fatal(err)
		}
	}
	if high := w.eval(`() => document.documentElement.scrollHeight`).(int); high > 6000 || w.eval(`() => document.querySelector('[value=list]').checked`) != true {
		t.Errorf("twenty cases are %d pixels long on a phone, want a list", high)
	}
	choose("Failed 1")
	if got := names(); got != "[Cart]" {
		t.Errorf("failed: %s", got)
	}
	choose("All 20")
	choose("smoke")
	if got := names(); got != "[Cart Home]" {
		t.Errorf("tagged smoke: %s", got)
	}
	choose("<b>")
	if got := names(); got != "[Cart]" {
		t.Errorf("tagged <b>: %s", got)
	}
	choose("Any")
	if got := strings.Count(names(), "More"); got != 17 {
		t.Errorf("%d of the others are shown", got)
	}
	if w.eval(`() => document.querySelector('.card .hint').checkVisibility()`) != false {
		t.Error("the list shows what is for the cards")
	}
	choose("Cards")
	if w.eval(`() => document.querySelector('.card .hint').checkVisibility()`) != true {
		t.Error("the cards lack what the list leaves out")
	}
}
