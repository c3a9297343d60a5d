package claim

import (
	"slices"
	"strings"
)

// subject holds what a sentence is about: an element by role and name, or a
// text.
type subject struct {
	role   string // key of roles; empty: a text
	name   string // accessible name, or the text
	named  bool
	says   string // of an element that is known by the text in it alone
	any    bool   // any element of the role will do: a dialog
	bare   bool   // a quoted text that no word says the kind of
	inside *subject
	kind   string // of one that a selector finds: the role that the sentence calls it by

	message bool // a text that is said to be a message
}

// roles lists the ARIA roles that a word for an element may stand for, the most
// usual one first.
var roles = map[string][]string{
	"field": {"textbox", "searchbox", "spinbutton", "combobox"}, "dropdown": {"combobox", "listbox"},
	"searchfield": {"searchbox", "textbox", "combobox"}, "toggle": {"switch", "checkbox"},
	"table": {"table", "grid", "treegrid"}, "cell": {"cell", "gridcell"}, "dialog": {"dialog", "alertdialog"},
	"menuitem": {"menuitem", "menuitemcheckbox", "menuitemradio"}, tickedRole: {"checkbox", "radio", "switch"},
}

// tickedRole is the key of what can be ticked, where no word says what it is.
const tickedRole = "ticked"

func rolesOf(key string) []string {
	if all, ok := roles[key]; ok {
		return all
	}
	return []string{key}
}

// tagRoles lists roles whose word alone is CSS: without a name they are written as
// role=.
var tagRoles = strings.Fields("article blockquote button caption dialog figure form frame img main menu meter option search table text")

// singletonRoles lists the roles of which a page shows one at a time, so that "the dialog"
// says which.
var singletonRoles = strings.Fields("alert status dialog navigation main banner contentinfo complementary progressbar tooltip table menu tree toolbar")

// rolesWithoutName lists the roles that are known by the text in them, as they have no name
// from it.
var rolesWithoutName = strings.Fields("alert status log")

// contentNamed lists the roles whose name is the text in them.
var contentNamed = strings.Fields("button link heading cell columnheader option tab menuitem checkbox radio switch treeitem")

// ariaRoles lists the roles that a sentence may name as ARIA does, with a name that tells
// one of them.
var ariaRoles = strings.Fields(`article button cell checkbox columnheader combobox dialog form group heading img link list listbox listitem menu
	menuitem navigation option progressbar radio radiogroup region row searchbox slider spinbutton switch tab table tablist tabpanel textbox toolbar tree treeitem`)

// listEntryRole names the kind of what a list or a table has, where the word does not say which: an
// item of a list, a row of a table. It is counted alone.
const listEntryRole = "entry"

var escapeName = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// line returns the snapshot line of a role and a name.
func line(role, name string, named bool) string {
	switch {
	case role == "css":
		return "css=" + name
	case named:
		return role + ` "` + escapeName.Replace(squeeze(name)) + `"`
	case slices.Contains(tagRoles, role):
		return "role=" + role
	default:
		return role
	}
}

// calledAs returns the role that the sentence calls the subject by.
func (s subject) calledAs() string {
	if s.kind != "" {
		return s.kind
	}
	return s.role
}

// selectors returns all selectors of the subject, the most usual one first.
func (s subject) selectors() []string {
	var own []string
	if s.role == "" {
		own = []string{`text="` + squeeze(s.name) + `"`}
	}
	if s.role != "" {
		for _, r := range rolesOf(s.role) {
			own = append(own, line(r, s.name, s.named))
		}
	}
	if s.inside == nil {
		return own
	}
	var out []string
	for _, around := range s.inside.selectors() {
		for _, o := range own {
			out = append(out, around+" >> "+o)
		}
	}
	return out
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// within returns the subject inside of another one. ok is false where it is inside of
// one already that is not the same.
func (s subject) within(around subject) (subject, bool) {
	if s.inside != nil {
		deeper, ok := s.inside.within(around)
		s.inside = &deeper
		return s, ok
	}
	s.inside = &around
	return s, around.role != "" && around.says == "" && !slices.Contains(rolesWithoutContent, around.role)
}

// rolesWithoutContent lists the roles that contain no other element: a field has a value, a box a state. What
// people see in a column or in a tab is in its cells or in its panel, not in the element of that name.
var rolesWithoutContent = strings.Fields("columnheader tab field textbox searchbox searchfield spinbutton dropdown combobox checkbox radio switch toggle slider progressbar img")

// isDefinite reports whether it is said which element is meant.
func (s subject) isDefinite() bool {
	return s.named || s.says != "" || slices.Contains(singletonRoles, s.role)
}

// holdsTexts reports whether the subject is a list that no name says which, and
// what stands in it are texts: a check of those finds one list, or proves nothing.
func (s subject) holdsTexts(inner []subject) bool {
	return s.role == "list" && !s.any && !slices.ContainsFunc(inner, func(in subject) bool { return in.role != "" })
}

// buildBase makes subjects of a phrase: role and quotations, texts, a role alone.
func buildBase(c *captures) (any, bool) {
	role, plural := c.text("role"), c.text("roles")
	for _, kept := range []string{"css", "bare", "placecss"} {
		if css := c.text(kept); css != "" {
			return []subject{{role: "css", name: css, named: true}}, true
		}
	}
	if c.has("attr") {
		return byAttribute(c.text("attr"), c.text("attrvalue"), role)
	}
	if c.has("leadingto") {
		return leadingTo(role, c.text("path"))
	}
	names := textsOf(c)
	if aria := c.text("ariarole"); aria != "" { // a role as ARIA names it
		return []subject{{role: aria, name: c.text("quote"), named: true}}, slices.Contains(ariaRoles, aria) && strings.TrimSpace(c.text("quote")) != ""
	}
	switch {
	case role == "" && plural == "":
		return textSubjects(names, c.text("noun"))
	case plural != "" && len(names) == 1 && quotedCount.MatchString(names[0]):
		return nil, false // "3" rows are three
	case plural != "":
		var out []subject
		for _, n := range names {
			s, ok := withText(plural, n, c.text("link"))
			if !ok {
				return nil, false
			}
			out = append(out, s)
		}
		return out, len(out) > 0
	case len(names) == 1:
		s, ok := withText(role, names[0], c.text("link"))
		return []subject{s}, ok
	case len(names) > 1:
		return nil, false
	}
	s := subject{role: role, any: c.text("art") == "a"}
	return []subject{s}, role != listEntryRole
}

// textsOf returns the quoted texts or the name that were kept.
func textsOf(c *captures) []string {
	if many, ok := c.get("quotes").([]string); ok {
		return many
	}
	for _, as := range []string{"quote", "name"} {
		if s := c.text(as); s != "" {
			return []string{s}
		}
	}
	return nil
}

func textSubjects(texts []string, noun string) (any, bool) {
	var out []subject
	for _, t := range texts {
		if strings.TrimSpace(t) == "" {
			return nil, false
		}
		out = append(out, subject{name: t, bare: noun == "", message: noun == "message"})
	}
	return out, len(out) > 0
}

// withText adds a quoted text to an element. link says what joins the two: "name",
// "text", "part" of a text, or nothing.
func withText(role, text, link string) (subject, bool) {
	if strings.TrimSpace(text) == "" {
		return subject{}, false
	}
	if role == listEntryRole || link == "alt" && role != "img" {
		return subject{}, false // an alternative text is an image's
	}
	if isSelector(role, text) {
		return bySelector(text, role)
	}
	if role == "banner" || role == "contentinfo" || role == "complementary" {
		return subject{}, false // a sentence does not name them: the text is in them, or it is a heading
	}
	content := slices.Contains(contentNamed, role)
	switch {
	case link == "part" && content:
		return subject{}, false // a name is the whole text
	case slices.Contains(rolesWithoutName, role), (link == "text" || link == "part") && !content:
		return subject{role: role, says: text}, slices.Contains(singletonRoles, role) || slices.Contains(rolesWithoutName, role)
	default:
		return subject{role: role, name: text, named: true}, true
	}
}

// tagsOf lists the tags that elements of a role have, by the word for it; an empty list stands
// for a word that any element may be called by.
var tagsOf = map[string]string{
	"button": `button, input, summary, [role="button"]`, "link": `a, area, [role="link"]`, "img": `img, svg, [role="img"]`, "form": `form`,
	"field": `input, textarea, select, [role="textbox"], [role="combobox"]`, "textbox": `input, textarea, [role="textbox"]`, "checkbox": `input[type="checkbox"], [role="checkbox"]`,
	"radio": `input[type="radio"], [role="radio"]`, "dropdown": `select, [role="combobox"], [role="listbox"]`, "table": `table, [role="table"], [role="grid"]`,
	"list": `ul, ol, [role="list"]`, "option": `option, [role="option"]`, "heading": `h1, h2, h3, h4, h5, h6, [role="heading"]`, "region": "",
}

// bySelector returns the element that a selector finds, of the kind that the sentence says.
func bySelector(selector, role string) (subject, bool) {
	tags, known := tagsOf[role]
	if tags != "" {
		selector += ":is(" + tags + ")"
	}
	return subject{role: "css", name: selector, named: true, kind: role}, known
}

// byAttribute returns the element that has an attribute with a value, such as an id.
func byAttribute(attribute, value, role string) ([]subject, bool) {
	if strings.TrimSpace(value) == "" || attribute == "class~" && strings.ContainsAny(value, " \t") {
		return nil, false
	}
	selector := "[" + attribute + `="` + escapeName.Replace(value) + `"]`
	if role == "" {
		return []subject{{role: "css", name: selector, named: true}}, true
	}
	s, ok := bySelector(selector, role)
	return []subject{s}, ok
}

// targetKind is the kind of a link that is known by where it leads alone.
const targetKind = "target"

// leadingTo returns the link that has an address as its target, as it is written.
func leadingTo(role, path string) (any, bool) {
	if role != "link" || strings.ContainsAny(path, `*"\`) || relativePath.MatchString(path) {
		return nil, false
	}
	return []subject{{role: "css", name: `a[href="` + path + `"]`, named: true, kind: targetKind}}, path != ""
}

// isSelector reports whether a quoted name is rather a selector of CSS: of several steps,
// or of an id or a class where the role is none that people call #design.
func isSelector(role, name string) bool {
	if !tagSelector.MatchString(name) {
		return false
	}
	if strings.Contains(name, "[") {
		return true
	}
	if !strings.HasPrefix(name, "#") && !strings.HasPrefix(name, ".") {
		return false
	}
	return strings.Contains(name, " ") || !slices.Contains(strings.Fields("link button heading tab option menuitem cell row listitem"), role)
}

// buildSub puts what stands in something into it.
func buildSub(c *captures) (any, bool) {
	inner, _ := c.get("base").([]subject)
	around, isIn := c.get("around").([]subject)
	if !isIn {
		return inner, len(inner) > 0
	}
	return allWithin(inner, around)
}

func allWithin(inner, around []subject) ([]subject, bool) {
	if len(around) != 1 || len(inner) == 0 || !around[0].isDefinite() && !around[0].holdsTexts(inner) {
		return nil, false
	}
	out := make([]subject, len(inner))
	for i, s := range inner {
		in, ok := s.within(around[0])
		if !ok {
			return nil, false
		}
		out[i] = in
	}
	return out, true
}

// claim returns a claim of that type on the subject.
func (s subject) claim(assertion string, not bool) Claim {
	all := s.selectors()
	return Claim{Selector: all[0], Alike: all[1:len(all):len(all)], Type: assertion, Not: not}
}

// textSelectors returns where a text of the subject stands: the selectors of what it is in.
func (s subject) textSelectors() (selector string, alike []string) {
	if s.inside == nil {
		return "", nil
	}
	all := s.inside.selectors()
	return all[0], all[1:]
}

// claimSeen claims that a person sees the subject, or that it is not there.
func (s subject) claimSeen(not bool) ([]Claim, bool) {
	switch {
	case s.says != "" && not:
		// The element may be gone with its text, so the whole page must be without it.
		return []Claim{{Type: "text_contains", Expected: s.says, WholeWords: true, Not: true}}, s.inside == nil
	case s.says != "":
		c := subject{role: s.role, inside: s.inside}.claim("text_contains", false)
		c.Expected, c.WholeWords = s.says, true
		return []Claim{c}, true
	case s.role == "":
		c := Claim{Type: "text_contains", Expected: s.name, WholeWords: true, Not: not}
		c.Selector, c.Alike = s.textSelectors()
		return s.withContainerSeen([]Claim{c}, not), true
	case not && s.kind == targetKind:
		return nil, false // the address may be written in another way
	case !not:
		return []Claim{s.claim("visible", false)}, s.any || s.isDefinite()
	}
	var out []Claim
	for _, sel := range s.selectors() {
		out = append(out, Claim{Selector: sel, Type: "hidden"})
	}
	return s.withContainerSeen(out, true), true
}

// withContainerSeen adds that what the subject is in is seen, where the claims would hold
// without it.
func (s subject) withContainerSeen(claims []Claim, absent bool) []Claim {
	if !absent || s.inside == nil {
		return claims
	}
	there := "visible"
	if slices.Contains([]string{"list", "table"}, s.inside.role) {
		there = "exists" // without items it may have no size
	}
	around := s.inside.claim(there, false)
	around.Presumed = true
	return append(claims, around)
}

func claimAllSeen(subjects []subject, not bool) ([]Claim, bool) {
	var out []Claim
	for _, s := range subjects {
		claims, ok := s.claimSeen(not)
		if !ok {
			return nil, false
		}
		out = append(out, claims...)
	}
	return out, len(out) > 0
}
