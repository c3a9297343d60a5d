package selectors

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// Part holds one step of a chain: a snapshot line, or a query in one of Playwright's own engines.
type Part struct {
	Line   *Line
	Engine string // css, xpath, text, …; empty for a line
	Body   string
	bare   bool // it was taken for CSS as nothing else fits
}

// Line holds the part of a printed line that finds the element again.
type Line struct {
	Role  string
	Name  string
	Named bool
	Nth   int // counted from 1; 0 means none was given

	Column string // of a row: the head of the column whose cell is meant; empty: the row itself
}

func (l Line) String() string {
	var b strings.Builder
	b.WriteString(l.Role)
	if l.Named {
		b.WriteString(` "` + lineEscaper.Replace(l.Name) + `"`)
	}
	if l.Nth > 0 {
		fmt.Fprintf(&b, " [%d]", l.Nth)
	}
	if l.Column != "" {
		b.WriteString(` column "` + lineEscaper.Replace(l.Column) + `"`)
	}
	return b.String()
}

// String returns the selector in its canonical form: parsing it again gives the same one.
func (s Selector) String() string {
	parts := make([]string, len(s.Parts))
	for i, p := range s.Parts {
		parts[i] = p.String()
	}
	return s.Prefix() + strings.Join(parts, " >> ")
}

// Prefix returns what stands before every line of its last frame.
func (s Selector) Prefix() string {
	var b strings.Builder
	for _, hop := range s.Frames {
		b.WriteString(hop.String() + " > ")
	}
	return b.String()
}

func (p Part) String() string {
	if p.Line != nil {
		return p.Line.String()
	}
	return p.Engine + "=" + p.Body
}

// Unquote takes quotes off a text; ok is false when it has none.
func Unquote(s string) (text string, ok bool) {
	if len(s) < 2 || s[0] != s[len(s)-1] || (s[0] != '"' && s[0] != '\'') {
		return "", false
	}
	return s[1 : len(s)-1], true
}

// PlainWords returns the text of a selector that was read as CSS, as nothing else
// fits, and looks like words that a person reads: some of them are no tags of
// HTML. It returns "" for any other.
func (s Selector) PlainWords() string {
	last := s.Parts[len(s.Parts)-1]
	if !last.bare || len(s.Parts) > 1 {
		return ""
	}
	words := strings.Fields(last.Body)
	tags := 0
	for _, word := range words {
		if !plainWord.MatchString(word) {
			return ""
		}
		if slices.Contains(htmlTags, word) || customTag.MatchString(word) {
			tags++
		}
	}
	if tags == len(words) {
		return ""
	}
	return last.Body
}

var (
	plainWord = pattern.New(`^[\p{L}\p{N}'’,;!?%&/()…-]+[.:]?$`)
	customTag = pattern.New(`^[a-z][a-z0-9]*-[a-z0-9-]*$`)
)

// htmlTags lists the names of elements of HTML, and the common ones of SVG.
var htmlTags = strings.Fields(`a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption circle cite
	code col colgroup data datalist dd defs del details dfn dialog div dl dt ellipse em embed fieldset figcaption figure font footer form
	g h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins kbd label legend li line link main map mark math menu meta
	meter nav noscript object ol optgroup option output p param path pattern picture polygon polyline pre progress q rect rp rt ruby s samp
	script search section select slot small source span strong style sub summary sup svg symbol table tbody td template text textarea tfoot
	th thead time title tr track tspan u ul use var video wbr`)

// Words returns what a query in CSS or XPath calls its element by, in lower case: the
// ids, classes, names and texts in it.
func (p Part) Words() []string {
	var out []string
	for _, m := range queryWord.FindAllStringSubmatch(p.Body, 20) {
		for _, word := range m[1:] {
			if word = strings.ToLower(strings.TrimSpace(word)); word != "" && !slices.Contains(out, word) {
				out = append(out, word)
			}
		}
	}
	return out
}

// queryWord finds ids, classes, and what is quoted or compared with an attribute.
var queryWord = pattern.New(`[#.]([\p{L}_][\p{L}\p{N}_-]*)|"([^"]+)"|'([^']+)'|=\s*([\p{L}\p{N}_-]+)\s*\]`)

// Tag returns the tag of the element that a query in CSS ends on; "" where it says
// none.
func (p Part) Tag() string {
	if m := lastTag.FindStringSubmatch(p.Body); m != nil && p.Engine == "css" && slices.Contains(htmlTags, m[1]) {
		return m[1]
	}
	return ""
}

var lastTag = pattern.New(`(?:^|[\s>+~])([a-z][a-z0-9]*)(?:[#.:\[][^\s>+~]*)?$`)
