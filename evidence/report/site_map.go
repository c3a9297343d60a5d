package report

import (
	_ "embed"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

//go:embed site_map.css
var mapStyle string

// SiteMap is what an exploration found of a site, as a page for a person shows it.
// Its texts may be those of pages.
type SiteMap struct {
	Start  string
	RunID  string // of the run that holds the evidence; empty: there is none
	Status qa.Status
	Reason pagetext.Text // why the status is what it is
	Facts  [][2]string   // names and values

	States   []MapState
	Ways     []MapWay
	Findings []MapFinding
	Covered  []MapCoverage
}

// MapState is one state of the site.
type MapState struct {
	ID, Title, Place, URL string
	Picture               string // its file, by a path from the page; empty: none was taken
	Notable               []string
	Column                int // where it is drawn: how many actions it is from the start
}

// MapWay is an action that led from one state to another.
type MapWay struct{ ID, From, To, Action string }

// MapFinding is a fault that was met on the way.
type MapFinding struct {
	Kind     string
	Severity qa.Severity
	Message  pagetext.Text
	URL      pagetext.Text
	At       *qa.Place     // in a script; nil: it is not known
	ToDo     pagetext.Text // about it
	State    string
}

// MapCoverage is what was tried of the site, or was not.
type MapCoverage struct {
	What   string
	Tried  bool
	Result pagetext.Text // what came of it, or why it was not tried
	States []string      // where
	Times  int           // how many actions of the kind there are
}

// Bounds of what is listed, and sizes of the drawing in pixels.
const (
	maxMapRows    = 500
	maxMapStates  = 400 // that are drawn; a map of more shows nothing
	openMapRows   = 40
	maxWhere      = 6
	mapBoxWidth   = 184
	mapBoxHeight  = 46
	mapShotHeight = 92 // of the picture above the words
	mapGapX       = 76
	mapGapY       = 18
	mapLabel      = 25 // characters
	maxMapShots   = 60 // states whose pictures are drawn
)

// SiteMapHTML returns the page. It needs the pictures beside it, and nothing else.
func SiteMapHTML(m SiteMap) []byte {
	m.Findings = slices.Clone(m.Findings)
	p := mapPage{SiteMap: m, broken: map[string]bool{}, known: map[string]bool{}}
	for _, f := range m.Findings {
		p.broken[f.State] = true
	}
	for _, s := range m.States {
		p.known[s.ID] = true
	}
	var w writer
	p.write(&w)
	return []byte(w.String())
}

type mapPage struct {
	SiteMap
	broken map[string]bool // states with findings
	known  map[string]bool // states that the page shows
}

func (p mapPage) write(w *writer) {
	w.beginning(statusMark(p.Status), "site map of "+visible(p.Start), markup(style+indexStyle+mapStyle), false) // our own style sheets
	w.put(`<header><div class="brand"><b>assay</b> site map</div>
<nav aria-label="Sections">`, when(len(p.Findings) > 0, `<a href="#findings">Findings</a> `), when(len(p.States) > 0, `<a href="#map">Map</a> `),
		when(len(p.Covered) > 0, `<a href="#covered">Covered and not tried</a> `),
		when(len(p.States) > 0, `<a href="#states">States</a> `), when(len(p.Ways) > 0, `<a href="#actions">Actions</a>`), `</nav></header>
<main id="main">`)
	p.verdict(w)
	p.findings(w)
	p.drawing(w)
	p.covered(w)
	p.states(w)
	p.ways(w)
	w.put(`</main>
<footer>`, when(has(p.RunID), `The evidence is run <code>`, text(visible(p.RunID)), `</code>: <code>assay report `, text(visible(p.RunID)),
		`</code> verifies it and shows its report. `), `<code>site.json</code> holds the same facts for machines.</footer>
</body>
</html>
`)
}

func (p mapPage) verdict(w *writer) {
	w.put(`
<section class="verdict" aria-label="Verdict">
<h1>`, statusMark(p.Status).html(), ` <span class="text">`, text(visible(p.Start)), `</span></h1>
<div class="reason">`, folded(p.Reason), `</div>
<dl class="facts">`)
	for _, f := range p.Facts {
		w.put(`
<div><dt>`, text(visible(f[0])), `</dt><dd><span class="text">`, text(visible(f[1])), `</span></dd></div>`)
	}
	w.put(`
</dl>
</section>`)
}

func (p mapPage) findings(w *writer) {
	if len(p.Findings) == 0 {
		return
	}
	sort.SliceStable(p.Findings, func(i, j int) bool { return rank(p.Findings[i].Severity) < rank(p.Findings[j].Severity) })
	w.section("findings", `Findings`, counted(num(len(p.Findings))))
	p.list(w, len(p.Findings), "finding", func(from, to int) {
		table(w, "map-findings", []string{"Severity", "What", "Where", "State"}, p.Findings[from:to], func(w *writer, f MapFinding) {
			w.put(`<tr class="`, text(statusMark(f.Severity).Class), `"><td data-label="Severity">`, statusMark(f.Severity).html(), `</td>
<td data-label="What"><b>`, text(visible(strings.ReplaceAll(f.Kind, "_", " "))), `</b> `, whole(f.Message))
			if f.At != nil {
				w.put(`<div class="hint">thrown at <code>`, text(visible(f.At.String())), `</code></div>`)
			}
			w.put(when(has(f.ToDo), `<div class="hint"><b>What to do:</b> `, folded(f.ToDo), `</div>`), `</td>
<td data-label="Where"><span class="text soft">`, text(visible(f.URL)), `</span></td><td data-label="State">`, p.state(f.State), "</td></tr>\n")
		})
	})
}

// list writes the rows of a section and closes it: the first of them open, others folded,
// and how many are left out.
func (p mapPage) list(w *writer, n int, noun string, rows func(from, to int)) {
	open, all := min(n, openMapRows), min(n, maxMapRows)
	rows(0, open)
	if all > open {
		w.folded(true, text(plural(all-open, "more "+noun)), func() { rows(open, all) })
	}
	w.put(when(n > all, `<p class="hint">`, text(plural(n-all, "more "+noun)), `: all of them are in site.json.</p>`), "\n</section>\n")
}

// state returns a link to a state.
func (p mapPage) state(id string) markup {
	if !p.known[id] {
		return either(id == "", `<span class="none">–</span>`, text(visible(id)))
	}
	return join(`<a href="#`, fragment(id), `">`, text(visible(id)), `</a>`)
}

// states writes a card with a thumbnail for each state.
func (p mapPage) states(w *writer) {
	if len(p.States) == 0 {
		return
	}
	w.section("states", `States`, counted(num(len(p.States))))
	w.put("<ul class=\"cards\">\n")
	for _, s := range p.States {
		name := visible(s.Title)
		if strings.TrimSpace(name) == "" {
			name = "no title"
		}
		w.put(`<li class="card`, when(p.broken[s.ID], ` bad`), `" id="`, text(visible(s.ID)), `"><article>
<p class="tags"><b>`, text(visible(s.ID)), `</b>`, when(p.broken[s.ID], ` <span class="mark bad"><span class="sign" aria-hidden="true">!</span>Finding</span>`), `</p>
<h3><span class="text">`, text(name), `</span></h3>`)
		if at := pathURL(s.Picture); has(at) {
			w.put(`
<figure><a href="`, href(at), `"><img src="`, href(at), `" loading="lazy" decoding="async" alt="State `, text(visible(s.ID)), `: `, text(name), `"></a></figure>`)
		}
		w.put(`
<p class="hint text">`, text(visible(s.URL)), `</p>`)
		if len(s.Notable) > 0 {
			w.put(`<details><summary>`, text(plural(len(s.Notable), "notable element")), `</summary><ul class="hint">`)
			for _, n := range s.Notable {
				w.put(`<li><span class="text">`, text(visible(n)), `</span></li>`)
			}
			w.put(`</ul></details>`)
		}
		w.put("</article></li>\n")
	}
	w.put("</ul>\n</section>\n")
}

// covered writes what was tried, and what was not and why, in one table.
func (p mapPage) covered(w *writer) {
	if len(p.Covered) == 0 {
		return
	}
	never := 0
	for _, c := range p.Covered {
		if !c.Tried {
			never++
		}
	}
	w.section("covered", `Covered and not tried`, counted(num(len(p.Covered)-never), ` tried, `, num(never), ` not`))
	p.list(w, len(p.Covered), "row", func(from, to int) {
		table(w, "map-covered", []string{"Outcome", "What", "Result, or why not", "States"}, p.Covered[from:to], func(w *writer, c MapCoverage) {
			m := mark{"good", "✓", "Tried"}
			if !c.Tried {
				m = mark{"open", "–", "Never tried"}
			}
			w.put(`<tr class="`, either(c.Tried, "", `open`), `"><td data-label="Outcome">`, m.html(), `</td><td data-label="What"><span class="text">`, text(visible(c.What)), `</span>`,
				when(c.Times > 1, ` <span class="soft">× `, num(c.Times), `</span>`), `</td><td data-label="Result, or why not">`, folded(c.Result), `</td><td data-label="States">`)
			for _, id := range c.States[:min(len(c.States), maxWhere)] {
				w.put(p.state(id), ` `)
			}
			w.put(when(len(c.States) > maxWhere, `<span class="soft">and `, num(len(c.States)-maxWhere), ` more</span>`), "</td></tr>\n")
		})
	})
}

// ways writes the actions that were done, folded.
func (p mapPage) ways(w *writer) {
	if len(p.Ways) == 0 {
		return
	}
	w.section("actions", `Actions`, counted(num(len(p.Ways))))
	shown := p.Ways[:min(len(p.Ways), maxMapRows)]
	w.folded(true, text(plural(len(shown), "action")), func() {
		table(w, "map-actions", []string{"Edge", "From", "Action", "To"}, shown, func(w *writer, a MapWay) {
			w.put(`<tr><td data-label="Edge"><span class="id">`, text(visible(a.ID)), `</span></td><td data-label="From">`, p.state(a.From),
				`</td><td data-label="Action"><span class="text">`, text(visible(a.Action)), `</span></td><td data-label="To">`, p.state(a.To), "</td></tr>\n")
		})
	})
	w.put(when(len(p.Ways) > len(shown), `<p class="hint">`, text(plural(len(p.Ways)-len(shown), "more action")), `: all of them are in site.json.</p>`), "\n</section>\n")
}

// spot is where a state is drawn.
type spot struct{ x, y int }

// drawing draws the states in columns, and the actions between them.
func (p mapPage) drawing(w *writer) {
	if len(p.States) == 0 {
		return
	}
	w.section("map", `Map`)
	shown := p.States[:min(len(p.States), maxMapStates)]
	tall := mapBoxHeight
	if len(shown) <= maxMapShots {
		tall += mapShotHeight
	}
	at, rows := map[string]spot{}, map[int]int{}
	width, height := 0, 0
	for _, s := range shown {
		one := spot{2 + s.Column*(mapBoxWidth+mapGapX), 2 + rows[s.Column]*(tall+mapGapY)}
		rows[s.Column]++
		at[s.ID], width, height = one, max(width, one.x+mapBoxWidth+2), max(height, one.y+tall+2)
	}
	w.put(`<div class="map"><svg width="`, num(width), `" height="`, num(height), `" viewBox="0 0 `, num(width), ` `, num(height),
		"\" role=\"group\" aria-label=\"States and the actions between them\">\n")
	p.arrows(w, at, tall)
	for _, s := range shown {
		p.box(w, s, at[s.ID], tall)
	}
	w.put("</svg></div>\n", when(len(p.States) > len(shown), `<p class="hint">`, text(plural(len(p.States)-len(shown), "more state")), ` are not drawn.</p>`),
		`<p class="hint">From left to right: how many actions a state is from the start. Each leads to its picture below; a line says what it stands for when the pointer is on it.</p>
</section>
`)
}

// box draws a state: its picture, where pictures are drawn, its title and its place.
func (p mapPage) box(w *writer, s MapState, at spot, tall int) {
	w.put(`<a href="#`, fragment(s.ID), `"><rect x="`, num(at.x), `" y="`, num(at.y), `" width="`, num(mapBoxWidth), `" height="`, num(tall), `" rx="8"`, when(p.broken[s.ID], ` class="bad"`), `/>`)
	if from := pathURL(s.Picture); has(from) && tall > mapBoxHeight {
		w.put(`<image x="`, num(at.x+1), `" y="`, num(at.y+1), `" width="`, num(mapBoxWidth-2), `" height="`, num(mapShotHeight-2), `" preserveAspectRatio="xMidYMin slice" href="`, href(from), `"/>`)
	}
	low := at.y + tall - mapBoxHeight
	w.put(`<text x="`, num(at.x+9), `" y="`, num(low+19), `">`, text(mapWords(s.ID+" "+s.Title)), `</text><text class="soft" x="`, num(at.x+9), `" y="`, num(low+36), `">`,
		text(mapWords(s.Place)), `</text><title>`, text(visible(s.URL)), "</title></a>\n")
}

// mapWords shortens a text to what a box has room for.
func mapWords(s string) string {
	head, whole := clip(visible(s), mapLabel)
	if !whole {
		head += "…"
	}
	return head
}

// arrows draws a line between two states for all actions that lead from one to the other.
func (p mapPage) arrows(w *writer, at map[string]spot, tall int) {
	between, order := map[[2]string][]string{}, [][2]string{}
	for _, e := range p.Ways {
		pair := [2]string{e.From, e.To}
		if e.From == e.To {
			continue
		}
		if between[pair] == nil {
			order = append(order, pair)
		}
		between[pair] = append(between[pair], visible(e.Action))
	}
	for _, pair := range order {
		from, okFrom := at[pair[0]]
		to, okTo := at[pair[1]]
		if !okFrom || !okTo {
			continue
		}
		x1, y1, x2, y2, bend := from.x+mapBoxWidth, from.y+tall/2, to.x, to.y+tall/2, mapGapX/2
		if to.x <= from.x { // back, or down the same column
			x1, x2, bend = from.x+mapBoxWidth/2, to.x+mapBoxWidth/2, 0
		}
		curve := fmt.Sprintf("M%d %d C%d %d %d %d %d %d", x1, y1, x1+bend, y1, x2-bend, y2, x2, y2)
		w.put(`<path d="`, text(curve), `"><title>`, text(visible(pair[0])), ` → `, text(visible(pair[1])), `: `, text(strings.Join(between[pair], "; ")), "</title></path>\n")
	}
}
