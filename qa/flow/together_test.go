package flow_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
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
	seen map[string][]int
	look int
	held []string // selectors of what First or Check found last
}

func (p *together) shows(selector string) qa.Outcome {
	return qa.Outcome{Passed: slices.Contains(p.seen[selector], p.look), Expected: "seen", Observed: "not seen"}
}

func (p *together) First(_ context.Context, all []qa.Asked) (out []qa.Outcome) {
	p.look++
	p.held = nil
	for _, one := range all {
		o := p.shows(one.Selector)
		if !o.Passed {
			break
		}
		out, p.held = append(out, o), append(p.held, one.Selector)
	}
	p.calls = append(p.calls, fmt.Sprintf("first %d of %d", len(out), len(all)))
	return out
}

func (p *together) Confirm(_ context.Context, all []qa.Asked) (out []flow.Looked) {
	p.look++
	p.calls = append(p.calls, "confirm "+strings.Join(p.held, " "))
	for _, one := range all {
		o := p.shows(one.Selector)
		if out = append(out, flow.Looked{Outcome: o}); !o.Passed {
			return out
		}
		out[len(out)-1].Void = []string{"void of " + one.Selector}
	}
	return out
}

func (p *together) Check(_ context.Context, _ qa.Assertion, selector string, _ time.Duration) (qa.Outcome, error) {
	p.calls, p.held = append(p.calls, "check "+selector), []string{selector}
	return p.shows(selector), nil
}

func (p *together) Again(_ context.Context, all []qa.Asked) (out []flow.Looked) {
	for _, one := range all {
		out = append(out, flow.Looked{Outcome: p.shows(one.Selector)})
	}
	return out
}

func (p *together) Last(_ context.Context, all []qa.Asked) []flow.Looked {
	out := make([]flow.Looked, len(all))
	for i := range out {
		out[i].Passed = true
	}
	return out
}

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
			[]string{"first 3 of 3", "confirm a b c"}, "passed passed passed", 1},
		"the third does not hold yet": {[]qa.FlowStep{check("a"), check("b"), check("c")}, map[string][]int{"a": always, "b": always, "c": {3, 4, 5}},
			[]string{"first 2 of 3", "confirm a b", "first 1 of 1", "confirm c"}, "passed passed passed", 2},
		"the third is waited for": {[]qa.FlowStep{check("a"), check("b"), check("c")}, map[string][]int{"a": {1, 2}, "b": {1, 2}, "c": {}},
			[]string{"first 2 of 3", "confirm a b", "first 0 of 1", "check c"}, "passed passed failed", 2},
		"the first never holds": {[]qa.FlowStep{check("a"), check("b")}, map[string][]int{"b": always},
			[]string{"first 0 of 2", "check a"}, "failed skipped", 1},
		"the second is taken back": {[]qa.FlowStep{check("a"), check("b"), check("c")}, map[string][]int{"a": always, "b": {1}, "c": always},
			[]string{"first 3 of 3", "confirm a b c"}, "passed failed skipped", 2},
		"an act between": {[]qa.FlowStep{check("a"), {Action: "click", Selector: "x"}, check("b")}, map[string][]int{"a": always, "b": {0, 4, 5}},
			[]string{"first 1 of 1", "confirm a", "click x", "first 0 of 1", "check b"}, "", 3},
		"one that must not have changed": {[]qa.FlowStep{check("a"), changed}, map[string][]int{"a": {1, 2}},
			[]string{"first 1 of 1", "confirm a"}, "passed failed", 2},
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
