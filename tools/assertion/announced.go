package assertion

import (
	"context"
	"slices"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/selectors"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// ofShown looks for a text that is seen now, or was since the last act.
func ofShown(ctx context.Context, k Checker, a qa.Assertion, _ string) (qa.Observation, error) {
	text, err := k.Session.ReadAs(ctx, "", a.Expected, browser.AnyPart)
	o := qa.Observation{Text: text.Text, TextFits: text.Fits && text.Doubt == "", Typed: text.Typed}
	if err != nil || o.TextFits {
		return o, err
	}
	was, sure, err := k.Session.WasShown(ctx, a.Expected)
	if o.TextFits = was; was {
		o.Text = &a.Expected
	} else if !sure {
		o.Doubt = "more has come since the last act than could be looked at"
	}
	return o, err
}

// orWasSo returns an outcome that holds in place of one that does not, where what was
// asserted was seen since the last act and is over: an announcement that may go, and went
// away by itself, or the state of before what was asserted later.
func (k Checker) orWasSo(ctx context.Context, a qa.Assertion, selector string, mayGo bool, r Result) (Result, error) {
	of, known := announcement(a, selector)
	if !known || r.Doubt != "" {
		return r, nil
	}
	if mayGo {
		text, went, err := k.Session.WentAway(ctx, of)
		if err != nil || went {
			return wasSo(r, went, pagetext.Sprintf("it was announced after the last act (%q), and went away by itself", text)), err
		}
	}
	if len(k.Later) == 0 {
		return r, nil
	}
	text, followed, err := k.Session.Superseded(ctx, of, k.assertedLater)
	return wasSo(r, followed, pagetext.Sprintf("it was seen after the last act (%q), and what is asserted after it stands in its place", text)), err
}

// afterTimer returns the outcome of an assertion that held, and that a timer of the page may have
// ended since, as pages set them that act: see [browser.Session.Stretched].
func (k Checker) afterTimer(ctx context.Context, a qa.Assertion, selector string, r Result) (Result, error) {
	if r.Passed || k.Session.Stretched() == 0 {
		return r, nil
	}
	return k.orWasSo(ctx, a, selector, true, k.endedByTimer(r))
}

// endedByTimer says of an outcome that does not hold, and held, that a timer has run meanwhile.
func (k Checker) endedByTimer(r Result) Result {
	if after := k.Session.Stretched(); after > 0 && !r.Passed {
		r.Observed += pagetext.Sprintf("; it held until a timer ran that the page had set since the act (%d ms); a message that goes by itself is checked with shown", after.Milliseconds())
	}
	return r
}

func wasSo(r Result, was bool, why pagetext.Text) Result {
	if was {
		r.Passed, r.went, r.Observed = true, true, r.Observed+"; "+why
	}
	return r
}

// assertedLater reports whether a text is what a later assertion asserts.
func (k Checker) assertedLater(text string) bool {
	return slices.ContainsFunc(k.Later, func(a qa.Assertion) bool {
		switch a.Type {
		case qa.TextContains, qa.TextEquals, qa.TextMatches:
			return !a.Not && a.Expected != "" && browser.TextFits(text, a.Expected, wayOf(a))
		}
		return false
	})
}

// announcement returns what an assertion is about, as something that a page may announce.
func announcement(a qa.Assertion, selector string) (of browser.Announcement, known bool) {
	if a.Not {
		return of, false
	}
	frames, chain, err := selectors.Steps(selector)
	if selector != "" && (err != nil || len(frames) > 0 || len(chain) != 1) {
		return of, false
	}
	named := false
	if len(chain) == 1 {
		switch part := chain[0]; part.Engine {
		case "css":
			of.CSS = part.Body
		case "text":
			of.Text, named = part.Body, true
		case "":
			of.Text, named = part.Name, part.Named
		default:
			return of, false
		}
	}
	switch a.Type {
	case qa.TextContains:
		of.Text = a.Expected
		if a.WholeWords {
			of.How = browser.WholeWords
		}
	case qa.TextEquals:
		of.Text, of.How = a.Expected, browser.WholeText
	case qa.TextMatches:
		of.Text, of.How = a.Expected, browser.Expression
	case qa.Visible, qa.Exists:
		return of, of.CSS != "" || named && of.Text != ""
	default:
		return of, false
	}
	return of, of.Text != ""
}
