package assertion

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/selectors"
	"github.com/assay-qa/assay/qa"
)

// counterCheck makes an assertion that held once more, in the same state of the
// page and without waiting, so that it must fail: with other words in place of
// its own, or, where it found something absent, with what is there. It returns
// why the check proves nothing; "" where it could have failed.
func (k Checker) counterCheck(ctx context.Context, a qa.Assertion, selector string, o qa.Observation) (string, error) {
	if a.Absent() {
		return k.counterAbsence(ctx, a, selector, o)
	}
	other := k.otherWord()
	if why := a.Indifferent(o, other); why != "" {
		return why, nil
	}
	if without := a.WithoutWords(k.Words(), other); without != a {
		if holds, known := without.HoldsOf(o); known && holds {
			return fmt.Sprintf("it holds as well without the words of the sentence: %s", without.Expected), nil
		}
	}
	altered, elsewhere := k.altered(a, selector, other)
	if altered == a && elsewhere == selector {
		return "", nil // no word in it
	}
	if elsewhere == selector && altered.Other == a.Other {
		if holds, known := altered.HoldsOf(o); known {
			if holds {
				return fmt.Sprintf("it holds as well with other words: %s", altered.Expected), nil
			}
			return "", nil
		}
	}
	held, err := k.holdsNow(ctx, altered, elsewhere)
	if err != nil || !held {
		return "", err
	}
	return fmt.Sprintf("it holds as well with other words: %s", strings.Join(altered.Parts(elsewhere), " ")), nil
}

// altered returns an assertion and its selector with another word in place of theirs.
func (k Checker) altered(a qa.Assertion, selector, other string) (qa.Assertion, string) {
	out := a.WithOtherWords(other)
	out.Other = selectors.WithOtherWords(a.Other, nil, other)
	return out, selectors.WithOtherWords(selector, k.Words(), other)
}

// counterAbsence looks for something that is there: if that is not found
// either, the absence of the other proves nothing.
func (k Checker) counterAbsence(ctx context.Context, a qa.Assertion, selector string, o qa.Observation) (string, error) {
	const nothing = "nothing is seen where it looks, so what is absent there cannot be decided"
	switch a.Type {
	case qa.TextContains, qa.TextEquals, qa.TextMatches:
		if o.Text == nil || selector != "" && strings.TrimSpace(*o.Text) == "" {
			return "", nil // the element is there, and empty
		}
		if k.sights != nil {
			return "", k.anyWordSeen(selector)
		}
		return k.findsOne(ctx, selector, *o.Text, nothing)
	case qa.Exists, qa.Visible, qa.Hidden, qa.CountEquals, qa.CountAtMost:
	default:
		return "", nil // it was compared with what is there
	}
	if o.Seen > 0 {
		return "", nil // at most so many, and there are some
	}
	if role := selectors.RoleSelector(selector); role != "" {
		look, err := k.look(ctx, role, browser.FactCount, "")
		if err == nil && look.Seen > 0 || ctx.Err() != nil {
			return "", ctx.Err()
		}
	}
	if k.sights != nil {
		return "", k.anyWordSeen("")
	}
	page, err := k.Session.ReadAs(ctx, "", randomWord(), browser.AnyPart)
	if err != nil || page.Text == nil {
		return "", err
	}
	return k.findsOne(ctx, "", *page.Text, nothing)
}

// findsOne looks for words of a text that is rendered, longest first. One that is
// seen is enough.
func (k Checker) findsOne(ctx context.Context, selector, text, nothing string) (string, error) {
	for _, word := range browser.LongestWords(text) {
		look, err := k.Session.ReadAs(ctx, selector, word, browser.AnyPart)
		if err != nil || look.Fits {
			return "", err
		}
	}
	return nothing, nil
}

// anyWordSeen returns an error where a look at several does not tell that a word is seen there.
func (k Checker) anyWordSeen(selector string) error {
	sight, err := k.sights.at(browser.Subject{Kind: browser.OfAnyWord, Selector: selector})
	if err == nil && !sight.Text.Fits {
		err = errNotSeen
	}
	return err
}

// holdsNow looks once. What can't be looked at does not hold.
func (k Checker) holdsNow(ctx context.Context, a qa.Assertion, selector string) (bool, error) {
	o, err := k.Observe(ctx, a, selector)
	switch {
	case errors.Is(err, errNoElement):
		return false, nil
	case errors.Is(err, errNotSeen):
		return false, err
	case err != nil:
		return false, ctx.Err()
	}
	return a.Compare(o).Passed, nil
}

// randomWord returns a word that no page shows: twelve consonants.
func randomWord() string {
	const letters = "bcdfghjklmnpqrstvwxz"
	out := make([]byte, 12)
	for i := range out {
		out[i] = letters[rand.IntN(len(letters))]
	}
	return string(out)
}

// typedReasons returns why an assertion that holds proves nothing because it is about what the
// caller typed or chose, and the field still holds just that. stood reports whether that is what
// it is known to have held before the newest act.
func (k Checker) typedReasons(ctx context.Context, a qa.Assertion, selector string, r Result) (void []string, stood bool, err error) {
	const why = "the caller typed or chose it there, and the page was not loaded since"
	if !r.Passed {
		return nil, false, nil
	}
	if r.Seen.Typed {
		return []string{why}, false, nil
	}
	if !asksWhatWasTyped(a) {
		return nil, false, nil
	}
	on, stood, err := k.typed(ctx, selector)
	if err != nil || !on {
		return nil, stood, err
	}
	return []string{why}, stood, nil
}

// asksWhatWasTyped reports whether an assertion may be about what the caller typed or chose.
func asksWhatWasTyped(a qa.Assertion) bool {
	switch a.Type {
	case qa.ValueEquals, qa.ValueContains, qa.ValuesEqual, qa.SelectedLabel, qa.Empty, qa.NumberCompared:
		return true
	case qa.AttributeEquals:
		return strings.EqualFold(a.Attribute, "value")
	}
	return false
}
