package qa

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// AssertionType names a property that can be asserted on a page or element.
type AssertionType string

// The assertion types. Those marked "page" need no selector.
const (
	Exists          AssertionType = "exists"           // at least one element is attached
	Visible         AssertionType = "visible"          // at least one element has a box and is not hidden
	Hidden          AssertionType = "hidden"           // no element is visible
	TextContains    AssertionType = "text_contains"    // the element's text (or the page's) contains Expected
	TextEquals      AssertionType = "text_equals"      // the element's text is Expected, white space normalised
	ValueEquals     AssertionType = "value_equals"     // the control's value is Expected
	CountEquals     AssertionType = "count_equals"     // as many elements match as Expected says
	AttributeEquals AssertionType = "attribute_equals" // the attribute named Attribute is Expected
	Checked         AssertionType = "checked"          // the box, radio or switch is on ("false": off)
	Enabled         AssertionType = "enabled"          // the control can be used ("false": can't)
	URLMatches      AssertionType = "url_matches"      // page: the address matches Expected: a glob, a part of it, or a regexp after re:
	TitleEquals     AssertionType = "title_equals"     // page: the title is Expected
	ConsoleClean    AssertionType = "console_clean"    // page: no console error since the page was opened
	RequestMade     AssertionType = "request_made"     // page: a request matching Expected was sent
	ResponseStatus  AssertionType = "response_status"  // page: the last response of URL has status Expected
)

// AssertionTypes lists every assertion type, in the order of the contract.
func AssertionTypes() []AssertionType {
	return []AssertionType{Exists, Visible, Hidden, TextContains, TextEquals, ValueEquals, CountEquals,
		AttributeEquals, Checked, Enabled, URLMatches, TitleEquals, ConsoleClean, RequestMade, ResponseStatus}
}

// Assertion is one property that must hold.
type Assertion struct {
	Type      AssertionType `json:"type"`
	Expected  string        `json:"expected,omitempty" jsonschema:"text, value, count, URL glob or status; request_made: POST */api/orders"`
	Attribute string        `json:"attribute,omitempty" jsonschema:"for attribute_equals"`
	URL       string        `json:"url,omitempty" jsonschema:"for response_status"`
}

// NeedsSelector reports whether the assertion is about an element.
// TextContains is about the whole page when no selector is given.
func (t AssertionType) NeedsSelector() bool {
	switch t {
	case URLMatches, TitleEquals, ConsoleClean, RequestMade, ResponseStatus, TextContains:
		return false
	default:
		return true
	}
}

// takesExpected reports whether the assertion is meaningless without Expected.
// An empty text or value is a fair expectation; an empty needle proves nothing.
func (t AssertionType) takesExpected() bool {
	switch t {
	case TextContains, CountEquals, URLMatches, RequestMade, ResponseStatus, TitleEquals:
		return true
	default:
		return false
	}
}

// Validate reports what is wrong with the assertion when it is asserted on
// selector (empty: on the page).
func (a Assertion) Validate(selector string) error {
	if !slices.Contains(AssertionTypes(), a.Type) {
		return fmt.Errorf("type is %q: use one of %s", a.Type, joinTypes(AssertionTypes()))
	}
	if a.Type.NeedsSelector() && selector == "" {
		return fmt.Errorf("%s is about an element: give its selector", a.Type)
	}
	if a.Type.takesExpected() && strings.TrimSpace(a.Expected) == "" {
		return fmt.Errorf("%s needs expected: without it the check would prove nothing", a.Type)
	}
	switch a.Type {
	case AttributeEquals:
		if a.Attribute == "" {
			return fmt.Errorf("attribute_equals needs attribute, the attribute's name")
		}
	case CountEquals, ResponseStatus:
		if n, err := strconv.Atoi(a.Expected); err != nil || n < 0 {
			return fmt.Errorf("%s needs a whole number as expected, not %q", a.Type, a.Expected)
		}
	case Checked, Enabled:
		if a.Expected != "" && a.Expected != "true" && a.Expected != "false" {
			return fmt.Errorf("%s takes true or false as expected, not %q", a.Type, a.Expected)
		}
	}
	return a.ignored(selector)
}

// ignored refuses what the comparison would not look at: it would promise a
// check that nobody makes.
func (a Assertion) ignored(selector string) error {
	switch {
	case slices.Contains([]AssertionType{Exists, Visible, Hidden, ConsoleClean}, a.Type) && a.Expected != "" && a.Expected != "true":
		return fmt.Errorf("%s compares nothing: leave expected out, or use another type (hidden for not visible, text_equals for a text)", a.Type)
	case selector != "" && !a.Type.NeedsSelector() && a.Type != TextContains:
		return fmt.Errorf("%s is about the page: leave selector out", a.Type)
	case a.Attribute != "" && a.Type != AttributeEquals:
		return fmt.Errorf("%s takes no attribute", a.Type)
	case a.URL != "" && a.Type != ResponseStatus:
		return fmt.Errorf("%s takes no url; give the pattern as expected", a.Type)
	default:
		return nil
	}
}

func joinTypes(types []AssertionType) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = string(t)
	}
	return strings.Join(names, ", ")
}
