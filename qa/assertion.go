package qa

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/text"
)

// Assertion holds one property that must hold.
type Assertion struct {
	Type       AssertionType `json:"type"`
	Not        bool          `json:"not,omitempty" jsonschema:"the opposite must hold"`
	Expected   string        `json:"expected,omitempty" jsonschema:"text, value, count, status; URL: /orders, **/orders/*; request_made: POST /api/orders 201; text_matches: RE2"`
	WholeWords bool          `json:"whole_words,omitempty" jsonschema:"for *_contains"`
	Attribute  string        `json:"attribute,omitempty" jsonschema:"for attribute_equals; css_equals: the property; dialog_shown: confirm"`
	URL        string        `json:"url,omitempty" jsonschema:"for response_status, response_ok: POST /api/orders"`
	Op         string        `json:"op,omitempty" jsonschema:"number_compared: < <= == >= > !="`
	Value      string        `json:"value,omitempty" jsonschema:"number_compared: 1200"`
	Order      string        `json:"order,omitempty" jsonschema:"sorted_by: asc, desc"`
	As         string        `json:"as,omitempty" jsonschema:"sorted_by: text, number, date"`
	Other      string        `json:"other,omitempty" jsonschema:"for comes_before: selector of what comes after"`
}

// Asked holds one of several assertions that follow one another with no act between.
type Asked struct {
	A        Assertion
	Selector string
	Timeout  time.Duration // how long it is waited for
	Within   time.Duration // what a second look at it alone may take; 0: no bound of its own
	Later    []Assertion   // that are made after it, with no act between
}

// Absent reports whether the assertion holds because something is not there. Such
// a thing may only be late. A state that is off is there to be seen.
func (a Assertion) Absent() bool {
	k, ok := typeRowOf(a.Type)
	if !ok {
		return false
	}
	gone := k.absent != nil && k.absent(a)
	if k.expected == aState {
		return gone && a.wantedState()
	}
	return gone != a.Not
}

// Late reports whether the assertion is about what happened, and so is best
// checked after all else.
func (a Assertion) Late() bool {
	return slices.Contains([]AssertionType{ConsoleClean, Shown, RequestMade, ResponseStatus, ResponseOK, Downloaded, DialogShown, PopupOpened}, a.Type)
}

// SinceAct reports whether the assertion is about what the last act brought.
func (a Assertion) SinceAct() bool { return a.Late() && a.Type != ConsoleClean }

// Check returns the record of the assertion on selector, before it is made.
func (a Assertion) Check(selector string) Check {
	return Check{Kind: string(a.Type), Not: a.Not, Words: a.WholeWords, Selector: selector,
		Subject: strings.TrimSpace(selector + " " + a.Attribute + a.URL), Expected: a.Compare(Observation{}).Expected, Assertion: &a}
}

// Selectors returns the assertion's own selectors, beside that of its element.
func (a Assertion) Selectors() []string {
	if a.Other == "" {
		return nil
	}
	return []string{a.Other}
}

// Texts returns all that the assertion says in words of its author, by the name of
// the field.
func (a Assertion) Texts() map[string]string {
	return map[string]string{"expected": a.Expected, "attribute": a.Attribute, "url": a.URL, "op": a.Op, "value": a.Value, "order": a.Order, "as": a.As, "other": a.Other}
}

// Parts returns what the assertion on selector says, for a reader: its type, with not
// before it, and what is set of the rest.
func (a Assertion) Parts(selector string) []string {
	kind := Check{Kind: string(a.Type), Not: a.Not, Words: a.WholeWords}.Called()
	rest := []string{selector, a.Attribute, a.URL, a.Op, a.Value, a.Order, a.As, a.Other, a.Expected}
	return append([]string{kind}, slices.DeleteFunc(rest, func(s string) bool { return s == "" })...)
}

// isSet reports whether a field beside type, not and expected is set.
func (a Assertion) isSet(field string) bool {
	if field == "whole_words" {
		return a.WholeWords
	}
	return a.Texts()[field] != ""
}

// wantedState returns the state that a state assertion expects.
func (a Assertion) wantedState() bool { return a.Expected != "false" && !a.Not }

// number returns Expected as a whole number, -1 where it is none.
func (a Assertion) number() int {
	n, err := strconv.Atoi(a.Expected)
	if err != nil {
		return -1
	}
	return n
}

// Validate reports what is wrong with the assertion when it is asserted on
// selector (empty: on the page).
func (a Assertion) Validate(selector string) error {
	k, ok := typeRowOf(a.Type)
	if !ok {
		return fmt.Errorf("type is %q%s; use one of %s", a.Type, text.Hint(string(a.Type), typeNames()), strings.Join(typeNames(), ", "))
	}
	switch {
	case k.about == anElement && selector == "":
		return fmt.Errorf("%s is about an element: give its selector", a.Type)
	case k.about == thePage && selector != "":
		return fmt.Errorf("%s is about the page: leave selector out", a.Type)
	}
	wrong, lacks := a.checkFields(k)
	wrong = append(wrong, a.checkExpected(k))
	if k.wrong != nil && !lacks {
		wrong = append(wrong, k.wrong(a))
	}
	return together(wrong...)
}

// describeField says of each field what it takes.
func describeField(field string) string {
	return map[string]string{
		"attribute":   "the name of the attribute or of the CSS property, or the kind of the dialog",
		"url":         "the pattern of the request, such as POST /api/orders",
		"op":          strings.Join(operators(), ", "),
		"value":       "a plain number such as 1200 or -0.5",
		"order":       "asc or desc",
		"as":          "text, number or date",
		"other":       "the selector of the element that comes after it",
		"whole_words": "true",
	}[field]
}

// checkFields refuses missing fields, and those that the type would ignore:
// they would pretend a check that is never made. It says all of it; lacks reports that a
// field is missing.
func (a Assertion) checkFields(k typeRow) (wrong []error, lacks bool) {
	for _, field := range []string{"attribute", "url", "op", "value", "order", "as", "other", "whole_words"} {
		needed := slices.Contains(k.fields, field+"!")
		switch {
		case needed && strings.TrimSpace(a.Texts()[field]) == "":
			wrong, lacks = append(wrong, fmt.Errorf("%s needs %s: %s", a.Type, field, describeField(field))), true
		case needed || slices.Contains(k.fields, field) || !a.isSet(field):
		case field == "url":
			wrong = append(wrong, fmt.Errorf("%s takes no url; give the pattern as expected", a.Type))
		default:
			wrong = append(wrong, fmt.Errorf("%s takes no %s%s", a.Type, field, typesTaking(field)))
		}
	}
	return wrong, lacks
}

// typesTaking says which types take a field.
func typesTaking(field string) string {
	var names []string
	for _, k := range typeRows() {
		if slices.Contains(k.fields, field) || slices.Contains(k.fields, field+"!") {
			names = append(names, string(k.name))
		}
	}
	if len(names) == 1 {
		return "; " + names[0] + " does"
	}
	return "; " + strings.Join(names, ", ") + " do"
}

// checkExpected holds expected against what the type makes of it.
func (a Assertion) checkExpected(k typeRow) error {
	switch k.expected {
	case noExpected:
		if a.Expected != "" && a.Expected != "true" {
			return fmt.Errorf("%s compares nothing: leave expected out, or use another type (not: true for the opposite, text_equals for a text)", a.Type)
		}
	case aState:
		if a.Expected != "" && a.Expected != "true" && a.Expected != "false" {
			return fmt.Errorf("%s takes true or false as expected, not %q", a.Type, a.Expected)
		}
		if a.Not && a.Expected == "false" {
			return fmt.Errorf("%s: not and expected false deny each other: leave one of them out", a.Type)
		}
	case aWholeNumber:
		if strings.TrimSpace(a.Expected) == "" {
			return a.checkProves()
		}
		if a.number() < 0 {
			return fmt.Errorf("%s needs a whole number as expected, not %q", a.Type, a.Expected)
		}
	case needed:
		if strings.TrimSpace(a.Expected) == "" {
			return a.checkProves()
		}
	}
	return nil
}

func (a Assertion) checkProves() error {
	return fmt.Errorf("%s needs expected: without it the check would prove nothing", a.Type)
}

func (a Assertion) checkZeroCount() error {
	if a.number() == 0 {
		return errors.New("count_at_least 0 holds on any page: give 1 or more")
	}
	return nil
}

func typeNames() []string {
	var names []string
	for _, k := range typeRows() {
		names = append(names, string(k.name))
	}
	return names
}
