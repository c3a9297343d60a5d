package flow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/assay-qa/assay/qa"
)

// EndWatch names the step that a flow has at its end where the page took back
// what held, or broke, shortly after the last written step.
const EndWatch = "watch"

// recheckStep looks a second time at what was asserted and held, now that the
// picture of it is taken and before the next step acts: what was only passing
// through is not what the page shows.
func (r *runner) recheckStep(ctx context.Context, s plannedStep) {
	record := s.record
	page, can := r.page.(Resting)
	if !can || record.Status != qa.TestPassed || record.Outcome == nil || s.Assertion == nil || ctx.Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeoutOf(s.FlowStep)+settleGrace)
	defer cancel()
	page.Expect(r.assertedAfter(s))
	switch o, err := page.Confirm(ctx, *s.Assertion, s.Selector, timeoutOf(s.FlowStep)); {
	case err != nil:
		record.Outcome, record.Fault = nil, faultOf(err)
	case !o.Passed:
		record.Outcome = &o
	default:
		record.Outcome.Void = o.Void
		return
	}
	r.setStatus(record)
	r.recordPicture(ctx, s)
}

// watchEnd follows the page after the last step of an attempt that would pass. ctx
// is not bounded by the flow's time: to watch is the tester's.
func (r *runner) watchEnd(ctx context.Context) {
	page, can := r.page.(Resting)
	if !can || r.attempt.Failed != nil || r.open != nil || ctx.Err() != nil {
		return
	}
	note, o, err := page.Watch(ctx, r.flow.WatchMS)
	r.attempt.Watched = note
	end := plannedStep{FlowStep: qa.FlowStep{Action: EndWatch}, record: &Step{Index: len(r.flow.Steps) + 2, Action: EndWatch}}
	start := r.Clock.Now()
	switch {
	case err != nil:
		end.record.Fault = faultOf(err)
	case o != nil:
		end.record.Outcome = o
	default:
		o, err := r.recheckAll(ctx, page, &end)
		if err == nil && o == nil {
			return
		}
		if err != nil {
			end.record.Fault = faultOf(err)
		}
		end.record.Outcome = o
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		end.record.Fault = r.outOfTime(ctx)
	}
	end.record.DurationMS = r.Clock.Now().Sub(start).Milliseconds()
	r.attempt.Steps = append(r.attempt.Steps, end.record)
	r.setStatus(end.record)
	r.recordPicture(ctx, end)
	if r.Record != nil {
		r.Record(end.record)
	}
}

// recheckAll looks once more at all that was asserted since something acted
// last, the success condition included. An outcome is that of the last one that
// no longer holds.
func (r *runner) recheckAll(ctx context.Context, page Resting, end *plannedStep) (*qa.Outcome, error) {
	all := r.assertedLast()
	known := r.known(ctx, all, true)
	for i, s := range slices.Backward(all) {
		if known[i] == Holds {
			continue
		}
		page.Expect(r.assertedAfter(s))
		o, err := page.Last(ctx, *s.Assertion, s.Selector)
		if err != nil {
			return nil, err
		}
		if !o.Passed {
			end.Selector, end.Assertion = s.Selector, s.Assertion
			end.record.Selector, end.record.Assertion = s.Selector, s.Assertion
			end.record.Description = fmt.Sprintf("what %s found no longer holds", cmp.Or(s.record.Description, s.record.Name()))
			return &o, nil
		}
	}
	return nil, nil
}

// assertedLast returns the steps that have asserted since something acted last.
func (r *runner) assertedLast() (out []plannedStep) {
	for _, s := range slices.Backward(r.steps) {
		if s.Action == "screenshot" || s.Action == visualStep || waitTime(s.FlowStep) > 0 {
			continue
		}
		if s.Action != "assert" || s.Assertion == nil {
			break
		}
		out = append(out, s)
	}
	slices.Reverse(out)
	return out
}

// assertedAfter returns what steps assert after one of them, up to the next act.
func (r *runner) assertedAfter(s plannedStep) (later []qa.Assertion) {
	at := slices.IndexFunc(r.steps, func(p plannedStep) bool { return p.record == s.record })
	for _, next := range r.steps[at+1:] {
		if changesPage(next.Action) {
			break
		}
		if next.Assertion != nil {
			later = append(later, *next.Assertion)
		}
	}
	return later
}
