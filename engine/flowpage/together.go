package flowpage

import (
	"context"

	"github.com/assay-qa/assay/engine/assertion"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// CheckTogether looks once at assertions that follow one another, and returns the outcomes of
// the leading ones that hold. What went wrong is for Check to tell.
func (p *Page) CheckTogether(ctx context.Context, all []qa.FlowStep) []qa.Outcome {
	p.together = p.Checker.Together(ctx, asked(all))
	if p.asked(p.Fault(nil, false)) != nil {
		return nil
	}
	var out []qa.Outcome
	for _, r := range p.together.First() {
		out = append(out, r.Outcome)
	}
	return out
}

// ConfirmTogether looks a second time at those that held. An outcome is nil where Confirm must
// look at it.
func (p *Page) ConfirmTogether(ctx context.Context) []*qa.Outcome {
	results := p.together.Confirm(ctx)
	out := make([]*qa.Outcome, len(results))
	if p.asked(p.Fault(nil, false)) != nil {
		return out
	}
	for i, r := range results {
		if r != nil {
			one := p.together.Asked(i)
			r.Void = append(r.Void, p.Call.VoidReasons(one.A, one.Selector)...)
			out[i] = &r.Outcome
		}
	}
	return out
}

// Recall makes one of those that held the one that Confirm looks at.
func (p *Page) Recall(i int) { p.newest = p.together.First()[i] }

// Hold tells which of several assertions are known to hold, or not to.
func (p *Page) Hold(ctx context.Context, all []qa.FlowStep, answered bool) []flow.Known {
	out := make([]flow.Known, len(all))
	for i, known := range p.Checker.Hold(ctx, asked(all), answered) {
		switch {
		case known.Holds:
			out[i] = flow.Holds
		case known.Lacks:
			out[i] = flow.HoldsNot
		}
	}
	return out
}

func asked(all []qa.FlowStep) []assertion.Asked {
	out := make([]assertion.Asked, len(all))
	for i, s := range all {
		out[i] = assertion.Asked{A: *s.Assertion, Selector: s.Selector}
	}
	return out
}
