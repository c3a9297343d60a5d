package explore

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/scan"
)

// records are the pages of records that are known, by path.
type records struct {
	mark   string          // the word that only values of this exploration have
	listed map[string]bool // items of lists link to them
	linked map[string]bool // any link leads there
	own    map[string]bool // this exploration made them
	typed  map[string]bool // what this exploration has entered; true: in place of what others wrote

	start string          // the path that the exploration starts at
	views map[string]bool // the queries with which it is linked; at most severalViews

	pages map[string]map[string]bool // the numbers that have a page, by the form of its path; at most samePages
}

func newRecords(start string) records {
	return records{
		start: pathOf(start), views: map[string]bool{},
		listed: map[string]bool{}, linked: map[string]bool{}, own: map[string]bool{}, typed: map[string]bool{}, pages: map[string]map[string]bool{},
	}
}

// record returns the path of the record that a page belongs to. What follows the last number
// of a path is a page of that record where other numbers have it too, as in /books/7/delete;
// otherwise it may be what names the record: /blog/2026/my-trip.
func (r *records) record(path string) string {
	root, rest := numbered(path)
	if rest == "" || len(r.pages[pathTemplate(root)+rest]) < samePages {
		return path
	}
	return root
}

// severalViews is with how many queries the path must be linked at which an exploration starts,
// so that it is a script whose query names the page. Another path may be a record with tabs.
const severalViews = 2

// namesNone reports whether a path names no record, though lists link to it.
func (r *records) namesNone(path string) bool { return path == r.start && len(r.views) >= severalViews }

// samePages is for how many numbers a page must be linked that records have.
const samePages = 2

// numbered parts a path behind its last number; all of it is the root where it has none.
func numbered(path string) (root, rest string) {
	for end := len(path); end > 0; {
		start := strings.LastIndexByte(path[:end], '/')
		if start < 0 {
			break
		}
		if segmentTemplate(path[start+1:end]) == "{n}" {
			return path[:end], path[end:]
		}
		end = start
	}
	return path, ""
}

// page notes that a path is one of the pages of its number.
func (r *records) page(path string) {
	root, rest := numbered(path)
	if rest == "" {
		return
	}
	key := pathTemplate(root) + rest
	if r.pages[key] == nil {
		r.pages[key] = map[string]bool{}
	}
	if len(r.pages[key]) < samePages {
		r.pages[key][root] = true
	}
}

// known reports whether a page of a record was linked before.
func (r *records) known(record string) bool {
	if r.linked[record] {
		return true
	}
	for path := range r.linked {
		if strings.HasPrefix(path, record+"/") {
			return true
		}
	}
	return false
}

// pathOf returns the host and path of an address, with the path of its hash route.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	path := strings.ToLower(u.Host) + strings.TrimRight(u.Path, "/")
	if route, _, ok := hashRoute(u.Fragment); ok {
		path += "#" + strings.TrimRight(route, "/")
	}
	return path
}

// at returns the record that a path is, or lies below; "" for none.
func at(records map[string]bool, path string) string {
	for p := path; ; {
		if records[p] {
			return p
		}
		i := strings.LastIndexByte(p, '/')
		if i < 0 {
			return ""
		}
		p = p[:i]
	}
}

// marked reports whether a text has the mark.
func (r *records) marked(text string) bool {
	return r.mark != "" && strings.Contains(strings.ToLower(text), strings.ToLower(r.mark))
}

// holds reports whether a view shows a value that this exploration made up.
func (r *records) holds(v *view) bool {
	if r.marked(v.page.Title) {
		return true
	}
	for i := range v.page.Nodes {
		if n := &v.page.Nodes[i]; r.marked(n.Name) || r.marked(n.Value) {
			return true
		}
	}
	for i := range v.page.Elements {
		if f := v.page.Elements[i].Field; f != nil && r.marked(f.Value) {
			return true
		}
	}
	return false
}

// made notes the record that a write has led to: one that no page linked to before, and
// that shows a value of this exploration.
func (r *records) made(v *view, effect Effect) {
	path := r.record(pathOf(v.page.URL))
	if effect.Wrote && (r.of(v) != "" || r.marked(path)) && !r.known(path) && at(r.own, path) == "" && r.holds(v) {
		r.own[path] = true
	}
}

// learn notes the records that a view links to. One of ours is linked by its own value,
// be it in a list or, before that, in a message.
func (r *records) learn(v *view) {
	listed, linked := map[string]bool{}, map[string]bool{pathOf(v.page.URL): true}
	ours := map[string]bool{}
	for i := range v.page.Elements {
		el := &v.page.Elements[i]
		if el.Href == "" || !strings.HasPrefix(el.Href, "http") {
			continue
		}
		path := pathOf(el.Href)
		r.page(path)
		if u, err := url.Parse(el.Href); err == nil && u.RawQuery != "" && path == r.start && len(r.views) < severalViews {
			r.views[u.RawQuery] = true
		}
		if v.tree.List(i) != "" {
			listed[path] = true
			ours[path] = ours[path] || r.marked(el.Name)
		}
		linked[path] = true
	}
	for path, marked := range ours {
		if record := r.record(path); marked && !r.known(record) {
			r.own[record] = true
		}
	}
	maps.Copy(r.listed, listed)
	maps.Copy(r.linked, linked)
	if v.page.Status == http.StatusNotFound || v.page.Status == http.StatusGone { // it was deleted
		delete(r.own, r.record(pathOf(v.page.URL)))
	}
}

// standing says whose record a view shows: [guard.Own], [guard.Others], or
// [guard.Explored] where it is the page of none.
func (r *records) standing(v *view) guard.Kind {
	path := pathOf(v.page.URL)
	switch {
	case at(r.own, path) != "":
		return guard.Own
	case r.of(v) != "":
		return guard.Others
	}
	return guard.Explored
}

// of returns what names the record that a view shows in addresses: the last part of
// its path; "" where it shows none.
func (r *records) of(v *view) string {
	path := pathOf(v.page.URL)
	if listed := r.record(at(r.listed, path)); strings.Contains(listed, "/") && !r.namesNone(listed) {
		return listed[strings.LastIndexByte(listed, '/')+1:]
	}
	host := strings.IndexByte(path, '/')
	if host < 0 {
		return ""
	}
	segments := strings.Split(path[host+1:], "/")
	for i := len(segments) - 1; i >= 0; i-- {
		if segmentTemplate(segments[i]) == "{n}" {
			return segments[i]
		}
	}
	return ""
}

// touches reports whether a form or link of a view changes somebody else's record.
func (r *records) touches(v *view, address string) bool {
	return r.standing(v) == guard.Others && guard.Names(address, r.of(v))
}

// makes reports whether a form makes a new record, on a page that is listed as records are:
// it is sent to its own page, and asks for something that is not there yet, while that of a
// record shows what this has.
func (r *records) makes(v *view, form int) bool {
	return segmentTemplate(r.of(v)) != "{n}" && pathOf(v.page.Forms[form-1].Action) == pathOf(v.page.URL) && asksForNew(&v.page, form)
}

// edits reports whether a form begins with words that stand there already and that this
// exploration did not enter: sent, it would change what somebody else made, whatever its
// address says. A form that makes something new begins with what is not there yet, and a
// number or a date may be a default. noForm stands for what is in no form.
func (r *records) edits(v *view, form int) bool {
	if form != noForm && (v.page.Forms[form-1].Search || strings.EqualFold(v.page.Forms[form-1].Method, http.MethodGet) || r.standing(v) == guard.Own) {
		return false
	}
	for i := range v.page.Elements {
		el := &v.page.Elements[i]
		if el.Form == form && el.Field != nil && KindOf(*el) == Text && takesWords(el) && el.IsVisible && !el.Field.ReadOnly && !IsSecret(*el) && el.Type != "search" {
			return strings.ContainsFunc(el.Field.Value, unicode.IsLetter) && r.isOthers(el.Field)
		}
	}
	return false
}

// isOthers reports whether a field holds what this exploration did not enter, or what it has
// entered in its place.
func (r *records) isOthers(field *scan.Field) bool {
	replaces, typed := r.typed[field.Value]
	return field.Filled && (replaces || !typed && !r.marked(field.Value))
}

// enters notes a value before it is entered in a field of a view; nil: of a page that is not known.
func (r *records) enters(v *view, field *site.Element, value string) {
	replaces := r.typed[value]
	if v != nil {
		for i := range v.page.Elements {
			el := &v.page.Elements[i]
			replaces = replaces || el.Field != nil && el.XPath == field.XPath && el.Frame == field.Frame && r.isOthers(el.Field)
		}
	}
	r.typed[value] = replaces
}

const noForm = 0

// takesWords reports whether a text field takes more than a number, a date or a colour, as
// forms give them before anybody enters one.
func takesWords(el *scan.Element) bool {
	switch el.Type {
	case "number", "range", "date", "time", "month", "week", "datetime-local", "color":
		return false
	}
	return true
}

// asksForNew reports whether a form lacks a text that must be given, or each of its texts.
func asksForNew(page *scan.Page, form int) bool {
	texts, filled := 0, 0
	for i := range page.Elements {
		el := &page.Elements[i]
		if el.Form != form || el.Field == nil || KindOf(*el) != Text || !el.IsVisible {
			continue
		}
		if texts++; el.Field.Filled {
			filled++
		} else if el.Field.Required {
			return true
		}
	}
	return texts > 0 && filled == 0
}
