package flow_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// together is a page that looks at assertions as one. What it shows at each look is scripted:
// a selector is seen at the looks whose numbers it has.
type together struct {
	*page
	seen     map[string][]int
	look     int
	leading  []qa.FlowStep
	recalled string
}

func (p *together) shows(selector string) qa.Outcome {
	return qa.Outcome{Passed: slices.Contains(p.seen[selector], p.look), Expected: "seen", Observed: "not seen"}
}

func (p *together) CheckTogether(_ context.Context, all []qa.FlowStep) (out []qa.Outcome) {
	p.look++
	p.leading = nil
	for _, s := range all {
		o := p.shows(s.Selector)
		if !o.Passed {
			break
		}
		out, p.leading = append(out, o), append(p.leading, s)
	}
	p.calls = append(p.calls, fmt.Sprintf("together %d of %d", len(out), len(all)))
	return out
}

func (p *together) ConfirmTogether(context.Context) []*qa.Outcome {
	p.look++
	out := make([]*qa.Outcome, len(p.leading))
	for i, s := range p.leading {
		if o := p.shows(s.Selector); o.Passed {
			o.Void = []string{"void of " + s.Selector}
			out[i] = &o
		}
	}
	return out
}

func (p *together) Recall(i int) { p.recalled = p.leading[i].Selector }

func (p *together) Hold(_ context.Context, all []qa.FlowStep, _ bool) []flow.Known {
	return make([]flow.Known, len(all))
}

func (p *together) Confirm(_ context.Context, _ qa.Assertion, selector string, _ time.Duration) (qa.Outcome, error) {
	p.calls = append(p.calls, "confirm "+selector+", recalled "+p.recalled)
	return p.shows(selector), nil
}

func (p *together) Check(_ context.Context, _ qa.Assertion, selector string, _ time.Duration) (qa.Outcome, error) {
	p.calls = append(p.calls, "check "+selector)
	return p.shows(selector), nil
}

func (p *together) Again(_ context.Context, _ qa.Assertion, selector string) (qa.Outcome, error) {
	return p.shows(selector), nil
}

func (p *together) Last(context.Context, qa.Assertion, string) (qa.Outcome, error) {
	return qa.Outcome{Passed: true}, nil
}

func (p *together) Expect([]qa.Assertion) {}

func (p *together) Watch(context.Context, *int) (string, *qa.Outcome, error) { return "", nil, nil }

// Assertions that follow one another are looked at as one, and what that look does not find,
// or not twice, is decided by itself: each has the status that it has alone.
func TestAssertionsLookedAtAsOne(t *testing.T) {
	check := func(selector string) qa.FlowStep {
		return qa.FlowStep{Action: "assert", Selector: selector, Assertion: &qa.Assertion{Type: qa.Visible}}
	}
	changed := check("b")
	changed.Unchanged = true
	always := []int{0, 1, 2, 3, 4, 5, 6}
	for name, tt := range map[string]struct {
		steps  []qa.FlowStep
		seen   map[string][]int
		calls  []string
		status string
		shots  int
	}{
		"all hold": {[]qa.FlowStep{check("a"), check("b"), check("c")}, map[string][]int{"a": always, "b": always, "c": always},
			[]string{"together 3 of 3"}, "passed passed passed", 1},
		"the third does not hold yet": {[]qa.FlowStep{check("a"), check("b"), check("c")}, map[string][]int{"a": always, "b": always, "c": {2, 3, 4}},
			[]string{"together 2 of 3", "check c", "confirm c, recalled "}, "passed passed passed", 2},
		"the first never holds": {[]qa.FlowStep{check("a"), check("b")}, map[string][]int{"b": always},
			[]string{"together 0 of 2", "check a"}, "failed skipped", 1},
		"the second is taken back": {[]qa.FlowStep{check("a"), check("b"), check("c")}, map[string][]int{"a": always, "b": {1}, "c": always},
			[]string{"together 3 of 3", "confirm b, recalled b"}, "passed failed skipped", 2},
		"an act between": {[]qa.FlowStep{check("a"), {Action: "click", Selector: "x"}, check("b")}, map[string][]int{"a": always, "b": {0}},
			[]string{"check a", "confirm a, recalled ", "click x", "check b", "confirm b, recalled "}, "", 3},
		"one that must not have changed": {[]qa.FlowStep{check("a"), changed}, map[string][]int{"a": {0}},
			[]string{"check a", "confirm a, recalled "}, "passed failed", 2},
	} {
		t.Run(name, func(t *testing.T) {
			c := &clock{now: time.Unix(1e9, 0)}
			p := &together{page: &page{clock: c, script: func(int, time.Duration) error { return nil }}, seen: tt.seen}
			result, err := flow.Run(context.Background(), flow.Flow{Steps: tt.steps, StartURL: ""}, time.Minute,
				flow.Site{Open: func(context.Context, int) (flow.Page, error) { return p, nil }, Close: func(context.Context) {}}, flow.Options{Clock: c})
			if err != nil {
				t.Fatal(err)
			}
			status := ""
			for i, s := range result.Steps {
				if i > 0 {
					status += " "
				}
				status += string(s.Status)
				if s.Status == qa.TestSkipped && (s.Outcome != nil || len(s.Shots) > 0) {
					t.Errorf("step %d was skipped, and has an outcome or a picture", s.Index)
				}
				if s.Status == qa.TestPassed && s.Action == "assert" && len(s.Shots) != 1 {
					t.Errorf("step %d has the pictures %v", s.Index, s.Shots)
				}
			}
			if tt.status == "" {
				tt.status = status
			}
			if diff := cmp.Diff(tt.calls, p.calls); diff != "" || status != tt.status {
				t.Errorf("status %s, want %s; calls: %s", status, tt.status, diff)
			}
			if name == "all hold" && result.Steps[2].Outcome.Void[0] != "void of c" {
				t.Errorf("what a check proves is lost: %v", result.Steps[2].Outcome)
			}
		})
	}
}
