package explore

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/assay-qa/assay/browser/guard"
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
	path := pathOf(v.page.URL)
	if effect.Wrote && (r.of(v) != "" || r.marked(path)) && !r.linked[path] && at(r.own, path) == "" && r.holds(v) {
		r.own[path] = true
	}
}

// learn notes the records that a view links to. One of ours is linked by its own
// value.
func (r *records) learn(v *view) {
	for i := range v.page.Elements {
		el := &v.page.Elements[i]
		if el.Href == "" || !strings.HasPrefix(el.Href, "http") {
			continue
		}
		path := pathOf(el.Href)
		if v.tree.List(i) != "" {
			if !r.listed[path] && !r.linked[path] && r.marked(el.Name) {
				r.own[path] = true
			}
			r.listed[path] = true
		}
		r.linked[path] = true
	}
	path := pathOf(v.page.URL)
	r.linked[path] = true
	if v.page.Status >= http.StatusBadRequest { // it was deleted
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
