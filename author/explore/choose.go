package explore

import (
	"context"
	"slices"

	"github.com/assay-qa/assay/author/site"
)

// These bound the patience with a model.
const (
	maxFailures = 3 // in a row, after which it is not asked any more
	maxSame     = 3 // times that it may choose the same in a row
)

// asked is what is known of a model.
type asked struct {
	failures, same int
	last           string
}

// next chooses the next action: by the policy, or by a model among those that the
// policy would take next.
func (e *explorer) next(ctx context.Context) (Action, bool) {
	if e.o.Choose == nil || e.model.failures >= maxFailures {
		return e.best()
	}
	best := e.frontier.Ranked(e.distance, max(e.o.Choices, 2))
	var q Question
	var offered []Action
	for _, a := range best {
		w := e.work[keyOf(a)]
		if w == nil {
			continue
		}
		el := site.Element{Tag: "a", Role: "link", Href: w.action.URL} // of an address
		if w.action.Element != nil {
			el = *w.action.Element
		}
		q.Elements, q.Kinds, offered = append(q.Elements, el), append(q.Kinds, w.action.Kind), append(offered, a)
	}
	if len(offered) < 2 || len(offered) < len(best) {
		return e.best()
	}
	if e.here != nil {
		q.URL, q.Title = shown(e.here.page.URL), e.here.page.Title
	}
	for _, s := range e.site.States {
		q.Visited = append(q.Visited, shown(s.URL))
	}
	choice, err := e.o.Choose(ctx, q)
	if err == nil && (choice.Element < 0 || choice.Element >= len(offered)) {
		err = errOutOfRange
	}
	if err != nil {
		e.model.failures++
		e.o.Log.Warn("the model chose no action: the policy goes on", "err", err, "failures", e.model.failures)
		return best[0], true
	}
	return e.taken(offered[choice.Element], choice, best[0])
}

// best chooses by the policy. At the end come kinds of actions that were never done and
// whose states no known way leads to: a view of the same path may offer the same.
func (e *explorer) best() (Action, bool) {
	e.frontier.End(e.ending())
	if a, ok := e.frontier.Next(e.distance); ok {
		return a, true
	}
	all := e.frontier.New()
	i := slices.IndexFunc(all, func(a Action) bool { return !e.lost[a.State] })
	if i < 0 {
		return Action{}, false
	}
	return all[i], true
}

// finalSteps are the actions that deleting a record may take: asking for it, agreeing to the
// question, and what either is refused for at first.
const finalSteps = 4

// ending reports whether the budget is just enough for what comes after all else.
func (e *explorer) ending() bool {
	l, n := e.o.Limits, finalSteps*e.frontier.Final(e.distance)
	return n > 0 && (e.idle >= l.Idle || l.Actions > 0 && l.Actions-e.actions <= min(n, l.Actions/4))
}

// taken takes what a model chose, unless it is the same again and again.
func (e *explorer) taken(a Action, choice Choice, otherwise Action) (Action, bool) {
	e.model.failures = 0
	w := e.work[keyOf(a)]
	what := Describe(w.action)
	if what != e.model.last {
		e.model.same = 0
	}
	e.model.last = what
	if e.model.same++; e.model.same > maxSame {
		e.o.Log.Warn("the model chooses the same for ever: the policy goes on", "action", what)
		return otherwise, true
	}
	w.action.Reason = choice.Reason
	if choice.Value != "" && (w.action.Kind == site.Fill || w.action.Kind == site.Press) && len(w.action.Fields) == 0 {
		w.action.Value = choice.Value
	}
	return a, true
}
