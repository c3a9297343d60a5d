package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"
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
)

// Look describes what one look at the elements of a selector found. The pointers are
// nil when there is no such element, or it has no such property.
type Look struct {
	Count     int
	Seen      int      // of these, how many a person sees
	Paintless int      // of these, how many paint nothing by their nature, such as a script
	Unseen    []string // why the others are not seen, each reason once
	Doubt     string   // why it can't be told whether some are seen; empty when it can
	Value     *string  // of a control, or the property that was asked for
	Values    []string // the chosen options, or the classes
	Items     []Item   // of those that are seen, in order
	Lang      string   // language of the items, as the document declares it
	On        *bool    // a state
	Why       string   // why a state is off
	Disabled  bool     // FactEnabled, FactEditable: it is disabled, inert or read-only, whatever lies over it
	Ending    bool     // FactCount: an animation that is about to end is at work on some of them
}

// Item describes what is seen of one of several elements.
type Item struct {
	Text string
	Key  string // the form in which texts are ordered: without case and accents
}

// looker looks at elements and texts as a person would, without touching the page.
type looker struct{ *livePage }

// lookLimit bounds one look; the caller looks again until it is content.
const lookLimit = 2 * time.Second

// Look looks once, without waiting for anything to become true. attribute
// names the attribute for FactAttribute. An empty selector means the page's
// body.
func (s *looker) Look(ctx context.Context, selector string, fact Fact, attribute string) (Look, error) {
	if selector == "" {
		selector = "css=body"
	}
	target, err := parseSelector(selector)
	if err != nil {
		return Look{}, err
	}
	return on(ctx, s.livePage, "look at", selector, func(ctx context.Context, t *tab) (Look, error) {
		return s.look(ctx, t, target, fact, attribute)
	})
}

func (s *looker) look(ctx context.Context, t *tab, target target, fact Fact, attribute string) (Look, error) {
	if fact == FactCount {
		return s.present(ctx, t, target, func() (Look, bool, error) {
			out, err := s.lookAtAll(ctx, t, target)
			return out, out.Seen > 0, err
		})
	}
	if fact == FactItems {
		return s.present(ctx, t, target, func() (Look, bool, error) {
			out, err := s.items(ctx, t, target)
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
	what := "look at " + target.String()
	if out.Count > 1 {
		return out, prefixed(what, target.ambiguous(t.page, out.Count))
	}
	err = s.factOf(ctx, t, target, fact, attribute, &out)
	switch {
	case err == nil || asked(err):
	case isWrongKind(err):
		err = &Error{Code: NotActionable, Message: what + ": " + firstLine(plain(err)), Cause: err,
			Hint: "use an assertion that fits this kind of element"}
	case strings.Contains(rawText(err), "strict mode violation"):
		err = ambiguous(t, target, what)
	case errors.Is(err, playwright.ErrTimeout): // it went away between the looks
		return s.look(ctx, t, target, FactCount, "")
	}
	return out, err
}

// factOf reads one fact of the one element that is there.
func (s *looker) factOf(ctx context.Context, t *tab, target target, fact Fact, attribute string, out *Look) (err error) {
	what, l, limit := "look at "+target.String(), target.locator(t.page), left(ctx, lookLimit)
	switch fact {
	case FactValue, FactChecked:
		return prefixed(what, controlFact(l, fact, *limit, out))
	case FactAttribute:
		out.Value, err = attributeOf(t, l, attribute, limit)
		return err
	case FactEnabled:
		return useFact(l, *limit, out)
	case FactEditable:
		return prefixed(what, editFact(l, *limit, out))
	case FactInViewport:
		return s.viewFact(ctx, t, target, *limit, out)
	case FactText:
		text, err := s.items(ctx, t, target)
		if err == nil {
			*out = text
		}
		return err
	case FactEmpty:
		return s.emptyFact(ctx, t, target, *limit, out)
	default:
		return prefixed(what, propertyFact(l, fact, attribute, *limit, out))
	}
}

// present looks, and takes nothing for absent while a page is being replaced by
// the next one: Playwright finds nothing in it. That nothing is there, or
// nothing is seen, is only true when no frame went anywhere during the look.
func (s *looker) present(ctx context.Context, t *tab, target target, look func() (Look, bool, error)) (Look, error) {
	for range titleTries {
		moves := s.moveCount()
		out, found, err := look()
		if err != nil {
			return out, selectorError(target, err)
		}
		if found {
			return out, nil
		}
		if _, err := titleOf(ctx, t); err != nil { // a round trip: what moved is in the event log
			return out, err
		}
		if s.moveCount() == moves && s.loading(t) == "" {
			return out, nil
		}
		bound, cancel := context.WithTimeout(ctx, lookLimit)
		err = nextTurn(bound, t, true)
		cancel()
		if err != nil && ctx.Err() != nil {
			return out, err
		}
	}
	return Look{}, &Error{Code: NavigationFailed, Retriable: true, Message: "look at " + target.String() + ": the page keeps going to other addresses",
		Hint: "wait for an element of the page you want with page_wait_for_selector"}
}

// elementState is whether one element, or one stretch of text, is seen.
type elementState struct {
	State string `json:"state"` // seen, unseen, doubt or paintless
	Why   string `json:"why"`
}

// lookAtAll tells of every element that matches whether a person sees it.
func (s *looker) lookAtAll(ctx context.Context, t *tab, target target) (Look, error) {
	q := newQuestion(t, target)
	if n, err := q.collect(); err != nil || n == 0 {
		return Look{}, err
	}
	out, top, err := s.lookAtCollected(ctx, q)
	if err == nil && out.Seen > 0 && !top {
		return s.throughFrames(ctx, t, target, out)
	}
	return out, err
}

// lookAtCollected tells it of the elements that a question has collected. top: all
// documents around theirs could be looked at.
func (s *looker) lookAtCollected(ctx context.Context, q *question) (out Look, top bool, err error) {
	var answer struct {
		Top    bool           `json:"top"`
		Count  int            `json:"count"`
		States []elementState `json:"states"`
		Ending bool           `json:"ending"`
	}
	if err := q.ask(engineAsk{Op: "elements"}, &answer); err != nil {
		return Look{}, false, err
	}
	out = Look{Count: answer.Count, Ending: answer.Ending}
	var doubtful []int
	for i, e := range answer.States {
		switch e.State {
		case "doubt":
			doubtful = append(doubtful, i)
		case "paintless":
			out.Paintless++
			out.unseen(e.Why)
		case "seen":
			out.Seen++
		default:
			out.unseen(e.Why)
		}
	}
	if len(doubtful) > 0 {
		found := s.blink(ctx, q, nil, doubtful)
		for n, i := range doubtful {
			switch found[n].State {
			case "seen":
				out.Seen++
			case "unseen":
				out.unseen(answer.States[i].Why)
			default:
				out.Doubt = found[n].Why
			}
		}
	}
	if out.Seen == 0 && (slices.Contains(out.Unseen, "transparent") || slices.Contains(out.Unseen, "hidden")) {
		return out, answer.Top, q.reveal(ctx, -1)
	}
	return out, answer.Top, nil
}

func (l *Look) unseen(why string) {
	if !slices.Contains(l.Unseen, why) && len(l.Unseen) < 5 {
		l.Unseen = append(l.Unseen, why)
	}
}

// controlFact reads the state or the value of a control. A password or a
// secret is never read: whoever may see it knows it already.
func controlFact(l playwright.Locator, fact Fact, limit float64, out *Look) error {
	var answer struct {
		Secret bool    `json:"secret"`
		On     *bool   `json:"on"`
		Value  *string `json:"value"`
	}
	if err := askEngine(l.Locator(engineAsk{Op: "control"}.query()), time.Duration(limit)*time.Millisecond, &answer); err != nil {
		return err
	}
	switch {
	case fact == FactChecked && answer.On == nil:
		return &Error{Code: NotActionable, Message: "an element that can't be checked or pressed has no such state", Hint: "use an assertion that fits this kind of element"}
	case fact == FactChecked:
		out.On = answer.On
	case answer.Secret:
		return &Error{Code: NotActionable, Message: "the value of a control that holds a password or a secret is never read",
			Hint: "check what it brings about instead"}
	case answer.Value == nil:
		return &Error{Code: NotActionable, Message: "the element has no value", Hint: "use an assertion that fits this kind of element"}
	default:
		out.Value = answer.Value
	}
	return nil
}

// useFact finds out whether a control can be used.
func useFact(l playwright.Locator, limit float64, out *Look) error {
	var answer struct {
		Disabled bool   `json:"disabled"`
		Why      string `json:"why"`
	}
	if err := askEngine(l.Locator(engineAsk{Op: "use"}.query()), time.Duration(limit)*time.Millisecond, &answer); err != nil {
		return err
	}
	usable := answer.Why == ""
	out.On, out.Why, out.Disabled = &usable, answer.Why, answer.Disabled
	return nil
}

// attributeOf tells an absent attribute (nil) from an empty one, which the
// binding does not.
func attributeOf(t *tab, l playwright.Locator, name string, limit *float64) (*string, error) {
	text, err := l.GetAttribute(name, playwright.LocatorGetAttributeOptions{Timeout: limit})
	if err != nil {
		return nil, err
	}
	if text != "" {
		return &text, nil
	}
	n, err := l.And(t.page.Locator("css=[" + cssName(name) + "]")).Count()
	if err != nil || n == 0 {
		return nil, err
	}
	return &text, nil
}

// cssName escapes a name for CSS.
func cssName(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r == '-' || r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\%x ", r)
		}
	}
	return b.String()
}
