package claim

import (
	"regexp"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// A builder makes claims of what a form kept. It refuses what the form can't
// mean: another role, a denial of something weaker than what was said.
type builder func(c *captures) ([]Claim, bool)

// builders maps the name of a form to its builder.
var builders = map[string]builder{
	"text-visible": buildVisible, "element-state": buildStates, "element-attached": buildAttached,
	"element-text": buildText, "field-value": buildValue, "selected-option": buildSelected,
	"attribute": buildAttribute, "link-target": buildTarget, "description": buildDescription, "field-error": buildError,
	"count": buildCount, "order": buildOrder, "sorted": buildSorted, "number": buildCompared,
	"title": buildTitle, "address": buildAddress, "response": buildResponse, "request": buildRequest,
	"console": buildConsole, "dialog": buildDialog, "popup": buildPopup, "download": buildDownload, "figure": buildFigure,
	"element-is": buildIs, "element-kind": buildKind, "shown-with": buildShownWith, "element-holding": buildHolding,
}

// denied reports whether a form denies; two denials say nothing for sure.
func denied(c *captures) (not, ok bool) {
	n := c.denials()
	return n == 1, n <= 1
}

func thingsOf(c *captures, names ...string) []subject {
	for _, name := range names {
		if s, ok := c.get(name).([]subject); ok {
			return s
		}
	}
	return nil
}

// singleSubject returns the single element that a form is about.
func singleSubject(c *captures) (subject, bool) {
	s := thingsOf(c, "sub", "things")
	if len(s) != 1 || s[0].role == "" || s[0].says != "" {
		return subject{}, false
	}
	return s[0], s[0].isDefinite()
}

// buildVisible: texts and elements are seen on the page, or in something.
func buildVisible(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	things, placed := inPlaceOf(slices.Concat(thingsOf(c, "more"), thingsOf(c, "without")), thingsOf(c, "things", "sub"))
	if !placed {
		return nil, false
	}
	things = append(things, thingsOf(c, "more")...)
	if amount := c.text("amount"); amount != "" {
		things = []subject{{name: amount}}
	}
	if without := thingsOf(c, "without"); ok && not && len(without) > 0 { // "A but not B"
		there, known := claimAllSeen(things, false)
		gone, fits := claimAllSeen(without, true)
		return append(there, gone...), known && fits && c.denials() == 1
	}
	if text := c.text("sub"); text != "" {
		things = []subject{{name: text}}
	}
	if claims, is := optionClaims(things, c); is && ok {
		return claims(not)
	}
	around, isIn := c.get("around").([]subject)
	if isIn && ok && len(around) == 1 && slices.Contains(fields, around[0].role) {
		return around[0].claimValueContains(things, not)
	}
	if isIn && ok {
		things, ok = allWithin(things, around)
	}
	if !ok || c.has("no") && !sharesNo(things) {
		return nil, false
	}
	return claimAllSeen(things, not)
}

// sharesNo reports whether "no" before the first of several things is said of all:
// "no A and the button B" isn't.
func sharesNo(things []subject) bool {
	return len(things) == 1 || !slices.ContainsFunc(things, func(s subject) bool { return s.role == "" || s.role != things[0].role })
}

// buildShownWith: an element or a message is seen, and its name or text is said
// behind that.
func buildShownWith(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	role, text := c.text("role"), c.text("quote")
	if s, known := singleSubject(c); known && c.has("says") && !not && s.named {
		seen, _ := s.claimSeen(false)
		holds, fits := s.claimHolds(subject{name: c.text("says"), message: true}, false)
		return append(seen, holds...), fits
	}
	if title := c.text("title"); title != "" {
		s, fits := withText(role, title, "name")
		if !fits || !ok || not || role != "dialog" { // of others a title is no name for sure
			return nil, false
		}
		return s.claimSeen(false)
	}
	if c.has("contains") && (c.text("noun") != "message" || not) {
		return nil, false // the message may be gone with its text; of other nouns it is not said where
	}
	if !ok || strings.TrimSpace(text) == "" || role == "" && c.text("link") == "part" {
		return nil, false
	}
	s := subject{name: text}
	if role != "" {
		if s, ok = withText(role, text, c.text("link")); !ok {
			return nil, false
		}
	}
	return s.claimSeen(not)
}

// simpleStates lists the predicates that are assertion types themselves.
var simpleStates = strings.Fields("in_viewport checked indeterminate enabled editable focused expanded pressed")

func buildStates(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	states, _ := c.get("states").([]state)
	if one := c.text("opened") + c.text("could"); one != "" {
		is, against := strings.CutPrefix(one, "!")
		states = []state{{is, against}}
	}
	things := thingsOf(c, "things", "sub")
	if name := c.text("folder"); name != "" { // what folds a panel is the button of its name
		things = []subject{{role: "button", name: name, named: strings.TrimSpace(name) != ""}}
	}
	if around, isIn := c.get("around").([]subject); isIn && ok {
		things, ok = allWithin(things, around)
	}
	if !ok || len(states) == 0 || not && len(states) > 1 {
		return nil, false // "not visible and enabled" is read in two ways
	}
	var out []Claim
	for _, s := range things {
		for _, st := range states {
			claims, ok := s.claimState(st, not)
			if !ok {
				return nil, false
			}
			out = append(out, claims...)
		}
		if c.has("look") { // "I see a disabled button": it is seen, too
			seen, ok := s.claimSeen(false)
			if !ok {
				return nil, false
			}
			out = append(out, seen...)
		}
	}
	return out, len(out) > 0
}

// claimState claims a state of the subject.
func (s subject) claimState(st state, not bool) ([]Claim, bool) {
	against := st.not != not
	switch st.is {
	case "visible":
		if against && s.bare && s.inside == nil && cssSelector.MatchString(s.name) {
			return nil, false // the element that "#menu" finds may be meant: its words are on no page
		}
		return s.claimSeen(against)
	case "open": // what opens and closes is there or not; what unfolds is expanded
		if slices.Contains([]string{"dialog", "menu", "alertdialog", "tooltip"}, s.calledAs()) {
			return s.claimSeen(against)
		}
		if slices.Contains([]string{"button", "dropdown", "combobox", "treeitem", "menuitem", "link"}, s.calledAs()) {
			return s.claimState(state{"expanded", against}, false)
		}
		if s.calledAs() == "switch" || s.calledAs() == "toggle" {
			return s.claimChosen("on", against)
		}
		return nil, false
	}
	if s.bare && s.inside == nil && st.is == "checked" && strings.TrimSpace(s.name) != "" {
		return []Claim{subject{role: tickedRole, name: s.name, named: true}.claim("checked", against)}, true
	}
	if s.role == "" || s.says != "" || !s.isDefinite() && (s.role != "list" || s.any || st.is != "empty") {
		return nil, false
	}
	switch {
	case st.is == "activated" && s.calledAs() == "tab":
		return s.claimChosen("selected", against)
	case st.is == "activated": // of a box it may mean ticked
		return []Claim{s.claim("enabled", against)}, !slices.Contains([]string{"checkbox", "radio", "switch", "toggle", "option"}, s.calledAs())
	case st.is == "empty":
		return s.claimEmpty(against)
	case st.is == "readonly":
		return []Claim{s.claim("editable", true), s.claim("enabled", false)}, !against
	case st.is == "active":
		if s.calledAs() != "tab" {
			return nil, false // of others it may mean that they can be used
		}
		return s.claimChosen("selected", against)
	case st.is == "on", st.is == "selected":
		return s.claimChosen(st.is, against)
	case st.is == "checked" && !slices.Contains([]string{"checkbox", "radio", "switch", "toggle", "menuitem", "option", "menuitemcheckbox", "menuitemradio", "css"}, s.calledAs()):
		return nil, false
	case st.is == "expanded" && s.calledAs() == "region":
		return nil, false // a region has no such state: the button that folds it has
	case slices.Contains(simpleStates, st.is):
		return []Claim{s.claim(st.is, against)}, true
	}
	return nil, false
}

// claimEmpty claims that a field has no value, a list no items, a table no rows.
func (s subject) claimEmpty(not bool) ([]Claim, bool) {
	switch s.calledAs() {
	case "field", "textbox", "searchbox", "searchfield", "spinbutton":
		return []Claim{s.claim("empty", not)}, true
	case "css":
		return []Claim{s.claim("empty", not)}, true
	case "list", "table":
		item := subject{role: map[string]string{"list": "listitem", "table": "row"}[s.calledAs()], inside: &s}
		return item.claimCount("=", 0, not)
	}
	return nil, false
}

// claimChosen claims that something is on or selected.
func (s subject) claimChosen(how string, not bool) ([]Claim, bool) {
	switch s.calledAs() {
	case "checkbox", "radio", "switch", "toggle":
		if how == "on" && s.calledAs() == "radio" {
			return nil, false
		}
		return []Claim{s.claim("checked", not)}, true
	case "css":
		return s.claimOptionChosen(not)
	case "tab", "row", "treeitem":
		c := s.claim("attribute_equals", not)
		c.Attribute, c.Expected = "aria-selected", "true"
		return []Claim{c}, how == "selected"
	}
	return nil, false
}

// oneOption matches a selector whose last step is an option that is told from the others of its list: one of
// them is always chosen.
var oneOption = pattern.New(`(?:^|[ >])option(?:[.#][\w-]+|\[(?:value|id|label)=(?:[\w-]+|"[^"]*"|'[^']*')\]|:(?:first|last)-child|:nth-(?:last-)?child\(\d+\))+$`)

// claimOptionChosen claims that an option that a selector finds is the chosen one.
func (s subject) claimOptionChosen(not bool) ([]Claim, bool) {
	if s.kind != "" || !oneOption.MatchString(s.name) {
		return nil, false // of other elements it is not said what selected means, nor which option
	}
	chosen := s
	chosen.name += ":checked"
	out := []Claim{chosen.claim("exists", not)}
	if not { // the option is there
		there := s.claim("exists", false)
		there.Presumed = true
		out = append(out, there)
	}
	return out, true
}

func buildAttached(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	var out []Claim
	for _, s := range thingsOf(c, "things", "sub") {
		if s.role == "" || s.says != "" || !s.any && !s.isDefinite() || not && len(s.selectors()) > 1 {
			return nil, false
		}
		out = append(out, s.claim("exists", not))
	}
	return out, ok && len(out) > 0
}

var fields = strings.Fields("field textbox searchbox searchfield spinbutton")

// buildText: an element holds texts or elements.
func buildText(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	s, known := singleSubject(c)
	if !known {
		s, known = withoutNameFromText(c)
	}
	if place := c.text("ordinal"); place != "" {
		return claimRowHolds(c, place, not && ok)
	}
	if !ok || !known {
		return nil, false
	}
	if c.has("any") {
		return s.claimAnyText(not)
	}
	if c.has("starts") {
		return s.claimStarts(c.text("quote"), not)
	}
	inner := thingsOf(c, "inner")
	if c.has("no") && !sharesNo(inner) {
		return nil, false
	}
	if amount := c.text("amount"); amount != "" {
		inner = []subject{{name: amount, bare: true}}
	}
	partly := c.text("say") == "contains" || c.has("part")
	if partly && slices.Contains(dropdowns, s.calledAs()) && slices.ContainsFunc(inner, func(s subject) bool { return s.calledAs() == "" }) {
		return nil, false // as an option, or as the chosen one
	}
	if partly && slices.Contains(fields, s.calledAs()) {
		return s.claimValueContains(inner, not)
	}
	if partly && s.knownByAllOfItsText() && slices.ContainsFunc(inner, func(in subject) bool { return in.role == "" }) {
		return nil, false // a part of a value or of a name is less than all of it
	}
	if c.has("exact") {
		return s.claimExactText(inner, not)
	}
	var out []Claim
	for _, in := range inner {
		claims, ok := s.claimHolds(in, not)
		if !ok {
			return nil, false
		}
		out = append(out, claims...)
	}
	return out, len(out) > 0
}

// claimRowHolds claims that a row of data of a table, which its place tells, holds a text.
// Without a name there is one table, or it is not said which.
func claimRowHolds(c *captures, place string, not bool) ([]Claim, bool) {
	table, inner := subject{role: "table"}, thingsOf(c, "inner")
	if in := thingsOf(c, "sub"); len(in) == 1 {
		table = in[0]
	} else if len(in) > 1 {
		return nil, false
	}
	if not || c.denials() > 0 || len(inner) != 1 || inner[0].role != "" || inner[0].inside != nil || table.role != "table" || table.any || table.inside != nil {
		return nil, false
	}
	var out []Claim
	if !table.named {
		one := table.claim("count_equals", false)
		one.Expected, one.Alike, one.Presumed = "1", nil, true
		out = append(out, one)
	}
	place = " >> nth=" + place
	holds := subject{role: "row", inside: &table}.claim("text_contains", false)
	if holds.Selector += place; !table.named {
		holds.Alike = nil // it is in the table that was counted
	}
	for i := range holds.Alike {
		holds.Alike[i] += place
	}
	holds.Expected, holds.WholeWords = inner[0].name, true
	return append(out, holds), true
}

// claimStarts claims that what is seen of the subject begins with a text.
func (s subject) claimStarts(text string, not bool) ([]Claim, bool) {
	if strings.TrimSpace(text) == "" || !s.isDefinite() || slices.Contains(rolesWithoutContent, s.calledAs()) {
		return nil, false
	}
	c := s.claim("text_matches", not)
	c.Expected = `^\s*` + regexp.QuoteMeta(text)
	return []Claim{c}, true
}

// claimAnyText claims that some text is seen in the subject.
func (s subject) claimAnyText(not bool) ([]Claim, bool) {
	if slices.Contains(fields, s.calledAs()) {
		return []Claim{s.claim("empty", !not)}, true // what is in a field is its value
	}
	if not && s.calledAs() == "css" && !holdsText(s.name) {
		s.name += ":not(input, textarea, select)" // what is in these is a value, which a password does not show
	}
	c := s.claim("text_matches", not)
	c.Expected = `\S`
	return []Claim{c}, !slices.Contains(rolesWithoutContent, s.calledAs())
}

// buildHolding: an element is seen, what it contains, and in which states it is, in one
// breath.
func buildHolding(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	s, known := singleSubject(c)
	if !ok || not || !known {
		return nil, false // which part of it is denied is not said
	}
	out, ok := s.claimSeen(false)
	held, fits := s.claimContains(thingsOf(c, "inner"))
	out, ok = append(out, held...), ok && fits
	states, _ := c.get("states").([]state)
	for _, st := range states {
		claims, fits := s.claimState(st, false)
		out, ok = append(out, claims...), ok && fits
	}
	return out, ok
}

// claimContains claims that texts are in the subject: in its value, where it has one.
func (s subject) claimContains(inner []subject) ([]Claim, bool) {
	if slices.Contains(fields, s.calledAs()) {
		return s.claimValueContains(inner, false)
	}
	var out []Claim
	for _, in := range inner {
		claims, ok := s.claimHolds(in, false)
		if !ok || in.role != "" {
			return nil, false
		}
		out = append(out, claims...)
	}
	return out, len(out) > 0
}

// claimValueContains claims that the value of a field contains texts.
func (s subject) claimValueContains(inner []subject, not bool) (out []Claim, ok bool) {
	for _, in := range inner {
		if in.role != "" || in.message || in.inside != nil {
			return nil, false // a message stands beside a field
		}
		c := s.claim("value_contains", not)
		c.Expected, c.WholeWords = in.name, true
		out = append(out, c)
	}
	return out, len(out) > 0 && s.isDefinite()
}

// knownByAllOfItsText reports whether checks of the subject compare all of its
// text: a field has a value, and what no name says which is found by one.
func (s subject) knownByAllOfItsText() bool {
	return slices.Contains(fields, s.calledAs()) || !s.isDefinite() && s.calledAs() != "list"
}

// withoutNameFromText returns an element without a name that its text gives one: the heading says
// "Orders".
func withoutNameFromText(c *captures) (subject, bool) {
	s := thingsOf(c, "sub", "things")
	if len(s) != 1 || s[0].named || s[0].says != "" || s[0].inside != nil || s[0].role != "list" && !slices.Contains(contentNamed, s[0].role) {
		return subject{}, false
	}
	return s[0], true
}

// claimHolds claims that a text or an element is in the subject.
func (s subject) claimHolds(in subject, not bool) ([]Claim, bool) {
	switch {
	case !s.isDefinite() && !s.holdsTexts([]subject{in}):
		if not || in.role != "" {
			return nil, false
		}
		return subject{role: s.role, name: in.name, named: true}.claimSeen(false)
	case in.role == "" && slices.Contains(fields, s.calledAs()):
		c := s.claim("value_equals", false) // the whole value: more than what was said
		c.Expected = in.name
		return []Claim{c}, !not && !in.message
	case in.role == "" && slices.Contains([]string{"dropdown", "combobox"}, s.calledAs()):
		c := s.claim("selected_label", false)
		c.Expected = in.name
		return []Claim{c}, !not && !in.message
	case in.role == "" && slices.Contains([]string{"checkbox", "radio", "switch", "toggle", "slider", "progressbar", "img"}, s.calledAs()):
		return nil, false // they hold no text
	case in.role == "option" && slices.Contains(dropdowns, s.calledAs()):
		claims, _ := optionClaims([]subject{in}, &captures{"around", []subject{s}, nil})
		if claims == nil {
			return nil, false
		}
		return claims(not)
	}
	inside, ok := in.within(s)
	if !ok {
		return nil, false
	}
	return inside.claimSeen(not)
}

// claimExactText claims that the whole text of the subject is one.
func (s subject) claimExactText(inner []subject, not bool) ([]Claim, bool) {
	if len(inner) != 1 || inner[0].role != "" || slices.Contains(fields, s.calledAs()) || slices.Contains([]string{"dropdown", "combobox"}, s.calledAs()) {
		return nil, false
	}
	if !s.isDefinite() {
		return s.claimHolds(inner[0], not)
	}
	c := s.claim("text_equals", not)
	c.Expected = inner[0].name
	return []Claim{c}, true
}
