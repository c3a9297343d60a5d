package assertion

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/selectors"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// Bounds on what is scrolled through for one check.
const (
	maxScrollers = 3
	maxSteps     = 40 // views of one scroller
	maxEnds      = 25 // times that scrollers are scrolled to their ends
)

// scrollFirst says what brings what could not be scrolled to.
const scrollFirst = ": scroll to the place with computer_action scroll, or look for its text in a part of the page"

// goesBeyondTheView reports whether what is not rendered before it is scrolled to may
// overturn an outcome: of an absence, of a count, and of what is asked of the last one.
func goesBeyondTheView(a qa.Assertion, selector string, r Result) bool {
	switch {
	case a.Absent():
		return r.Passed && (countsElements(a) || a.Type == qa.TextContains || a.Type == qa.TextMatches) || isOfTheLast(selector)
	case a.Type == qa.CountEquals, a.Type == qa.CountAtLeast && !r.Passed, a.Type == qa.CountAtMost && a.Not && !r.Passed:
		return r.Seen.Reaches || r.Seen.Count == 0
	default:
		return isOfTheLast(selector) || isMiss(a, r)
	}
}

// isMiss reports whether nothing was found that should be there: it may come only when it is
// scrolled to.
func isMiss(a qa.Assertion, r Result) bool {
	switch {
	case a.Not || r.Passed:
		return false
	case a.Type == qa.Visible, a.Type == qa.Exists:
		return r.Seen.Count == 0
	default:
		return a.Type == qa.TextContains || a.Type == qa.TextMatches
	}
}

// isOfTheLast reports whether a selector takes one element by its place from the end.
func isOfTheLast(selector string) bool {
	_, chain, err := selectors.Steps(selector)
	return err == nil && len(chain) > 1 && chain[len(chain)-1].Engine == "nth" && strings.HasPrefix(chain[len(chain)-1].Body, "-")
}

// scopeOf returns which scrollers a check is about: those that hold what the last one is
// taken from, those in the element whose text is looked at, or all.
func scopeOf(a qa.Assertion, selector string) browser.ScrollScope {
	switch {
	case isOfTheLast(selector):
		return scopeOfTheLast(selector)
	case a.Type == qa.TextContains, a.Type == qa.TextMatches:
		return browser.ScrollScope{Selector: selector}
	}
	return browser.ScrollScope{}
}

// scopeOfTheLast returns the scrollers around the last of all that a selector finds, or those
// in the element that the last one is looked for in.
func scopeOfTheLast(selector string) browser.ScrollScope {
	_, chain, _ := selectors.Steps(selector) // it was parsed before
	if len(chain) == 2 {
		return browser.ScrollScope{Selector: selector, Around: true}
	}
	within := selector[:strings.LastIndex(selector, ">>")]
	within = strings.TrimSpace(within[:strings.LastIndex(within, ">>")])
	if _, rest, err := selectors.Steps(within); err != nil || len(rest) != len(chain)-2 {
		return browser.ScrollScope{Selector: selector, Around: true}
	}
	return browser.ScrollScope{Selector: within}
}

// throughScrollers returns an outcome held against what comes only when it is scrolled to.
// Scrollers are scrolled to their ends first, until nothing more comes there; those that
// render only what is in view are scrolled through then, view by view. All are put back.
// What can't be scrolled through leaves the outcome in doubt.
func (k Checker) throughScrollers(ctx context.Context, a qa.Assertion, selector string, r Result) (Result, error) {
	scope, miss := scopeOf(a, selector), isMiss(a, r)
	if scope.Selector != "" && r.Seen.Count == 0 {
		return r, nil // nothing to be scrolled
	}
	p, err := k.Session.ScrollEnds(ctx, r.moves, scope)
	if err != nil {
		return r, err
	}
	defer func() {
		if p.Moves() || len(p.Views) > 0 {
			p.Back(ctx)
		}
	}()
	if err := k.toTheEnds(ctx, a, selector, p); err != nil {
		if miss && errors.Is(err, ErrDoubt) {
			r.Observed += pagetext.Text("; not all was scrolled to: " + p.Stuck + scrollFirst)
			return r, nil
		}
		return r, err
	}
	if len(p.Grown) > 0 {
		again, err := k.afterGrowth(ctx, a, selector, p.Grown)
		if again.Waited = r.Waited; err != nil || !again.Passed && !miss {
			return again, err
		}
		r = again
	}
	switch {
	case len(p.Views) == 0:
		return r, nil
	case miss:
		r.Observed += pagetext.Text("; " + strings.Join(p.Views, ", ") + " renders only what is in view" + scrollFirst)
		return r, nil
	case isOfTheLast(selector):
		return r, inDoubt(a, selector, "which one is the last: "+p.Views[0]+" holds rows that are not rendered")
	case !a.Absent():
		return r, nil // a count is in doubt by itself
	}
	return k.throughViews(ctx, a, selector, r, p)
}

// toTheEnds scrolls until nothing more comes at any end.
func (k Checker) toTheEnds(ctx context.Context, a qa.Assertion, selector string, p *browser.Passage) error {
	for n := 0; p.Moves(); n++ {
		if n == maxEnds {
			names, err := p.GiveUp(ctx)
			if err != nil {
				return err
			}
			p.Stuck = fmt.Sprintf("%s goes on adding rows, and was scrolled to its ends %d times", strings.Join(names, ", "), maxEnds)
			break
		}
		if p.Pending() {
			if came, err := p.Answered(ctx); err != nil {
				return err
			} else if !came {
				p.Stuck = "what the page asked for there has not come"
				break
			}
			if err := k.untilCome(ctx, a, selector, "the page"); err != nil {
				p.Stuck = "what the page shows there has not come"
				return err
			}
		}
		if err := p.On(ctx); err != nil {
			return err
		}
	}
	if p.Stuck != "" {
		return inDoubt(a, selector, p.Stuck+scrollFirst)
	}
	return nil
}

// untilCome waits for what a scroller shows where it was scrolled to.
func (k Checker) untilCome(ctx context.Context, a qa.Assertion, selector, name string) error {
	rest, err := k.Session.Rest(ctx, browser.RestOptions{Window: k.Session.Waits().Rest / 4, Brief: true})
	if err == nil && len(rest.Pending) > 0 {
		return inDoubt(a, selector, "what "+name+" shows where it was scrolled to has not come: "+strings.Join(rest.Pending, ", "))
	}
	return err
}

// afterGrowth looks again where scrolling has added something to the page.
func (k Checker) afterGrowth(ctx context.Context, a qa.Assertion, selector string, grown []string) (Result, error) {
	if err := k.AwaitRest(ctx); err != nil {
		return Result{}, err
	}
	r, err := k.Once(ctx, a, selector)
	if err == nil && !r.Passed {
		err = r.Undecided(a, selector)
	}
	r.Observed += pagetext.Text("; scrolled to its ends: " + strings.Join(grown, ", "))
	return r, err
}

// throughViews looks at each view of the lists that render only what is in view.
func (k Checker) throughViews(ctx context.Context, a qa.Assertion, selector string, r Result, p *browser.Passage) (Result, error) {
	if len(p.Views) > maxScrollers {
		return r, inDoubt(a, selector, fmt.Sprintf("%d lists hold rows that are not rendered, and %d are scrolled through at most", len(p.Views), maxScrollers))
	}
	for i, name := range p.Views {
		found, err := k.throughViewsOf(ctx, a, selector, p, i, name)
		if err != nil || !found.Passed {
			found.Waited = r.Waited
			return found, err
		}
	}
	r.Observed += pagetext.Text("; scrolled through: " + strings.Join(p.Views, ", "))
	return r, nil
}

// throughViewsOf looks at each view of one list. The first look that finds the thing is the
// outcome.
func (k Checker) throughViewsOf(ctx context.Context, a qa.Assertion, selector string, p *browser.Passage, view int, name string) (Result, error) {
	var last Result
	for range maxSteps {
		at, err := p.View(ctx, view)
		if err != nil {
			return Result{}, err
		}
		if at.Over {
			return last, nil
		}
		if at.Gone {
			return Result{}, inDoubt(a, selector, "the page has replaced "+name+" while it was scrolled through")
		}
		if err := k.untilCome(ctx, a, selector, name); err != nil {
			return Result{}, err
		}
		last, err = k.Once(ctx, a, selector)
		switch {
		case err != nil:
			return last, err
		case last.Doubt != "":
			return last, inDoubt(a, selector, last.Doubt)
		case !last.Passed:
			last.Observed += pagetext.Text(fmt.Sprintf("; in %s, scrolled to %.0f px", name, at.Top))
			if at.Left != 0 {
				last.Observed += pagetext.Text(fmt.Sprintf(" and %.0f px across", at.Left))
			}
			return last, nil
		}
	}
	return Result{}, inDoubt(a, selector, fmt.Sprintf("%s holds more rows than %d views of it show", name, maxSteps)+scrollFirst)
}
