package assertion

import (
	"context"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/selectors"
	"github.com/assay-qa/assay/pagetext"
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

// orWentAway returns an outcome that holds in place of one that does not, where what was
// asserted is an announcement that was seen since the last act and went away by itself.
func (k Checker) orWentAway(ctx context.Context, a qa.Assertion, selector string, r Result) (Result, error) {
	of, known := announcement(a, selector)
	if !known || r.Doubt != "" {
		return r, nil
	}
	text, went, err := k.Session.WentAway(ctx, of)
	if err != nil || !went {
		return r, err
	}
	r.Passed = true
	r.Observed = pagetext.Sprintf("%s; it was announced after the last act (%q), and went away by itself", r.Observed, text)
	return r, nil
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
