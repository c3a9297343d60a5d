package assertion

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/pagetext"
	"github.com/assay-qa/assay/qa"
)

// Bounds on what is scrolled through for one absence.
const (
	maxScrollers = 3
	maxSteps     = 40 // views of one scroller
)

// looksForSomething reports whether an assertion is an absence of an element or a text,
// which may stand in rows that are not rendered.
func looksForSomething(a qa.Assertion) bool {
	return a.Absent() && (countsElements(a) || a.Type == qa.TextContains || a.Type == qa.TextMatches)
}

// throughScrollers returns an absence held against the rows that lists render only when
// they are scrolled to: each such list is scrolled through, view by view, and put back.
// What can't be scrolled through leaves the absence in doubt.
func (k Checker) throughScrollers(ctx context.Context, a qa.Assertion, selector string, r Result) (Result, error) {
	names, err := k.Session.Scrollers(ctx)
	if err != nil || len(names) == 0 {
		return r, err
	}
	defer k.Session.ScrollBack(ctx)
	if len(names) > maxScrollers {
		return r, inDoubt(a, selector, fmt.Sprintf("%d lists hold rows that are not rendered, and %d are scrolled through at most", len(names), maxScrollers))
	}
	for i, name := range names {
		found, err := k.throughScroller(ctx, a, selector, i, name)
		if err != nil || !found.Passed {
			found.Waited = r.Waited
			return found, err
		}
	}
	r.Observed += pagetext.Text("; scrolled through: " + strings.Join(names, ", "))
	return r, nil
}

// throughScroller looks at each view of one list. The first look that finds the thing is
// the outcome.
func (k Checker) throughScroller(ctx context.Context, a qa.Assertion, selector string, scroller int, name string) (Result, error) {
	var at browser.ScrollPlace
	for range maxSteps {
		was := at
		var err error
		if at, err = k.Session.ScrollTo(ctx, scroller, was.Next()); err != nil {
			return Result{}, err
		}
		if at.Gone {
			return Result{}, inDoubt(a, selector, "the page has replaced "+name+" while it was scrolled through")
		}
		rest, err := k.Session.Rest(ctx, browser.RestOptions{Window: k.Session.Waits().Rest / 4, Brief: true})
		if err != nil {
			return Result{}, err
		}
		if len(rest.Pending) > 0 {
			return Result{}, inDoubt(a, selector, "what "+name+" shows where it was scrolled to has not come: "+strings.Join(rest.Pending, ", "))
		}
		r, err := k.Once(ctx, a, selector)
		switch {
		case err != nil:
			return r, err
		case r.Doubt != "":
			return r, inDoubt(a, selector, r.Doubt)
		case !r.Passed:
			r.Observed += pagetext.Text(fmt.Sprintf("; in %s, scrolled to %.0f px", name, at.Top))
			return r, nil
		case at.AtEnd():
			return r, nil
		}
	}
	return Result{}, inDoubt(a, selector, fmt.Sprintf("%s holds more rows than %d views of it show: scroll to the place with computer_action scroll, or name a part of the page", name, maxSteps))
}
