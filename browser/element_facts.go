package browser

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/browser/seen"
	texts "github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa/element"
)

// Fact names what a look at an element should bring.
type Fact int

// The facts. All but the count and the items are about one element: a selector
// that matches several is SELECTOR_AMBIGUOUS for them.
const (
	FactCount Fact = iota // how many match, and how many of those a person sees
	FactValue
	FactAttribute
	FactChecked       // of a box, radio or switch: on; of a toggle button: pressed
	FactEnabled       // it can be used: not disabled, not inert, and a pointer meets it
	FactEditable      // it can be used and takes what is typed
	FactInViewport    // it is seen where the window is scrolled to now
	FactEmpty         // nothing that it holds is seen; a field has no value
	FactFocused       // it has the focus
	FactIndeterminate // of a box: neither on nor off
	FactExpanded      // what it opens is open
	FactPressed       // of a toggle button
	FactChosenValues  // values of the chosen options
	FactChosenLabels  // labels of the chosen options
	FactClasses       // of its class attribute
	FactStyle         // the computed style named by attribute
	FactRole
	FactName         // accessible name
	FactDescription  // accessible description
	FactErrorMessage // accessible error message
	FactText         // what is seen of it, as the only item
	FactItems        // what is seen of each element that matches
	FactTotal        // as FactCount, and whether they stand in a scroller with rows that are not rendered
)

// Look describes what one look at the elements of a selector found. The pointers are
// nil when there is no such element, or it has no such property.
type Look struct {
	Count     int
	Seen      int           // of these, how many a person sees
	Paintless int           // of these, how many paint nothing by their nature, such as a script
	Unseen    []string      // why the others are not seen, each reason once
	Doubt     string        // why it can't be decided whether some are seen; empty when it can
	Value     *string       // of a control, or the property that was asked for
	Values    []string      // the chosen options, or the classes
	Items     []Item        // of those that are seen, in order
	On        *bool         // a state
	Why       string        // why a state is off
	Moved     bool          // FactItems: the document has the items in another order than the screen
	Disabled  bool          // FactEnabled, FactEditable: it is disabled, inert or read-only, whatever lies over it
	Around    string        // FactTotal: the scroller around them that holds rows which are not rendered
	Stood     int           // of those that are there, how many were seen before the newest act, as far as is known; of a state: 1 where it was so before
	Same      int           // FactCount: of these, how many the same selector found then
	There     int           // FactCount: how many it found then, seen or not
	Left      bool          // elements went away since that act, or it is not known
	Reaches   bool          // FactTotal: more may come in a scroller around them when it is scrolled to its ends
	Ending    bool          // FactCount: an animation that is about to end is at work on some of them
	Writing   NumberWriting // FactText, FactItems: how the language that was asked for, or that of the items, writes numbers
}

// Item describes what is seen of one of several elements.
type Item struct {
	Text string
	Key  string // the form in which texts are ordered: without case and accents
}

// looker looks at elements and texts as a person would, without touching the page.
type looker struct{ *livePage }

// Look looks once, without waiting for anything to become true. attribute
// names the attribute for FactAttribute, and for FactText and FactItems the
// language of which Writing is: "" is the one that the document declares. An empty
// selector means the page's body.
func (s *looker) Look(ctx context.Context, selector string, fact Fact, attribute string) (Look, error) {
	if selector == "" {
		selector = "css=body"
	}
	target, err := parseSelector(selector)
	if err != nil {
		return Look{}, err
	}
	return on(ctx, s.livePage, "look at", explain.Quoting(selector), func(ctx context.Context, t *tab) (Look, error) {
		return s.look(ctx, t, target, fact, attribute)
	})
}

func (s *looker) look(ctx context.Context, t *tab, target target, fact Fact, attribute string) (Look, error) {
	if fact == FactCount || fact == FactTotal {
		return s.present(ctx, t, target, func() (Look, bool, error) {
			out, err := s.lookAtEach(ctx, t, target, fact == FactTotal)
			return out, out.Seen > 0, err
		})
	}
	if fact == FactItems {
		return s.present(ctx, t, target, func() (Look, bool, error) {
			out, err := s.items(ctx, t, target, attribute)
			return out, len(out.Items) > 0, err
		})
	}
	out, err := s.present(ctx, t, target, func() (Look, bool, error) {
		n, err := target.count(t.page)
		return Look{Count: n}, n > 0, err
	})
	if err != nil || out.Count == 0 {
		return out, err
	}
	what := "look at " + target.quoted()
	if out.Count > 1 {
		return out, explain.Prefixed(what, target.ambiguous(t.page, out.Count))
	}
	err = s.factOf(ctx, t, target, fact, attribute, &out)
	switch {
	case err == nil || explain.Explained(err):
	case isWrongKind(err):
		err = explain.NotLooked(what, why(err), err)
	case isAmbiguous(err):
		err = ambiguous(t, target, what)
	case errors.Is(err, playwright.ErrTimeout): // it went away between the looks
		return s.look(ctx, t, target, FactCount, "")
	}
	return out, err
}

// factOf reads one fact of the one element that is there.
func (s *looker) factOf(ctx context.Context, t *tab, target target, fact Fact, attribute string, out *Look) (err error) {
	what, l, limit := "look at "+target.quoted(), target.locator(t.page), left(ctx, rest.LookLimit)
	if known, err := stateFact(askingAt(target, l, *limit), fact, attribute, out); known {
		if fact == FactEnabled {
			return err
		}
		return explain.Prefixed(what, err)
	}
	switch fact {
	case FactInViewport:
		return s.viewFact(ctx, t, target, *limit, out)
	case FactText:
		text, err := s.items(ctx, t, target, attribute)
		if err == nil {
			*out = text
		}
		return err
	default:
		return s.emptyFact(ctx, t, target, *limit, out)
	}
}

// asking puts one question about an element.
type asking func(ask engineAsk, answer any) error

func askingAt(target target, l playwright.Locator, limit float64) asking {
	return func(ask engineAsk, answer any) error {
		ask.CSS = target.lastCSS()
		return askEngine(l.Locator(ask.query()), time.Duration(limit)*time.Millisecond, answer)
	}
}

// stateFact reads a fact that the element itself answers; known is false for others.
func stateFact(ask asking, fact Fact, attribute string, out *Look) (known bool, err error) {
	switch fact {
	case FactValue, FactChecked:
		return true, controlFact(ask, fact, out)
	case FactEnabled:
		return true, useFact(ask, out)
	case FactEditable:
		return true, editFact(ask, out)
	}
	if !isStateFact(fact) {
		return false, nil
	}
	return true, propertyFact(ask, fact, attribute, out)
}

func isStateFact(fact Fact) bool {
	return fact == FactValue || fact == FactChecked || fact == FactEnabled || fact != FactEmpty && propertyName(fact) != ""
}

// present looks, and takes nothing for absent while a page is being replaced by
// the next one: Playwright finds nothing in it. That nothing is there, or
// nothing is seen, is only true when no frame went anywhere during the look.
func (s *looker) present(ctx context.Context, t *tab, target target, look func() (Look, bool, error)) (Look, error) {
	for range titleTries {
		moves := s.log.Moves()
		out, found, err := look()
		if err != nil {
			return out, selectorError(target, err)
		}
		if found {
			return out, nil
		}
		there, found, err := s.lookLater(ctx, t, target, out, look) // a round trip: what moved is in the event log
		if err != nil || found {
			return there, err
		}
		if s.log.Moves() == moves && s.log.Loading(t.page) == "" {
			return out, nil
		}
		bound, cancel := context.WithTimeout(ctx, rest.LookLimit)
		err = nextTurn(bound, t)
		cancel()
		if err != nil && ctx.Err() != nil {
			return out, err
		}
	}
	return Look{}, explain.Restless(target.String())
}

// lookLater looks where the page may bring in what bears the name of a target that finds
// nothing. Of any other it only makes a round trip through the page.
func (s *looker) lookLater(ctx context.Context, t *tab, of target, out Look, look func() (Look, bool, error)) (Look, bool, error) {
	var answer struct {
		Later bool `json:"later"`
	}
	q := newQuestion(t, target{})
	asks := out.Count == 0 && len(of.Frames) == 0 && of.words() != ""
	if !asks || q.ask(engineAsk{Op: "later", Name: of.words()}, &answer) != nil {
		_, err := titleOf(ctx, t)
		return out, false, err
	}
	if !answer.Later {
		return out, false, nil
	}
	found := false
	err := q.inPlace(ctx, engineAsk{Name: of.words()}, func() (err error) {
		out, found, err = look()
		return err
	})
	return out, found, err
}

// elementState says whether one element, or one stretch of text, is seen.
type elementState struct {
	State string `json:"state"` // seen, unseen, doubt or paintless
	Why   string `json:"why"`
	Later bool   `json:"later"` // unseen, and may be brought in where the page is scrolled to
}

// lookAtAll reports for every element that matches whether a person sees it.
func (s *looker) lookAtAll(ctx context.Context, t *tab, target target) (Look, error) {
	return s.lookAtEach(ctx, t, target, false)
}

// lookAtEach looks as lookAtAll does, and again where the page has put others in their
// place meanwhile: that says nothing of what is seen. total: it asks for rows that are not
// rendered.
func (s *looker) lookAtEach(ctx context.Context, t *tab, target target, total bool) (out Look, err error) {
	for range goneTries {
		q := newQuestion(t, target)
		n, err := q.collect()
		if err != nil || n == 0 {
			return Look{}, err
		}
		var top bool
		out, top, err = s.lookAtCollected(ctx, q, total)
		if err != nil {
			return out, err
		}
		if out.Count < n {
			out.Count, out.Doubt = n, replacedDoubt
			continue
		}
		if out.Seen > 0 && !top {
			return s.throughFrames(ctx, t, target, out)
		}
		if out.Seen > 0 || out.Doubt != replacedDoubt {
			return out, nil
		}
	}
	return out, nil
}

// maxComing bounds to how many places a page is scrolled for what it may bring in there.
const (
	maxComing  = 12
	moreComing = "some may be brought in where the page is scrolled to, and only %d of these places were looked at"
)

// lookAtCollected reports it for the elements that a question has collected. top: all
// documents around theirs could be looked at. What a page may bring in where it is scrolled
// to is looked at there: with total each of them, else until one is seen.
func (s *looker) lookAtCollected(ctx context.Context, q *question, total bool) (out Look, top bool, err error) {
	here, err := s.lookHere(ctx, q, total)
	if err != nil || here.Seen > 0 && !total || here.Ending && total { // to go elsewhere sets off what comes and goes here
		return here.Look, here.top, err
	}
	places := 0
	for _, i := range here.later {
		if here.seen[i] || here.Seen > 0 && !total {
			continue
		}
		if places++; places > maxComing {
			here.Doubt = fmt.Sprintf(moreComing, maxComing)
			break
		}
		err = q.inPlace(ctx, engineAsk{Piece: -1 - i}, func() error {
			there, err := s.lookHere(ctx, q, total)
			for n := range there.seen {
				here.see(n)
			}
			return err
		})
		if err != nil {
			return here.Look, here.top, err
		}
	}
	return here.Look, here.top, nil
}

// elementsLook holds what one look at collected elements found.
type elementsLook struct {
	Look
	top   bool
	seen  map[int]bool // by number
	later []int        // unseen, and may be brought in where the page is scrolled to
}

// see adds one that is seen.
func (l *elementsLook) see(n int) {
	if !l.seen[n] {
		l.seen[n] = true
		l.Seen++
	}
	if l.Seen+l.Paintless == l.Count {
		l.Unseen = nil
	}
}

// lookHere reports it where the page stands.
func (s *looker) lookHere(ctx context.Context, q *question, total bool) (out elementsLook, err error) {
	var answer struct {
		Top    bool `json:"top"`
		Count  int  `json:"count"`
		States []struct {
			elementState
			Spans [][3]int `json:"spans"` // stretches of its name that pictures must decide
		} `json:"states"`
		Ending  bool   `json:"ending"`
		Around  string `json:"around"`
		Stood   int    `json:"stood"`
		Same    int    `json:"same"`
		There   int    `json:"there"`
		Left    bool   `json:"left"`
		Reaches bool   `json:"reaches"`
	}
	if err := q.ask(engineAsk{Op: "elements", All: total, Name: q.target.words(), CSS: q.target.lastCSS()}, &answer); err != nil {
		return elementsLook{}, err
	}
	out = elementsLook{Look: Look{Count: answer.Count, Ending: answer.Ending, Around: answer.Around, Reaches: answer.Reaches,
		Stood: answer.Stood, Same: answer.Same, There: answer.There, Left: answer.Left}, top: answer.Top, seen: map[int]bool{}}
	var doubtful []int
	for i, e := range answer.States {
		if q.with != nil && (len(e.Spans) > 0 || e.State == "doubt") {
			return out, errAlone
		}
		if len(e.Spans) > 0 {
			later := e.Later
			e.elementState = s.nameInDoubt(ctx, q, e.Spans, e.Why)
			e.Later = later
		}
		switch e.State {
		case "doubt":
			if len(e.Spans) > 0 {
				out.Doubt = e.Why
			} else {
				doubtful = append(doubtful, i)
			}
		case "paintless":
			out.Paintless++
			out.unseen(e.Why)
		case "seen":
			out.see(i)
		default:
			out.unseen(e.Why)
			if e.Later {
				out.later = append(out.later, i)
			}
		}
	}
	if len(doubtful) > 0 {
		found := s.blink(ctx, q, nil, doubtful)
		for n, i := range doubtful {
			switch found[n].State {
			case "seen":
				out.see(i)
			case "unseen":
				out.unseen(answer.States[i].Why)
				if answer.States[i].Later {
					out.later = append(out.later, i)
				}
			default:
				out.Doubt = found[n].Why
			}
		}
	}
	return out, nil
}

// nameInDoubt lets pictures decide whether the words are seen by which an element was asked
// for.
func (s *looker) nameInDoubt(ctx context.Context, q *question, name [][3]int, why string) elementState {
	spans := make([]seen.Span, len(name))
	for i, n := range name {
		spans[i] = seen.Span{Piece: n[0], From: n[1], To: n[2]}
	}
	worst := worstOf(s.blink(ctx, q, spans, nil))
	if worst.State == "unseen" {
		worst.Why = why
	}
	return worst
}

// words returns the words by which a target asks for its elements: the name of a line, a
// text, or a label.
func (t target) words() string {
	if len(t.Parts) == 0 {
		return ""
	}
	switch last := t.Parts[len(t.Parts)-1]; {
	case last.Line != nil:
		return last.Line.Name
	case last.Engine == "text", last.Engine == "label":
		return strings.Trim(last.Body, `"' `)
	default:
		return ""
	}
}

// lastCSS returns the CSS by which a target asks for its elements within what it enters first;
// empty where it asks by something else.
func (t target) lastCSS() string {
	if n := len(t.Parts); n > 0 && t.Parts[n-1].Line == nil {
		switch last := t.Parts[n-1]; last.Engine {
		case "css":
			return last.Body
		case "testid":
			return "[data-testid=" + cssString(last.Body) + "]"
		}
	}
	return ""
}

func (l *Look) unseen(why string) {
	if !slices.Contains(l.Unseen, why) && len(l.Unseen) < 5 {
		l.Unseen = append(l.Unseen, why)
	}
}

// controlFact reads the state or the value of a control. It never reads a
// password or a secret.
func controlFact(ask asking, fact Fact, out *Look) error {
	var answer struct {
		Secret bool    `json:"secret"`
		On     *bool   `json:"on"`
		Value  *string `json:"value"`
		Stood  bool    `json:"stood"`
	}
	if err := ask(engineAsk{Op: "control"}, &answer); err != nil {
		return err
	}
	switch {
	case fact == FactChecked && answer.On == nil:
		return explain.Unfit(explain.Lacks("checked"))
	case fact == FactChecked:
		out.On, out.Stood = answer.On, oneIf(answer.Stood)
	case answer.Secret:
		return explain.SecretValue()
	case answer.Value == nil:
		return explain.Unfit(explain.Lacks("value"))
	default:
		out.Value = answer.Value
	}
	return nil
}

func oneIf(is bool) int {
	if is {
		return 1
	}
	return 0
}

// useFact finds out whether a control can be used.
func useFact(ask asking, out *Look) error {
	var answer struct {
		Disabled bool   `json:"disabled"`
		Why      string `json:"why"`
		Stood    bool   `json:"stood"`
	}
	if err := ask(engineAsk{Op: "use"}, &answer); err != nil {
		return err
	}
	usable := answer.Why == ""
	out.On, out.Why, out.Disabled, out.Stood = &usable, answer.Why, answer.Disabled, oneIf(answer.Stood)
	return nil
}

// propertyName returns what the engine calls the property that a fact is read from;
// see outline/element_property.js.
func propertyName(fact Fact) string {
	return map[Fact]string{
		FactAttribute: "attribute", FactFocused: "focused", FactIndeterminate: "indeterminate", FactExpanded: "expanded", FactPressed: "pressed",
		FactChosenValues: "values", FactChosenLabels: "labels", FactClasses: "classes", FactStyle: "style",
		FactRole: "role", FactName: "name", FactDescription: "description", FactErrorMessage: "error",
		FactEditable: "readonly", FactEmpty: "blank",
	}[fact]
}

// propertyAnswer holds one property of an element.
type propertyAnswer struct {
	Secret bool     `json:"secret"`
	Field  bool     `json:"field"` // of blank: a field, whose value decides
	On     *bool    `json:"on"`
	Why    string   `json:"why"`
	Doubt  string   `json:"doubt"`
	Value  *string  `json:"value"`
	Values []string `json:"values"`
	Stood  bool     `json:"stood"`
}

func askProperty(ask asking, name, find string) (propertyAnswer, error) {
	var answer propertyAnswer
	err := ask(engineAsk{Op: "property", Name: name, Find: find}, &answer)
	return answer, err
}

// propertyFact reads a property that the engine has a name for.
func propertyFact(ask asking, fact Fact, attribute string, out *Look) error {
	answer, err := askProperty(ask, propertyName(fact), attribute)
	switch {
	case err != nil:
		return err
	case answer.Secret && (fact == FactChosenValues || fact == FactChosenLabels):
		return explain.SecretValue()
	case answer.On == nil && answer.Value == nil && answer.Values == nil && fact != FactStyle && fact != FactAttribute:
		return explain.Unfit(explain.Lacks(propertyName(fact)))
	}
	out.On, out.Value, out.Values, out.Doubt, out.Stood = answer.On, answer.Value, answer.Values, answer.Doubt, oneIf(answer.Stood)
	if answer.On != nil && !*answer.On {
		out.Why = answer.Why
	}
	return nil
}

// editFact finds out whether a control can be used, and takes what is typed.
func editFact(ask asking, out *Look) error {
	answer, err := askProperty(ask, propertyName(FactEditable), "")
	if err != nil {
		return err
	}
	if answer.On == nil {
		return explain.Unfit(explain.Lacks(propertyName(FactEditable)))
	}
	if err := useFact(ask, out); err != nil {
		return err
	}
	if *answer.On && *out.On {
		out.On, out.Why = playwright.Bool(false), "read-only"
	}
	out.Disabled = out.Disabled || *answer.On
	return nil
}

// viewFact finds out whether an element is seen without any scrolling.
func (s *looker) viewFact(ctx context.Context, t *tab, target target, limit float64, out *Look) error {
	var place struct {
		Why string `json:"why"`
	}
	err := askEngine(target.locator(t.page).Locator(engineAsk{Op: "inview"}.query()), time.Duration(limit)*time.Millisecond, &place)
	if err != nil {
		return err
	}
	if place.Why != "" {
		out.On, out.Why = playwright.Bool(false), place.Why
		return nil
	}
	look, err := s.lookAtAll(ctx, t, target)
	if *out = (Look{Count: look.Count}); err == nil && look.Count > 0 {
		*out = look.asState()
	}
	return err
}

// asState returns a look at how many are seen as one at whether the one is.
func (l Look) asState() Look {
	return Look{Count: l.Count, Doubt: l.Doubt, Ending: l.Ending, On: playwright.Bool(l.Seen > 0), Why: strings.Join(l.Unseen, ", ")}
}

// emptyFact finds out whether nothing is seen in an element: no text, no picture
// and no control. Of a field its value decides.
func (s *looker) emptyFact(ctx context.Context, t *tab, target target, limit float64, out *Look) error {
	answer, err := askProperty(askingAt(target, target.locator(t.page), limit), propertyName(FactEmpty), "")
	if err != nil {
		return err
	}
	if out.take(answer); answer.Field || !*answer.On {
		return nil
	}
	find, err := finder("", WholeText)
	if err != nil {
		return err
	}
	text, err := s.read(ctx, t, target, "", WholeText, find)
	if err != nil || text.Count == 0 {
		*out = Look{Count: text.Count}
		return err
	}
	out.unlessSays(text)
	return nil
}

func (l *Look) take(a propertyAnswer) { l.On, l.Why, l.Doubt = a.On, a.Why, a.Doubt }

// unlessSays adds to a look at what is in an element what it says.
func (l *Look) unlessSays(text TextLook) {
	if l.Ending = text.Ending; l.Doubt == "" {
		l.Doubt = text.Doubt
	}
	if !text.Fits {
		l.On, l.Why = playwright.Bool(false), text.Why
		if text.Text != nil && *text.Text != "" {
			l.Why = "it shows " + texts.Cut(*text.Text, maxNote)
		}
	}
}

// maxItems bounds how many elements are read one by one.
const maxItems = 500

// items reads what is seen of each element that matches. One of which nothing is
// seen is none.
func (s *looker) items(ctx context.Context, t *tab, target target, lang string) (Look, error) {
	var here itemsLook
	var err error
	for range goneTries {
		here, err = s.itemsOnce(ctx, t, target, lang)
		if err == nil && here.Doubt == "" && !here.Ending && len(here.later) > 0 {
			err = s.itemsInPlace(ctx, t, target, lang, &here)
		}
		if err != nil || here.Doubt != replacedDoubt {
			break
		}
	}
	return here.shown(), err
}

// shown returns the look without the items of which nothing is seen.
func (l itemsLook) shown() Look {
	l.Items = slices.DeleteFunc(l.Items, func(item Item) bool { return item.Text == "" })
	return l.Look
}

// itemsLook holds what one look at the texts of elements found: those of which nothing is
// seen have an empty one.
type itemsLook struct {
	Look
	top     bool  // all documents around theirs could be looked at
	numbers []int // of the element of each item, in the document's order
	later   []int // of elements of which nothing is seen, and which may be brought in where the page is scrolled to
}

// itemsInPlace reads items of which nothing is seen where the page may bring them in. Where
// they stand on the screen is then known of some alone, so they are in the document's order.
func (s *looker) itemsInPlace(ctx context.Context, t *tab, target target, lang string, here *itemsLook) error {
	found := make([]Item, here.Count)
	take := func(look itemsLook) {
		for i, n := range look.numbers {
			if n < len(found) && found[n].Text == "" {
				found[n] = look.Items[i]
			}
		}
	}
	take(*here)
	places := 0
	for _, n := range slices.Sorted(slices.Values(here.later)) {
		if found[n].Text != "" {
			continue
		}
		if places++; places > maxComing {
			here.Doubt = fmt.Sprintf(moreComing, maxComing)
			break
		}
		q := newQuestion(t, target) // the engine keeps a few alone
		if count, err := q.collect(); err != nil || count != here.Count {
			return err
		}
		err := q.inPlace(ctx, engineAsk{Piece: -1 - n}, func() error {
			there, err := s.itemsOnce(ctx, t, target, lang)
			if err == nil && there.Doubt != replacedDoubt {
				take(there)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	seen := slices.DeleteFunc(slices.Clone(found), func(item Item) bool { return item.Text == "" })
	if len(seen) > here.Seen {
		here.Items, here.Seen, here.Moved = seen, len(seen), false
	}
	return nil
}

// itemsOnce reads them where the page stands.
func (s *looker) itemsOnce(ctx context.Context, t *tab, target target, lang string) (itemsLook, error) {
	r := s.itemsReading(newQuestion(t, target))
	n, err := r.q.collect()
	if err != nil || n == 0 {
		return itemsLook{}, err
	}
	out, err := r.items(ctx, n, lang)
	if err == nil && out.Seen > 0 && !out.top {
		around, err := s.throughFrames(ctx, t, target, Look{Count: out.Count, Seen: out.Seen})
		if err != nil || around.Seen == 0 {
			return itemsLook{Look: around}, err
		}
	}
	return out, err
}

func (s *looker) itemsReading(q *question) *reading {
	return &reading{looker: s, q: q, whole: true, states: map[seen.Span]elementState{}}
}

// items reads what is seen of each of the n elements that its question has collected.
func (r *reading) items(ctx context.Context, n int, lang string) (itemsLook, error) {
	var answer struct {
		Gone    bool          `json:"gone"` // the page has replaced elements since they were found
		Top     bool          `json:"top"`
		Moved   bool          `json:"moved"`
		Writing writingAnswer `json:"writing"`
		Items   []struct {
			First  int         `json:"first"`
			N      int         `json:"n"`
			Later  bool        `json:"l"`
			Pieces []pieceJSON `json:"pieces"`
		} `json:"items"`
	}
	if err := r.q.ask(engineAsk{Op: "itemTexts", Lang: lang}, &answer); err != nil {
		return itemsLook{}, err
	}
	out := itemsLook{Look: Look{Count: len(answer.Items), Writing: answer.Writing.writing(), Moved: answer.Moved}, top: answer.Top}
	if answer.Gone {
		return itemsLook{Look: Look{Count: n, Doubt: replacedDoubt}}, nil
	}
	if out.Count > maxItems {
		out.Doubt = plural(out.Count, "element") + ": more than are read one by one"
		return out, nil
	}
	var place []seen.Span
	for _, item := range answer.Items {
		for i, p := range item.Pieces {
			r.pieces = append(r.pieces, p.piece())
			if p.Why == "" && strings.TrimSpace(seen.Normal(p.Text)) != "" {
				place = append(place, seen.Span{Piece: item.First + i, From: 0, To: 1 << 30})
			}
		}
	}
	if _, err := r.judge(place); err != nil {
		return out, err
	}
	shown, open := map[int]bool{}, map[int]bool{}
	out.Ending = r.ending
	for i, state := range r.settle(ctx, place) {
		shown[place[i].Piece] = state.State == "seen"
		if state.State == "doubt" {
			out.Doubt, open[place[i].Piece] = state.Why, true
		} else if state.Why == textGone {
			out.Doubt = replacedDoubt
		}
	}
	for i, item := range answer.Items {
		end := len(r.pieces)
		if i+1 < len(answer.Items) {
			end = answer.Items[i+1].First
		}
		text := seen.Compose(r.pieces, func(p int) bool { return p >= item.First && p < end && shown[p] }).Words()
		for p := item.First; p < end; p++ {
			if open[p] {
				text = "" // what is seen of it may not be all
			}
		}
		out.Items = append(out.Items, Item{Text: text, Key: seen.Key(text)})
		if text != "" {
			out.Seen++
		} else if item.Later {
			out.later = append(out.later, item.N)
		}
		out.numbers = append(out.numbers, item.N)
	}
	return out, nil
}

// OrderLook describes what one look at the order of two elements found.
type OrderLook struct {
	Before *bool  // a person reads the first one before the other; nil when that can't be decided
	Why    string // where they stand, or why that can't be decided
	Doubt  string // why it can't be decided whether they are seen
}

// LookOrder looks once whether a person reads the element of selector before
// that of other: it stands above it, or beside it, on the side where lines begin.
// Each must be one element.
func (s *looker) LookOrder(ctx context.Context, selector, other string) (OrderLook, error) {
	first, err := parseSelector(selector)
	if err != nil {
		return OrderLook{}, err
	}
	second, err := parseSelector(other)
	if err != nil {
		return OrderLook{}, err
	}
	return on(ctx, s.livePage, "look at", explain.Quoting(selector), func(ctx context.Context, t *tab) (OrderLook, error) {
		var boxes [2]*playwright.Rect
		for i, of := range []target{first, second} {
			look, err := s.look(ctx, t, of, FactCount, "")
			switch {
			case err != nil:
				return OrderLook{}, err
			case look.Count > 1:
				return OrderLook{}, explain.Prefixed("look at "+of.quoted(), of.ambiguous(t.page, look.Count))
			case look.Count == 0:
				return OrderLook{Why: "no element matches " + of.String()}, nil
			case look.Doubt != "":
				return OrderLook{Doubt: look.Doubt}, nil
			case look.Seen == 0:
				return OrderLook{Why: of.String() + " is not seen: " + strings.Join(look.Unseen, ", ")}, nil
			}
			if boxes[i], err = of.locator(t.page).BoundingBox(playwright.LocatorBoundingBoxOptions{Timeout: left(ctx, rest.LookLimit)}); err != nil {
				return OrderLook{}, err
			}
			if boxes[i] == nil {
				return OrderLook{Why: of.String() + " has no place"}, nil
			}
		}
		var answer readsAnswer
		limit := time.Duration(*left(ctx, rest.LookLimit)) * time.Millisecond
		ask := engineAsk{Op: "reads", Boxes: [][4]float64{corners(boxes[0]), corners(boxes[1])}}
		err := askEngine(first.locator(t.page).Locator(ask.query()), limit, &answer)
		return answer.order(), err
	})
}

// corners returns a box as the engine reads it.
func corners(r *playwright.Rect) [4]float64 { return [4]float64{r.X, r.Y, r.Width, r.Height} }

// readsAnswer holds where two elements stand: left, top, width and height.
type readsAnswer struct {
	Before bool         `json:"before"`
	Boxes  [][4]float64 `json:"boxes"` // none where one of them has no place
}

func (a readsAnswer) order() OrderLook {
	if len(a.Boxes) < 2 {
		return OrderLook{}
	}
	one, other := a.Boxes[0], a.Boxes[1]
	at := fmt.Sprintf("at %.0f, %.0f; the other at %.0f, %.0f", one[0], one[1], other[0], other[1])
	if encloses(one, other) || encloses(other, one) {
		return OrderLook{Why: "one lies within the other: " + at}
	}
	return OrderLook{Before: &a.Before, Why: at}
}

// encloses reports whether the outer box has all of the inner one in it.
func encloses(outer, inner [4]float64) bool {
	return inner[0] >= outer[0] && inner[1] >= outer[1] && inner[0]+inner[2] <= outer[0]+outer[2] && inner[1]+inner[3] <= outer[1]+outer[3]
}

// Element describes what an element is and holds.
type Element struct {
	Selector   string             `json:"selector" jsonschema:"finds this element alone"`
	InnerText  string             `json:"innerText"`
	Attributes map[string]*string `json:"attributes" jsonschema:"null when absent"`
	Box        *element.Box       `json:"boundingBox" jsonschema:"null when not rendered"` // in the viewport
	Role       string             `json:"role" jsonschema:"ARIA role"`
	Name       string             `json:"name" jsonschema:"accessible name"`
}

// Bounds on a look at elements.
const (
	maxElements   = 200
	maxAttributes = 20
)

// Elements describes the one element that selector names, or all that it
// matches: the first 200, or fewer on a page that is slow to tell. total is how
// many there are.
func (s *pageReader) Elements(ctx context.Context, selector string, all bool, attributes []string) (found []Element, total int, err error) {
	target, err := parseSelector(selector)
	if err != nil {
		return nil, 0, err
	}
	if err := checkAttributes(attributes); err != nil {
		return nil, 0, err
	}
	found, err = on(ctx, s.livePage, "dom_snapshot", explain.Quoting(selector), func(ctx context.Context, t *tab) ([]Element, error) {
		n, err := within(ctx, t, rest.SettleLimit, func() (int, error) { return target.count(t.page) })
		total = n
		switch {
		case err != nil:
			return nil, err
		case all:
		case n == 0:
			return nil, explain.Prefixed("dom_snapshot", target.notFound(t.page))
		case n > 1:
			return nil, explain.Prefixed("dom_snapshot", target.ambiguous(t.page, n))
		}
		return within(ctx, t, rest.ElementsLimit+rest.SettleLimit, func() ([]Element, error) { return s.elements(t, target, n, attributes) })
	})
	return found, total, err
}

// elements asks for one element after the other. Those that go away meanwhile
// are left out.
func (s *pageReader) elements(t *tab, target target, n int, attributes []string) ([]Element, error) {
	out, over := []Element{}, s.pool.Now().Add(rest.ElementsLimit)
	l, look := target.locator(t.page), rand.Text()
	for i := range min(n, maxElements) {
		if s.pool.Now().After(over) {
			break
		}
		var answer struct {
			Line, Text, Role, Name string
			Attributes             map[string]*string
			Box                    *element.Box
		}
		at := l.Nth(i)
		err := askEngine(at.Locator(engineAsk{Op: "dom", Names: attributes, Look: look}.query()), rest.LookLimit, &answer)
		switch {
		case errors.Is(err, playwright.ErrTimeout) && n > 1:
			continue
		case err != nil:
			return nil, err
		}
		e := Element{Selector: target.Prefix() + answer.Line, InnerText: answer.Text, Attributes: answer.Attributes, Box: answer.Box, Role: answer.Role, Name: answer.Name}
		if e.Box != nil && len(target.Frames) > 0 { // a frame counts from its own corner
			if box, err := at.BoundingBox(playwright.LocatorBoundingBoxOptions{Timeout: playwright.Float(float64(rest.FramePlaceLimit.Milliseconds()))}); err == nil && box != nil {
				e.Box = &element.Box{X: box.X, Y: box.Y, Width: box.Width, Height: box.Height}
			}
		}
		out = append(out, e)
	}
	return out, nil
}

func checkAttributes(names []string) error {
	if len(names) > maxAttributes {
		return explain.Invalid("ask for the rest in another call", "attributes has %d names, the limit is %d", len(names), maxAttributes)
	}
	for _, name := range names {
		if name == "" || len(name) > maxNote || strings.ContainsAny(name, " \t\n\r\"'<>/=\x00") {
			return explain.Invalid("use names such as href or data-id", "attribute %q is no name", texts.Cut(name, maxNote))
		}
	}
	return nil
}

// Nearest lists the lines of the page that come nearest to a selector which
// matches nothing.
func (s *pageReader) Nearest(ctx context.Context, selector string) ([]string, error) {
	target, err := parseSelector(selector)
	if err != nil {
		return nil, err
	}
	return on(ctx, s.livePage, "look near", explain.Quoting(selector), func(_ context.Context, t *tab) ([]string, error) {
		lines, _, err := nearestLines(t.page, target, maxNearest)
		if err != nil {
			return nil, fmt.Errorf("look for like elements: %w", err)
		}
		return lines, nil
	})
}
