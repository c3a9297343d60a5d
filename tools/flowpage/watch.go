package flowpage

import (
	"fmt"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/engine"
)

// Watched returns what a watch came to, in words.
func Watched(w browser.Watched) string {
	if w.Window <= 0 {
		return "not watched: watch_ms is 0"
	}
	words := fmt.Sprintf("watched for %d ms after its last change", w.Window.Milliseconds())
	if w.Calm {
		words += ", as nothing more could come by itself"
	}
	if !w.Still {
		words = "watched, but it did not come to rest"
	}
	if len(w.Moving) > 0 {
		words += "; moves: " + motions(w.Moving)
	}
	if len(w.Pending) > 0 {
		words += "; not answered: " + strings.Join(w.Pending, ", ")
	}
	if len(w.Unanswered) > 0 {
		words += "; not awaited: " + strings.Join(w.Unanswered, ", ")
	}
	return words
}

// motions returns what moves, in words.
func motions(all []browser.Motion) string {
	out := make([]string, len(all))
	for i, m := range all {
		out[i] = m.String()
	}
	return engine.OneLine(strings.Join(out, ", "))
}

// WentWrong returns the outcome of a page that went to an error while it was watched;
// nil where it did not.
func WentWrong(w browser.Watched) *qa.Outcome {
	if w.From == "" && w.Reloads == 0 || w.Page.Status < 400 {
		return nil
	}
	return &qa.Outcome{Expected: "the page stays as it was", Observed: pagetext.Sprintf("it went to %s by itself, which answers status %d", w.Page.URL, w.Page.Status)}
}

// Thrown returns the outcome of pages that threw since then; nil where they did not.
func Thrown(s *browser.Session, since time.Time) *qa.Outcome {
	logs, err := s.Console("exception", since, 0)
	if err != nil || len(logs.Entries) == 0 {
		return nil
	}
	return &qa.Outcome{Expected: "no uncaught exception", Observed: pagetext.Sprintf("%d; first: %s", len(logs.Entries), engine.OneLine(logs.Entries[0].Text))}
}
