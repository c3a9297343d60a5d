package explore

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/internal/pagetext"
)

// SitemapFile is the name of the page beside site.json.
const SitemapFile = "site.html"

// Sizes of the drawing, in pixels.
const (
	boxWidth  = 190
	boxHeight = 46
	gapX      = 90
	gapY      = 18
	margin    = 16
	maxDrawn  = 400 // states; a map of more shows nothing
	maxLabel  = 26  // characters
	maxListed = 300
)

const style = `:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}body{margin:2rem auto;max-width:80rem;padding:0 1rem}
svg{width:100%;height:auto;border:1px solid #8886}rect{fill:#6aa2f722;stroke:#6aa2f7}rect.bad{fill:#f7768e33;stroke:#d0405a}svg text{font:12px system-ui,sans-serif;fill:currentColor}
path{fill:none;stroke:#8889}path:hover{stroke:#d9822b;stroke-width:3}table{border-collapse:collapse;width:100%}td,th{text-align:start;padding:.25rem .5rem;border-bottom:1px solid #8884;vertical-align:top}
img{width:16rem;border:1px solid #8886}.map{overflow:auto}`

// Sitemap returns the page.
func Sitemap(s site.Site) []byte {
	var b strings.Builder
	b.WriteString("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">")
	b.WriteString("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'\">")
	fmt.Fprintf(&b, "<title>Map of %s</title><style>%s</style></head><body>\n<h1>Map of %s</h1>\n", esc(s.StartURL), style, esc(s.StartURL))
	c := s.Coverage
	fmt.Fprintf(&b, "<p>%d states in %d places, %d edges, %d findings. Stopped: %s %s.</p>\n", len(s.States),
		c.Places.Covered, len(s.Edges), len(s.Findings), esc(strings.ReplaceAll(s.Stop.Reason, "_", " ")), esc(s.Stop.Detail))
	fmt.Fprintf(&b, "<p>Covered: %d of %d kinds of actions, %d of %d constraints of forms, %d of %d blocks of the site's scripts.</p>\n",
		c.ActionClasses.Covered, c.ActionClasses.Known, c.FormConstraints.Covered, c.FormConstraints.Known, c.ScriptBlocks.Covered, c.ScriptBlocks.Known)
	draw(&b, s)
	findings(&b, s)
	states(&b, s)
	edges(&b, s)
	untried(&b, s)
	b.WriteString("</body></html>\n")
	return []byte(b.String())
}

// esc escapes a text for HTML, between tags and in an attribute.
func esc[S ~string](text S) string { return html.EscapeString(pagetext.Visible(text)) }

func short(text string) string {
	if r := []rune(text); len(r) > maxLabel {
		return string(r[:maxLabel-1]) + "…"
	}
	return text
}

// point is where a state is drawn.
type point struct{ x, y int }

// place lays the states out in columns by their distance from the start.
func place(s site.Site) (at map[string]point, width, height int) {
	at = map[string]point{}
	rows := map[int]int{}
	far := 0
	for _, state := range s.States {
		far = max(far, state.Distance)
	}
	for _, state := range s.States[:min(len(s.States), maxDrawn)] {
		column := state.Distance
		if column < 0 { // only an address of its own shows it
			column = far + 1
		}
		p := point{margin + column*(boxWidth+gapX), margin + rows[column]*(boxHeight+gapY)}
		rows[column]++
		at[state.ID] = p
		width, height = max(width, p.x+boxWidth+margin), max(height, p.y+boxHeight+margin)
	}
	return at, width, height
}

func draw(b *strings.Builder, s site.Site) {
	if len(s.States) == 0 {
		return
	}
	at, width, height := place(s)
	fmt.Fprintf(b, "<div class=\"map\"><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Map of the states\" style=\"min-width:%dpx\">\n", width, height, min(width, 2000))
	between := map[[2]string][]string{}
	var order [][2]string
	for _, e := range s.Edges {
		pair := [2]string{e.From, e.To}
		if e.From == e.To {
			continue
		}
		if between[pair] == nil {
			order = append(order, pair)
		}
		between[pair] = append(between[pair], Describe(e.Action))
	}
	for _, pair := range order {
		from, okFrom := at[pair[0]]
		to, okTo := at[pair[1]]
		if !okFrom || !okTo {
			continue
		}
		x1, y1, x2, y2 := from.x+boxWidth, from.y+boxHeight/2, to.x, to.y+boxHeight/2
		bend := gapX / 2
		if to.x <= from.x { // back, or down the same column
			x1, x2, bend = from.x+boxWidth/2, to.x+boxWidth/2, 0
		}
		fmt.Fprintf(b, "<path d=\"M%d %d C%d %d %d %d %d %d\"><title>%s → %s: %s</title></path>\n", x1,
			y1, x1+bend, y1, x2-bend, y2, x2, y2, esc(pair[0]), esc(pair[1]), esc(strings.Join(between[pair], "; ")))
	}
	broken := map[string]bool{}
	for _, f := range s.Findings {
		broken[f.State] = true
	}
	for _, state := range s.States[:min(len(s.States), maxDrawn)] {
		p, class := at[state.ID], ""
		if broken[state.ID] {
			class = " class=\"bad\""
		}
		fmt.Fprintf(b, "<a href=\"#%s\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"%s/><text x=\"%d\" y=\"%d\">%s %s</text><text x=\"%d\" y=\"%d\">%s</text><title>%s</title></a>\n",
			esc(state.ID), p.x, p.y, boxWidth, boxHeight, class, p.x+8, p.y+19, esc(state.ID), esc(short(state.Title)), p.x+8, p.y+36, esc(short(path(state.Place))), esc(state.URL))
	}
	b.WriteString("</svg></div>\n")
	if more := len(s.States) - maxDrawn; more > 0 {
		fmt.Fprintf(b, "<p>%d more states are not drawn.</p>\n", more)
	}
}

// path returns a place without its host.
func path(place string) string {
	if i := strings.IndexAny(place, "/?#"); i >= 0 {
		return place[i:]
	}
	return "/"
}

func findings(b *strings.Builder, s site.Site) {
	if len(s.Findings) == 0 {
		return
	}
	b.WriteString("<h2>Findings</h2><table><tr><th>Kind<th>What<th>Where<th>State\n")
	for _, f := range s.Findings[:min(len(s.Findings), maxListed)] {
		fmt.Fprintf(b, "<tr><td>%s<td>%s<td>%s<td><a href=\"#%s\">%s</a>\n", esc(f.Kind), esc(f.Message), esc(f.URL), esc(f.State), esc(f.State))
	}
	b.WriteString("</table>\n")
}

func states(b *strings.Builder, s site.Site) {
	b.WriteString("<h2>States</h2><table><tr><th>State<th>Place<th>Notable<th>Picture\n")
	for _, state := range s.States {
		var notable []string
		for _, e := range state.Notable {
			notable = append(notable, esc(e.Role+" "+e.Name))
		}
		fmt.Fprintf(b, "<tr id=\"%s\"><td>%s<td>%s<br>%s<td>%s<td>", esc(state.ID), esc(state.ID), esc(state.Title), esc(state.URL), strings.Join(notable, "<br>"))
		if p := state.Picture; p != nil {
			fmt.Fprintf(b, "<img loading=\"lazy\" src=\"%s\" alt=\"Picture of %s\">", esc(p.File), esc(state.ID))
		}
		b.WriteByte('\n')
	}
	b.WriteString("</table>\n")
}

func edges(b *strings.Builder, s site.Site) {
	b.WriteString("<h2>Actions</h2><table><tr><th>Edge<th>From<th>Action<th>To\n")
	for _, e := range s.Edges[:min(len(s.Edges), maxListed)] {
		fmt.Fprintf(b, "<tr><td>%s<td><a href=\"#%s\">%s</a><td>%s<td><a href=\"#%s\">%s</a>\n", esc(e.ID), esc(e.From), esc(e.From), esc(Describe(e.Action)), esc(e.To), esc(e.To))
	}
	b.WriteString("</table>\n")
}

func untried(b *strings.Builder, s site.Site) {
	if len(s.Untried) == 0 {
		return
	}
	left := slices.Clone(s.Untried[:min(len(s.Untried), maxListed)])
	fmt.Fprintf(b, "<h2>Untried</h2><p>%d actions were found and not done: nothing is known of them.</p><table><tr><th>State<th>Action<th>Why\n", len(s.Untried))
	for _, u := range left {
		fmt.Fprintf(b, "<tr><td><a href=\"#%s\">%s</a><td>%s<td>%s\n", esc(u.State), esc(u.State), esc(Describe(u.Action)), esc(u.Reason))
	}
	b.WriteString("</table>\n")
}
