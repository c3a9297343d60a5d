package plan

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/text"
)

// Ask is the question of a flow of an explored site: what one act of it changes.
type Ask struct {
	Control string // what a person calls the control of the act; empty: the start address is opened
	Start   string // the start address, where it is opened
	Kind    string // what the control is, such as "a row", where its name is data
	Inside  string // the name of the dialog that the control lies in
	Field   string // of a refusal: the field whose value breaks a rule
	Rule    string // of a refusal: the rule, such as "required" or "min 3"
	Chosen  bool   // of a refusal with nothing entered: what is chosen stays
	Refused bool   // the form comes back as it does with an invalid value
	Page    string // heading of the page that the act opens, where it is the page that the flow is about
	Opens   bool   // the flow is about a kind of page
	List    string // what the page is called that lists what the act made; empty: none is known
	Unknown bool   // the act searches for a text that nothing has
	On      string // heading of the page that the act is done on
	Head    bool   // the control is the head of a column, or stands in it
	Shared  bool   // forms of several pages are sent by a control of that name
}

// OfRefusal reports whether the act sends a form that is refused. A nil one asks nothing.
func (a *Ask) OfRefusal() bool { return a != nil && (a.Rule != "" || a.Refused) }

// Word is an element in a title: its role, and what it says.
type Word struct{ Role, Name string }

// Seen is what a test sees of an act: what a title may say.
type Seen struct {
	Came, Went []Word
	Entered    bool   // what was entered is shown
	Listed     bool   // the list has what was made
	Unlisted   bool   // the list has it no more
	Kept       bool   // it is there after the page was loaded again
	Same       bool   // the page below a dialog is as it was
	Rows       bool   // a table has other rows
	Only       bool   // all rows of a table have the control's name in a cell
	Moved      string // the address, where it is another one
	Popup      bool
	Download   bool
}

// inDialog reports whether a title says the dialog that the control lies in.
func (a Ask) inDialog() bool { return a.Inside != "" && !strings.EqualFold(a.Inside, a.Control) }

// SaysPage reports whether a title says the page that the act is done on.
func (a Ask) SaysPage() bool { return a.Shared && !a.Opens && a.On != "" && !a.inDialog() }

// Title says in one line what a flow tests. The words in quotes are the page's.
func (a Ask) Title(s Seen) string {
	control := cmp.Or(a.Kind, quoted(a.Control))
	switch {
	case a.inDialog():
		control += " in " + quoted(a.Inside)
	case a.SaysPage():
		control += " on " + quoted(a.On)
	}
	switch {
	case a.Control == "":
		return a.startPage(s)
	case a.Rule == "empty" && a.Field == "" && a.Chosen:
		return control + " is refused when no text is entered"
	case a.Rule == "empty" && a.Field == "":
		return control + " is refused when nothing is entered"
	case a.Rule != "":
		return control + " is refused " + brokenRule(a.Field, a.Rule)
	case a.Opens && a.Page != "" && a.Page == a.Control:
		return "opens the page " + quoted(a.Page)
	case a.Opens && a.Page != "":
		return control + " opens the page " + quoted(a.Page)
	}
	return control + " " + a.effect(s)
}

// startPage says what opening the start address shows: its heading, or else what is looked at.
func (a Ask) startPage(s Seen) string {
	for _, w := range s.Came {
		if w.Role == "heading" {
			s.Came = []Word{w}
			break
		}
	}
	if len(s.Came) == 0 && s.Moved == "" && a.Page != "" {
		s.Came = []Word{{Role: "heading", Name: a.Page}}
	}
	return "opening " + quoted(a.Start) + " " + a.effect(s)
}

// effect says what an act changed.
func (a Ask) effect(s Seen) string {
	told := func(words []Word) string {
		var names []string
		for _, w := range words[:min(len(words), 2)] {
			names = append(names, quoted(w.Name))
		}
		return strings.Join(names, " and ")
	}
	first := func(roles ...string) (w Word, ok bool) {
		i := slices.IndexFunc(s.Came, func(w Word) bool { return slices.Contains(roles, w.Role) })
		if i < 0 {
			return w, false
		}
		return s.Came[i], true
	}
	dialog, asks := first("dialog", "alertdialog")
	button, turned := first("button", "link", "switch", "tab")
	gone := slices.ContainsFunc(s.Went, func(w Word) bool { return w.Name == a.Control })
	closed := slices.ContainsFunc(s.Went, func(w Word) bool { return w.Role == "dialog" || w.Role == "alertdialog" })
	switch {
	case a.Opens && turned:
		return "opens the page with " + quoted(button.Name)
	case asks:
		return "asks " + quoted(dialog.Name)
	case a.Unknown:
		return "finds nothing for an unknown text"
	case s.Listed && a.List != "":
		return "adds what was entered to " + quoted(a.List)
	case s.Unlisted && a.List != "":
		return "takes what was made off " + quoted(a.List)
	case a.Head && (s.Rows || s.Entered): // what was entered has another place
		return a.otherRows()
	case s.Entered && s.Kept:
		return "keeps what was entered"
	case s.Entered:
		return "shows what was entered"
	case s.Only:
		return "lists only " + quoted(a.Control)
	case s.Rows && !a.Unknown:
		return a.otherRows()
	case gone && turned:
		return "becomes " + quoted(button.Name)
	case closed && s.Same && len(s.Came) == 0:
		return "changes nothing"
	case len(s.Came) > 0:
		return "shows " + told(s.Came)
	case len(s.Went) > 0:
		return "takes " + told(s.Went) + " away"
	case s.Rows:
		return a.otherRows()
	case s.Popup:
		return "opens another tab"
	case s.Download:
		return "downloads a file"
	case a.Opens:
		return "opens a page"
	case s.Moved != "":
		return "leads to " + quoted(s.Moved)
	}
	return "takes effect"
}

// otherRows says that a table has other rows than before, or, by the head of a column, the same in
// another order; of several pages some of the rows are others then, too.
func (a Ask) otherRows() string {
	if a.Head {
		return "puts the rows in another order"
	}
	return "lists other rows"
}

// What a control is called that has no name of its own: one that opens a record, and what sends a
// form by a key.
const (
	aRow  = "a row"
	aForm = "Enter in the form"
)

// legible returns a text on one line, without glyphs of icon fonts.
func legible(s string) string {
	return oneLine(strings.Map(func(r rune) rune {
		if readable(r) || unicode.IsSpace(r) {
			return r
		}
		return -1
	}, s))
}

// called returns the words of a control's name that are no data; none are left where it is all
// data. kind says then what the control is.
func (r Records) called(x site.Element) (name, kind string) {
	full := oneLine(spoken(x))
	name = legible(full)
	switch {
	case name == "" && full != "":
		return "", "an icon"
	case r.Texts[full] || item(x) && x.Href != "":
		return name, aRow
	case r.Has(name):
		words := slices.DeleteFunc(strings.Fields(name), func(word string) bool { return digits.MatchString(word) })
		if bare := strings.Join(words, " "); strings.ContainsFunc(bare, unicode.IsLetter) && !r.Has(bare) {
			return bare, ""
		}
		kind = "a " + cmp.Or(x.Role, x.Tag)
		if strings.ContainsAny(kind[2:3], "aeiou") {
			kind = "an " + kind[2:]
		}
	}
	return name, kind
}

func quoted(name string) string {
	if name == "" {
		return ""
	}
	return `"` + text.Shorten(legible(name), 60) + `"`
}

// brokenRule says how a field's value breaks a rule that [site.Action] names.
func brokenRule(field, rule string) string {
	kind, bound, _ := strings.Cut(rule, " ")
	say, known := map[string]string{
		"required": "without %s", "type": "when %s is no %s", "min": "when %s is less than %s", "max": "when %s is more than %s",
		"minlength": "when %s is shorter than %s characters", "maxlength": "when %s is longer than %s characters", "pattern": "when %s has a wrong form", "step": "when %s is no multiple of %s",
	}[kind]
	switch {
	case !known:
		return "when " + quoted(field) + " breaks " + rule
	case strings.Count(say, "%s") == 1:
		return fmt.Sprintf(say, quoted(field))
	}
	return fmt.Sprintf(say, quoted(field), bound)
}

// digits matches what is likely a figure, a date or a number of a record.
var digits = pattern.New(`\p{Nd}`)

// item reports whether an element lies in an item of a list, or in a row of data.
func item(x site.Element) bool {
	return inItem.MatchString(x.XPath) && !ofHead.MatchString(x.XPath) && !everywhere.MatchString(x.Landmark)
}

// ofColumnHead reports whether an element is the head of a column, or stands in it.
func ofColumnHead(x site.Element) bool {
	return x.Role == "columnheader" || ofHead.MatchString(x.XPath)
}

var (
	inItem = pattern.New(`/(?:tr|li|article|dd|option)(?:\[\d+\])?(?:/|$)`)
	ofHead = pattern.New(`/(?:thead|th)(?:\[\d+\])?(?:/|$)`)
)

// everywhere matches the landmarks whose elements are no records.
var everywhere = pattern.New(`^(?:navigation|banner|contentinfo|menu|tablist)\b`)

// Records are the texts of a site that are data rather than words of the application: what
// stands in items of lists, and headings of pages of one record. What has a digit, or the
// word by which an exploration marks what it enters, is data as well, and not listed.
type Records struct {
	Texts map[string]bool
	Mark  string // in lower case; empty: nothing was entered
}

// RecordsOf returns the data of a site.
func RecordsOf(s site.Site) Records {
	out := map[string]bool{}
	headings := map[string]map[string]int{} // by path, the states that have a heading
	pages, urls := map[string]int{}, map[string]string{}
	for _, state := range s.States {
		urls[state.ID] = state.URL
		path := pathOf(state.Place)
		if !strings.Contains(path, "{n}") {
			continue
		}
		pages[path]++
		for _, x := range state.Notable {
			if x.Role == "heading" {
				if headings[path] == nil {
					headings[path] = map[string]int{}
				}
				headings[path][oneLine(x.Name)]++
			}
		}
	}
	for path, all := range headings {
		for name, n := range all {
			if n < pages[path] && len(all) > 1 && titled(s, name) {
				out[name] = true
			}
		}
	}
	said := map[string]bool{} // by refusals
	for _, e := range s.Edges {
		for _, x := range e.Changes.Appeared {
			said[oneLine(x.Name)] = said[oneLine(x.Name)] || e.Action.Invalid != ""
		}
	}
	for _, e := range s.Edges {
		if e.Wrote && e.Action.Invalid == "" && len(e.Action.Fields) > 0 && e.Changes.URL == "" { // an edit in its place: what it replaced
			for _, x := range e.Changes.Gone {
				if name := oneLine(x.Name); x.Role == "text" && name != "" && !said[name] {
					out[name] = true
				}
			}
		}
		for _, x := range slices.Concat(e.Changes.Appeared, e.Changes.Gone) {
			if name := oneLine(x.Name); name != "" && item(x) && !choosesView(x, urls[e.From], urls[e.To]) {
				out[name] = true
			}
		}
	}
	return Records{Texts: out, Mark: strings.ToLower(s.Mark)}
}

// refusedStates returns the states that forms with an invalid value lead to, by [sentTo].
func refusedStates(s site.Site) map[[2]string]bool {
	out := map[[2]string]bool{}
	for _, e := range s.Edges {
		if e.Action.Invalid != "" {
			out[sentTo(e)] = true
		}
	}
	return out
}

// sentTo returns the control that sends a form, and the state that it leads to.
func sentTo(e site.Edge) [2]string {
	if e.Action.Element == nil {
		return [2]string{}
	}
	return [2]string{e.Action.Element.Selector, e.To}
}

// choosesView reports whether a link leads to another view of one of the pages that it was seen on:
// its address differs in the query alone, and not by the number of a record.
func choosesView(x site.Element, pages ...string) bool {
	to, err := url.Parse(x.Href)
	if err != nil || x.Href == "" || digits.MatchString(to.RawQuery) {
		return false
	}
	return slices.ContainsFunc(pages, func(page string) bool {
		at, err := url.Parse(page)
		return err == nil && at.Host == to.Host && at.Path == to.Path
	})
}

// titled reports whether the title of a state has a text.
func titled(s site.Site, name string) bool {
	return slices.ContainsFunc(s.States, func(state site.State) bool { return strings.Contains(oneLine(state.Title), name) })
}

// Has reports whether a text is likely another one with other records.
func (r Records) Has(name string) bool {
	return r.Texts[oneLine(name)] || digits.MatchString(name) || r.Entered(name)
}

// Entered reports whether a text is one that the exploration has entered.
func (r Records) Entered(name string) bool {
	return r.Mark != "" && strings.Contains(strings.ToLower(name), r.Mark)
}

// pathOf returns a place without its query.
func pathOf(place string) string { return query.ReplaceAllString(place, "") }

var query = pattern.New(`\?[^#]*`)
