package assertion

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
)

// Asked holds one of several assertions.
type Asked struct {
	A        qa.Assertion
	Selector string
}

// Together holds assertions that follow one another with no act between them. They are looked
// at as one: twice, and with other words in the second look.
type Together struct {
	k        Checker
	looks    *browser.Together
	leading  []Asked // those that held at the first look
	first    []Result
	subjects []browser.Subject
	seen     Checker // that knows what the first look found
}

// maxTogether bounds how many assertions are looked at as one.
const maxTogether = 50

// Together looks once at several assertions, as many of the leading ones as one look can
// decide, and keeps those that hold. It waits for none: what does not hold, and what it
// can't decide, is for [Checker.Check].
func (k Checker) Together(ctx context.Context, all []Asked) *Together {
	t := &Together{k: k, looks: k.Session.Together()}
	for _, one := range all[:min(len(all), maxTogether)] {
		subject, ok := k.subject(one.A, one.Selector)
		if !ok {
			break
		}
		t.subjects, t.leading = append(t.subjects, subject), append(t.leading, one)
	}
	if len(t.leading) == 0 {
		return t
	}
	t.seen = k.lookAt(ctx, t.looks, t.withOtherWords(randomWord()))
	for _, one := range t.leading {
		r, err := t.seen.Once(ctx, one.A, one.Selector)
		if err != nil || !r.Passed || goesBeyondTheView(one.A, one.Selector, r) {
			break
		}
		t.first = append(t.first, r)
	}
	t.leading, t.subjects = t.leading[:len(t.first)], t.subjects[:len(t.first)]
	return t
}

// First returns the results of the leading assertions that hold.
func (t *Together) First() []Result { return t.first }

// Asked returns one of the leading assertions that hold.
func (t *Together) Asked(i int) Asked { return t.leading[i] }

// Confirm looks a second time at those that held, when the answers that the page waits for
// have come, as [Checker.Confirm] does at each. Where the result is nil, it must do so.
func (t *Together) Confirm(ctx context.Context) []*Result {
	out := make([]*Result, len(t.leading))
	answers := t.k.Session.AwaitAnswers()
	waited, err := answers.Until(ctx)
	if err != nil {
		return out
	}
	if waited {
		t.k.Session.LetChange(ctx)
	}
	seen := t.k.lookAt(ctx, t.looks, t.withOtherWords(t.seen.sights.other))
	if len(answers.Open()) > 0 {
		return out
	}
	for i, one := range t.leading {
		out[i] = seen.confirmed(ctx, one, t.first[i])
	}
	return out
}

// Stood returns the results of all where a second look would see the same, since the page
// stands still, and nothing of it can change by itself; nil where that is not known.
func (t *Together) Stood(ctx context.Context) []*Result {
	if !t.looks.Stood() || len(t.k.Session.AwaitAnswers().Open()) > 0 {
		return nil
	}
	out := make([]*Result, len(t.leading))
	for i, one := range t.leading {
		out[i] = t.seen.confirmed(ctx, one, t.first[i])
	}
	return out
}

// sought holds the subjects of one look, and the word that its checks with other words have.
type sought struct {
	subjects []browser.Subject
	other    string
}

func (t *Together) withOtherWords(other string) sought {
	out := sought{t.subjects, other}
	for _, one := range t.leading {
		out.subjects = append(out.subjects, t.k.beside(one, other)...)
	}
	return out
}

// confirmed returns the result of an assertion of which the same was seen once more; nil where
// it was not, or that was not looked at.
func (k Checker) confirmed(ctx context.Context, one Asked, first Result) *Result {
	second, err := k.Once(ctx, one.A, one.Selector)
	if err != nil || !second.Passed || !sameSight(one.A, first.Seen, second.Seen) {
		return nil
	}
	second.Waited = first.Waited
	if second, err = k.proved(ctx, one.A, one.Selector, second); err != nil {
		return nil
	}
	return &second
}

// Known says what one look at several assertions tells of one of them: neither, where it must
// be looked at by itself.
type Known struct{ Holds, Lacks bool }

// Hold tells of each assertion whether it is known to hold, or not to, when the answers that the
// page waits for have come, or as it stands.
func (k Checker) Hold(ctx context.Context, all []Asked, answered bool) []Known {
	out := make([]Known, len(all))
	answers := k.Session.AwaitAnswers()
	if answered {
		if waited, err := answers.Until(ctx); err != nil {
			return out
		} else if waited {
			k.Session.LetChange(ctx)
		}
	}
	var subjects []browser.Subject
	for _, one := range all {
		if subject, ok := k.subject(one.A, one.Selector); ok {
			subjects = append(subjects, subject)
		}
	}
	if len(subjects) < 2 {
		return out
	}
	seen := k.lookAt(ctx, k.Session.Together(), sought{subjects: subjects})
	if answered && len(answers.Open()) > 0 {
		return out
	}
	for i, one := range all {
		if _, ok := k.subject(one.A, one.Selector); ok {
			r, err := seen.Once(ctx, one.A, one.Selector)
			out[i] = Known{Holds: err == nil && r.Passed, Lacks: errors.Is(err, errLacks)}
		}
	}
	return out
}

// subject returns what is looked at for an assertion, where a look together with others can
// decide it: that something is there, in the page's own document.
func (k Checker) subject(a qa.Assertion, selector string) (browser.Subject, bool) {
	if a.Absent() || a.SinceAct() {
		return browser.Subject{}, false
	}
	switch a.Type {
	case qa.TitleEquals, qa.TitleContains, qa.URLMatches:
		return browser.Subject{Kind: browser.OfPage}, true
	}
	if how, ok := texts()[a.Type]; ok {
		if a.WholeWords {
			how = browser.WholeWords
		}
		return browser.Subject{Kind: browser.OfText, Selector: selector, Wanted: a.Expected, How: how}, true
	}
	fact, ok := facts()[a.Type]
	return browser.Subject{Selector: orBody(selector), Fact: fact, Attribute: k.asked(fact, a)}, ok && browser.AskedTogether(fact)
}

// orBody returns the selector of a fact: without one it is one of the page's body.
func orBody(selector string) string {
	if selector == "" {
		return "css=body"
	}
	return selector
}

// beside returns what else is looked at where an assertion held: whether the caller typed it,
// and whether it holds with another word.
func (k Checker) beside(one Asked, other string) []browser.Subject {
	var out []browser.Subject
	if asksWhatWasTyped(one.A) {
		out = append(out, browser.Subject{Kind: browser.OfTyped, Selector: one.Selector})
	}
	altered, elsewhere := k.altered(one.A, one.Selector, other)
	if elsewhere != one.Selector || altered.Other != one.A.Other {
		if subject, ok := k.subject(altered, elsewhere); ok {
			out = append(out, subject)
		}
	}
	return out
}

// sights holds what one look at several subjects has found.
type sights struct {
	of    map[browser.Subject]browser.Sight
	other string // the word of a check with other words
}

// Why a subject can't be told of by a look at several.
var (
	errNotSeen   = errors.New("it was not seen with the others")
	errNoElement = errors.New("nothing matched when it was looked at with the others")
	errLacks     = fmt.Errorf("%w, nor can it come", errNoElement)
)

// lookAt returns a checker that knows what one look at the subjects found, and no more.
func (k Checker) lookAt(ctx context.Context, looks *browser.Together, at sought) Checker {
	k.sights = &sights{map[browser.Subject]browser.Sight{}, at.other}
	for i, sight := range looks.Look(ctx, at.subjects) {
		k.sights.of[at.subjects[i]] = sight
	}
	return k
}

func (s *sights) at(subject browser.Subject) (browser.Sight, error) {
	sight := s.of[subject]
	switch {
	case sight.Known:
		return sight, nil
	case sight.Lacks:
		return sight, errLacks
	case sight.None:
		return sight, errNoElement
	}
	return sight, errNotSeen
}

func (k Checker) look(ctx context.Context, selector string, fact browser.Fact, attribute string) (browser.Look, error) {
	if k.sights == nil {
		return k.Session.Look(ctx, selector, fact, attribute)
	}
	sight, err := k.sights.at(browser.Subject{Selector: orBody(selector), Fact: fact, Attribute: attribute})
	return sight.Look, err
}

func (k Checker) read(ctx context.Context, selector, wanted string, how browser.TextMatch) (browser.TextLook, error) {
	if k.sights == nil {
		return k.Session.ReadAs(ctx, selector, wanted, how)
	}
	sight, err := k.sights.at(browser.Subject{Kind: browser.OfText, Selector: selector, Wanted: wanted, How: how})
	return sight.Text, err
}

func (k Checker) typed(ctx context.Context, selector string) (typed, stood bool, err error) {
	if k.sights == nil {
		return k.Session.Typed(ctx, selector)
	}
	sight, err := k.sights.at(browser.Subject{Kind: browser.OfTyped, Selector: selector})
	return sight.Typed, sight.Stood, err
}

func (k Checker) page(ctx context.Context) (browser.PageState, error) {
	if k.sights == nil {
		return k.Session.State(ctx)
	}
	sight, err := k.sights.at(browser.Subject{Kind: browser.OfPage})
	return sight.Page, err
}

// otherWord returns the word that a check with other words is made with.
func (k Checker) otherWord() string {
	if k.sights == nil || k.sights.other == "" {
		return randomWord()
	}
	return k.sights.other
}
