package tools_test

import (
	"path"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

const blinkPage = `<!doctype html><title>Blink</title><button onclick="document.body.style.background = 'red'; n.textContent++">Go</button><p>still</p><p id="n">0</p>
<input aria-label="Name"><select aria-label="Range"><option>A<option>B</select>`

// ahead are the pictures that a run took by itself before a call.
func ahead(r qa.QAReport) (out []qa.Artifact) {
	for _, a := range r.Artifacts {
		if strings.Contains(a.Name, "-before-") {
			out = append(out, a)
		}
	}
	return out
}

// TestPictureBeforeWhatChangesThePage: each call that changes the page has a
// picture of how the page was, and no other call has one (E3).
func TestPictureBeforeWhatChangesThePage(t *testing.T) {
	t.Parallel()
	d := online(t)
	url := site(t, map[string]string{"/": blinkPage})
	finish := d.budgeted(`{"maxScreenshots": 40}`)
	d.PictureBefore = true
	d.ok("page_navigate", `{"url": %q}`, url) // a blank page shows nothing
	d.ok("verify_element_exists", `{"selector": "text=still"}`)
	d.ok("page_hover", `{"selector": "text=still"}`)
	shown := d.ok("page_screenshot", `{"name": "as it was"}`)
	d.ok("page_click", `{"selector": "button \"Go\""}`)
	d.ok("page_fill", `{"selector": "textbox \"Name\"", "value": "x"}`)
	d.ok("page_select", `{"selector": "combobox \"Range\"", "option": "B"}`)
	d.ok("page_press", `{"selector": "textbox \"Name\"", "key": "y"}`)
	d.ok("computer_action", `{"actions": [{"action": "move", "coords": {"x": 5, "y": 5}}, {"action": "click", "coords": {"x": 5, "y": 5}}, {"action": "click", "coords": {"x": 6, "y": 6}}]}`)
	d.ok("computer_action", `{"action": "scroll", "coords": {"x": 5, "y": 5}, "scroll": {"deltaX": 0, "deltaY": 10}}`)
	d.ok("page_navigate", `{"url": %q}`, url)
	report := finish()
	var got []string
	pictures := ahead(report)
	for _, a := range pictures {
		name := path.Base(a.Name)
		got = append(got, strings.TrimSuffix(name[len("NNN-before-"):], ".png"))
	}
	if want := "page_click page_fill page_select page_press click page_navigate"; strings.Join(got, " ") != want {
		t.Fatalf("pictures before %q, want %q", strings.Join(got, " "), want)
	}
	if pictures[0].SHA256 != shown.Data["sha256"] || pictures[1].SHA256 == pictures[0].SHA256 {
		t.Error("the picture before the click is not of the page before the click")
	}
	for _, e := range report.Timeline {
		if e.Name == "page_click" && e.Screenshot != path.Base(pictures[0].Name) {
			t.Errorf("the timeline shows %q beside the click", e.Screenshot)
		}
	}
}

// TestPicturesBeforeLeaveTheBudgetToChecks: pictures that nobody asked for take
// half of maxScreenshots at most, and never keep a run from passing (E3, A9).
func TestPicturesBeforeLeaveTheBudgetToChecks(t *testing.T) {
	t.Parallel()
	d := online(t)
	url := site(t, map[string]string{"/": blinkPage})
	finish := d.budgeted(`{"maxScreenshots": 4}`)
	d.PictureBefore = true
	d.ok("page_navigate", `{"url": %q}`, url)
	for range 4 {
		d.ok("page_click", `{"selector": "button \"Go\""}`)
	}
	d.ok("page_screenshot", `{}`)
	d.ok("verify_element_exists", `{"selector": "text=4"}`)
	report := finish()
	if n := len(ahead(report)); n != 2 || report.Status != qa.Passed || report.Costs.Screenshots > 4 {
		t.Errorf("%d pictures before clicks of %d, want 2; %s (%s)", n, report.Costs.Screenshots, report.Status, report.StatusReason)
	}
}
