package flow

import (
	"context"
	"slices"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// changesPage reports whether steps of an action do something to the page.
func changesPage(action string) bool {
	return slices.Contains([]string{"navigate", "back", "click", "double_click", "fill", "select", "press", "hover", "drag", "upload", "drop", "color_scheme", "evaluate"}, action)
}

// lookAhead looks, before the first of several acts that follow one another, at the
// assertions that come after them: what holds already was not brought about by any of them.
// A navigation brings another page, so it looks there only where a step says changed, and
// the acts after it are looked at for themselves.
func (r *runner) lookAhead(ctx context.Context, s plannedStep) {
	page, can := r.page.(Resting)
	if !can || !changesPage(s.Action) || s.record.Index == 0 {
		return
	}
	at := slices.IndexFunc(r.steps, func(p plannedStep) bool { return p.record == s.record })
	if s.Action != "navigate" && goesOn(r.steps[:at]) {
		return
	}
	asserts := r.assertedNext(s, r.steps[at+1:])
	for i, looked := range page.Again(ctx, r.asked(asserts)) {
		record := asserts[i].record
		record.HeldBefore = looked.Err == nil && looked.Passed
		if looked.Err != nil {
			record.blind = faultOf(looked.Err)
		}
	}
}

// assertedNext returns those of the steps after an act that are looked at before it.
func (r *runner) assertedNext(s plannedStep, after []plannedStep) (out []plannedStep) {
	asserted := false
	for _, next := range after {
		if changesPage(next.Action) && (asserted || s.Action == "navigate" || next.Action == "navigate") {
			break
		}
		a := next.Assertion
		asserted = asserted || a != nil
		if a == nil || a.SinceAct() || s.Action == "navigate" && !next.Changed && !next.Unchanged {
			continue
		}
		out = append(out, next)
	}
	return out
}

// goesOn reports whether an act after these steps goes on with acts that no assertion has
// followed yet.
func goesOn(before []plannedStep) bool {
	for _, s := range slices.Backward(before) {
		switch {
		case s.Assertion != nil || s.Action == "navigate":
			return false
		case changesPage(s.Action):
			return true
		}
	}
	return false
}

// pollAssertion looks until the assertion of a step holds. One that must have changed, and
// held before, fails as it stands; so does one that must not have changed, and did not hold.
func (r *runner) pollAssertion(ctx context.Context, s plannedStep, timeout time.Duration) error {
	record := s.record
	switch {
	case (s.Changed || s.Unchanged) && record.blind != nil:
		return &Fault{Code: record.blind.Code, GoesOn: true, Cause: record.blind, Message: "assay cannot decide whether it held before the act: " + record.blind.Message, Hint: record.blind.Hint}
	case s.Changed && record.HeldBefore:
		o, err := r.page.Check(ctx, *s.Assertion, s.Selector, timeout)
		if err != nil {
			return err
		}
		record.Outcome = &qa.Outcome{Expected: o.Expected, Observed: pagetext.Sprintf("%s; it held before the act, and must have changed", o.Observed)}
		return nil
	case s.Unchanged && !record.HeldBefore:
		record.Outcome = &qa.Outcome{Expected: "it holds before the act and after it", Observed: "it did not hold before the act"}
		return nil
	}
	o, err := r.page.Check(ctx, *s.Assertion, s.Selector, timeout)
	if err == nil {
		record.Outcome = &o
	}
	return err
}

// nothingBroughtAbout returns why the assertions of a flow whose steps all passed prove
// nothing of what it did; empty: one of them does.
func (r *runner) nothingBroughtAbout() string {
	var all []qa.Basis
	for _, s := range r.steps {
		switch {
		case s.record.Outcome == nil:
		case s.Assertion == nil: // a picture
			return ""
		default:
			all = append(all, qa.BasisOf(*s.Assertion, s.record.HeldBefore, s.record.Outcome.NeverSeen, s.Unchanged))
		}
	}
	return qa.NothingBroughtAbout(all)
}

// Void returns why none of a flow's assertions proves anything, though they hold: what was looked at
// the flow itself made so, such as by a script. It is empty where one of them does.
func Void(steps []*Step) (why []string) {
	for _, s := range steps {
		if s.Outcome == nil || s.Assertion == nil { // a picture says for itself what it proves
			continue
		}
		if len(s.Outcome.Void) == 0 {
			return nil
		}
		why = s.Outcome.Void
	}
	return why
}
