package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/internal/pattern"
)

// pageNames tell what pages are called. A heading, or a part of a title, that many pages have
// names none of them.
type pageNames struct {
	records  Records
	pages    int
	headings map[string]int    // how many pages have it
	titles   map[string]int    // how many pages have a title with that part
	kinds    map[string]string // by path, the words that all headings of its records begin with
}

// kindsOf returns the words that the headings of different records of a path begin with, such as
// "Product" of "Product Chair" and "Product Desk".
func kindsOf(s site.Site) map[string]string {
	heads := map[string][]string{}
	for _, state := range s.States {
		path := pathOf(state.Place)
		for _, x := range state.Notable {
			if name := oneLine(x.Name); x.Role == "heading" && strings.Contains(path, "{n}") && !slices.Contains(heads[path], name) {
				heads[path] = append(heads[path], name)
				break
			}
		}
	}
	kinds := map[string]string{}
	for path, names := range heads {
		words := strings.Fields(names[0])
		for _, name := range names[1:] {
			n := 0
			for i, word := range strings.Fields(name) {
				if i >= len(words) || words[i] != word {
					break
				}
				n++
			}
			words = words[:n]
		}
		if kind := strings.Join(words, " "); kind != "" && len(names) > 1 && !slices.Contains(names, kind) && !digits.MatchString(kind) {
			kinds[path] = kind
		}
	}
	return kinds
}

// titleEnd matches what stands between the name of a page and that of its site.
var titleEnd = pattern.New(` [|·–—-] `)

// titleParts parts a title, such as "Issues - Website - Redmine".
func titleParts(title string) []string {
	return titleEnd.Split(oneLine(title), -1)
}

func pageNamesOf(s site.Site, records Records) pageNames {
	paths, headings, titles := map[string]bool{}, map[[2]string]bool{}, map[[2]string]bool{}
	for _, state := range s.States {
		path := pathOf(state.Place)
		paths[path] = true
		for _, x := range state.Notable {
			if x.Role == "heading" {
				headings[[2]string{oneLine(x.Name), path}] = true
			}
		}
		for _, part := range titleParts(state.Title) {
			titles[[2]string{part, path}] = true
		}
	}
	n := pageNames{records, len(paths), map[string]int{}, map[string]int{}, kindsOf(s)}
	for one := range headings {
		n.headings[one[0]]++
	}
	for one := range titles {
		n.titles[one[0]]++
	}
	return n
}

// everywhere reports whether so many pages tell none from others.
func (n pageNames) everywhere(pages int) bool { return pages > 2 && pages*2 > n.pages }

// isData reports whether a text is another one with other records. What heads a page whose
// address has no number, or stands in its title, is the name of that page, though lists have
// it as well: a menu is a list of links, too.
func (n pageNames) isData(name, tag string, of *site.State) bool {
	if strings.Contains(pathOf(of.Place), "{n}") || tag > "h2" && !slices.Contains(titleParts(of.Title), name) {
		return n.records.Has(name)
	}
	return digits.MatchString(name) || n.records.Entered(name)
}

// heading returns the heading that the title of a page says, the one that fewest pages have; or
// else the first one of the highest level that is no data. level is its tag, such as h1.
func (n pageNames) heading(of *site.State, all []site.Element) (found, level string) {
	level = "h9"
	said, parts := "", titleParts(of.Title)
	for _, x := range all {
		name, tag := oneLine(x.Name), cmp.Or(x.Tag, "h7")
		if x.Role != "heading" || name == "" || n.everywhere(n.headings[name]) || n.isData(name, tag, of) {
			continue
		}
		if slices.Contains(parts, name) && (said == "" || n.headings[name] < n.headings[said]) {
			said = name
		}
		if tag < level {
			found, level = name, tag
		}
	}
	if said != "" {
		return said, "h1"
	}
	if kind := n.kinds[pathOf(of.Place)]; found == "" && kind != "" {
		return kind, "h1"
	}
	return found, level
}

// page returns what a page is called: its heading, or the first part of its title; that comes
// before a heading that only heads a part of the page, or a part of the site.
func (n pageNames) page(of *site.State, all []site.Element) string {
	parts := titleParts(of.Title)
	first := parts[0]
	if n.isData(first, "", of) {
		first = ""
	}
	heading, level := n.heading(of, all)
	part := level > "h2" || slices.Contains(parts[1:], heading) && n.titles[first] < n.headings[heading]
	if part && !n.everywhere(n.titles[first]) {
		return cmp.Or(first, heading)
	}
	return cmp.Or(heading, first)
}
