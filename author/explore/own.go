package explore

import (
	"iter"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/scan"
	"github.com/assay-qa/assay/internal/address"
)

// records are the pages of records that are known, by path.
type records struct {
	mark    string          // the word that only values of this exploration have
	listed  map[string]bool // items of lists link to them
	queried map[string]bool // lists link to them with a query alone, which names the record or says how a page is shown
	linked  map[string]bool // any link leads there
	own     map[string]bool // this exploration made them
	typed   map[string]bool // what this exploration has entered; true: in place of what others wrote

	start string          // the path that the exploration starts at
	views map[string]bool // the queries with which it is linked; at most severalViews

	pages  map[string]map[string]bool // the numbers that have a page, by the form of its path; at most samePages
	named  map[string]bool            // parameters whose numbers name records, with all else of their addresses
	varies map[string]bool            // paths that a list links to with several queries, and not without one
	beside map[string]bool            // what pages of own records link to with the number that names them
}

func newRecords(start string) records {
	return records{
		start: address.Page(start), views: map[string]bool{},
		listed: map[string]bool{}, queried: map[string]bool{}, linked: map[string]bool{}, own: map[string]bool{}, typed: map[string]bool{},
		pages: map[string]map[string]bool{}, named: map[string]bool{}, varies: map[string]bool{}, beside: map[string]bool{},
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

// pageAndQuery parts an address into what names its page and its parameters.
func pageAndQuery(link string) (page string, query url.Values) {
	u, err := url.Parse(link)
	if err != nil {
		return link, nil
	}
	query = u.Query()
	if _, more, ok := address.HashRoute(u.Fragment); ok {
		values, _ := url.ParseQuery(more) // what it could read is what counts
		for key, value := range values {
			query[key] = value
		}
	}
	return address.Page(link), query
}

// path returns the path of an address, with the number of the record that a parameter of it
// names as a last part.
func (r *records) path(address string) string {
	path, query := pageAndQuery(address)
	for key, value := range numbersIn(query) {
		if whole := without(path, query, key); r.named[whole+"?"+key] {
			return whole + "/" + value
		}
	}
	return path
}

// numbersIn returns the parameters that have one value, which is a number or an id, in order.
func numbersIn(query url.Values) iter.Seq2[string, string] {
	return func(yield func(key, value string) bool) {
		for _, key := range sortedKeys(query) {
			if len(query[key]) == 1 && segmentTemplate(query[key][0]) == "{n}" && !yield(key, query[key][0]) {
				return
			}
		}
	}
}

// without returns what an address is but for one of its parameters.
func without(path string, query url.Values, key string) string {
	rest := maps.Clone(query)
	delete(rest, key)
	if len(rest) == 0 {
		return path
	}
	return path + "?" + rest.Encode()
}

// name notes the parameters that name a record: a list links with it to another page than the
// one that it stands on. A page of a list is the same page, whatever its number.
func (r *records) name(v *view) {
	here, at := pageAndQuery(v.page.URL)
	for i := range v.page.Elements {
		el := &v.page.Elements[i]
		if v.tree.List(i) == "" || !strings.HasPrefix(el.Href, "http") {
			continue
		}
		path, query := pageAndQuery(el.Href)
		for key := range numbersIn(query) {
			if whole := without(path, query, key); whole != without(here, at, key) {
				r.named[whole+"?"+key] = true
			}
		}
	}
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
	for i := range v.page.Nodes {
		if n := &v.page.Nodes[i]; r.marked(n.Name) || r.marked(n.Value) {
			return true
		}
	}
	return r.enteredIn(v)
}

// made notes the record that a write has led to: one that no page linked to before, and
// that shows a value of this exploration.
func (r *records) made(v *view, effect Effect) {
	path := r.record(r.path(v.page.URL))
	if effect.Wrote && (r.of(v) != "" || r.marked(path)) && !r.known(path) && at(r.own, path) == "" && r.holds(v) {
		r.own[path] = true
	}
}

// learn notes the records that a view links to. One of ours is linked by its own value,
// be it in a list or, before that, in a message.
func (r *records) learn(v *view) {
	r.name(v)
	r.ownBeside(v)
	here, linked, ours := address.Page(v.page.URL), map[string]bool{r.path(v.page.URL): true}, map[string]bool{}
	listed := map[string]map[string]bool{} // paths, with the queries that lists link to them with
	for i := range v.page.Elements {
		el := &v.page.Elements[i]
		if el.Href == "" || !strings.HasPrefix(el.Href, "http") {
			continue
		}
		path := r.path(el.Href)
		r.page(path)
		whole, query := pageAndQuery(el.Href)
		if len(query) > 0 && path == r.start && len(r.views) < severalViews {
			r.views[query.Encode()] = true
		}
		if v.tree.List(i) != "" && (whole != here || len(query) > 0) { // a page is no item of its own list
			if listed[path] == nil {
				listed[path] = map[string]bool{}
			}
			if path != whole { // a number of the query is its last part
				query = nil
			}
			listed[path][query.Encode()] = true
			ours[path] = ours[path] || r.marked(el.Name)
		}
		linked[path] = true
	}
	for path, marked := range ours {
		if record := r.record(path); marked && !r.known(record) {
			r.own[record] = true
		}
	}
	for path, queries := range listed {
		if queries[""] {
			r.listed[path] = true
			continue
		}
		r.queried[path] = true
		if len(queries) >= severalViews {
			r.varies[path] = true
		}
	}
	maps.Copy(r.linked, linked)
	if v.page.Status == http.StatusNotFound || v.page.Status == http.StatusGone { // it was deleted
		delete(r.own, r.record(r.path(v.page.URL)))
	}
}

// ownBeside notes the further pages of a record of ours whose number a parameter names: one of
// its pages links to them with that number, and they hold a value of ours, as the form that
// edits it does. Another record that has the same number by chance holds none.
func (r *records) ownBeside(v *view) {
	path := r.path(v.page.URL)
	if r.beside[path] && r.enteredIn(v) {
		r.own[path] = true
	}
	_, query := pageAndQuery(v.page.URL)
	if at(r.own, path) == "" || path == address.Page(v.page.URL) {
		return
	}
	for i := range v.page.Elements {
		_, also := pageAndQuery(v.page.Elements[i].Href)
		for key, value := range numbersIn(also) {
			if other := r.path(v.page.Elements[i].Href); strings.HasSuffix(path, "/"+value) && query.Get(key) == value && strings.HasSuffix(other, "/"+value) {
				r.beside[other] = true
			}
		}
	}
}

// enteredIn reports whether the title of a view, or a field, holds a value of this exploration.
func (r *records) enteredIn(v *view) bool {
	return r.marked(v.page.Title) || slices.ContainsFunc(v.page.Elements, func(el scan.Element) bool { return el.Field != nil && r.marked(el.Field.Value) })
}

// isScript reports whether a view is of a path whose query names what it shows. It may be
// somebody's record, so that nothing of it is changed, and may as well be a part of the site.
func (r *records) isScript(v *view) bool { return r.varies[r.path(v.page.URL)] }

// standing says whose record a view shows: [guard.Own], [guard.Others], or
// [guard.Explored] where it is the page of none.
func (r *records) standing(v *view) guard.Kind {
	path := r.path(v.page.URL)
	switch {
	case at(r.own, path) != "":
		return guard.Own
	case r.of(v) != "":
		return guard.Others
	}
	return guard.Explored
}

// of returns what names the record that a view shows in addresses: the last part of
// its path; "" where it shows none. A path of which a query names the record is none itself,
// and no more is what lies below it.
func (r *records) of(v *view) string {
	path := r.path(v.page.URL)
	if _, query := pageAndQuery(v.page.URL); r.queried[path] && len(query) > 0 && strings.Contains(path, "/") && !r.namesNone(path) {
		return path[strings.LastIndexByte(path, '/')+1:]
	}
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
// it asks for something that is not there yet, while that of a record shows what this has,
// and is sent to its own page, or to another page below what is listed, as an issue is to
// /projects/website/issues.
func (r *records) makes(v *view, form int) bool {
	if segmentTemplate(r.of(v)) == "{n}" || !asksForNew(&v.page, form) {
		return false
	}
	page, action := address.Page(v.page.URL), address.Page(v.page.Forms[form-1].Action)
	below := at(r.listed, page) + "/"
	return action == page || strings.HasPrefix(page, below) && strings.HasPrefix(action, below) && r.linked[action]
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
		if el.Form == form && el.Field != nil && entersText(el) && takesWords(el) && el.IsVisible && !IsSecret(*el) && el.Type != "search" {
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

// asksForNew reports whether a form lacks a text that must be given, or each of its texts. A
// number or a date may be there by default.
func asksForNew(page *scan.Page, form int) bool {
	texts, filled := 0, 0
	for i := range page.Elements {
		el := &page.Elements[i]
		if el.Form != form || el.Field == nil || !entersText(el) || !el.IsVisible {
			continue
		}
		if !el.Field.Filled && el.Field.Required {
			return true
		}
		if takesWords(el) {
			texts++
			if el.Field.Filled {
				filled++
			}
		}
	}
	return texts > 0 && filled == 0
}
