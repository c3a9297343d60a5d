package browser

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/seen"
)

// propertyName returns what the engine calls the property that a fact is read from;
// see outline/properties.js.
func propertyName(fact Fact) string {
	return map[Fact]string{
		FactFocused: "focused", FactIndeterminate: "indeterminate", FactExpanded: "expanded", FactPressed: "pressed",
		FactChosenValues: "values", FactChosenLabels: "labels", FactClasses: "classes", FactStyle: "style",
		FactRole: "role", FactName: "name", FactDescription: "description", FactErrorMessage: "error",
		FactEditable: "readonly", FactEmpty: "blank",
	}[fact]
}

// lacking says of what an element is not, if it has no such property.
func lacking(fact Fact) string {
	switch fact {
	case FactIndeterminate:
		return "it is no box that could be neither on nor off"
	case FactExpanded:
		return "it opens nothing: it has neither aria-expanded nor is it a details or summary"
	case FactPressed:
		return "it is no toggle button: it has no aria-pressed"
	case FactEditable:
		return "nothing can be typed into it"
	case FactChosenValues, FactChosenLabels:
		return "it has no options"
	default:
		return "it has no such property"
	}
}

// propertyAnswer is one property of an element.
type propertyAnswer struct {
	Secret bool     `json:"secret"`
	Field  bool     `json:"field"` // of blank: a field, whose value decides
	On     *bool    `json:"on"`
	Why    string   `json:"why"`
	Doubt  string   `json:"doubt"`
	Value  *string  `json:"value"`
	Values []string `json:"values"`
}

func askProperty(l playwright.Locator, name, find string, limit float64) (propertyAnswer, error) {
	var answer propertyAnswer
	err := askEngine(l.Locator(engineAsk{Op: "property", Name: name, Find: find}.query()), time.Duration(limit)*time.Millisecond, &answer)
	return answer, err
}

// propertyFact reads a property that the engine knows by name.
func propertyFact(l playwright.Locator, fact Fact, attribute string, limit float64, out *Look) error {
	answer, err := askProperty(l, propertyName(fact), attribute, limit)
	switch {
	case err != nil:
		return err
	case answer.Secret && (fact == FactChosenValues || fact == FactChosenLabels):
		return &Error{Code: NotActionable, Message: "the value of a control that holds a password or a secret is never read", Hint: "check what it brings about instead"}
	case answer.On == nil && answer.Value == nil && answer.Values == nil && fact != FactStyle:
		return unfit(fact)
	}
	out.On, out.Value, out.Values, out.Doubt = answer.On, answer.Value, answer.Values, answer.Doubt
	if answer.On != nil && !*answer.On {
		out.Why = answer.Why
	}
	return nil
}

func unfit(fact Fact) error {
	return &Error{Code: NotActionable, Message: lacking(fact), Hint: "use an assertion that fits this kind of element"}
}

// editFact finds out whether a control can be used, and takes what is typed.
func editFact(l playwright.Locator, limit float64, out *Look) error {
	answer, err := askProperty(l, propertyName(FactEditable), "", limit)
	if err != nil {
		return err
	}
	if answer.On == nil {
		return unfit(FactEditable)
	}
	if err := useFact(l, limit, out); err != nil {
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
	if place.Why == "" {
		look, err := s.lookAtAll(ctx, t, target)
		if err != nil || look.Count == 0 {
			*out = Look{Count: look.Count}
			return err
		}
		out.Doubt, out.Ending = look.Doubt, look.Ending
		if look.Seen == 0 {
			place.Why = strings.Join(look.Unseen, ", ")
		}
		out.On = playwright.Bool(look.Seen > 0)
	} else {
		out.On = playwright.Bool(false)
	}
	out.Why = place.Why
	return nil
}

// emptyFact finds out whether nothing is seen in an element: no text, no picture
// and no control. Of a field its value decides.
func (s *looker) emptyFact(ctx context.Context, t *tab, target target, limit float64, out *Look) error {
	answer, err := askProperty(target.locator(t.page), propertyName(FactEmpty), "", limit)
	if err != nil {
		return err
	}
	out.On, out.Why, out.Doubt = answer.On, answer.Why, answer.Doubt
	if answer.Field || !*answer.On {
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
	if out.Ending = text.Ending; out.Doubt == "" {
		out.Doubt = text.Doubt
	}
	if !text.Fits {
		out.On, out.Why = playwright.Bool(false), text.Why
		if text.Text != nil && *text.Text != "" {
			out.Why = "it shows " + cut(*text.Text, maxNote)
		}
	}
	return nil
}

// maxItems bounds how many elements are read one by one.
const maxItems = 500

// items reads what is seen of each element that matches. One of which nothing is
// seen is none.
func (s *looker) items(ctx context.Context, t *tab, target target) (Look, error) {
	r := &reading{looker: s, q: newQuestion(t, target), whole: true, states: map[seen.Span]elementState{}}
	n, err := r.q.collect()
	if err != nil || n == 0 {
		return Look{}, err
	}
	var answer struct {
		Top   bool   `json:"top"`
		Lang  string `json:"lang"`
		Items []struct {
			First  int         `json:"first"`
			Pieces []pieceJSON `json:"pieces"`
		} `json:"items"`
	}
	if err := r.q.ask(engineAsk{Op: "itemTexts"}, &answer); err != nil {
		return Look{}, err
	}
	out := Look{Count: len(answer.Items), Lang: answer.Lang}
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
	shown := map[int]bool{}
	out.Ending = r.ending
	for i, state := range r.settle(ctx, place) {
		shown[place[i].Piece] = state.State == "seen"
		if state.State == "doubt" {
			out.Doubt = state.Why
		}
	}
	for i, item := range answer.Items {
		end := len(r.pieces)
		if i+1 < len(answer.Items) {
			end = answer.Items[i+1].First
		}
		text := seen.Compose(r.pieces, func(p int) bool { return p >= item.First && p < end && shown[p] }).Words()
		if text != "" {
			out.Seen++
			out.Items = append(out.Items, Item{Text: text, Key: seen.Key(text)})
		}
	}
	if out.Seen > 0 && !answer.Top {
		around, err := s.throughFrames(ctx, t, target, Look{Count: out.Count, Seen: out.Seen})
		if err != nil || around.Seen == 0 {
			return around, err
		}
	}
	return out, nil
}

// OrderLook describes what one look at the order of two elements found.
type OrderLook struct {
	Before *bool  // a person reads the first one before the other; nil when that can't be asked
	Why    string // where they stand, or why it can't be asked
	Doubt  string // why it can't be told whether they are seen
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
	return on(ctx, s.livePage, "look at", selector, func(ctx context.Context, t *tab) (OrderLook, error) {
		var boxes [2]*playwright.Rect
		for i, of := range []target{first, second} {
			look, err := s.look(ctx, t, of, FactCount, "")
			switch {
			case err != nil:
				return OrderLook{}, err
			case look.Count > 1:
				return OrderLook{}, prefixed("look at "+of.String(), of.ambiguous(t.page, look.Count))
			case look.Count == 0:
				return OrderLook{Why: "no element matches " + of.String()}, nil
			case look.Doubt != "":
				return OrderLook{Doubt: look.Doubt}, nil
			case look.Seen == 0:
				return OrderLook{Why: of.String() + " is not seen: " + strings.Join(look.Unseen, ", ")}, nil
			}
			if boxes[i], err = of.locator(t.page).BoundingBox(playwright.LocatorBoundingBoxOptions{Timeout: left(ctx, lookLimit)}); err != nil {
				return OrderLook{}, err
			}
			if boxes[i] == nil {
				return OrderLook{Why: of.String() + " has no place"}, nil
			}
		}
		direction, err := askProperty(first.locator(t.page), "direction", "", *left(ctx, lookLimit))
		if err != nil {
			return OrderLook{}, err
		}
		return orderOf(*boxes[0], *boxes[1], direction.Value != nil && *direction.Value == "rtl"), nil
	})
}

// orderOf tells which of two boxes is read first. rtl: lines begin on the right.
func orderOf(a, b playwright.Rect, rtl bool) OrderLook {
	at := fmt.Sprintf("at %.0f, %.0f; the other at %.0f, %.0f", a.X, a.Y, b.X, b.Y)
	if encloses(a, b) || encloses(b, a) {
		return OrderLook{Why: "one lies within the other: " + at}
	}
	before := a.Y < b.Y
	if overlap := min(a.Y+a.Height, b.Y+b.Height) - max(a.Y, b.Y); overlap > min(a.Height, b.Height)/2 { // of one line
		before = a.X < b.X
		if rtl {
			before = a.X+a.Width > b.X+b.Width
		}
	}
	return OrderLook{Before: &before, Why: at}
}

// encloses reports whether the outer box has all of the inner one in it.
func encloses(outer, inner playwright.Rect) bool {
	return inner.X >= outer.X && inner.Y >= outer.Y && inner.X+inner.Width <= outer.X+outer.Width && inner.Y+inner.Height <= outer.Y+outer.Height
}
