package flow_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// clock is a clock that only moves when somebody waits.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.now = c.now.Add(d)
	return ctx.Err()
}

// page answers as each step of a script says: "" is done, and anything else is
// the code of a fault.
type page struct {
	clock  *clock
	script func(i int, timeout time.Duration) error
	calls  []string
	shots  int
}

func (p *page) next(what string, timeout time.Duration) error {
	p.calls = append(p.calls, what)
	return p.script(len(p.calls), timeout)
}

func (p *page) Do(_ context.Context, s qa.FlowStep, timeout time.Duration) error {
	return p.next(strings.TrimSpace(s.Action+" "+s.Selector+s.URL), timeout)
}

func (p *page) Recognise(_ context.Context, e flow.RecordedElement, _ qa.FlowStep, timeout time.Duration) error {
	return p.next("recognise "+e.Locators[0], timeout)
}

func (p *page) Check(_ context.Context, a qa.Assertion, selector string, timeout time.Duration) (qa.Outcome, error) {
	err := p.next("check "+string(a.Type)+" "+selector, timeout)
	if errors.Is(err, errFalse) {
		return qa.Outcome{Expected: "yes", Observed: "no"}, nil
	}
	return qa.Outcome{Passed: err == nil}, err
}

func (p *page) Shoot(context.Context, string, string, string) (int, error) {
	p.shots++
	return p.shots, nil
}

func (p *page) Scene(context.Context) flow.Scene { return flow.Scene{URL: "http://shop.test/"} }

var errFalse = errors.New("the assertion does not hold")

func siteFault(code string, transient bool) error {
	return &flow.Fault{Code: code, Message: "as scripted", Ended: qa.Cause{Ending: qa.DoesNotHold}, Transient: transient}
}

func crash() error { return &flow.Fault{Code: "BROWSER_CRASHED", Message: "gone", Transient: true} }

// runOn runs a flow against scripted attempts.
func runOn(f flow.Flow, timeout time.Duration, repeatable bool, attempts ...func(i int, timeout time.Duration) error) (flow.Result, []*page) {
	c := &clock{now: time.Unix(1e9, 0)}
	var pages []*page
	result, err := flow.Run(context.Background(), f, timeout, flow.Site{Repeatable: repeatable,
		Open: func(_ context.Context, n int) (flow.Page, error) {
			p := &page{clock: c, script: attempts[min(n, len(attempts))-1]}
			pages = append(pages, p)
			return p, nil
		},
		Close: func(context.Context) {},
	}, flow.Options{Clock: c})
	if err != nil {
		panic(err)
	}
	return result, pages
}

func always(err error) func(int, time.Duration) error {
	return func(int, time.Duration) error { return err }
}

func at(step int, err error) func(int, time.Duration) error {
	return func(i int, _ time.Duration) error {
		if i == step {
			return err
		}
		return nil
	}
}

// pay returns a flow of four looks at a page: the address, two steps, the end.
func pay() flow.Flow {
	return flow.Flow{StartURL: "http://shop.test/", SuccessCondition: "#done", Steps: []qa.FlowStep{
		{Action: "click", Selector: "#pay"}, {Action: "assert", Selector: "#sum", Assertion: &qa.Assertion{Type: qa.Visible}}}}
}

// B3, B6: what comes of a flow, by whose fault it ended and how often it was
// run.
func TestRunVerdicts(t *testing.T) {
	mute := pay()
	mute.SuccessCondition, mute.Steps = "", mute.Steps[:1]
	once := pay()
	once.Retries = new(int)
	onPage := pay()
	onPage.StartURL = ""
	for _, tt := range []struct {
		name     string
		flow     flow.Flow
		own      bool
		attempts []func(int, time.Duration) error
		status   qa.Status
		runs     int
		flaky    bool
		reason   string
	}{
		{"holds", pay(), true, []func(int, time.Duration) error{always(nil)}, qa.Passed, 1, false, ""},
		{"nothing asserted", mute, true, []func(int, time.Duration) error{always(nil)}, qa.Inconclusive, 1, false, "nothing was asserted"},
		{"last look is false", pay(), true, []func(int, time.Duration) error{at(4, errFalse)}, qa.Failed, 1, false, "expected yes, observed no"},
		{"a check is never tried again", pay(), true, []func(int, time.Duration) error{at(3, errFalse), always(nil)}, qa.Failed, 1, false, "expected yes"},
		{"element missing is never tried again", pay(), true, []func(int, time.Duration) error{at(2, siteFault("ELEMENT_NOT_FOUND", false)), always(nil)}, qa.Failed, 1, false, "ELEMENT_NOT_FOUND"},
		{"reset once", pay(), true, []func(int, time.Duration) error{at(1, siteFault("NAVIGATION_FAILED", true)), always(nil)}, qa.Passed, 2, true, ""},
		{"reset three times", pay(), true, []func(int, time.Duration) error{always(siteFault("X", true)), always(siteFault("X", true)), always(siteFault("X", true)), always(nil)}, qa.Passed, 4, true, ""},
		{"reset for ever is the site's fault", pay(), true, []func(int, time.Duration) error{always(siteFault("NAVIGATION_FAILED", true))}, qa.Failed, 4, false, "NAVIGATION_FAILED"},
		{"no retries wanted", once, true, []func(int, time.Duration) error{at(1, siteFault("NAVIGATION_FAILED", true)), always(nil)}, qa.Failed, 1, false, "NAVIGATION_FAILED"},
		{"crash cured", pay(), true, []func(int, time.Duration) error{at(3, crash()), always(nil)}, qa.Passed, 2, true, ""},
		{"crash not cured", pay(), true, []func(int, time.Duration) error{at(3, crash())}, qa.Inconclusive, 4, false, "BROWSER_CRASHED"},
		{"crash, then a false look", pay(), true, []func(int, time.Duration) error{at(3, crash()), at(3, errFalse)}, qa.Failed, 2, false, "expected yes"},
		{"site down, then crashes", pay(), true, []func(int, time.Duration) error{at(1, siteFault("NAVIGATION_FAILED", true)), at(1, crash())}, qa.Failed, 4, false, "NAVIGATION_FAILED"},
		{"an unknown error is the tester's", pay(), true, []func(int, time.Duration) error{at(2, errors.New("bug"))}, qa.Inconclusive, 1, false, "INTERNAL: bug"},
		{"a page that is not ours starts over from its address", pay(), false, []func(int, time.Duration) error{at(2, crash()), always(nil)}, qa.Passed, 2, true, ""},
		{"a page that is not ours is not clicked twice", onPage, false, []func(int, time.Duration) error{at(1, crash()), always(nil)}, qa.Inconclusive, 1, false, "BROWSER_CRASHED"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, pages := runOn(tt.flow, time.Minute, tt.own, tt.attempts...)
			if r.Status != tt.status || len(pages) != tt.runs || r.Attempts != tt.runs || r.Flaky != tt.flaky || !strings.Contains(string(r.Reason), tt.reason) {
				t.Errorf("%s (%s), %d attempts, flaky %v; want %s (%s), %d, %v", r.Status, r.Reason, len(pages), r.Flaky, tt.status, tt.reason, tt.runs, tt.flaky)
			}
			if len(r.Retries) != tt.runs-1 {
				t.Errorf("%d retries recorded of %d", len(r.Retries), tt.runs-1)
			}
			if (r.Status == qa.Passed) != (r.Reason == "") {
				t.Errorf("status %s with reason %q", r.Status, r.Reason)
			}
		})
	}
}

// B3: a flow stops at its first failure, with a picture before and after, and
// says what was not done.
func TestRunStopsAtTheFirstFailure(t *testing.T) {
	r, pages := runOn(pay(), time.Minute, true, at(2, siteFault("NOT_ACTIONABLE", false)))
	if diff := cmp.Diff([]string{"navigate http://shop.test/", "click #pay"}, pages[0].calls); diff != "" {
		t.Errorf("what was done (-want +got):\n%s", diff)
	}
	var got []string
	for _, s := range r.Steps {
		got = append(got, fmt.Sprintf("%d %s %s %v", s.Index, s.Action, s.Status, s.Shots))
	}
	want := []string{"0 open passed [1]", "1 click failed [1 2]", "2 assert skipped []", "3 success_condition skipped []"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	if r.Failed == nil || r.Failed.Seen == nil || r.Failed.Seen.URL == "" || r.Completed() != 0 {
		t.Errorf("failed step %+v", r.Failed)
	}
}

// A flow never takes longer than its time, and a time-out of its own proves
// nothing about the site.
func TestRunKeepsItsTime(t *testing.T) {
	slow := func(took time.Duration) func(c *clock) func(int, time.Duration) error {
		return func(c *clock) func(int, time.Duration) error {
			return func(_ int, timeout time.Duration) error {
				if timeout < took {
					c.now = c.now.Add(timeout)
					return &flow.Fault{Code: "TIMEOUT", Message: "too slow", Ended: qa.Cause{Ending: qa.DoesNotHold}, TimedOut: true}
				}
				c.now = c.now.Add(took)
				return nil
			}
		}
	}
	run := func(f flow.Flow, timeout, took time.Duration) flow.Result {
		c := &clock{now: time.Unix(1e9, 0)}
		p := &page{clock: c, script: slow(took)(c)}
		r, err := flow.Run(context.Background(), f, timeout, flow.Site{Repeatable: true, Close: func(context.Context) {},
			Open: func(context.Context, int) (flow.Page, error) { return p, nil }}, flow.Options{Clock: c})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := run(pay(), 30*time.Second, 3*time.Second); r.Status != qa.Passed {
		t.Errorf("in time: %s (%s)", r.Status, r.Reason)
	}
	if r := run(pay(), 8*time.Second, 3*time.Second); r.Status != qa.Inconclusive || !strings.Contains(string(r.Reason), "whole flow") || r.Duration != 8*time.Second {
		t.Errorf("out of its own time: %s (%s) after %s", r.Status, r.Reason, r.Duration)
	}
	if r := run(pay(), 30*time.Second, 11*time.Second); r.Status != qa.Failed || !strings.Contains(string(r.Reason), "too slow") {
		t.Errorf("a step out of time: %s (%s)", r.Status, r.Reason)
	}
	waits := flow.Flow{StartURL: "http://shop.test/", SuccessCondition: "#x", Steps: []qa.FlowStep{{Action: "wait", Value: "5000"}}}
	if r := run(waits, 4*time.Second, time.Second); r.Status != qa.Inconclusive {
		t.Errorf("a wait that does not fit: %s (%s)", r.Status, r.Reason)
	}
}

// What a flow has more than the usual time, its loads have too; a step that says its own
// time keeps it, and one that acts is no load.
func TestLoadsHaveTheirPartOfAFlowsTime(t *testing.T) {
	f := flow.Flow{StartURL: "http://shop.test/", SuccessCondition: "#x", Steps: []qa.FlowStep{
		{Action: "click", Selector: "#a"}, {Action: "navigate", URL: "http://shop.test/b"}, {Action: "navigate", URL: "http://shop.test/c", TimeoutMS: 2000}}}
	for ms, want := range map[int][]time.Duration{
		0: {10, 10, 10, 2}, 9000: {10, 10, 10, 2}, 30_000: {10, 10, 10, 2}, 120_000: {40, 10, 40, 2}, flow.MaxTimeoutMS: {200, 10, 200, 2},
	} {
		f.TimeoutMS = ms
		var had []time.Duration
		if r, _ := runOn(f, time.Hour, true, func(_ int, timeout time.Duration) error {
			had = append(had, timeout/time.Second)
			return nil
		}); r.Status != qa.Passed || !slices.Equal(had[:len(want)], want) {
			t.Errorf("%d ms: %s (%s), times %v, want %v", ms, r.Status, r.Reason, had, want)
		}
	}
}

// A cancelled flow is nobody's fault, and does nothing more.
func TestRunCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	p := &page{script: func(i int, _ time.Duration) error {
		if i == 2 {
			cancel()
			return siteFault("NOT_ACTIONABLE", false)
		}
		return nil
	}}
	r, err := flow.Run(ctx, pay(), time.Minute, flow.Site{Repeatable: true, Close: func(context.Context) {},
		Open: func(context.Context, int) (flow.Page, error) { return p, nil }}, flow.Options{Clock: &clock{now: time.Unix(1e9, 0)}})
	if err != nil || r.Status != qa.Inconclusive || !strings.Contains(string(r.Reason), "CANCELLED") || len(p.calls) != 2 || r.Attempts != 1 {
		t.Errorf("%v %s (%s) after %v", err, r.Status, r.Reason, p.calls)
	}
}

// Promise 1, as a property: whatever happens, a flow passes only if every step
// of its last attempt passed and something was asserted.
func TestRunProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4)) // fixed seed: a failure can be repeated
	seen := map[qa.Status]int{}
	for range 3000 {
		f := flow.Flow{StartURL: "http://shop.test/"}
		for range rng.IntN(5) {
			s := qa.FlowStep{Action: []string{"click", "hover", "wait"}[rng.IntN(3)], Selector: "#a"}
			if rng.IntN(3) == 0 {
				s = qa.FlowStep{Action: "assert", Selector: "#a", Assertion: &qa.Assertion{Type: qa.Visible}}
			}
			f.Steps = append(f.Steps, s)
		}
		if rng.IntN(3) == 0 {
			f.SuccessCondition = "#done"
		}
		faults := 0
		r, pages := runOn(f, time.Minute, true, func(int, time.Duration) error {
			if rng.IntN(8) > 0 {
				return nil
			}
			faults++
			return []error{errFalse, crash(), siteFault("TIMEOUT", true), siteFault("ELEMENT_NOT_FOUND", false), errors.New("bug")}[rng.IntN(5)]
		})
		seen[r.Status]++
		passed := true
		for _, s := range r.Steps {
			passed = passed && s.Status == qa.TestPassed
		}
		if got := r.Status == qa.Passed; got != (passed && f.Asserts()) {
			t.Fatalf("status %s, all steps passed %v, asserts %v: %+v", r.Status, passed, f.Asserts(), f)
		}
		if r.Flaky && (r.Status != qa.Passed || faults == 0) || r.Status == qa.Passed && faults > 0 != r.Flaky {
			t.Fatalf("flaky %v after %d faults, %s", r.Flaky, faults, r.Status)
		}
		if len(pages) > 1+flow.MaxRetries {
			t.Fatalf("%d attempts", len(pages))
		}
	}
	for _, s := range []qa.Status{qa.Passed, qa.Failed, qa.Inconclusive} {
		if seen[s] < 100 {
			t.Errorf("only %d of the flows are %s: the properties weren't tried on it", seen[s], s)
		}
	}
}

// B2: a success condition is a selector only where nothing else could be meant; the
// name of an HTML element is one.
func TestCondition(t *testing.T) {
	for text, want := range map[string]string{
		`button "Pay"`: `visible button "Pay"`, `frame "Card" > textbox "CVC"`: `visible frame "Card" > textbox "CVC"`, `button "Delete" [2]`: `visible button "Delete" [2]`,
		"css=main": "visible css=main", "//h1": "visible //h1", "(//h1)[2]": "visible (//h1)[2]", "#total": "visible #total", ".done": "visible .done", "[data-ok]": "visible [data-ok]",
		"div.card > h1": "visible div.card > h1", "main.ready": "visible main.ready", "h2": "visible h2", "testid=ok": "visible testid=ok", "input[name=q]": "visible input[name=q]",
		"Thank you": "text_contains Thank you", "Thank you.": "text_contains Thank you.", "Order #5 is done": "text_contains Order #5 is done", "#1 in sales": "text_contains #1 in sales",
		"5 > 3": "text_contains 5 > 3", "text=#total": "text_contains #total", "Total: 42": "text_contains Total: 42", `He said "yes"`: `text_contains He said "yes"`, "Main": "text_contains Main", "main menu": "text_contains main menu", "text=main": "text_contains main", "title": "text_contains title",
		"main": "visible main", "table": "visible table",
	} {
		a, selector := flow.Condition(text)
		if got := strings.TrimSpace(string(a.Type) + " " + selector + a.Expected); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// A12: a secret's reference is good in the value of a fill, and nowhere else.
func TestSecretsAreForTheKeyboard(t *testing.T) {
	const ref = "${secret:PW}"
	good := qa.FlowStep{Action: "fill", Selector: "#pw", Value: "a " + ref + ref}
	if problems := (flow.Flow{Steps: []qa.FlowStep{good}}).Validate(flow.Rules{}); len(problems) > 0 {
		t.Error(problems)
	}
	for name, f := range map[string]flow.Flow{
		"start_url": {StartURL: "http://x/" + ref}, "success_condition": {StartURL: "/", SuccessCondition: ref}, "name": {StartURL: "/", Name: ref},
		"url": {Steps: []qa.FlowStep{{Action: "navigate", URL: "http://x/" + ref}}}, "selector": {Steps: []qa.FlowStep{{Action: "click", Selector: ref}}},
		"option": {Steps: []qa.FlowStep{{Action: "select", Selector: "a", Option: ref}}}, "key": {Steps: []qa.FlowStep{{Action: "press", Key: ref}}},
		"expected":   {Steps: []qa.FlowStep{{Action: "assert", Assertion: &qa.Assertion{Type: qa.TextContains, Expected: ref}}}},
		"upload":     {Steps: []qa.FlowStep{{Action: "upload", Selector: "a", Value: ref}}},
		"dialog":     {Steps: []qa.FlowStep{{Action: "dialog", Value: "accept", Option: ref}}},
		"intent":     {Steps: []qa.FlowStep{{Action: "press", Key: "a", Intent: ref}}},
		"screenshot": {Steps: []qa.FlowStep{{Action: "screenshot", Name: ref}}},
		"no name":    {Steps: []qa.FlowStep{{Action: "fill", Selector: "a", Value: "${secret:}"}}},
		"not closed": {Steps: []qa.FlowStep{{Action: "fill", Selector: "a", Value: "${secret:PW"}}},
	} {
		if problems := f.Validate(flow.Rules{}); len(problems) != 1 || !strings.Contains(problems.Error(), "secret") {
			t.Errorf("%s: %v", name, problems)
		}
	}
}

// A field that its action would ignore is refused: it would promise what
// nobody checks.
func TestValidateRefusesWhatWouldBeIgnored(t *testing.T) {
	for _, tt := range []struct {
		step qa.FlowStep
		want string
	}{
		{qa.FlowStep{}, "action is missing"},
		{qa.FlowStep{Action: "click", Selector: "a", Value: "x"}, "click takes no value; it takes selector"},
		{qa.FlowStep{Action: "select", Selector: "a", Value: "x"}, "select needs option"},
		{qa.FlowStep{Action: "navigate", URL: "/", Selector: "a"}, "navigate takes no selector"},
		{qa.FlowStep{Action: "click", Selector: "a", Assertion: &qa.Assertion{Type: qa.Visible}}, "click takes no assertion"},
		{qa.FlowStep{Action: "wait"}, "wait needs selector"},
		{qa.FlowStep{Action: "wait", Selector: "a", Value: "5"}, "not both"},
		{qa.FlowStep{Action: "wait", Value: "60001"}, "1 to 60000"},
		{qa.FlowStep{Action: "hover", Selector: "a", TimeoutMS: -1}, "timeout_ms is -1"},
		{qa.FlowStep{Action: "dialog", Value: "ok"}, "accepted: accept, dismiss"},
		{qa.FlowStep{Action: "dialog", Value: "dismiss", Option: "x"}, "takes no text"},
		{qa.FlowStep{Action: "visual", Name: "x", Value: "y"}, "visual takes no value; it takes name, selector, visual, timeout_ms, description, intent"},
		{qa.FlowStep{Action: "click", Selector: "a", Visual: &qa.VisualOptions{}}, "click takes no visual"},
		{qa.FlowStep{Action: "assert", Assertion: &qa.Assertion{Type: "visibel"}, Selector: "a"}, `did you mean "visible"?`},
		{qa.FlowStep{Action: "assert", Assertion: &qa.Assertion{Type: qa.Visible, Expected: "false"}, Selector: "a"}, "use another type"},
		{qa.FlowStep{Action: "assert", Assertion: &qa.Assertion{Type: qa.TitleEquals, Expected: "x"}, Selector: "a"}, "leave selector out"},
		{qa.FlowStep{Action: "assert", Assertion: &qa.Assertion{Type: qa.Visible, Attribute: "x"}, Selector: "a"}, "takes no attribute"},
		{qa.FlowStep{Action: "assert", Assertion: &qa.Assertion{Type: qa.URLMatches, Expected: "x", URL: "y"}}, "takes no url"},
	} {
		problems := flow.Flow{StartURL: "/", Steps: []qa.FlowStep{{Action: "press", Key: "a"}, tt.step}}.Validate(flow.Rules{})
		if !strings.Contains(problems.Error(), tt.want) || !strings.HasPrefix(problems.Error(), "step 2") {
			t.Errorf("%+v: %q, want %q", tt.step, problems.Error(), tt.want)
		}
	}
}

// noting is a page that has something to tell of each step it does.
type noting struct{ *page }

func (noting) Note() pagetext.Sentence { return "the field could not be looked at" }

// B15: what is to be told of a step that was done stands in its record, and of one that
// failed its reason alone.
func TestRunKeepsNotes(t *testing.T) {
	for _, fails := range []bool{false, true} {
		c := &clock{now: time.Unix(1e9, 0)}
		p := &page{clock: c, script: always(nil)}
		if fails {
			p.script = at(1, siteFault("NOT_ACTIONABLE", false))
		}
		f := flow.Flow{Steps: []qa.FlowStep{{Action: "fill", Selector: "#a", Value: "x"}, {Action: "assert", Selector: "#a", Assertion: &qa.Assertion{Type: qa.Visible}}}}
		r, err := flow.Run(t.Context(), f, time.Minute, flow.Site{Open: func(context.Context, int) (flow.Page, error) { return noting{p}, nil }, Close: func(context.Context) {}}, flow.Options{Clock: c})
		if err != nil {
			t.Fatal(err)
		}
		want := map[bool]string{false: "the field could not be looked at", true: "NOT_ACTIONABLE: as scripted"}[fails]
		if got := r.Steps[0].Reason; !strings.Contains(string(got), want) || fails && strings.Contains(string(got), "looked at") || r.Steps[1].Reason != "" {
			t.Errorf("fails %v: %q, then %q", fails, got, r.Steps[1].Reason)
		}
	}
}

// E8: a recorded step belongs to the spec's step that it came of.
func TestSpecStep(t *testing.T) {
	r := &flow.Recorded{Steps: []flow.RecordedStep{{Text: "Sign in", From: 1, To: 3}, {Text: "Wait", From: 3, To: 3}, {Text: "Look", From: 3, To: 4}}}
	for step, want := range map[int]int{-1: -1, 0: -1, 1: 0, 2: 0, 3: 2, 4: -1} {
		if got := r.SpecStep(step); got != want {
			t.Errorf("step %d belongs to %d, want %d", step, got, want)
		}
	}
	if got := (*flow.Recorded)(nil).SpecStep(0); got != -1 {
		t.Errorf("a flow of no spec: %d", got)
	}
}
