package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
)

// observeAllFrames is an absence that holds in the document that it is about, held
// against all other frames, and with what was not looked into.
func (c *call) observeAllFrames(ctx context.Context, s *browser.Session, a qa.Assertion, selector string, r observed) (observed, error) {
	counts := countsElements(a)
	if !counts && (selector != "" || a.Type != qa.TextContains && a.Type != qa.TextMatches) {
		return r, nil
	}
	beyond, err := s.LookBeyond(ctx, selector)
	if err != nil {
		return observed{}, err
	}
	if counts {
		r.seen.Count, r.seen.Seen, r.seen.Paintless = r.seen.Count+beyond.Count, r.seen.Seen+beyond.Seen, r.seen.Paintless+beyond.Paintless
		r.seen.Unseen = append(r.seen.Unseen, beyond.Unseen...)
		if r.seen.Doubt = beyond.Doubt; r.seen.Seen > 0 && a.Type != qa.CountAtMost {
			r.seen.Doubt = "" // one is enough
		}
		r.Outcome = a.Compare(r.seen)
	}
	if beyond.Frame != "" {
		r.Observed += "; in the frame " + beyond.Frame
	}
	if r.Passed {
		r.Observed += c.seenBefore(a, selector) + scope(beyond)
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
