package evidence

import (
	"fmt"
	"slices"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// spending counts what a run has taken, of its budgets and of a model.
type spending struct {
	calls    int   // of tools, but for those that start and finish the run
	pictures int   // screenshots stored
	reserved int   // pictures counted against the budget, before they are taken
	time     int64 // ms at least, once a call was cut off because the time was spent
	spare    int   // of these, the ones outside the caller's requests

	input, cached, output int // tokens; cached is a part of input
	usd                   float64
}

// optionalPicture counts a picture outside the caller's request, unless that takes more than
// half of the budget, or more than is left.
func (s *spending) optionalPicture(b *qa.Budgets) bool {
	if b != nil && b.MaxScreenshots > 0 && (s.spare+1 > b.MaxScreenshots/2 || s.reserved+1 > b.MaxScreenshots) {
		return false
	}
	s.spare++
	s.reserved++
	return true
}

// of says how much of a budget is spent.
func (s *spending) of(budget string, b *qa.Budgets, elapsed int64) string {
	switch budget {
	case "maxToolCalls":
		return fmt.Sprintf("%d of %d spent", s.calls, b.MaxToolCalls)
	case "maxTokens":
		return fmt.Sprintf("%d of %d spent", s.input+s.output, b.MaxTokens)
	case "maxScreenshots":
		return fmt.Sprintf("%d of %d spent", s.reserved, b.MaxScreenshots)
	default:
		return fmt.Sprintf("%d ms of %d ms spent", elapsed, b.MaxTimeMS)
	}
}

// SpendCall counts one tool call against the task's budgets before it is made.
// If a budget does not allow it, it is not counted; what it would exceed is
// recorded, once for each budget, and comes back: the call must not be made.
// As many calls as a budget names may be made, and no more.
func (r *Run) SpendCall(tool string) []qa.Interruption {
	r.mu.Lock()
	defer r.mu.Unlock()
	costs := qa.Costs{ToolCalls: r.spent.calls + 1, DurationMS: max(r.elapsed(), r.spent.time), Screenshots: r.spent.reserved}
	if over := r.overspend(costs, tool+" was refused"); len(over) > 0 {
		return over
	}
	r.spent.calls++
	return nil
}

// SpendPicture counts one picture against the task's budgets before it is
// taken, as [Run.SpendCall] counts calls. One that could not be taken is given
// back by [Run.ReturnPicture].
func (r *Run) SpendPicture(name string) []qa.Interruption {
	r.mu.Lock()
	defer r.mu.Unlock()
	if over := r.overspend(qa.Costs{Screenshots: r.spent.reserved + 1}, "the picture "+name+" was not taken"); len(over) > 0 {
		return over
	}
	r.spent.reserved++
	return nil
}

// ReturnPicture takes back what SpendPicture counted.
func (r *Run) ReturnPicture() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.spent.reserved--
}

// SpendOptionalPicture counts a picture outside the caller's request, if the
// task's budget allows it: all of them may take half of it. A refusal is no
// excess of the budget.
func (r *Run) SpendOptionalPicture() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.spent.optionalPicture(r.task.Budgets)
}

// ReturnOptionalPicture takes back what SpendOptionalPicture counted.
func (r *Run) ReturnOptionalPicture() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.spent.spare--
	r.spent.reserved--
}

// OutOfTime records that a call was cut off because maxTimeMs is spent.
func (r *Run) OutOfTime(tool string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	// The next call must not begin in what is left of the last millisecond.
	r.spent.time = int64(r.task.Budgets.MaxTimeMS) + 1
	r.overspend(qa.Costs{DurationMS: max(r.elapsed(), r.spent.time)}, tool+" was cut off")
}

// End notes that the run's work is over: how long its reports and traces take
// is no cost of the task.
func (r *Run) End() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended.IsZero() {
		r.ended = r.store.now()
	}
}

// Elapsed returns how long the run has taken so far. Setting the machine's clock changes
// nothing about it.
func (r *Run) Elapsed() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Duration(r.elapsed()) * time.Millisecond
}

// elapsed returns the same in milliseconds.
func (r *Run) elapsed() int64 {
	now := r.ended
	if now.IsZero() {
		now = r.store.now()
	}
	return max(0, now.Sub(r.begun).Milliseconds())
}

// overspend names the budgets that costs would exceed, and records each once.
func (r *Run) overspend(costs qa.Costs, consequence string) []qa.Interruption {
	over := qa.Overspent(r.task.Budgets, costs)
	for i, in := range over {
		over[i].Detail = pagetext.Sprintf("%s: %s", r.spent.of(in.Subject, r.task.Budgets, r.elapsed()), consequence)
		if !r.finished && !r.budgetExceeded(in.Subject) {
			r.interruptions = append(r.interruptions, over[i])
			r.recordInterruption(Interrupted, over[i])
		}
	}
	return over
}

func (r *Run) budgetExceeded(budget string) bool {
	return slices.ContainsFunc(r.interruptions, func(in qa.Interruption) bool { return in.Kind == qa.BudgetSpent && in.Subject == budget })
}
