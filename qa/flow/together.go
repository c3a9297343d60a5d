package flow

import (
	"context"
	"slices"
	"time"

	"github.com/assay-qa/assay/qa"
)

// Together adds to a [Resting] page that it looks at assertions that follow one another, with
// no act between, as one.
type Together interface {
	// CheckTogether looks once, and returns the outcomes of the leading ones that hold.
	CheckTogether(ctx context.Context, all []qa.FlowStep) []qa.Outcome
	// ConfirmTogether looks a second time at those that held, as Confirm does at each. An
	// outcome is nil where Confirm must do so.
	ConfirmTogether(ctx context.Context) []*qa.Outcome
	// Recall makes one of those that held the one that Confirm looks at.
	Recall(i int)
	// Hold tells which of several are known to hold, or not to, when the answers that the page
	// waits for have come, or as it stands.
	Hold(ctx context.Context, all []qa.FlowStep, answered bool) []Known
}

// Known says what is known of an assertion.
type Known int

// Nothing, that it holds, and that it does not hold.
const (
	Unknown Known = iota
	Holds
	HoldsNot
)

// runTogether executes the leading ones of the steps that only assert and hold, as one. It
// returns how many were executed; what it does not is for runStep.
func (r *runner) runTogether(ctx context.Context, steps []plannedStep) int {
	page, can := r.page.(Together)
	all := leadingAsserts(steps)
	start := r.Clock.Now()
	left := r.deadline.Sub(start)
	if !can || len(all) < 2 || ctx.Err() != nil || left <= 0 || r.lost != nil {
		return 0
	}
	bounded, cancel := context.WithTimeout(ctx, min(assertTimeout, left)+settleGrace)
	defer cancel()
	outcomes := page.CheckTogether(bounded, flowSteps(all))
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
	r.confirmTogether(ctx, page, all, start)
	return r.recordTogether(all)
}

// confirmTogether looks a second time at steps that held, now that the picture of them is taken.
func (r *runner) confirmTogether(ctx context.Context, page Together, all []plannedStep, start time.Time) {
	if all[0].record.Status != qa.TestPassed { // the page is lost
		return
	}
	bounded, cancel := context.WithTimeout(ctx, assertTimeout+settleGrace)
	defer cancel()
	confirmed := page.ConfirmTogether(bounded)
	share := r.Clock.Now().Sub(start).Milliseconds() / int64(len(all))
	for i, s := range all {
		s.record.DurationMS = share
		if i > 0 {
			s.record.Shots, s.record.Reason = slices.Clone(all[0].record.Shots), all[0].record.Reason
		}
		if confirmed[i] != nil {
			s.record.Outcome.Void = confirmed[i].Void
			continue
		}
		again := r.Clock.Now()
		page.Recall(i)
		r.recheckStep(ctx, s)
		s.record.DurationMS += r.Clock.Now().Sub(again).Milliseconds()
		if s.record.Status != qa.TestPassed {
			return
		}
	}
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

func flowSteps(steps []plannedStep) []qa.FlowStep {
	out := make([]qa.FlowStep, len(steps))
	for i, s := range steps {
		out[i] = s.FlowStep
	}
	return out
}

// known returns what one look at all of the steps tells of them.
func (r *runner) known(ctx context.Context, steps []plannedStep, answered bool) []Known {
	if page, can := r.page.(Together); can && len(steps) > 1 {
		return page.Hold(ctx, flowSteps(steps), answered)
	}
	return make([]Known, len(steps))
}
