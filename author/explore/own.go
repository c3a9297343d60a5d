package explore

import (
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/scan"
)

// records are the pages of records that are known, by path.
type records struct {
	mark   string          // the word that only values of this exploration have
	listed map[string]bool // items of lists link to them
	linked map[string]bool // any link leads there
	own    map[string]bool // this exploration made them
}

func newRecords() records {
	return records{listed: map[string]bool{}, linked: map[string]bool{}, own: map[string]bool{}}
}

// recordOf returns the path of the record that a page belongs to: up to its last number, or
// else all of the path.
func recordOf(path string) string {
	segments := strings.Split(path, "/")
	for i := len(segments) - 1; i > 0; i-- {
		if segmentTemplate(segments[i]) == "{n}" {
			return strings.Join(segments[:i+1], "/")
		}
	}
	return path
}

// pathOf returns the host and path of an address.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return strings.ToLower(u.Host) + strings.TrimRight(u.Path, "/")
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
	path := recordOf(pathOf(v.page.URL))
	if effect.Wrote && (r.of(v) != "" || r.marked(path)) && !r.linked[path] && at(r.own, path) == "" && r.holds(v) {
		r.own[path] = true
	}
}

// learn notes the records that a view links to. One of ours is linked by its own
// value.
func (r *records) learn(v *view) {
	listed, linked := map[string]bool{}, map[string]bool{}
	for i := range v.page.Elements {
		el := &v.page.Elements[i]
		if el.Href == "" || !strings.HasPrefix(el.Href, "http") {
			continue
		}
		path := recordOf(pathOf(el.Href))
		if v.tree.List(i) != "" {
			if !r.listed[path] && !r.linked[path] && r.marked(el.Name) {
				r.own[path] = true
			}
			listed[path] = true
		}
		linked[path] = true
	}
	path := recordOf(pathOf(v.page.URL))
	linked[path] = true
	maps.Copy(r.listed, listed)
	maps.Copy(r.linked, linked)
	if v.page.Status == http.StatusNotFound || v.page.Status == http.StatusGone { // it was deleted
		delete(r.own, path)
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
	if listed := at(r.listed, path); strings.Contains(listed, "/") {
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

// makes reports whether a form of a view that is listed as records are makes a new one: it
// asks for something that is not there yet, while that of a record shows what this has.
func (r *records) makes(v *view, form int) bool {
	return segmentTemplate(r.of(v)) != "{n}" && asksForNew(&v.page, form)
}

// asksForNew reports whether a form lacks a text that must be given, or has none at all.
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
