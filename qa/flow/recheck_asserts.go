package flow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/assay-qa/assay/qa"
)

// EndWatch names the step that a flow has at its end where the page took back
// what held, or broke, shortly after the last written step.
const EndWatch = "watch"

// recheck looks a second time at what steps asserted and held, now that the
// picture of it is taken and before the next step acts: what was only passing
// through is not what the page shows.
func (r *runner) recheck(ctx context.Context, steps []plannedStep) {
	page, can := r.page.(Resting)
	if !can || ctx.Err() != nil || slices.ContainsFunc(steps, func(s plannedStep) bool { return !s.held() }) {
		return
	}
	all, bound := r.asked(steps), time.Duration(0)
	for _, one := range all {
		bound += one.Within
	}
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	for i, looked := range page.Confirm(ctx, all) {
		record := steps[i].record
		switch {
		case looked.Err != nil:
			record.Outcome, record.Fault = nil, faultOf(looked.Err)
		case !looked.Passed:
			record.Outcome = &looked.Outcome
		default:
			record.Outcome.Void = looked.Void
			continue
		}
		r.setStatus(record)
		r.recordPicture(ctx, steps[i])
	}
}

// held reports whether the step has asserted something that held.
func (s plannedStep) held() bool {
	return s.record.Status == qa.TestPassed && s.record.Outcome != nil && s.Assertion != nil
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
	for i, looked := range page.Last(ctx, r.asked(all)) {
		if looked.Err != nil {
			return nil, looked.Err
		}
		if s := all[i]; !looked.Passed {
			end.Selector, end.Assertion = s.Selector, s.Assertion
			end.record.Selector, end.record.Assertion = s.Selector, s.Assertion
			end.record.Description = fmt.Sprintf("what %s found no longer holds", cmp.Or(s.record.Description, s.record.Name()))
			return &looked.Outcome, nil
		}
	}
	return nil, nil
}

// assertedLast returns the steps that have asserted since something acted last, the last one
// first.
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
