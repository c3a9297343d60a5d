package browser

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"strings"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/seen"
)

// question is several asks to the engine about the same elements of one
// document. The engine keeps them by the question's name.
type question struct {
	tab    *tab
	target target
	name   string
}

func newQuestion(t *tab, of target) *question { return &question{t, of, rand.Text()} }

// collect has the engine keep the elements that the target finds, and tells
// whether there are any. A frame that is not there has none.
func (q *question) collect() (int, error) {
	n, err := q.target.locator(q.tab.page).Locator(engineAsk{Op: "collect", Look: q.name}.query()).Count()
	if err != nil && strings.Contains(rawText(err), "Failed to find frame") {
		return 0, nil
	}
	return n, err
}

// ask puts one ask to the document that the target's frames lead to.
func (q *question) ask(ask engineAsk, answer any) error {
	ask.Look = q.name
	return askEngine(q.in(ask.query()), lookTimeout, answer)
}

func (q *question) in(query string) playwright.Locator {
	return q.target.in(q.tab.page, query)
}

// spanJSON is a stretch of a piece as the engine reads it.
type spanJSON seen.Span

// MarshalJSON writes [piece, from, to].
func (s spanJSON) MarshalJSON() ([]byte, error) { return json.Marshal([3]int{s.Piece, s.From, s.To}) }

func spansJSON(spans []seen.Span) []spanJSON {
	out := make([]spanJSON, len(spans))
	for i, s := range spans {
		out[i] = spanJSON(s)
	}
	return out
}

// reveal brings in what a page shows only once it is scrolled to: it goes there
// for two frames and comes back. The next look finds what came in.
func (q *question) reveal(ctx context.Context, piece int) error {
	var answer struct {
		Moved bool `json:"moved"`
	}
	if err := q.ask(engineAsk{Op: "reveal", Piece: piece}, &answer); err != nil || !answer.Moved {
		return err
	}
	for range 2 {
		if err := nextTurn(ctx, q.tab, true); err != nil {
			return err
		}
	}
	return q.ask(engineAsk{Op: "retreat"}, &struct{}{})
}
