package flow

import (
	"context"
	"slices"

	"github.com/assay-qa/assay/qa"
)

// runTogether executes the leading ones of the steps that only assert and hold, as one. It
// returns how many were executed; what it does not is for runStep.
func (r *runner) runTogether(ctx context.Context, steps []plannedStep) int {
	page, can := r.page.(Resting)
	all := leadingAsserts(steps)
	start := r.Clock.Now()
	left := r.deadline.Sub(start)
	if !can || len(all) == 0 || ctx.Err() != nil || left <= 0 || r.lost != nil {
		return 0
	}
	bounded, cancel := context.WithTimeout(ctx, min(assertTimeout, left)+settleGrace)
	defer cancel()
	outcomes := page.First(bounded, r.asked(all))
	all = all[:len(outcomes)]
	if len(all) == 0 || bounded.Err() != nil || !r.Clock.Now().Before(r.deadline) {
		return 0
	}
	for i, s := range all {
		if r.Progress != nil {
			r.Progress(progressOf(s.record, len(r.flow.Steps)))
		}
		s.record.Outcome = &outcomes[i]
		r.setStatus(s.record)
	}
	r.recordPicture(ctx, all[0])
	for _, s := range all[1:] {
		s.record.Shots, s.record.Reason = slices.Clone(all[0].record.Shots), all[0].record.Reason
	}
	r.recheck(ctx, all)
	for _, s := range all {
		s.record.DurationMS = r.Clock.Now().Sub(start).Milliseconds() / int64(len(all))
	}
	return r.recordTogether(all)
}

// recordTogether records steps up to the first that did not pass, and returns how many.
func (r *runner) recordTogether(all []plannedStep) int {
	done := len(all)
	for i, s := range all {
		if i >= done {
			s.record.Outcome, s.record.Shots, s.record.Reason, s.record.DurationMS = nil, nil, "", 0
			continue
		}
		if s.record.Status != qa.TestPassed {
			r.markGuess(s.record)
			r.setStatus(s.record)
			done = i + 1
		}
		if r.Record != nil {
			r.Record(s.record)
		}
	}
	return done
}

// leadingAsserts returns the leading ones of the steps that only look whether something holds.
func leadingAsserts(steps []plannedStep) []plannedStep {
	n := slices.IndexFunc(steps, func(s plannedStep) bool {
		return s.Action != "assert" || s.Assertion == nil || s.Changed || s.Unchanged || waitTime(s.FlowStep) > 0
	})
	if n < 0 {
		n = len(steps)
	}
	return steps[:n]
}

// asked returns what steps assert.
func (r *runner) asked(steps []plannedStep) []qa.Asked {
	out := make([]qa.Asked, len(steps))
	for i, s := range steps {
		timeout := timeoutOf(s.FlowStep)
		out[i] = qa.Asked{A: *s.Assertion, Selector: s.Selector, Timeout: timeout, Within: timeout + settleGrace, Later: r.assertedAfter(s)}
	}
	return out
}
