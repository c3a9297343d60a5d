package rules

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/qa"
)

func dashboardTask() qa.TaskSpec {
	zero, at := 0.0, time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	return qa.TaskSpec{Goal: "g", Route: "/", KPISpec: &qa.KPISpec{Type: qa.StaticValues},
		Expectations: []qa.Expectation{{Text: "the dashboard looks as its baseline"}, {Text: `the page says "Sales"`}, {Text: "it looks nice"}, {Text: "baseline 42 is shown"}},
		Visual: []qa.VisualCheck{{Name: "dashboard"},
			{Name: "revenue card", Selector: "testid=revenue", VisualOptions: qa.VisualOptions{Threshold: &zero, Mask: []string{"testid=clock"}, Freeze: &at}},
			{Name: "dashboard", Selector: "css=#chart"}}}.Number()
}

// B2, A13: each picture of a task is compared after what is checked on the page
// as it was opened and before the ranges change it; those of one name together.
// A page whose clock stood still is opened again.
func TestPictures(t *testing.T) {
	calls, last, unable := drive(t, Options{Task: dashboardTask(), Address: "http://a.test/"}, fine)
	if got, want := named(calls), "browser_launch page_navigate page_screenshot page_snapshot analyze_console_errors verify_assertion compare_visual_regression compare_visual_regression page_navigate check_kpis analyze_console_errors"; got != want {
		t.Errorf("calls\n%s\nwant\n%s", got, want)
	}
	var compared []string
	for _, c := range calls {
		if c.Name == "compare_visual_regression" {
			compared = append(compared, string(c.Arguments))
		}
	}
	want := []string{`{"name":"dashboard","selectors":["","css=#chart"]}`, `{"name":"revenue card","selectors":["testid=revenue"]}`}
	if strings.Join(compared, "\n") != strings.Join(want, "\n") {
		t.Errorf("compared\n%s\nwant\n%s", strings.Join(compared, "\n"), strings.Join(want, "\n"))
	}
	if len(unable) > 0 || !strings.Contains(last.Text, "revenue card") {
		t.Errorf("unable %+v, said %q", unable, last.Text)
	}
}

// What could not be compared is noted, and the other pictures are compared all
// the same.
func TestPicturesInTrouble(t *testing.T) {
	trouble := func(code string) func(agent.Call) string {
		return func(c agent.Call) string {
			if c.Name == "compare_visual_regression" {
				return `{"ok":false,"error":{"code":"` + code + `","message":"because"}}`
			}
			return fine(c)
		}
	}
	for code, want := range map[string]struct{ compared, unable int }{
		"BASELINE_NOT_FOUND": {2, 2}, "STORE_LOCKED": {2, 2}, "ELEMENT_NOT_FOUND": {2, 2},
		"BROWSER_CRASHED": {1, 1}, "BUDGET_EXCEEDED": {1, 0}, // the server knows of that one
	} {
		calls, _, unable := drive(t, Options{Task: dashboardTask(), Address: "http://a.test/"}, trouble(code))
		compared := strings.Count(named(calls), "compare_visual_regression")
		if compared != want.compared || len(unable) != want.unable {
			t.Errorf("%s: compared %d, want %d; unable %+v", code, compared, want.compared, unable)
		}
	}
	m := New(Options{Task: dashboardTask(), Address: "http://a.test/"})
	defer func() { _ = m.Close() }()
	talk := agent.Conversation{Tools: []agent.Tool{{Name: "check_kpis"}}} // an older server
	var unable []qa.Interruption
	for range 50 {
		reply, err := m.Next(t.Context(), talk)
		if err != nil {
			t.Fatal(err)
		}
		if unable = append(unable, reply.Unable...); len(reply.Calls) == 0 {
			break
		}
		talk.Turns = append(talk.Turns, agent.Turn{Reply: reply, Results: []agent.Result{{ID: reply.Calls[0].ID, Structured: json.RawMessage(fine(reply.Calls[0]))}}})
	}
	if len(unable) != 1 || !strings.Contains(string(unable[0].Detail), "offers no compare_visual_regression") {
		t.Errorf("unable %+v", unable)
	}
}
