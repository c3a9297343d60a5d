package assertion

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/selectors"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// observeAllFrames returns an absence that holds in its own document, held
// against all other frames, and with what was not looked into.
func (k Checker) observeAllFrames(ctx context.Context, a qa.Assertion, selector string, r Result) (Result, error) {
	counts := countsElements(a)
	if !counts && (selector != "" || a.Type != qa.TextContains && a.Type != qa.TextMatches) {
		return r, nil
	}
	beyond, err := k.beyond(ctx, selector)
	if err != nil {
		return Result{}, err
	}
	if counts {
		r.Seen.Count, r.Seen.Seen, r.Seen.Paintless = r.Seen.Count+beyond.Count, r.Seen.Seen+beyond.Seen, r.Seen.Paintless+beyond.Paintless
		r.Seen.Unseen = append(r.Seen.Unseen, beyond.Unseen...)
		if r.Seen.Doubt = beyond.Doubt; r.Seen.Seen > 0 && a.Type != qa.CountAtMost {
			r.Seen.Doubt = "" // one is enough
		}
		r.Outcome = a.Compare(r.Seen)
	}
	if beyond.Frame != "" {
		r.Observed += pagetext.Text("; in the frame " + beyond.Frame)
	}
	r.moves = beyond.Moves
	if r.Passed {
		r.Blind = beyond.Blind
		seen, never := k.seenBefore(a, selector)
		if never && (beyond.Was || r.Seen.Stood > 0) {
			seen, never = "; seen before the last act", false
		}
		r.NeverSeen = never
		r.Observed += pagetext.Text(seen + scope(beyond))
	}
	return r, nil
}

// countsElements reports whether an absence is about how many elements there are,
// and so can be held against those of other frames.
func countsElements(a qa.Assertion) bool {
	switch a.Type {
	case qa.Hidden, qa.Exists, qa.Visible, qa.CountAtLeast, qa.CountAtMost:
		return true
	default:
		return a.Type == qa.CountEquals && !a.Not
	}
}

// scope says in which frames something absent was looked for, and what was not
// looked into.
func scope(b browser.Beyond) string {
	var out string
	if b.Into > 0 {
		out += fmt.Sprintf("; frames looked into: %d", b.Into)
	}
	if len(b.Blind) > 0 {
		out += "; not looked into: " + strings.Join(b.Blind, ", ")
	}
	return out
}

// noteObserved records what one look of an assertion has seen.
func (k Checker) noteObserved(a qa.Assertion, selector string, o qa.Observation) {
	if o.Seen > 0 || a.Type == qa.Exists && o.Count > 0 {
		k.NoteSeen(pagetext.Text(selector))
	}
	if o.TextFits {
		k.NoteSeen(pagetext.Text(a.Expected))
	}
}

// seenBefore says whether what an assertion finds absent was seen before in the
// run.
func (k Checker) seenBefore(a qa.Assertion, selector string) (words string, never bool) {
	whole, within := strings.Join(strings.Fields(selector), " "), namedIn(selector)
	if selector == "" {
		within = strings.Join(strings.Fields(a.Expected), " ")
	}
	return k.SeenBefore(whole, within)
}

// namedIn returns how a snapshot shows what a selector names by words; empty: it does not
// name it so.
func namedIn(selector string) string {
	_, chain, err := selectors.Steps(selector)
	if err != nil || len(chain) != 1 {
		return ""
	}
	switch part := chain[0]; {
	case part.Named && part.Column == "":
		return part.Role + ` "` + part.Name + `"`
	case part.Engine == "text" || part.Engine == "label":
		return part.Body
	}
	return ""
}

// SeenAs returns what a snapshot or a text of the page shows where an assertion holds, and
// does not where it does not hold; empty where neither tells.
func SeenAs(a qa.Assertion, selector string) pagetext.Text {
	switch {
	case a.Not || a.WholeWords:
		return ""
	case a.Type == qa.TextContains && selector == "":
		return pagetext.Text(a.Expected)
	case a.Type == qa.Visible || a.Type == qa.Exists:
		return pagetext.Text(namedIn(selector))
	}
	return ""
}
