package browser

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"regexp"
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

// TextMatch says how a text is looked for.
type TextMatch int

// The ways: as a part of what is seen, as all of it, as whole words of it (see
// [seen.Text.FindWords]), or as a regular expression that matches a part of it.
const (
	AnyPart TextMatch = iota
	WholeText
	WholeWords
	Expression
)

// finder returns how places of a text are found.
func finder(wanted string, how TextMatch) (func(seen.Text) [][]seen.Span, error) {
	switch how {
	case WholeWords:
		return func(t seen.Text) [][]seen.Span { return t.FindWords(wanted) }, nil
	case Expression:
		re, err := regexp.Compile(wanted)
		if err != nil {
			return nil, invalid("write an RE2 expression", "%q is no regular expression: %v", cut(wanted, maxNote), err)
		}
		return func(t seen.Text) [][]seen.Span { return t.FindExpression(re) }, nil
	default:
		return func(t seen.Text) [][]seen.Span { return t.Find(wanted, how == WholeText) }, nil
	}
}

// textsAnswer are the texts of a document or an element.
type textsAnswer struct {
	Top    bool        `json:"top"`
	Drawn  string      `json:"drawn"` // the canvas that most of the window is
	Pieces []pieceJSON `json:"pieces"`
}

func (a textsAnswer) pieces() []seen.Piece {
	out := make([]seen.Piece, len(a.Pieces))
	for i, p := range a.Pieces {
		out[i] = p.piece()
	}
	return out
}

// pieceJSON is a piece as the engine writes it.
type pieceJSON struct {
	Text  string   `json:"t"`
	Shown string   `json:"s"`
	Gap   seen.Gap `json:"g"`
	Apart bool     `json:"a"`
	Why   string   `json:"w"`
	Typed bool     `json:"y"`
}

func (p pieceJSON) piece() seen.Piece {
	return seen.Piece{Text: p.Text, Shown: p.Shown, Gap: p.Gap, Apart: p.Apart, Why: p.Why}
}

// load reads the pieces. foreign: they stand in a frame of another site.
func (r *reading) load(all bool) (foreign bool, err error) {
	var answer textsAnswer
	if err := r.q.ask(engineAsk{Op: "texts", All: all, Apart: r.apart}, &answer); err != nil {
		return false, err
	}
	r.pieces, r.drawn, r.typed = answer.pieces(), answer.Drawn, map[int]bool{}
	for i, p := range answer.Pieces {
		if p.Typed {
			r.typed[i] = true
		}
	}
	return !answer.Top, nil
}

func (r *reading) rendered(i int) bool { return r.pieces[i].Why == "" }
