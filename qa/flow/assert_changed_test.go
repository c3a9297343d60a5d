package flow_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// resting is a page whose texts are as they are set, by the number of acts so
// far.
type resting struct {
	page
	acts  int
	texts []string
	blind error // before the first act
}

func (p *resting) Do(context.Context, qa.FlowStep, time.Duration) error { p.acts++; return nil }

func (p *resting) outcome(a qa.Assertion) qa.Outcome {
	return qa.Outcome{Passed: p.texts[p.acts] == a.Expected, Expected: a.Expected, Observed: pagetext.Text(p.texts[p.acts])}
}

func (p *resting) Check(_ context.Context, a qa.Assertion, _ string, _ time.Duration) (qa.Outcome, error) {
	return p.outcome(a), nil
}

func (p *resting) First(context.Context, []qa.Asked) []qa.Outcome { return nil }

func (p *resting) Confirm(_ context.Context, all []qa.Asked) []flow.Looked { return p.looked(all, nil) }

func (p *resting) looked(all []qa.Asked, err error) (out []flow.Looked) {
	for _, one := range all {
		out = append(out, flow.Looked{Outcome: p.outcome(one.A), Err: err})
	}
	return out
}

func (p *resting) Again(_ context.Context, all []qa.Asked) []flow.Looked {
	if p.acts == 0 {
		return p.looked(all, p.blind)
	}
	return p.looked(all, nil)
}

func (p *resting) Last(ctx context.Context, all []qa.Asked) []flow.Looked { return p.Again(ctx, all) }

func (p *resting) Watch(context.Context, *int) (string, *qa.Outcome, error) { return "", nil, nil }

// What held before an act was not brought about by it: that is marked, and where
// the step says changed it fails.
func TestChanged(t *testing.T) {
	click := qa.FlowStep{Action: "click", Selector: "#a"}
	text := func(expected string, changed bool) qa.FlowStep {
		return qa.FlowStep{Action: "assert", Assertion: &qa.Assertion{Type: qa.TextContains, Expected: expected}, Changed: changed}
	}
	unchanged := func(expected string) qa.FlowStep {
		return qa.FlowStep{Action: "assert", Assertion: &qa.Assertion{Type: qa.TextContains, Expected: expected}, Unchanged: true}
	}
	open := text("a", false) // before anything acts
	for _, tt := range []struct {
		name   string
		steps  []qa.FlowStep
		texts  []string
		blind  error
		status qa.Status
		held   string // of the assertions, in order
	}{
		{"it changed", []qa.FlowStep{click, text("b", true)}, []string{"a", "b"}, nil, qa.Passed, "-"},
		{"it held before", []qa.FlowStep{click, text("a", true)}, []string{"a", "a"}, nil, qa.Failed, "h"},
		{"it held before, and nothing else is checked", []qa.FlowStep{click, text("a", false)}, []string{"a", "a"}, nil, qa.Inconclusive, "h"},
		{"of two acts neither brought it about", []qa.FlowStep{click, text("a", false), click, text("a", false)}, []string{"a", "a", "a"}, nil, qa.Inconclusive, "hh"},
		{"one of two brought it about", []qa.FlowStep{click, text("a", false), click, text("b", false)}, []string{"a", "a", "b"}, nil, qa.Passed, "h-"},
		{"the opening brought it about", []qa.FlowStep{open, click, text("a", false)}, []string{"a", "a"}, nil, qa.Passed, "-h"},
		{"nothing may change, and nothing did", []qa.FlowStep{click, unchanged("a")}, []string{"a", "a"}, nil, qa.Passed, "h"},
		{"nothing may change, and it went", []qa.FlowStep{click, unchanged("a")}, []string{"a", "b"}, nil, qa.Failed, "h"},
		{"nothing may change, and it came", []qa.FlowStep{click, unchanged("b")}, []string{"a", "b"}, nil, qa.Failed, "-"},
		{"nothing may change, and it can't be told", []qa.FlowStep{click, unchanged("a")}, []string{"a", "a"}, &flow.Fault{Code: "TIMEOUT", Message: "moves"}, qa.Inconclusive, "-"},
		{"it does not hold after", []qa.FlowStep{click, text("a", true)}, []string{"b", "b"}, nil, qa.Failed, "-"},
		{"each by the act before it", []qa.FlowStep{click, text("b", true), click, text("c", true), text("c", false)}, []string{"a", "b", "c"}, nil, qa.Passed, "---"},
		{"back again", []qa.FlowStep{click, text("b", true), click, text("a", true)}, []string{"a", "b", "a"}, nil, qa.Passed, "--"},
		{"the first of several acts brought it about", []qa.FlowStep{click, click, text("b", false)}, []string{"a", "b", "b"}, nil, qa.Passed, "-"},
		{"none of several acts brought it about", []qa.FlowStep{click, click, click, text("a", false), text("a", false)}, []string{"a", "b", "b", "a"}, nil, qa.Inconclusive, "hh"},
		{"it can't be told", []qa.FlowStep{click, text("b", true)}, []string{"a", "b"}, &flow.Fault{Code: "TIMEOUT", Message: "moves"}, qa.Inconclusive, "-"},
		{"it can't be told, and nobody minds", []qa.FlowStep{click, text("b", false)}, []string{"a", "b"}, errors.New("moves"), qa.Passed, "-"},
	} {
		p := &resting{texts: tt.texts, blind: tt.blind}
		p.script = always(nil)
		result, err := flow.Run(t.Context(), flow.Flow{Steps: tt.steps}, time.Minute, flow.Site{Repeatable: true,
			Open: func(context.Context, int) (flow.Page, error) { return p, nil }, Close: func(context.Context) {}}, flow.Options{Clock: &clock{now: time.Unix(1e9, 0)}})
		if err != nil {
			t.Fatal(err)
		}
		held := ""
		for _, s := range result.Steps {
			if s.Assertion != nil {
				held += map[bool]string{true: "h", false: "-"}[s.HeldBefore]
			}
		}
		if result.Status != tt.status || held != tt.held {
			t.Errorf("%s: %s, held %q: %s", tt.name, result.Status, held, result.Reason)
		}
	}
}

func TestChangedNeedsAnAct(t *testing.T) {
	step := func(typ qa.AssertionType) qa.FlowStep {
		return qa.FlowStep{Action: "assert", Assertion: &qa.Assertion{Type: typ}, Changed: true}
	}
	for want, steps := range map[string][]qa.FlowStep{
		"a step before it that acts": {{Action: "wait", Value: "5"}, step(qa.ConsoleClean)},
		"leave changed out":          {{Action: "press", Key: "a"}, step(qa.DialogShown)},
		"takes no changed":           {{Action: "press", Key: "a", Changed: true}, step(qa.ConsoleClean)},
		"contradict each other":      {{Action: "press", Key: "a"}, {Action: "assert", Assertion: &qa.Assertion{Type: qa.ConsoleClean}, Changed: true, Unchanged: true}},
		"":                           {{Action: "press", Key: "a"}, step(qa.ConsoleClean)},
	} {
		got := flow.Flow{Steps: steps}.Validate(flow.Rules{})
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || !strings.Contains(got.Error(), want)) {
			t.Errorf("%q: %v", want, got)
		}
	}
}
