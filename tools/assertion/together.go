package assertion

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
)

// Looked holds what came of one of several assertions: its result, or why it could not be
// looked at.
type Looked struct {
	Result
	Lacks bool // it does not hold, since what it is about is not there, nor can it come
	Err   error
}

// maxTogether bounds how many assertions are looked at as one.
const maxTogether = 50

// CheckAll makes assertions with no act between them as Check makes each: they are looked at as
// one, those that do not hold are waited for together, each for its own time, and each has a
// result of its own. The results end with the first that could not be looked at.
func (k Checker) CheckAll(ctx context.Context, all []qa.Asked) []Looked {
	made, waited := make([]*Looked, len(all)), make([]time.Duration, len(all))
	held, proved := k.proveTogether(ctx, all)
	for i, r := range proved {
		if r != nil {
			made[i] = &Looked{Result: *r}
		}
	}
	alone := func(i int, one qa.Asked) Looked {
		var r Result
		var err error
		if held[i] != nil { // the second look saw another page
			r, err = k.after(one).Confirm(ctx, one.A, one.Selector, *held[i], one.Timeout)
		} else {
			r, err = k.after(one).checkAlone(ctx, one, waited[i])
		}
		return Looked{Result: r, Err: err}
	}
	if open := awaited(held, proved); len(open) > 1 {
		(&patience{now: k.Now, pause: wait.For, all: all, waited: waited}).run(ctx, open, func(open []int) []int {
			failing := k.failing(ctx, all, open)
			for _, i := range open {
				if !slices.Contains(failing, i) {
					looked := alone(i, all[i])
					made[i] = &looked
				}
			}
			return beforeError(made, failing)
		})
	}
	return eachInOrder(all, func(i int, one qa.Asked) Looked {
		if made[i] != nil {
			return *made[i]
		}
		return alone(i, one)
	})
}

// awaited returns the numbers of those that are not known to hold, nor held at the first look.
func awaited(held, proved []*Result) (out []int) {
	for i := range held {
		if held[i] == nil && proved[i] == nil {
			out = append(out, i)
		}
	}
	return out
}

// beforeError returns those of some that stand before the first that could not be looked at.
func beforeError(made []*Looked, some []int) []int {
	n := slices.IndexFunc(made, func(l *Looked) bool { return l != nil && l.Err != nil })
	if n < 0 {
		return some
	}
	return slices.DeleteFunc(some, func(i int) bool { return i > n })
}

// patience waits for several that do not hold, together, each for its own time. waited receives
// how long each was waited for, counted from the end of the first look.
type patience struct {
	now    func() time.Time
	pause  func(context.Context, time.Duration) error
	all    []qa.Asked
	waited []time.Duration
}

// run calls look with those that are waited for, which returns those that do not hold yet, until
// there are none, or each has had its time.
func (p *patience) run(ctx context.Context, open []int, look func(open []int) []int) {
	var start time.Time
	for pause := 20 * time.Millisecond; len(open) > 0; pause = min(2*pause, 250*time.Millisecond) {
		open = look(open)
		if start.IsZero() {
			start = p.now()
		}
		spent, left := p.now().Sub(start), time.Duration(0)
		still := open[:0:0]
		for _, i := range open {
			p.waited[i] = min(spent, p.all[i].Timeout)
			if spent < p.all[i].Timeout {
				still, left = append(still, i), max(left, p.all[i].Timeout-spent)
			}
		}
		if open = still; len(open) > 0 && p.pause(ctx, min(pause, left)) != nil {
			return
		}
	}
}

// eachInOrder returns what came of each, up to the first that could not be looked at.
func eachInOrder(all []qa.Asked, look func(i int, one qa.Asked) Looked) []Looked {
	out := make([]Looked, 0, len(all))
	for i, one := range all {
		out = append(out, look(i, one))
		if out[i].Err != nil {
			break
		}
	}
	return out
}

// after returns what looks at one of several.
func (k Checker) after(one qa.Asked) Checker {
	if one.Later != nil {
		k.Later = one.Later
	}
	return k
}

// proveTogether returns the results of those that held at one look, and of those of them that
// are proved by few trips. Else they are nil.
func (k Checker) proveTogether(ctx context.Context, all []qa.Asked) (held, proved []*Result) {
	held, proved = make([]*Result, len(all)), make([]*Result, len(all))
	for from := 0; from < len(all); from += maxTogether {
		part := all[from:min(from+maxTogether, len(all))]
		h := k.holding(ctx, part, false)
		for i, r := range h.proved(ctx) {
			held[from+h.at[i]], proved[from+h.at[i]] = &h.first[i], r
		}
		for i, r := range k.proveAbsent(ctx, part, h.late) {
			proved[from+h.late[i]] = r
		}
	}
	return held, proved
}

// proveAbsent returns the results of absences that held at one look, when the page has come to
// rest and was watched.
func (k Checker) proveAbsent(ctx context.Context, all []qa.Asked, late []int) []*Result {
	out := make([]*Result, len(late))
	if len(late) == 0 || k.AwaitRest(ctx) != nil {
		return out
	}
	answers := k.Session.AwaitAnswers()
	if waited, err := answers.Until(ctx); err != nil {
		return out
	} else if waited {
		k.Session.LetChange(ctx)
	}
	absent := make([]qa.Asked, len(late))
	for i, at := range late {
		absent[i] = all[at]
	}
	h := k.holding(ctx, absent, true)
	if len(answers.Open()) > 0 {
		return out
	}
	for i, r := range h.confirmed(ctx, h.seen) {
		out[h.at[i]] = r
	}
	return out
}

// failing returns those that one look tells not to hold.
func (k Checker) failing(ctx context.Context, all []qa.Asked, open []int) []int {
	part := make([]qa.Asked, len(open))
	for i, at := range open {
		part[i] = all[at]
	}
	seen := k.lookTogether(ctx, part)
	var out []int
	for i, one := range part {
		r, err := seen.known(ctx, one)
		if errors.Is(err, errNotSeen) {
			r, err = k.after(one).Once(ctx, one.A, one.Selector)
		}
		if err == nil && !r.Passed || errors.Is(err, errNoElement) {
			out = append(out, open[i])
		}
	}
	return out
}

// LastAll looks once at each, as Last does. What one look at all of them finds to hold does. The
// results end with the first that could not be looked at.
func (k Checker) LastAll(ctx context.Context, all []qa.Asked) []Looked {
	answers := k.Session.AwaitAnswers()
	if waited, err := answers.Until(ctx); err != nil {
		return k.lookAll(ctx, all, k.lookAt(ctx, nil, nil, ""), Checker.Last)
	} else if waited {
		k.Session.LetChange(ctx)
	}
	seen := k.lookTogether(ctx, all)
	if len(answers.Open()) > 0 {
		seen = k.lookAt(ctx, nil, nil, "")
	}
	return k.lookAll(ctx, all, seen, Checker.Last)
}

// StillAll looks once at each, as Still does, before an act.
func (k Checker) StillAll(ctx context.Context, all []qa.Asked) []Looked {
	return k.lookAll(ctx, all, k.lookTogether(ctx, all), Checker.Still)
}

// OnceAll looks once at each, and tells of all. Of what can't be there no more is told than that
// it does not hold.
func (k Checker) OnceAll(ctx context.Context, all []qa.Asked) []Looked {
	seen, out := k.lookTogether(ctx, all), make([]Looked, len(all))
	for i, one := range all {
		r, err := seen.known(ctx, one)
		out[i].Lacks = errors.Is(err, errLacks)
		if !out[i].Lacks && (err != nil || !r.Passed) {
			r, err = k.Once(ctx, one.A, one.Selector)
		}
		if !out[i].Lacks {
			out[i].Result, out[i].Err = r, err
		}
	}
	return out
}

// lookAll returns the results of those that one look found to hold; the others are looked at
// alone.
func (k Checker) lookAll(ctx context.Context, all []qa.Asked, seen Checker, alone func(Checker, context.Context, qa.Assertion, string) (Result, error)) []Looked {
	return eachInOrder(all, func(_ int, one qa.Asked) Looked {
		r, err := seen.known(ctx, one)
		if err != nil || !r.Passed {
			r, err = alone(k.after(one), ctx, one.A, one.Selector)
		}
		return Looked{Result: r, Err: err}
	})
}

// Holding holds those of several assertions that held at one look. That they hold is proved by a
// second one, and with other words.
type Holding struct {
	k     Checker
	all   []qa.Asked // that hold
	at    []int      // their numbers among those that were asked
	late  []int      // absences that held, and are to be looked at again when the page was watched
	first []Result
	looks *browser.Together // nil: each was looked at alone
	seen  Checker           // that knows what the first look found
}

// holding looks once at several assertions as one, and keeps those that hold. It waits for none.
// watched: the page has come to rest, and was watched.
func (k Checker) holding(ctx context.Context, all []qa.Asked, watched bool) *Holding {
	h, other := &Holding{k: k, looks: k.Session.Together()}, randomWord()
	if slices.ContainsFunc(all, func(one qa.Asked) bool { return one.A.Absent() }) {
		h.looks.Window = max(k.Watch, k.Session.Waits().Rest)
	}
	h.seen = k.lookAt(ctx, h.looks, k.sought(all, other), other)
	for i, one := range all {
		r, err := h.seen.known(ctx, one)
		if err != nil || !r.Passed || goesBeyondTheView(one.A, one.Selector, r) && !h.seen.nothingBeyond(one) {
			continue
		}
		if one.A.Absent() && !watched && !h.looks.Rested() {
			h.late = append(h.late, i)
			continue
		}
		if k.RefuseIfExpired(ctx, one.A, true) == nil {
			h.all, h.at, h.first = append(h.all, one), append(h.at, i), append(h.first, r)
		}
	}
	return h
}

// proved returns the results of a second look, when the page has had the time to change.
func (h *Holding) proved(ctx context.Context) []*Result {
	if len(h.all) == 0 {
		return nil
	}
	if all := h.stood(ctx); all != nil {
		return all
	}
	h.k.Session.LetChange(ctx)
	return h.again(ctx)
}

// First looks once at several assertions as one, and returns the leading ones that hold. It
// watches the page where one of them is an absence. What does not hold, and what such a look
// can't decide, is for [Checker.Check].
func (k Checker) First(ctx context.Context, all []qa.Asked) *Holding {
	all = all[:min(len(all), maxTogether)]
	if n := slices.IndexFunc(all, func(one qa.Asked) bool { _, ok := k.subject(one.A, one.Selector); return !ok }); n >= 0 {
		all = all[:n]
	}
	h := k.holding(ctx, all, false)
	leading := h.leading()
	if slices.Contains(h.late, leading) && k.AwaitRest(ctx) == nil {
		h = k.holding(ctx, all, true)
		leading = h.leading()
	}
	h.all, h.at, h.first = h.all[:leading], h.at[:leading], h.first[:leading]
	return h
}

// leading returns how many of those that hold come first.
func (h *Holding) leading() (n int) {
	for n < len(h.at) && h.at[n] == n {
		n++
	}
	return n
}

// Held returns what [Checker.Retry] found to hold, for a second look.
func (k Checker) Held(r Result) *Holding { return &Holding{k: k, first: []Result{r}} }

// First returns the results of those that hold.
func (h *Holding) First() []Result { return h.first }

// Confirm looks a second time at those that held, as [Checker.Confirm] does at each. The results
// end with the first that does not hold any more, or could not be looked at.
func (h *Holding) Confirm(ctx context.Context, all []qa.Asked) []Looked {
	h.all = all[:min(len(all), len(h.first))]
	second := make([]*Result, len(h.all))
	if h.looks != nil {
		second = h.again(ctx)
	}
	out := make([]Looked, 0, len(h.all))
	for i, one := range h.all {
		out = append(out, h.confirm(ctx, i, one, second[i]))
		if out[i].Err != nil || !out[i].Passed {
			break
		}
	}
	return out
}

func (h *Holding) confirm(ctx context.Context, i int, one qa.Asked, second *Result) Looked {
	if second != nil {
		return Looked{Result: *second}
	}
	if one.Within > 0 {
		bounded, cancel := context.WithTimeout(ctx, one.Within)
		defer cancel()
		ctx = bounded
	}
	r, err := h.k.after(one).Confirm(ctx, one.A, one.Selector, h.first[i], one.Timeout)
	return Looked{Result: r, Err: err}
}

// again looks a second time at those that held, when the answers that the page waits for have
// come. Where a result is nil, it must be looked at alone.
func (h *Holding) again(ctx context.Context) []*Result {
	answers := h.k.Session.AwaitAnswers()
	waited, err := answers.Until(ctx)
	if err != nil {
		return make([]*Result, len(h.all))
	}
	if waited {
		h.k.Session.LetChange(ctx)
	}
	seen := h.k.lookAt(ctx, h.looks, h.k.sought(h.all, h.seen.sights.other), h.seen.sights.other)
	if len(answers.Open()) > 0 {
		return make([]*Result, len(h.all))
	}
	return h.confirmed(ctx, seen)
}

// stood returns the results of all where a second look would see the same, since the page
// stands still, and nothing of it can change by itself; nil where that is not known.
func (h *Holding) stood(ctx context.Context) []*Result {
	if !h.looks.Stood() || len(h.k.Session.AwaitAnswers().Open()) > 0 {
		return nil
	}
	return h.confirmed(ctx, h.seen)
}

func (h *Holding) confirmed(ctx context.Context, seen Checker) []*Result {
	out := make([]*Result, len(h.all))
	for i, one := range h.all {
		out[i] = seen.confirmed(ctx, one, h.first[i])
	}
	return out
}

// confirmed returns the result of an assertion of which the same was seen once more; nil where
// it was not, or that was not looked at.
func (k Checker) confirmed(ctx context.Context, one qa.Asked, first Result) *Result {
	second, err := k.known(ctx, one)
	if err != nil || !second.Passed || !one.A.Absent() && !sameSight(one.A, first.Seen, second.Seen) {
		return nil
	}
	second.Waited = first.Waited
	if second, err = k.proved(ctx, one.A, one.Selector, second); err != nil {
		return nil
	}
	return &second
}
