package flow_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// Visual answers as the script says; its picture is one more of the page.
func (p *page) Visual(_ context.Context, s qa.FlowStep, timeout time.Duration) (qa.Outcome, int, error) {
	err := p.next(strings.TrimSpace("visual "+s.Name+" "+s.Selector), timeout)
	p.shots++
	if errors.Is(err, errFalse) {
		return qa.Outcome{Expected: "as its baseline", Observed: "2 % differ"}, p.shots, nil
	}
	return qa.Outcome{Passed: err == nil}, p.shots, err
}

// looks returns a flow that compares a picture, acts, and compares another one. It
// asserts nothing else.
func looks() flow.Flow {
	return flow.Flow{StartURL: "http://shop.test/", Steps: []qa.FlowStep{
		{Action: "visual", Name: "cart"}, {Action: "click", Selector: "#pay"}, {Action: "visual", Name: "paid", Selector: "#sum"}}}
}

func notCompared() error {
	return &flow.Fault{Code: "INCONCLUSIVE", Message: "no baseline yet: captured version 1", GoesOn: true}
}

// B2, B3: a picture that is not as its baseline fails its flow there, and is
// never tried again. One that was not compared keeps the flow from passing, and
// the steps after it are done: all baselines of a flow are captured in one run.
func TestRunVisualSteps(t *testing.T) {
	for _, tt := range []struct {
		name     string
		script   func(int, time.Duration) error
		status   qa.Status
		reason   string
		failed   int
		statuses string
	}{
		{"all as their baselines", always(nil), qa.Passed, "", -1, "passed passed passed passed"},
		{"changed", at(2, errFalse), qa.Failed, "expected as its baseline, observed 2 % differ", 1, "passed failed skipped skipped"},
		{"a part changed", at(4, errFalse), qa.Failed, "expected", 3, "passed passed passed failed"},
		{"captured", at(2, notCompared()), qa.Inconclusive, "no baseline yet", 1, "passed error passed passed"},
		{"both captured", func(i int, _ time.Duration) error {
			if i%2 == 0 {
				return notCompared()
			}
			return nil
		}, qa.Inconclusive, "no baseline yet", 1, "passed error passed error"},
		{"captured, then a fault of the page", func(i int, _ time.Duration) error {
			return []error{nil, notCompared(), siteFault("NOT_ACTIONABLE", false)}[i-1]
		}, qa.Failed, "NOT_ACTIONABLE", 2, "passed error failed skipped"},
		{"could not look", at(2, &flow.Fault{Code: "STORE_CORRUPT", Message: "gone"}), qa.Inconclusive, "STORE_CORRUPT", 1, "passed error skipped skipped"},
		{"no such element", at(4, siteFault("ELEMENT_NOT_FOUND", false)), qa.Failed, "ELEMENT_NOT_FOUND", 3, "passed passed passed failed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, pages := runOn(looks(), time.Minute, true, tt.script)
			var statuses []string
			for _, s := range r.Steps {
				statuses = append(statuses, string(s.Status))
			}
			if got := strings.Join(statuses, " "); got != tt.statuses {
				t.Errorf("steps %s, want %s", got, tt.statuses)
			}
			if r.Status != tt.status || !strings.Contains(string(r.Reason), tt.reason) || len(pages) != 1 {
				t.Errorf("%s (%s) in %d attempts, want %s (%s)", r.Status, r.Reason, len(pages), tt.status, tt.reason)
			}
			if r.Failed != nil && r.Failed.Action == "visual" && r.Failed.Name() != map[int]string{1: "step 1: visual cart", 3: "step 3: visual paid #sum"}[r.Failed.Index] {
				t.Errorf("the step is called %q", r.Failed.Name())
			}
			if (r.Failed == nil) != (tt.failed < 0) || r.Failed != nil && r.Failed.Index != tt.failed {
				t.Errorf("failed at %+v, want step %d", r.Failed, tt.failed)
			}
		})
	}
}

// B3: the picture that is compared is the step's picture; a failed one has the
// page before and after beside it.
func TestRunVisualPictures(t *testing.T) {
	pictures := func(script func(int, time.Duration) error) string {
		r, _ := runOn(looks(), time.Minute, true, script)
		var got []string
		for _, s := range r.Steps {
			got = append(got, fmt.Sprintf("%d%v", s.Index, s.Shots))
		}
		return strings.Join(got, " ")
	}
	for want, script := range map[string]func(int, time.Duration) error{
		"0[1] 1[2] 2[3] 3[4]":     always(nil),
		"0[1] 1[1 2 3] 2[] 3[]":   at(2, errFalse),
		"0[1] 1[2] 2[3] 3[3 4 5]": at(4, errFalse),
		"0[1] 1[2] 2[2 3] 3[]":    func(i int, _ time.Duration) error { return []error{nil, notCompared(), siteFault("X", false)}[i-1] },
	} {
		if got := pictures(script); got != want {
			t.Errorf("pictures %s, want %s", got, want)
		}
	}
}

// A picture that was compared stands, however little time it was given.
func TestRunVisualShortOfTime(t *testing.T) {
	f := looks()
	f.Steps = f.Steps[:1]
	if r, _ := runOn(f, time.Second, true, at(2, errFalse)); r.Status != qa.Failed {
		t.Errorf("%s (%s)", r.Status, r.Reason)
	}
}

// visualTOML and visualJSON say the same.
const visualTOML = `
[[steps]]
action = "visual"
name = "dashboard"
selector = "testid=grid"
visual = { threshold = 0, mask = ["testid=clock"], ignore = ["box=0,0,10,10"], full_page = false, freeze = 2026-01-31T09:00:00Z }
[[steps]]
action = "visual"
name = "other"
  [steps.visual]
  freeze = "2026-01-31T10:00:00+01:00"
  ignore_colors = true
  components = { "css=.a.b" = 0.5, "button \"Pay\"" = 1 }
`

const visualJSON = `{"steps": [{"action": "visual", "name": "dashboard", "selector": "testid=grid",
"visual": {"threshold": 0, "mask": ["testid=clock"], "ignore": ["box=0,0,10,10"], "full_page": false, "freeze": "2026-01-31T09:00:00Z"}},
{"action": "visual", "name": "other", "visual": {"freeze": "2026-01-31T09:00:00Z", "ignore_colors": true, "components": {"css=.a.b": 0.5, "button \"Pay\"": 1}}}]}`

// B2: visual steps are read from both forms, and from a client's list.
func TestLoadReadsVisualSteps(t *testing.T) {
	a, problems := flow.Load("a.flow.toml", tree{"a.flow.toml": visualTOML}.read, flow.Rules{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	b, problems := flow.Load("a.flow.json", tree{"a.flow.json": visualJSON}.read, flow.Rules{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if diff := cmp.Diff(a.Steps, b.Steps); diff != "" {
		t.Errorf("TOML and JSON differ (-toml +json):\n%s", diff)
	}
	noon, zero, no, yes := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC), 0.0, false, true
	want := []qa.FlowStep{
		{Action: "visual", Name: "dashboard", Selector: "testid=grid", Visual: &qa.VisualOptions{Threshold: &zero, Mask: []string{"testid=clock"}, Ignore: []string{"box=0,0,10,10"}, FullPage: &no, Freeze: &noon}},
		{Action: "visual", Name: "other", Visual: &qa.VisualOptions{Freeze: &noon, IgnoreColors: &yes, Components: map[string]float64{"css=.a.b": 0.5, `button "Pay"`: 1}}},
	}
	if diff := cmp.Diff(want, a.Steps); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	list := visualJSON[len(`{"steps": `) : len(visualJSON)-1]
	c, problems := (flow.Flow{}).WithSteps([]byte(list), flow.Rules{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if diff := cmp.Diff(want, c.Steps); diff != "" {
		t.Errorf("a client's steps (-want +got):\n%s", diff)
	}
}

// What is wrong with a visual step is told with its line and the nearest key.
func TestLoadVisualProblems(t *testing.T) {
	selector := func(s string) error {
		if s == "bad" {
			return errors.New("bad is no selector")
		}
		return nil
	}
	for name, tt := range map[string]struct{ step, want string }{
		"no name":                  {"selector='a'", "step 1 (visual): visual needs name"},
		"a name that is none":      {"name=' '", ":3: step 1 (visual): name is empty"},
		"a name beyond the limit":  {"name='" + strings.Repeat("x", 101) + "'", ":3: step 1 (visual): name has 101 characters"},
		"control character":        {`name="a\u0001"`, "control characters"},
		"what it does not take":    {"name='a'\nvalue='x'", ":4: step 1 (visual): visual takes no value"},
		"an assertion":             {"name='a'\nassertion={type='console_clean'}", ":4: step 1 (visual): visual takes no assertion"},
		"unknown option":           {"name='a'\nvisual={\nthresold=1}", `:5: unknown key "thresold"; did you mean "threshold"?`},
		"options of another step":  {"name='a'\n[[steps]]\naction='hover'\nselector='a'\nvisual={}", ":7: step 2 (hover): hover takes no visual"},
		"threshold in percent":     {"name='a'\nvisual.mask=['a']\nvisual.threshold=5", ":5: step 1 (visual): visual.threshold is 5"},
		"kind":                     {"name='a'\nvisual.full_page='yes'", ":4: steps[0].visual.full_page is a text; expected true or false"},
		"a switch for a number":    {"name='a'\nvisual.threshold=true", ":4: steps[0].visual.threshold is true or false; expected a number"},
		"empty mask":               {"name='a'\nvisual.mask=[\n'a',\n'']", ":6: step 1 (visual): visual.mask[1] is empty"},
		"a mask that is no list":   {"name='a'\nvisual.mask='a'", ":4: steps[0].visual.mask is a text; expected a list"},
		"a box that is none":       {"name='a'\nvisual.ignore=['box=1,2']", ":4: step 1 (visual): visual.ignore[0] is \"box=1,2\": a box is box=x,y,width,height"},
		"a selector that is none":  {"name='a'\nvisual.mask=['bad']", ":4: step 1 (visual): visual.mask[0]: bad is no selector"},
		"a component that is none": {"name='a'\nvisual.components={\n'bad'=0}", `: step 1 (visual): visual.components["bad"]: bad is no selector`},
		"a box for an element":     {"name='a'\nselector='box=0,0,1,1'", ":4: step 1 (visual): selector \"box=0,0,1,1\" is no element"},
		"local time":               {"name='a'\nvisual.freeze=2026-01-31T09:00:00", ":4: steps[0].visual.freeze is nothing; expected a time such as"},
		"a day":                    {"name='a'\nvisual.freeze='2026-01-31'", `:4: steps[0].visual.freeze is "2026-01-31"; expected a time such as`},
		"a number for a time":      {"name='a'\nvisual.freeze=3", ":4: steps[0].visual.freeze is a number; expected a time"},
		"a time for a text":        {"name=2026-01-31T09:00:00Z", ":3: steps[0].name is a time; expected a text"},
		"a secret in the name":     {"name='${secret:PW}'", "name holds a secret"},
		"a secret in a mask":       {"name='a'\nvisual.mask=['${secret:PW}']", ":4: step 1 (visual): visual.mask[0] holds a secret"},
		"a secret in a component":  {"name='a'\nvisual.components={'${secret:PW}'=1}", "holds a secret"},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := flow.Load("a.flow.toml", tree{"a.flow.toml": "[[steps]]\naction='visual'\n" + tt.step}.read, flow.Rules{Selector: selector})
			if len(problems) != 1 || !strings.Contains(problems.Error(), tt.want) {
				t.Errorf("%d problems:\n%s\nwant %s", len(problems), problems.Error(), tt.want)
			}
		})
	}
}
