package browser

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/browser/seen"
	texts "github.com/assay-qa/assay/internal/text"
)

// TextLook describes what one look at a text found.
type TextLook struct {
	Count  int
	Text   *string // what is seen of the element or the page; nil when there is no such element
	Fits   bool    // the text that was asked for is seen
	Place  string  // all of the texts that hold what was found: where they stand still, so does it
	Ending bool    // an animation that is about to end is at work on it
	Typed  bool    // it stands nowhere but in a field, as the caller has typed it there
	Why    string  // why it is not seen although it is in the page; empty when it isn't there
	Doubt  string  // why it can't be decided whether it is seen; empty when it can
	Stood  bool    // it is known to have stood there, and been seen, before the newest act
	Frame  string  // the frame of another site in which the page's text is seen; Doubt says so, too
}

// Read looks for a part of the text, or for the whole of it; see
// [Session.ReadAs].
func (s *looker) Read(ctx context.Context, selector, wanted string, whole bool) (TextLook, error) {
	if whole {
		return s.ReadAs(ctx, selector, wanted, WholeText)
	}
	return s.ReadAs(ctx, selector, wanted, AnyPart)
}

// ReadAs looks once whether a person sees wanted in the element that selector
// finds, or in the page where it is empty. Texts are compared as [seen.Normal]
// writes them.
func (s *looker) ReadAs(ctx context.Context, selector, wanted string, how TextMatch) (TextLook, error) {
	find, err := finder(wanted, how)
	if err != nil {
		return TextLook{}, err
	}
	var of target
	if selector != "" {
		var err error
		if of, err = parseSelector(selector); err != nil {
			return TextLook{}, err
		}
	}
	return on(ctx, s.livePage, "look at", explain.Quoting(selector), func(ctx context.Context, t *tab) (TextLook, error) {
		var out TextLook
		_, err := s.present(ctx, t, of, func() (Look, bool, error) {
			var err error
			out, err = s.readKept(ctx, t, of, wanted, how, find)
			return Look{Count: out.Count}, out.Fits || out.Count > 0 && out.Doubt == "" && out.Text != nil && *out.Text != "", err
		})
		return out, err
	})
}

// Moment describes the page of a session as it was when something was found on it.
type Moment struct {
	at      time.Time
	log     eventlog.State
	answers int
}

// Moment returns what tells later whether the page has changed since now.
func (s *looker) Moment() Moment { return Moment{s.pool.Now(), s.log.State(), s.log.Answers()} }

// ChangedSince reports for each moment whether the page may have changed since. Where
// something was sent, answered or logged it asks nothing, and else the page once for all of
// them, after the window of rest. A page that does not answer may have changed.
func (s *looker) ChangedSince(ctx context.Context, moments ...Moment) []bool {
	return s.changedSince(moments, sync.OnceValues(func() (time.Duration, bool) {
		var answer struct {
			Ago float64 `json:"ago"` // ms
		}
		_, err := on(ctx, s.livePage, "ask what has changed", "", func(ctx context.Context, t *tab) (int, error) {
			return within(ctx, t, rest.LookLimit+rest.LookMargin, func() (int, error) {
				return 0, askEngine(t.page.Locator(engineAsk{Op: "changed"}.query()), rest.LookLimit, &answer)
			})
		})
		return milliseconds(answer.Ago), err == nil
	}))
}

// ChangedBefore reports the same of a page that was just looked at before an act, without
// asking it.
func (s *looker) ChangedBefore(stood Stood, moments ...Moment) []bool {
	return s.changedSince(moments, func() (time.Duration, bool) { return stood.changed, stood.Known })
}

func (s *looker) changedSince(moments []Moment, ago func() (d time.Duration, known bool)) []bool {
	out, now := make([]bool, len(moments)), s.Moment()
	for i, m := range moments {
		passed := now.at.Sub(m.at)
		if out[i] = now.log != m.log || now.answers != m.answers; !out[i] && passed >= s.pool.Waits.Rest {
			d, known := ago()
			out[i] = !known || d < passed
		}
	}
	return out
}

func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

// Announcement describes what may have been announced on a page: a text, in what a CSS
// selector finds.
type Announcement struct {
	Text string // "": any
	How  TextMatch
	CSS  string // "": anywhere
}

// WentAway reports whether what was announced since the last act was seen, and went away by
// itself, as announcements do: see [rest.WentAway]. It returns the text.
func (s *looker) WentAway(ctx context.Context, of Announcement) (string, bool, error) {
	inks, _, err := s.shown(ctx, of)
	ink, went := rest.WentAway(inks)
	return ink.Text, went, err
}

// Superseded reports whether a text was seen since the last act, and what was asserted later
// stands in its place: see [rest.Superseded]. It returns the text.
func (s *looker) Superseded(ctx context.Context, of Announcement, later func(text string) bool) (string, bool, error) {
	inks, _, err := s.shown(ctx, of)
	for i := range inks {
		inks[i].Later = later(inks[i].Text)
	}
	ink, is := rest.Superseded(inks)
	return ink.Text, is, err
}

// TextFits reports whether a text is, or holds, what is wanted.
func TextFits(text, wanted string, how TextMatch) bool {
	find, err := finder(wanted, how)
	return err == nil && len(find(seen.Compose([]seen.Piece{{Text: text}}, func(int) bool { return true }))) > 0
}

// WasShown reports whether a text was seen in a block of the page since the last act, though
// it may be gone. sure is false where it was not, and not all that came was looked at.
func (s *looker) WasShown(ctx context.Context, wanted string) (was, sure bool, err error) {
	inks, missed, err := s.shown(ctx, Announcement{Text: wanted})
	was = slices.ContainsFunc(inks, func(ink rest.Ink) bool { return ink.Fits })
	return was, was || !missed, err
}

// shown returns what was seen of the page's own document since the last act, newest first, as
// a recorder in the page has noted it: see outline/shown_words.js. missed tells that it
// could not look at all that came.
func (s *looker) shown(ctx context.Context, of Announcement) (inks []rest.Ink, missed bool, err error) {
	find, err := finder(of.Text, of.How)
	if err != nil {
		return nil, false, err
	}
	var answer struct {
		Texts []struct {
			Text     string  `json:"t"`
			Live     string  `json:"l"`
			First    float64 `json:"a"`
			Gone     bool    `json:"g"`
			Replaced bool    `json:"r"`
			Place    int     `json:"p"`
			Around   int     `json:"u"`
			Went     float64 `json:"w"`
			Within   bool    `json:"c"`
		} `json:"texts"`
		Lost float64 `json:"lost"` // ms ago; -1: never
	}
	_, err = on(ctx, s.livePage, "look at what was shown", "", func(ctx context.Context, t *tab) (int, error) {
		return within(ctx, t, rest.LookLimit+rest.LookMargin, func() (int, error) {
			return 0, askEngine(t.page.Locator(engineAsk{Op: "shown", CSS: of.CSS}.query()), rest.LookLimit, &answer)
		})
	})
	if err != nil {
		return nil, false, err
	}
	since := float64(s.pool.Now().Sub(s.log.ActedAt()).Milliseconds())
	for _, one := range answer.Texts {
		if one.First <= since {
			text := seen.Compose([]seen.Piece{{Text: one.Text}}, func(int) bool { return true })
			inks = append(inks, rest.Ink{Text: one.Text, Live: one.Live, Gone: one.Gone, Replaced: one.Replaced,
				Place: one.Place, Around: one.Around, Came: milliseconds(one.First), Went: milliseconds(one.Went),
				Fits: (of.CSS == "" || one.Within) && (of.Text == "" || len(find(text)) > 0)})
		}
	}
	return inks, answer.Lost >= 0 && answer.Lost <= since, nil
}

// Why a text is not seen that a page took away between two questions about it, why
// nothing can be said of what is replaced during each look, and how often is looked:
// pages put the same thing in its place.
const (
	textGone      = "gone"
	replacedDoubt = "it is replaced again and again while it is looked at"
	goneTries     = 5
)

// readKept reads until the text stays for as long as the look takes.
func (s *looker) readKept(ctx context.Context, t *tab, of target, wanted string, how TextMatch, find func(seen.Text) [][]seen.Span) (TextLook, error) {
	for range goneTries {
		out, err := s.read(ctx, t, of, wanted, how, find)
		if err != nil || out.Fits || out.Why != textGone && out.Doubt != replacedDoubt {
			return out, err
		}
	}
	return TextLook{Count: 1, Doubt: replacedDoubt}, nil
}

// reading holds one look at a text while it is made.
type reading struct {
	looker *looker
	q      *question
	wanted string
	whole  bool
	apart  bool // it matters which gaps are seen
	find   func(seen.Text) [][]seen.Span
	pieces []seen.Piece
	gone   bool                       // the page has replaced the element since it was found
	typed  map[int]bool               // pieces of fields that hold what the caller typed
	stood  map[int]bool               // pieces that stood there before the newest act
	states map[seen.Span]elementState // what was found out so far
	drawn  string                     // the canvas that most of the window is
	ending bool                       // an animation that is about to end is at work on what was judged last
	later  int                        // a piece that is unseen and may be brought in where the page is scrolled to; -1: none
}

// read reads a text once; what is not seen where the page stands is read again in its own
// place.
func (s *looker) read(ctx context.Context, t *tab, of target, wanted string, how TextMatch, find func(seen.Text) [][]seen.Span) (TextLook, error) {
	r, out, err := s.readHere(ctx, t, of, wanted, how, find)
	if err != nil || r == nil || out.Fits || out.Doubt != "" || out.Why != "" && r.later < 0 {
		return out, err
	}
	again := func() (TextLook, error) {
		_, there, err := s.readHere(ctx, t, of, wanted, how, find)
		return there, err
	}
	if out.Why != "" {
		err := r.inPlace(ctx, r.later, &out, again)
		return out, err
	}
	err = r.explain(ctx, &out, again)
	if err == nil && !out.Fits && out.Why == "" && len(of.Parts) == 0 {
		r.elsewhere(ctx, &out)
	}
	return out, err
}

// readHere reads a text where the page stands. The reading is nil where there is nothing to
// read.
func (s *looker) readHere(ctx context.Context, t *tab, of target, wanted string, how TextMatch, find func(seen.Text) [][]seen.Span) (*reading, TextLook, error) {
	whole := how == WholeText
	r := &reading{looker: s, q: newQuestion(t, of), wanted: wanted, whole: whole, apart: how == WholeWords, find: find, states: map[seen.Span]elementState{}, later: -1}
	count := 1
	if len(of.Parts) > 0 {
		n, err := of.count(t.page)
		switch {
		case err != nil || n == 0:
			return nil, TextLook{}, err
		case n > 1:
			return nil, TextLook{Count: n}, explain.Prefixed("look at "+of.quoted(), of.ambiguous(t.page, n))
		}
		if n, err := r.q.collect(); err != nil || n == 0 {
			return nil, TextLook{}, err
		}
	}
	foreign, err := r.load(false)
	if err != nil {
		return nil, TextLook{}, err
	}
	out := TextLook{Count: count}
	if r.gone {
		out.Why = textGone
		return r, out, nil
	}
	if whole {
		err = r.equals(ctx, &out)
	} else {
		err = r.contains(ctx, &out)
	}
	if err != nil {
		return r, out, err
	}
	out.Ending = r.ending
	if out.Fits && foreign {
		around, err := s.throughFrames(ctx, t, of, Look{Count: 1, Seen: 1})
		if err != nil {
			return r, out, err
		}
		if around.Seen == 0 {
			out.Fits, out.Why, out.Doubt = false, strings.Join(around.Unseen, ", "), around.Doubt
		}
	}
	return r, out, nil
}

// contains looks for a place of the text that is seen whole: first where the
// caller has not typed it.
func (r *reading) contains(ctx context.Context, out *TextLook) error {
	text := seen.Compose(r.pieces, r.rendered)
	all := text.String()
	out.Text = &all
	var shown, typed [][]seen.Span
	for _, place := range r.find(text) {
		if r.typedIn(place) {
			typed = append(typed, place)
		} else {
			shown = append(shown, place)
		}
	}
	err := r.anyOf(ctx, shown, out)
	if err == nil && !out.Fits && len(typed) > 0 {
		err = r.anyOf(ctx, typed, out)
		out.Typed = out.Fits
	}
	return err
}

func (r *reading) typedIn(place []seen.Span) bool {
	return slices.ContainsFunc(place, func(s seen.Span) bool { return r.typed[s.Piece] })
}

// stoodBefore reports whether all of a place is known to have stood there before the newest
// act.
func (r *reading) stoodBefore(place []seen.Span) bool {
	return len(place) > 0 && !slices.ContainsFunc(place, func(s seen.Span) bool { return !r.stood[s.Piece] })
}

// anyOf looks for a place that is seen whole.
func (r *reading) anyOf(ctx context.Context, places [][]seen.Span, out *TextLook) error {
	for _, place := range places {
		found, err := r.judge(place)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(found, func(s elementState) bool { return s.State != "seen" }) {
			out.Fits, out.Place, out.Stood = true, r.textsOf(place), r.stoodBefore(place)
			return nil
		}
	}
	for _, place := range places {
		found := r.settle(ctx, place)
		worst := worstOf(found)
		switch worst.State {
		case "seen":
			out.Fits, out.Place, out.Why, out.Doubt, out.Stood = true, r.textsOf(place), "", "", r.stoodBefore(place)
			return nil
		case "doubt":
			out.Doubt = worst.Why
		default:
			out.Why = worst.Why
		}
	}
	return nil
}

// textsOf returns the whole texts that a place is a part of.
func (r *reading) textsOf(place []seen.Span) string {
	var out strings.Builder
	for _, span := range place {
		out.WriteString(r.pieces[span.Piece].Text)
	}
	return out.String()
}

// equals compares all that is seen of the element.
func (r *reading) equals(ctx context.Context, out *TextLook) error {
	var place []seen.Span
	for i, p := range r.pieces {
		if p.Why == "" && strings.TrimSpace(seen.Normal(p.Text)) != "" {
			place = append(place, seen.Span{Piece: i, From: 0, To: 1 << 30})
		}
	}
	if _, err := r.judge(place); err != nil {
		return err
	}
	found := r.settle(ctx, place)
	gone := map[int]bool{}
	for i, span := range place {
		switch found[i].State {
		case "doubt":
			out.Doubt = found[i].Why
		case "unseen":
			gone[span.Piece] = true
			out.Why = found[i].Why
		}
	}
	text := seen.Compose(r.pieces, func(i int) bool { return r.rendered(i) && !gone[i] })
	all := text.String()
	out.Text = &all
	out.Fits = len(r.find(text)) > 0
	out.Typed, out.Stood = out.Fits && r.typedIn(place), out.Fits && r.stoodBefore(place)
	switch {
	case out.Fits && out.Doubt == "" && seen.Normal(r.wanted) == "":
		out.Fits = len(place) == 0 // nothing is rendered, or all of it is unseen
		return r.present(out)
	case out.Fits && out.Doubt == "":
		out.Why = ""
	case len(r.find(seen.Compose(r.pieces, r.rendered))) == 0:
		out.Doubt = "" // whatever is seen of it, it is another text
		out.Why = ""
	}
	return nil
}

// present holds an empty text against the element: only one that is rendered
// shows that it is empty.
func (r *reading) present(out *TextLook) error {
	for _, p := range r.pieces {
		if p.Why != "" {
			out.Fits, out.Why = false, p.Why
		}
	}
	if !out.Fits || len(r.q.target.Parts) == 0 {
		return nil
	}
	var answer struct {
		States []elementState `json:"states"`
	}
	if err := r.q.ask(engineAsk{Op: "elements"}, &answer); err != nil {
		return err
	}
	if len(answer.States) == 0 {
		out.Fits, out.Why = false, textGone
	} else if answer.States[0].Why == "not rendered" {
		out.Fits, out.Why = false, "not rendered"
	}
	return nil
}

// judge asks the cheap rules about stretches of text.
func (r *reading) judge(place []seen.Span) ([]elementState, error) {
	var answer struct {
		States []elementState `json:"states"`
		Ending bool           `json:"ending"`
	}
	if len(place) > 0 {
		if err := r.q.ask(engineAsk{Op: "judge", Spans: spansJSON(place)}, &answer); err != nil {
			return nil, err
		}
	}
	for i, state := range answer.States {
		r.states[place[i]] = state
		if state.Later {
			r.later = place[i].Piece
		}
	}
	r.ending = answer.Ending
	return answer.States, nil
}

// settle lets pictures decide what the cheap rules left in doubt.
func (r *reading) settle(ctx context.Context, place []seen.Span) []elementState {
	out := make([]elementState, len(place))
	var doubtful []seen.Span
	for i, span := range place {
		if out[i] = r.states[span]; out[i].State == "doubt" {
			doubtful = append(doubtful, span)
		}
	}
	if len(doubtful) == 0 || worstOf(out).State == "unseen" && !r.whole || r.q.with != nil {
		return out
	}
	for i, found := range r.looker.blink(ctx, r.q, doubtful, nil) {
		at := slices.Index(place, doubtful[i])
		if found.State == "unseen" {
			found.Why = out[at].Why
		}
		out[at] = found
		r.states[doubtful[i]] = found
	}
	return out
}

// worstOf returns the state of what several stretches make up: unseen before in
// doubt before seen.
func worstOf(states []elementState) elementState {
	worst := elementState{State: "seen"}
	for _, s := range states {
		if s.State == "unseen" {
			return s
		}
		if s.State == "doubt" {
			worst = s
		}
	}
	return worst
}

// explain finds the text among what is not rendered, to say why it can't be seen; again
// reads it in its own place, where the page may bring it in.
func (r *reading) explain(ctx context.Context, out *TextLook, again func() (TextLook, error)) error {
	if _, err := r.load(true); err != nil {
		return err
	}
	if r.gone {
		out.Why = textGone
		return nil
	}
	for _, place := range r.find(seen.Compose(r.pieces, func(int) bool { return true })) {
		for _, span := range place {
			if why := r.pieces[span.Piece].Why; why != "" {
				out.Why = why
				return r.inPlace(ctx, span.Piece, out, again)
			}
		}
	}
	return nil
}

// inPlace reads again where the page may bring a piece in.
func (r *reading) inPlace(ctx context.Context, piece int, out *TextLook, again func() (TextLook, error)) error {
	return r.q.inPlace(ctx, engineAsk{Piece: piece}, func() error {
		there, err := again()
		if err == nil && there.Fits {
			*out = there
		}
		return err
	})
}

// question holds several asks to the engine about the same elements of one
// document. The engine keeps them by the question's name.
type question struct {
	tab    *tab
	target target
	name   string
	with   *Together // the looks that it is a part of; nil: it is put by itself
}

func newQuestion(t *tab, of target) *question {
	return &question{tab: t, target: of, name: rand.Text()}
}

// collect has the engine keep the elements that the target finds, and tells
// whether there are any. A frame that is not there has none.
func (q *question) collect() (int, error) {
	if q.with != nil {
		return q.with.collect(q)
	}
	n, err := q.target.locator(q.tab.page).Locator(engineAsk{Op: "collect", Look: q.name}.query()).Count()
	if isFrameMissing(err) {
		return 0, nil
	}
	return n, err
}

// ask puts one ask to the document that the target's frames lead to.
func (q *question) ask(ask engineAsk, answer any) error {
	ask.Look = q.name
	if q.with != nil {
		return q.with.own(ask, answer)
	}
	return askEngine(q.in(ask.query()), rest.LookLimit, answer)
}

func (q *question) in(query string) playwright.Locator {
	return q.target.in(q.tab.page, query)
}

// spanJSON encodes a stretch of a piece as the engine reads it.
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

// inPlace looks at what a page shows only where it is scrolled to: it goes there, waits
// until what brings it in has ended, looks, and comes back. Where nothing had to be
// scrolled it does not look. ask says what is to be brought in.
func (q *question) inPlace(ctx context.Context, ask engineAsk, look func() error) error {
	var answer struct {
		Moved  bool `json:"moved"`
		Ending bool `json:"ending"`
	}
	ask.Op = "reveal"
	if err := q.ask(ask, &answer); err != nil || !answer.Moved {
		return err
	}
	for range 2 {
		if err := nextTurn(ctx, q.tab); err != nil {
			return err
		}
	}
	err := rest.Until(ctx, func() (bool, error) {
		err := q.ask(engineAsk{Op: "arriving"}, &answer)
		return !answer.Ending, err
	}, rest.Policy{Every: rest.SettlePoll, Limit: rest.LookLimit})
	if err == nil || errors.Is(err, rest.ErrLimit) {
		err = look()
	}
	return errors.Join(err, q.ask(engineAsk{Op: "retreat"}, &struct{}{}))
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
			return nil, explain.Invalid("write an RE2 expression", "%q is no regular expression: %v", texts.Cut(wanted, maxNote), err)
		}
		return func(t seen.Text) [][]seen.Span { return t.FindExpression(re) }, nil
	default:
		return func(t seen.Text) [][]seen.Span { return t.Find(wanted, how == WholeText) }, nil
	}
}

// textsAnswer holds the texts of a document or an element.
type textsAnswer struct {
	Gone   bool        `json:"gone"`
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

// pieceJSON decodes a piece as the engine writes it.
type pieceJSON struct {
	Text  string   `json:"t"`
	Shown string   `json:"s"`
	Gap   seen.Gap `json:"g"`
	Apart bool     `json:"a"`
	Why   string   `json:"w"`
	Typed bool     `json:"y"`
	Stood bool     `json:"b"` // before the newest act, with the same words
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
	r.pieces, r.gone, r.drawn, r.typed = answer.pieces(), answer.Gone, answer.Drawn, map[int]bool{}
	r.stood = map[int]bool{}
	for i, p := range answer.Pieces {
		if p.Typed {
			r.typed[i] = true
		}
		if p.Stood {
			r.stood[i] = true
		}
	}
	return !answer.Top, nil
}

func (r *reading) rendered(i int) bool { return r.pieces[i].Why == "" }

// Subject says what one of several looks that are made together is at.
type Subject struct {
	Kind      SubjectKind
	Selector  string
	Fact      Fact
	Attribute string // of Fact, as [Session.Look] takes it
	Wanted    string // of a text
	Other     string // of an order: the selector of the second element
	How       TextMatch
	Absent    bool // that it is not there, or not seen, is something to be known
}

// SubjectKind says what a look is to bring.
type SubjectKind int

// The kinds: a fact of an element, a text, whether a field holds what was typed into it, the
// page's address and title, what [Session.LookBeyond] brings where nothing comes by scrolling,
// whether any word is seen of the text that is there, which of two elements is read first, and the
// outline of an element or the page.
const (
	OfFact SubjectKind = iota
	OfText
	OfTyped
	OfPage
	OfBeyond
	OfAnyWord
	OfOrder
	OfOutline
)

// Sight holds what one of several looks found.
type Sight struct {
	Known bool // it was found, and nothing is in doubt; what is not known must be looked at by itself
	None  bool // nothing matches the selector in the page's own document, as it stands
	Lacks bool // what is looked for is not there, nor could it be seen elsewhere, or where the page is scrolled to
	Look  Look
	Text  TextLook
	Page  PageState
	Past  Beyond
	Order OrderLook
	Lines Outline
	Typed bool
	Stood bool // of a field: what it holds stood there before the newest act
}

// Together makes looks at several subjects of a page as one. Each look asks what it asks, and
// is made once more when the answers of all have come; those of one trip are of one moment.
type Together struct {
	Window time.Duration // that a page is watched for before something is absent; 0: none is asked for

	s     *looker
	tab   *tab
	moves int    // how often a frame went to another address when the newest look began
	name  string // of the looks, in the engine
	asked []togetherAsk
	used  []togetherAsk // in the newest round
	told  map[string]json.RawMessage
	named map[string]string // names of questions, by what they are about
	began time.Time         // of the newest look
	ago   time.Duration     // for which nothing of the page was changed, and nothing can come by itself; at the newest trip
	calm  time.Duration     // so, and nothing can come within Window
}

// togetherAsk holds one question of them.
type togetherAsk struct {
	key string
	of  *target // nil: the document
	ask engineAsk
}

// Why a look that is made with others is over: its question was not answered yet, or it needs
// what others have no part in.
var (
	errNotTold = errors.New("it is not answered yet")
	errAlone   = errors.New("it must be looked at by itself")
	errNone    = errors.New("nothing matches")
)

// maxTogether bounds how often the looks are made anew, each a trip.
const maxTogether = 4

// Together prepares looks at several subjects.
func (s *looker) Together() *Together { return &Together{s: s, named: map[string]string{}} }

// Look looks at all subjects once, and returns what was found, in their order. The second time
// it asks in one trip what it asked in several the first time.
func (g *Together) Look(ctx context.Context, of []Subject) []Sight {
	out, err := on(ctx, g.s.livePage, "look at", "", func(ctx context.Context, t *tab) ([]Sight, error) {
		g.tab, g.name, g.told, g.began, g.moves = t, rand.Text(), map[string]json.RawMessage{}, g.s.pool.Now(), g.s.log.Moves()
		for range maxTogether {
			if err := g.send(); err != nil {
				return nil, err
			}
			g.used = nil
			out, open := g.lookAll(ctx, of)
			if g.asked = g.used; !open {
				return out, nil
			}
		}
		return nil, errNotTold
	})
	if err != nil {
		return make([]Sight, len(of))
	}
	return out
}

// lookAll makes each look as far as the answers allow. open says that there are questions.
func (g *Together) lookAll(ctx context.Context, of []Subject) (out []Sight, open bool) {
	out = make([]Sight, len(of))
	for i, subject := range of {
		sight, err := g.look(ctx, subject)
		if open = open || errors.Is(err, errNotTold); err == nil {
			out[i] = sight
		}
	}
	return out, open
}

func (g *Together) look(ctx context.Context, subject Subject) (Sight, error) {
	var of target
	if subject.Selector != "" {
		var err error
		if of, err = parseSelector(subject.Selector); err != nil || len(of.Frames) > 0 {
			return Sight{}, errAlone
		}
	}
	switch {
	case subject.Kind == OfPage:
		var answer struct{ Title string }
		err := g.own(engineAsk{Op: "title"}, &answer)
		return Sight{Known: true, Page: g.s.log.PageState(g.tab.page, answer.Title)}, err
	case subject.Absent && !g.wholePage():
		return Sight{}, errAlone
	case subject.Kind == OfText && subject.Absent:
		return g.noText(ctx, of, subject)
	case subject.Kind == OfText:
		return g.text(ctx, of, subject)
	case subject.Kind == OfBeyond:
		return g.beyond(of)
	case subject.Kind == OfAnyWord:
		return g.anyWord(ctx, of)
	case subject.Kind == OfOutline:
		return g.outline(of)
	case len(of.Parts) == 0:
		return Sight{}, errAlone
	case subject.Kind == OfTyped:
		var answer struct{ On, Stood bool }
		err := g.askingOf(of)(engineAsk{Op: "typed"}, &answer)
		return Sight{Known: true, Typed: answer.On, Stood: answer.Stood}, err
	case subject.Kind == OfOrder:
		return g.order(ctx, of, subject)
	case subject.Fact == FactCount || subject.Fact == FactTotal:
		return g.count(ctx, of, subject)
	case subject.Fact == FactText || subject.Fact == FactItems:
		return g.items(ctx, of, subject)
	case subject.Fact == FactInViewport:
		return g.inViewport(ctx, of)
	case subject.Fact == FactEmpty:
		return g.empty(ctx, of)
	}
	out := Sight{Known: true, Look: Look{Count: 1}}
	known, err := stateFact(g.askingOf(of), subject.Fact, subject.Attribute, &out.Look)
	if errors.Is(err, errNone) {
		return nothing(of), nil
	}
	if !known || err == nil && out.Look.Doubt != "" {
		err = errAlone
	}
	return out, err
}

// wholePage reports whether all of the page is its own document, and no other is on its way.
func (g *Together) wholePage() bool {
	return len(inner(g.tab.page)) == 0 && g.s.log.Moves() == g.moves && g.s.log.Loading(g.tab.page) == ""
}

// reading prepares the reading of the text of a target. None: the target matches nothing.
func (g *Together) reading(of target, wanted string, how TextMatch) (r *reading, none bool, err error) {
	find, err := finder(wanted, how)
	if err != nil {
		return nil, false, errAlone
	}
	r = &reading{looker: g.s, wanted: wanted, whole: how == WholeText, apart: how == WholeWords, find: find, states: map[seen.Span]elementState{}, later: -1}
	r.q = g.question(of, fmt.Sprintf("texts %t", r.apart))
	if len(of.Parts) > 0 {
		switch n, err := r.q.collect(); {
		case err != nil:
			return r, false, err
		case n == 0:
			return r, true, nil
		case n > 1:
			return r, false, errAlone
		}
	}
	foreign, err := r.load(false)
	if err != nil || foreign || r.gone {
		return r, false, cmp.Or(err, errAlone)
	}
	return r, false, nil
}

// text looks for a text as [Session.ReadAs] does.
func (g *Together) text(ctx context.Context, of target, subject Subject) (Sight, error) {
	r, none, err := g.reading(of, subject.Wanted, subject.How)
	if none {
		return nothing(of), nil
	}
	if err != nil {
		return Sight{}, err
	}
	out, err := r.compare(ctx)
	if err == nil && !out.Fits && out.Doubt == "" && out.Why == "" && r.drawn == "" && len(inner(g.tab.page)) == 0 {
		return Sight{Lacks: r.nowhere()}, nil
	}
	if err == nil && (!out.Fits || out.Doubt != "") {
		err = errAlone
	}
	return Sight{Known: true, Text: out}, err
}

// compare holds what is read against what is wanted.
func (r *reading) compare(ctx context.Context) (TextLook, error) {
	out := TextLook{Count: 1}
	var err error
	if r.whole {
		err = r.equals(ctx, &out)
	} else {
		err = r.contains(ctx, &out)
	}
	out.Ending = r.ending
	return out, err
}

// noText looks for a text that is not there: what is rendered and what is not are both read, since
// the page may bring in what is not.
func (g *Together) noText(ctx context.Context, of target, subject Subject) (Sight, error) {
	r, none, err := g.reading(of, subject.Wanted, subject.How)
	if none {
		return Sight{}, errAlone
	}
	hidden, failed := g.unrendered(of, subject)
	if either := cmp.Or(err, failed); either != nil {
		return Sight{}, either
	}
	out, err := r.compare(ctx)
	if err == nil && (out.Fits || out.Doubt != "" || out.Why != "" || r.drawn != "" || hidden) {
		err = errAlone
	}
	return Sight{Known: true, Text: out}, err
}

// unrendered reports whether a text is in what is there, rendered or not.
func (g *Together) unrendered(of target, subject Subject) (bool, error) {
	find, err := finder(subject.Wanted, subject.How)
	if err != nil {
		return false, errAlone
	}
	r := &reading{looker: g.s, q: g.question(of, "all texts"), find: find, later: -1}
	if len(of.Parts) > 0 {
		if _, err := r.q.collect(); err != nil {
			return false, err
		}
	}
	if _, err := r.load(true); err != nil {
		return false, err
	}
	return len(r.find(seen.Compose(r.pieces, func(int) bool { return true }))) > 0, nil
}

// LongestWords returns the longest words of a text, not more than five.
func LongestWords(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	words = slices.Compact(words)
	return words[:min(len(words), 5)]
}

// anyWord looks for a word of the text that is there, longest first. One that is seen is enough.
func (g *Together) anyWord(ctx context.Context, of target) (Sight, error) {
	r, none, err := g.reading(of, "", AnyPart)
	if none || err != nil {
		return Sight{}, cmp.Or(err, errAlone)
	}
	text := seen.Compose(r.pieces, r.rendered)
	for _, word := range LongestWords(text.String()) {
		var out TextLook
		if err := r.anyOf(ctx, text.Find(word, false), &out); err != nil || out.Fits {
			return Sight{Known: true, Text: out}, err
		}
	}
	return Sight{}, errAlone
}

// beyond looks as [Session.LookBeyond] does, where nothing of the page comes by scrolling.
func (g *Together) beyond(of target) (Sight, error) {
	b := beyond{looker: g.s, tab: g.tab, of: of, blind: map[string]int{}}
	if err := g.own(engineAsk{Op: "blind", CSS: b.css()}, &b.blind); err != nil {
		return Sight{}, err
	}
	if !g.wholePage() || b.blind["scrolls"] > 0 {
		return Sight{}, errAlone
	}
	return Sight{Known: true, Past: Beyond{Moves: Documents{known: true}, Blind: b.blindness(), Was: b.blind["was"] > 0}}, nil
}

// nothing is what was seen of a target that matches nothing. What bears its name the page may
// bring in.
func nothing(of target) Sight { return Sight{None: true, Lacks: of.words() == ""} }

// nowhere reports whether the text is in nothing that is rendered. What is not rendered is not
// known.
func (r *reading) nowhere() bool {
	return len(r.pieces) > 0 && len(r.find(seen.Compose(r.pieces, func(int) bool { return true }))) == 0
}

// count looks at elements as [Session.Look] does for their number.
func (g *Together) count(ctx context.Context, of target, subject Subject) (Sight, error) {
	total := subject.Fact == FactTotal
	q := g.question(of, fmt.Sprintf("elements %t", total))
	n, err := q.collect()
	switch {
	case err != nil:
		return Sight{}, err
	case n == 0 && subject.Absent:
		return g.none(of)
	case n == 0:
		return nothing(of), nil
	}
	here, err := g.s.lookHere(ctx, q, total)
	unseen := here.Seen == 0 && (!subject.Absent || len(here.later) > 0 || here.Ending)
	if err == nil && (here.Count < n || !here.top || unseen || here.Doubt != "" || total && len(here.later) > 0) {
		err = errAlone
	}
	return Sight{Known: true, Look: here.Look}, err
}

// items reads elements as [Session.Look] does.
func (g *Together) items(ctx context.Context, of target, subject Subject) (Sight, error) {
	r := g.s.itemsReading(g.question(of, "items "+subject.Attribute))
	n, err := r.q.collect()
	switch {
	case err != nil:
		return Sight{}, err
	case n == 0:
		return nothing(of), nil
	case n > 1 && subject.Fact == FactText:
		return Sight{}, errAlone
	}
	here, err := r.items(ctx, n, subject.Attribute)
	if err == nil && (!here.top || here.Seen == 0 || here.Doubt != "" || len(here.later) > 0) {
		err = errAlone
	}
	return Sight{Known: true, Look: here.shown()}, err
}

// one looks at the one element of a target that is seen.
func (g *Together) one(ctx context.Context, of target) (Sight, error) {
	sight, err := g.count(ctx, of, Subject{})
	if err == nil && !sight.None && sight.Look.Count != 1 {
		err = errAlone
	}
	return sight, err
}

// inViewport looks whether an element is seen where the window is scrolled to.
func (g *Together) inViewport(ctx context.Context, of target) (Sight, error) {
	var place struct{ Why string }
	err := g.askingOf(of)(engineAsk{Op: "inview"}, &place)
	sight, failed := g.one(ctx, of)
	switch {
	case failed != nil || sight.None:
		return sight, failed
	case err != nil:
		return sight, err
	}
	if sight.Look = sight.Look.asState(); place.Why != "" {
		err = errAlone
	}
	return sight, err
}

// empty looks whether nothing is seen in an element.
func (g *Together) empty(ctx context.Context, of target) (Sight, error) {
	answer, err := askProperty(g.askingOf(of), propertyName(FactEmpty), "")
	r, none, failed := g.reading(of, "", WholeText)
	switch {
	case none:
		return nothing(of), nil
	case failed != nil || err != nil:
		return Sight{}, cmp.Or(failed, err)
	}
	out := Sight{Known: true, Look: Look{Count: 1}}
	if out.Look.take(answer); !answer.Field && *answer.On {
		text, err := r.compare(ctx)
		if out.Look.unlessSays(text); err != nil || text.Why != "" {
			return Sight{}, cmp.Or(err, errAlone)
		}
	}
	if out.Look.Doubt != "" {
		err = errAlone
	}
	return out, err
}

// order looks which of two elements is read first.
func (g *Together) order(ctx context.Context, first target, subject Subject) (Sight, error) {
	second, err := parseSelector(subject.Other)
	if err != nil || len(second.Frames) > 0 {
		return Sight{}, errAlone
	}
	a, failed := g.one(ctx, first)
	b, err := g.one(ctx, second)
	var answer readsAnswer
	const use = "elements false" // as one asks
	untold := g.own(engineAsk{Op: "reads", Look: g.question(first, use).name, Beside: g.question(second, use).name}, &answer)
	switch {
	case failed != nil || err != nil:
		return Sight{}, cmp.Or(failed, err)
	case a.None || b.None:
		return Sight{None: true, Lacks: a.Lacks || b.Lacks}, nil
	case untold == nil && len(answer.Boxes) < 2:
		untold = errAlone
	}
	return Sight{Known: true, Order: answer.order()}, untold
}

// outline looks at the lines of an element, or of the page, in its own document.
func (g *Together) outline(of target) (Sight, error) {
	var answer outlineAnswer
	ask := g.own
	if len(of.Parts) > 0 {
		ask = g.askingOf(of)
	}
	err := ask(engineAsk{Op: "outline"}, &answer)
	if errors.Is(err, errNone) {
		return nothing(of), nil
	}
	out := composeOutline(answer.Lines, answer.More, answer.Capped, OutlineOptions{MaxChars: MaxOutlineChars})
	if err == nil && (out.Cut != "" || slices.ContainsFunc(answer.Lines, func(l outlineLine) bool { return l.Frame == 1 })) {
		err = errAlone
	}
	return Sight{Known: true, Lines: out}, err
}

// none is what was seen of a target that matches nothing, where the page brings nothing in that
// bears its name.
func (g *Together) none(of target) (Sight, error) {
	if of.words() == "" {
		return Sight{Known: true, None: true}, nil
	}
	var answer struct{ Later bool }
	err := g.own(engineAsk{Op: "later", Name: of.words()}, &answer)
	if err == nil && answer.Later {
		err = errAlone
	}
	return Sight{Known: true, None: true}, err
}

// question returns the question about a target; one use of it has one name.
func (g *Together) question(of target, use string) *question {
	key := use + " " + of.String()
	if g.named[key] == "" {
		g.named[key] = fmt.Sprintf("%d", len(g.named))
	}
	return &question{tab: g.tab, target: of, name: g.named[key], with: g}
}

// collect has the engine keep what the target of a question finds. As long as its number is
// not told it is one.
func (g *Together) collect(q *question) (int, error) {
	var answer struct{ N int }
	err := g.answer(&q.target, engineAsk{Op: "collect", Look: q.name}, &answer)
	if errors.Is(err, errNotTold) {
		return 1, nil
	}
	return answer.N, err
}

// askingOf returns how the one element of a target is asked.
func (g *Together) askingOf(of target) asking {
	return func(ask engineAsk, answer any) error {
		ask.CSS = of.lastCSS()
		var one struct {
			N      int
			Answer json.RawMessage
		}
		if err := g.answer(&of, ask, &one); err != nil {
			return err
		}
		if one.N == 0 {
			return errNone
		}
		if one.N > 1 {
			return errAlone
		}
		return json.Unmarshal(one.Answer, answer)
	}
}

// own asks the document.
func (g *Together) own(ask engineAsk, answer any) error { return g.answer(nil, ask, answer) }

func (g *Together) answer(of *target, ask engineAsk, answer any) error {
	one := togetherAsk{of: of, ask: ask, key: ask.query()}
	if of != nil {
		one.key = of.query() + " >> " + one.key
	}
	if !slices.ContainsFunc(g.used, func(a togetherAsk) bool { return a.key == one.key }) {
		g.used = append(g.used, one)
	}
	raw, ok := g.told[one.key]
	switch {
	case !ok:
		return errNotTold
	case raw == nil:
		return errAlone
	}
	return json.Unmarshal(raw, answer)
}

// send puts the questions that are not answered, in one trip. Playwright finds the elements of
// each selector, and hands them to the engine, which answers all in the end.
func (g *Together) send() error {
	var query string
	var beside, own []string
	window := max(g.Window, g.s.pool.Waits.Rest)
	all := engineAsk{Op: "together", Asks: []engineAsk{{Op: "still", Within: int(rest.ChangeTime.Milliseconds())}, {Op: "still", Within: int(window.Milliseconds())}}}
	if g.Window == 0 {
		all.Asks = all.Asks[:1]
	}
	stills := len(all.Asks)
	for _, a := range g.asked {
		if _, ok := g.told[a.key]; ok {
			continue
		}
		if a.ask.Look != "" {
			a.ask.Look = g.name + "/" + a.ask.Look
		}
		if a.ask.Beside != "" {
			a.ask.Beside = g.name + "/" + a.ask.Beside
		}
		if a.of == nil {
			own, all.Asks = append(own, a.key), append(all.Asks, a.ask)
			continue
		}
		name := fmt.Sprintf("%s/%d/%d", g.name, len(g.told), len(beside))
		beside, all.Names = append(beside, a.key), append(all.Names, name)
		query = either(query, a.of.query()+" >> "+engineAsk{Op: "beside", Name: name, Asks: []engineAsk{a.ask}}.query())
	}
	if len(beside)+len(own) == 0 {
		return nil
	}
	var answer struct {
		Beside []struct {
			N      int             `json:"n"`
			Answer json.RawMessage `json:"answer"`
		} `json:"beside"`
		Own []json.RawMessage `json:"own"`
	}
	if err := askEngine(g.tab.page.Locator(either(query, all.query())), rest.LookLimit, &answer); err != nil {
		return err
	}
	for i, a := range answer.Beside {
		g.tell(beside[i], a, a.Answer)
	}
	for i, a := range answer.Own[stills:] {
		g.tell(own[i], a, a)
	}
	still, known := stillness(answer.Own[0])
	g.ago, g.calm = milliseconds(still.Ago), 0
	if calm, ok := stillness(answer.Own[stills-1]); ok {
		g.calm = milliseconds(calm.Ago)
	}
	if known {
		g.s.noteTimers(g.tab, still.Set)
	}
	return nil
}

func stillness(answer json.RawMessage) (still stillAnswer, known bool) {
	return still, json.Unmarshal(answer, &still) == nil
}

// Rested reports whether the page is known to have stood still for so long that a watch of it
// would end at once: see [Session.Watch]. It is for looks with a Window.
func (g *Together) Rested() bool {
	now, least := g.s.pool.Now(), g.s.pool.Waits.Rest
	if _, waits := g.s.nextTimer(now); waits {
		return false
	}
	return g.tab != nil && g.Window > 0 && g.calm >= least && now.Sub(g.s.settledAt()) >= least && g.s.log.Quiet(g.tab.page, least) &&
		!g.tab.live() && g.wholePage()
}

// Stood reports whether the page is known to have stood still while it was last looked at,
// and for as long before as [Session.LetChange] waits, and to change in no such time by
// itself: a second look would see the same.
func (g *Together) Stood() bool {
	now := g.s.pool.Now()
	if _, waits := g.s.nextTimer(g.began); waits {
		return false
	}
	least := now.Sub(g.began) + 2*rest.ChangeTime
	return g.tab != nil && g.ago >= least && now.Sub(g.s.settledAt()) >= least && g.s.log.Quiet(g.tab.page, least)
}

// tell keeps an answer. A question that failed is put by its own look.
func (g *Together) tell(key string, whole any, answer json.RawMessage) {
	var failed struct{ Failed string }
	raw, err := json.Marshal(whole)
	if err != nil || answer != nil && json.Unmarshal(answer, &failed) == nil && failed.Failed != "" {
		raw = nil
	}
	g.told[key] = raw
}

// either returns a query that finds what one of two finds.
func either(query, other string) string {
	if query == "" {
		return other
	}
	return query + " >> internal:or=" + jsonString(other)
}
