package flow_test

import (
	"context"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// E7: an element is known by its role, words and place among its like, not by its
// tag or the kind of text that it takes.
func TestSameElement(t *testing.T) {
	save := map[string]string{"tag": "button", "role": "button", "name": "Save"}
	with := func(pairs ...string) map[string]string {
		out := maps.Clone(save)
		for i := 0; i+1 < len(pairs); i += 2 {
			out[pairs[i]] = pairs[i+1]
		}
		return out
	}
	is := func(a, b map[string]string) bool { return flow.RecordedElement{Fingerprint: a}.Is(b) }
	for name, c := range map[string]struct {
		a, b map[string]string
		same bool
	}{
		"itself":           {save, with(), true},
		"another tag":      {save, with("tag", "a"), true},
		"another role":     {save, with("role", "link"), false},
		"other words":      {save, with("name", "Send"), false},
		"another case":     {save, with("name", "SAVE!"), true},
		"another sign":     {with("name", "-1"), with("name", "+1"), false},
		"one of two":       {save, with("of", "1 of 2"), false},
		"another row":      {with("within", `row "A"`), with("within", `row "B"`), false},
		"kinds of text":    {with("type", "text"), with("type", "email"), true},
		"a password":       {with("type", "text"), with("type", "password"), false},
		"no role, no tag":  {map[string]string{"tag": "div", "path": "a"}, map[string]string{"tag": "p", "path": "a"}, false},
		"nothing is known": {nil, nil, false},
	} {
		if got := is(c.a, c.b); got != c.same || is(c.b, c.a) != c.same {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func recordedFlow() flow.Flow {
	return flow.Flow{StartURL: "http://shop.test/", Steps: []qa.FlowStep{
		{Action: "click", Selector: "testid=save"}, {Action: "assert", Selector: "h1", Assertion: &qa.Assertion{Type: qa.Visible}},
		{Action: "wait", Selector: "i"}, {Action: "click", Selector: "css=#tidy"},
	}, Recorded: &flow.Recorded{Cleanup: 3, Elements: []flow.RecordedElement{{Step: 0, Locators: []string{"testid=save", `button "Save"`}, Fingerprint: map[string]string{"role": "button"}}},
		Steps: []flow.RecordedStep{{To: 3, Expects: map[string][]string{"1": {"E1"}}}}}}
}

// E2, E7: a recorded step makes sure of its element first. Whatever it meets instead
// is inconclusive, a failed assertion is a failure, and what tidies up runs after
// either. After a guess nothing fails any more.
func TestRecordedFlow(t *testing.T) {
	f := recordedFlow()
	drift := (&flow.Drift{Selector: "testid=save", Was: f.Recorded.Elements[0], Now: map[string]string{"role": "link", "name": "Save"}}).Fault("")
	gone := &flow.Fault{Code: "ELEMENT_NOT_FOUND", Message: "no element matches", Ended: qa.Cause{Ending: qa.DoesNotHold}}
	guessed := flow.Heal{Step: 0, Old: "testid=save", New: `button "Store"`, Element: flow.RecordedElement{Locators: []string{`button "Store"`}, Fingerprint: map[string]string{"name": "Store"}, Guessed: true}}.Apply(f)
	for name, c := range map[string]struct {
		f     flow.Flow
		fails map[string]error
		want  qa.Status
		why   string
		calls string
	}{
		"as recorded":            {f, nil, qa.Passed, "", "navigate http://shop.test/|recognise testid=save|click testid=save|check visible h1|wait i|click css=#tidy"},
		"another element":        {f, map[string]error{"recognise testid=save": drift}, qa.Inconclusive, `there is now link "Save"`, "navigate http://shop.test/|recognise testid=save|click css=#tidy"},
		"it is gone meanwhile":   {f, map[string]error{"click testid=save": gone}, qa.Inconclusive, "DRIFT", "navigate http://shop.test/|recognise testid=save|click testid=save|click css=#tidy"},
		"what is waited for":     {f, map[string]error{"wait i": gone}, qa.Inconclusive, "DRIFT", "navigate http://shop.test/|recognise testid=save|click testid=save|check visible h1|wait i|click css=#tidy"},
		"the assertion":          {f, map[string]error{"check visible h1": errFalse}, qa.Failed, "observed no", "navigate http://shop.test/|recognise testid=save|click testid=save|check visible h1|click css=#tidy"},
		"tidying up":             {f, map[string]error{"click css=#tidy": gone}, qa.Inconclusive, "DRIFT", ""},
		"both":                   {f, map[string]error{"check visible h1": errFalse, "click css=#tidy": gone}, qa.Failed, "observed no", ""},
		"it can't be used":       {f, map[string]error{"click testid=save": &flow.Fault{Code: "NOT_ACTIONABLE", Ended: qa.Cause{Ending: qa.DoesNotHold}}}, qa.Failed, "NOT_ACTIONABLE", ""},
		"the browser is gone":    {f, map[string]error{"click testid=save": &flow.Fault{Code: "BROWSER_CRASHED", Lost: true}}, qa.Inconclusive, "CRASHED", "navigate http://shop.test/|recognise testid=save|click testid=save"},
		"a guess":                {guessed, nil, qa.Passed, "", `navigate http://shop.test/|recognise button "Store"|click button "Store"|check visible h1|wait i|click css=#tidy`},
		"the assertion, guessed": {guessed, map[string]error{"check visible h1": errFalse}, qa.Inconclusive, "step 1 was healed by a guess", ""},
		"unusable, guessed":      {guessed, map[string]error{`click button "Store"`: &flow.Fault{Code: "NOT_ACTIONABLE", Ended: qa.Cause{Ending: qa.DoesNotHold}}}, qa.Inconclusive, "healed by a guess", ""},
	} {
		var p *page
		clk := &clock{now: time.Unix(1e9, 0)}
		got, err := flow.Run(t.Context(), c.f, time.Minute, flow.Site{Repeatable: true, Close: noClose, Open: openPage(&p, clk, c.fails)}, flow.Options{Clock: clk})
		calls := strings.Join(p.calls, "|")
		if err != nil || got.Status != c.want || !strings.Contains(string(got.Reason), c.why) || c.calls != "" && calls != c.calls {
			t.Errorf("%s: %s: %s, %v\n%s", name, got.Status, got.Reason, err, calls)
		}
		var fault *flow.Fault
		if got.Failed != nil {
			fault = got.Failed.Fault
		}
		if strings.Contains(string(got.Reason), "DRIFT") && !strings.Contains(string(got.Reason), "guess") && (fault == nil || fault.Drift == nil || fault.OfPage()) {
			t.Errorf("%s: fault %+v", name, fault)
		}
	}
	if f.Steps[0].Selector != "testid=save" || f.Recorded.Elements[0].Guessed {
		t.Error("a heal changed the flow that it was applied to")
	}
}

// E2: tidying up has time of its own, when the flow has none left.
func TestTidyTime(t *testing.T) {
	f := recordedFlow()
	f.Steps[2] = qa.FlowStep{Action: "wait", Value: "50000"}
	clk := &clock{now: time.Unix(1e9, 0)}
	var p *page
	got, err := flow.Run(t.Context(), f, 10*time.Second, flow.Site{Repeatable: true, Close: noClose, Open: openPage(&p, clk, nil)}, flow.Options{Clock: clk})
	if err != nil || got.Status != qa.Inconclusive || p.calls[len(p.calls)-1] != "click css=#tidy" {
		t.Errorf("%s: %s, %v, %q", got.Status, got.Reason, err, p.calls)
	}
	got, err = flow.Run(t.Context(), f, time.Nanosecond, flow.Site{Repeatable: true, Close: noClose, Open: openPage(&p, clk, nil)}, flow.Options{Clock: clk})
	if err != nil || got.Status != qa.Inconclusive || strings.Join(p.calls, "|") != "click css=#tidy" {
		t.Errorf("no time at all: %s: %s, %v, %q", got.Status, got.Reason, err, p.calls)
	}
}

// E7: a recording that was edited by hand no longer says what its steps act on, and
// is refused as such.
func TestRecordedIsChecked(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(*flow.Flow)
		why  string
	}{
		"another selector": {func(f *flow.Flow) { f.Steps[0].Selector = "css=#other" }, "none of its locators"},
		"a step less":      {func(f *flow.Flow) { f.Recorded.Elements[0].Step = 9 }, "no step 9"},
		"no fingerprint":   {func(f *flow.Flow) { f.Recorded.Elements[0].Fingerprint = nil }, "no fingerprint"},
		"no assertion":     {func(f *flow.Flow) { f.Recorded.Steps[0].Expects = map[string][]string{"0": {"E1"}} }, "no assert step"},
		"a range":          {func(f *flow.Flow) { f.Recorded.Steps[0].To = 99 }, "of 4"},
		"tidying up":       {func(f *flow.Flow) { f.Recorded.Cleanup = 99 }, "no step 99"},
		"an include":       {func(f *flow.Flow) { f.Include = []string{"a.flow.toml"} }, "includes no other"},
	} {
		f := recordedFlow()
		if problems := f.Validate(flow.Rules{}); len(problems) > 0 {
			t.Fatal(problems)
		}
		c.edit(&f)
		if problems := f.Validate(flow.Rules{}); len(problems) == 0 || !strings.Contains(problems.Error(), c.why) {
			t.Errorf("%s: %v", name, problems)
		}
	}
	text := `{"steps": [{"action": "wait", "value": "1"}], "recorded": {"spec": "x", "elements": [], "steps": [], "colour": 1}}`
	if _, problems := flow.Load("a.flow.json", func(string) ([]byte, error) { return []byte(text), nil }, flow.Rules{}); !strings.Contains(problems.Error(), "colour") {
		t.Errorf("an unknown key: %v", problems)
	}
}

func noClose(context.Context) {}

// openPage opens a page on which the named calls fail.
func openPage(p **page, c *clock, fails map[string]error) func(context.Context, int) (flow.Page, error) {
	return func(context.Context, int) (flow.Page, error) {
		*p = &page{clock: c}
		(*p).script = func(i int, _ time.Duration) error { return fails[(*p).calls[i-1]] }
		return *p, nil
	}
}
