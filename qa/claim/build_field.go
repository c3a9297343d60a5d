package claim

import (
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

func buildValue(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	s, known := singleSubject(c)
	if !ok || !known || !c.has("value") {
		return nil, false
	}
	if s.role == "css" && s.kind == "" && holdsText(s.name) {
		out := s.claim("text_equals", not)
		out.Expected = c.text("value")
		return []Claim{out}, strings.TrimSpace(out.Expected) != ""
	}
	if !slices.Contains(append(slices.Clip(fields), "combobox", "dropdown", "slider", "progressbar", "css"), s.calledAs()) {
		return nil, false
	}
	out := s.claim("value_equals", not)
	out.Expected = c.text("value")
	return []Claim{out}, true
}

// textTag matches a selector whose last step is an element that has a text and no value.
var textTag = pattern.New(`(?:^|[ >])(?:h[1-6]|p|div|span|td|th|li|a|dt|dd|label|legend|caption|strong|em)(?:[.#:\[][^ >]*)?$`)

// holdsText reports whether what is called the value of the selector's element is its text.
func holdsText(selector string) bool { return textTag.MatchString(selector) }

func buildSelected(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	s, known := singleSubject(c)
	if name := c.text("label"); name != "" {
		s, known = subject{role: "dropdown", name: name, named: true}, true
	}
	if s.role == "field" && s.named { // what is chosen in is a list to choose from
		s.role = "dropdown"
	}
	if c.has("option") { // it is one of those to choose from
		option := subject{role: "option", name: c.text("quote"), named: true}
		claims, is := optionClaims([]subject{option}, &captures{"around", []subject{s}, nil})
		if !is || !ok || option.name == "" {
			return nil, false
		}
		return claims(not)
	}
	label := c.text("quote")
	if !ok || !known || label == "" || !slices.Contains([]string{"dropdown", "combobox", "listbox"}, s.calledAs()) {
		return nil, false
	}
	out := s.claim("selected_label", not)
	out.Expected = label
	return []Claim{out}, true
}

// buildAttribute: attribute, class, CSS property and role, as they are written.
func buildAttribute(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	s, known := singleSubject(c)
	value := c.text("value")
	if !ok || !known {
		return nil, false
	}
	assertion, attribute := c.text("property"), c.text("attribute")
	switch assertion {
	case "alt":
		if s.calledAs() != "img" {
			return nil, false
		}
		assertion, attribute = "attribute_equals", assertion
	case "placeholder":
		assertion, attribute = "attribute_equals", assertion
	case "target": // another target is an address: see link-target
		if !strings.HasPrefix(value, "_") {
			return nil, false
		}
		assertion, attribute = "attribute_equals", assertion
	case "attribute_equals", "css_equals":
		if strings.TrimSpace(attribute) == "" {
			return nil, false
		}
	case "class_contains", "role_equals":
		if strings.TrimSpace(value) == "" || attribute != "" {
			return nil, false
		}
	default:
		return nil, false
	}
	if not && assertion == "css_equals" {
		return nil, false // red is rgb(255, 0, 0), too
	}
	if not && assertion == "attribute_equals" && !isPlainText(attribute) {
		return nil, false // the same may be written in another way: checked="" is checked="checked"
	}
	out := s.claim(assertion, not)
	out.Attribute, out.Expected = attribute, value
	if c.has("look") { // seen is more than being there
		seen, fits := s.claimSeen(false)
		return append(seen, out), fits && !not
	}
	return []Claim{out}, true
}

// plainTexts lists attributes whose value is a text, which another spelling makes another one.
var plainTexts = strings.Fields("alt title placeholder aria-label name id")

// isPlainText reports whether the value of an attribute is no more than how it is written.
func isPlainText(attribute string) bool {
	return slices.Contains(plainTexts, attribute) || strings.HasPrefix(attribute, "data-")
}

func buildTarget(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	s, known := singleSubject(c)
	if !ok || !known || s.calledAs() != "link" || c.text("path") == "" {
		return nil, false
	}
	if around, isIn := c.get("around").([]subject); isIn {
		placed, ok := allWithin([]subject{s}, around)
		if !ok {
			return nil, false
		}
		s = placed[0]
	}
	out := s.claim("attribute_equals", not)
	out.Attribute, out.Expected = "href", c.text("path")
	if c.has("look") { // seen is more than being there
		seen, _ := s.claimSeen(false)
		return append(seen, out), !not
	}
	return []Claim{out}, !not // gone may be the link, and the same address may be written in another way
}

func buildDescription(c *captures) ([]Claim, bool) {
	return onElement(c, "description_equals", nil)
}

func buildError(c *captures) ([]Claim, bool) {
	if c.denials() > 0 {
		return nil, false // it may stand beside the field, and nothing says that it is the field's
	}
	return onElement(c, "error_message_equals", append(slices.Clip(fields), "dropdown", "combobox", "checkbox", "radio", "switch"))
}

// onElement returns a claim that one element has a text of some kind.
func onElement(c *captures, assertion string, allowed []string) ([]Claim, bool) {
	not, ok := denied(c)
	s, known := singleSubject(c)
	if !ok || !known || c.text("quote") == "" || allowed != nil && !slices.Contains(allowed, s.calledAs()) {
		return nil, false
	}
	out := s.claim(assertion, not)
	out.Expected = c.text("quote")
	return []Claim{out}, true
}

// amount holds the number of things that a sentence names.
type amount struct {
	op string // = >= <= > <
	n  int
}

// buildAmount reads "at least 3", "3 or more", "no".
func buildAmount(c *captures) (any, bool) {
	op := c.text("op")
	if op == "" {
		op = "="
	}
	n, err := strconv.Atoi(c.text("number") + c.text("quotednumber"))
	return amount{op, n}, err == nil
}

// buildCount: how many elements or texts are seen, on the page or in something.
func buildCount(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	amount, counted := c.get("count").(amount)
	if !ok || !counted || not && amount.n == 0 {
		return nil, false
	}
	s := subject{role: c.text("roles")}
	if s.role == "" {
		s.role = c.text("role")
	}
	if css := c.text("css"); css != "" {
		s = subject{role: "css", name: css, named: true}
	}
	if c.has("attr") {
		found, fits := byAttribute(c.text("attr"), c.text("attrvalue"), "")
		if !fits {
			return nil, false
		}
		s = found[0]
	}
	if name := c.text("quote"); name != "" {
		s.name, s.named = name, s.role != ""
		if s.role != "" {
			if s, ok = withText(s.role, name, c.text("link")); !ok || s.says != "" {
				return nil, false
			}
		}
	}
	around := thingsOf(c, "around", "sub")
	if s.role == listEntryRole {
		if len(around) != 1 || s.named {
			return nil, false
		}
		s.role = map[string]string{"list": "listitem", "table": "row"}[around[0].calledAs()]
	}
	if s.role == "listitem" && !s.named && len(around) == 1 && around[0].role == "table" {
		s.role = "row" // the entries of a table
	}
	if len(around) > 1 || s.role == "" && strings.TrimSpace(s.name) == "" {
		return nil, false
	}
	if len(around) == 0 && s.role == "listitem" && !s.named {
		return nil, false // menus have items, too: of which list is not said
	}
	var out []Claim
	if len(around) == 1 {
		outer := around[0]
		if outer.role == "" || outer.says != "" || !s.countedIn(outer) {
			return nil, false
		}
		if !outer.named && outer.inside == nil { // the list: there is one, or it is not said which
			if outer.any {
				return nil, false
			}
			if !slices.Contains(uniqueLandmarks, outer.role) && (len(rolesOf(outer.role)) == 1 || outer.role == "table") {
				first := outer.claim("count_equals", false)
				first.Expected, first.Alike, first.Presumed = "1", nil, true
				out = append(out, first)
			}
			outer.any = true
		}
		s.inside = &outer
	}
	claims, ok := s.claimCount(amount.op, amount.n, not)
	if len(out) > 0 { // what is counted is in the one that was counted first
		for i := range claims {
			claims[i].Alike = nil
		}
	}
	return append(out, claims...), ok
}

// uniqueLandmarks lists the landmarks of which a page has one: what is counted in them needs
// no claim that there is no second.
var uniqueLandmarks = strings.Fields("main banner contentinfo")

// countedIn reports whether elements of the kind are what people count in another.
func (s subject) countedIn(outer subject) bool {
	switch s.role {
	case "row", "column", "columnheader":
		return outer.calledAs() == "table"
	case "listitem":
		return outer.calledAs() == "list"
	case "option":
		return outer.role == "listbox"
	case "menuitem":
		return outer.role == "menu"
	}
	return outer.role != "dropdown" && !slices.Contains(fields, outer.role)
}

// claimCount claims how many of the subject are seen.
func (s subject) claimCount(op string, n int, not bool) ([]Claim, bool) {
	if s.role != "" && len(rolesOf(s.role)) > 1 {
		return nil, false // elements of several roles are not counted together
	}
	rows := s.role == "row" && !s.named
	switch op {
	case ">":
		op, n = ">=", n+1
	case "<":
		op, n = "<=", n-1
	}
	if n < 0 || n == 0 && op == ">=" {
		return nil, false
	}
	if n == 0 && !rows && !not && s.role != "" {
		return s.claimSeen(true)
	}
	c := s.claim(map[string]string{"=": "count_equals", ">=": "count_at_least", "<=": "count_at_most"}[op], not)
	c.Expected, c.DataRows, c.WholeWords = strconv.Itoa(n), rows, s.role == ""
	if n > 0 && op != "<=" && !not {
		return []Claim{c}, true
	}
	var out []Claim // none of the selectors may find more
	for _, sel := range append([]string{c.Selector}, c.Alike...) {
		next := c
		next.Selector, next.Alike = sel, nil
		out = append(out, next)
	}
	return s.withContainerSeen(out, true), true
}
