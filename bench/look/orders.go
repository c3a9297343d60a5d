package look

import (
	"fmt"
	"slices"
	"strings"
)

// placing describes how a style brings items to their places on the screen.
type placing struct {
	name, box string
	item      func(at, in, n int) string // style of what is seen as number at, and stands as number in
	mirrored  bool                       // the document has the order of the screen, turned round
	same      bool                       // the document has the order of the screen
}

func placings() []placing {
	px := func(format string) func(at, in, n int) string {
		return func(at, _, _ int) string { return fmt.Sprintf(format, at*36) }
	}
	nth := func(format string) func(at, in, n int) string {
		return func(at, _, _ int) string { return fmt.Sprintf(format, at+1) }
	}
	return []placing{
		{name: "document", same: true, item: nth("z-index:%d")},
		{name: "top", box: "position:relative;height:220px", item: px("position:absolute;left:0;top:%dpx")},
		{name: "bottom", box: "position:relative;height:220px", item: func(at, _, n int) string {
			return fmt.Sprintf("position:absolute;left:0;bottom:%dpx", (n-at)*36)
		}},
		{name: "inset", box: "position:relative;height:220px", item: px("position:absolute;inset:%dpx auto auto 0")},
		{name: "translateY", box: "position:relative;height:220px", item: px("position:absolute;top:0;left:0;transform:translateY(%dpx)")},
		{name: "translate3d", box: "position:relative;height:220px", item: px("position:absolute;top:0;left:0;transform:translate3d(0,%dpx,0)")},
		{name: "translate", box: "position:relative;height:220px", item: px("position:absolute;top:0;left:0;translate:0 %dpx")},
		{name: "flex order", box: "display:flex;flex-direction:column", item: nth("order:%d")},
		{name: "order in a row", box: "display:flex;flex-wrap:nowrap;gap:8px", item: nth("order:%d")},
		{name: "grid row", box: "display:grid", item: nth("grid-row:%d")},
		{name: "grid column", box: "display:grid;gap:8px", item: nth("grid-row:1;grid-column:%d")},
		{name: "column-reverse", box: "display:flex;flex-direction:column-reverse;justify-content:flex-end", mirrored: true, item: nth("z-index:%d")},
		{name: "row-reverse", box: "display:flex;flex-direction:row-reverse;justify-content:flex-end;gap:8px", mirrored: true, item: nth("z-index:%d")},
		{name: "lines from the right", box: "writing-mode:vertical-rl;display:grid;height:120px;justify-content:start", item: nth("order:%d")},
		{name: "lines from the left", box: "writing-mode:vertical-lr;display:grid;height:120px", item: nth("grid-row:%d")},
		{name: "grid area", box: "display:grid;grid-template-columns:180px 180px", item: func(at, _, _ int) string {
			return fmt.Sprintf("grid-area:%d/%d/auto/auto", at/2+1, at%2+1)
		}},
		{name: "grid from the right", box: "display:grid;direction:rtl;grid-template-columns:180px 180px", item: func(at, _, _ int) string {
			return fmt.Sprintf("grid-row:%d;grid-column:%d", at/2+1, at%2+1)
		}},
		{name: "floats to the right", box: "overflow:hidden", mirrored: true, item: nth("float:right;margin-left:9px;z-index:%d")},
		{name: "inline-start in a row", box: "position:relative;height:60px", item: func(at, _, _ int) string {
			return fmt.Sprintf("position:absolute;inset-inline-start:%dpx", at*170)
		}},
		{name: "a block that begins late", box: "position:relative;height:220px", item: px("position:absolute;inset-block-start:%dpx")},
		{name: "relative", item: func(at, in, _ int) string { return fmt.Sprintf("position:relative;top:%dpx", (at-in)*36) }},
	}
}

// markup describes what lists are made of: %s of box and item are the style, then id, words. Items of several kinds are
// parted by ||.
type markup struct{ name, open, item, close string }

func markups() []markup {
	return []markup{
		{"list", `<ul class="list" style="list-style:none;margin:0;padding:0;%s">`, `<li style="%s" id="%s"><span class="name">%s</span> <button>Open</button></li>`, `</ul>`},
		{"grid", `<div role="grid" aria-label="Rows"><div role="rowgroup" style="%s">`, `<div role="row" style="%s" id="%s"><div role="gridcell" class="name">%s</div></div>`, `</div></div>`},
		{"cards", `<section class="v-row" style="%s">`, `<article class="v-card" style="%s" id="%s"><h3 class="name" style="margin:0;font-size:16px">%s</h3></article>`, `</section>`},
		{"custom elements", `<x-list style="display:block;%s">`, `<x-row style="display:block;%s" id="%s"><b class="name">%s</b></x-row>`, `</x-list>`},
		{"unlike parts", `<main style="%s">`, `<section style="%s" id="%s"><h3 class="name" style="margin:0;font-size:16px">%s</h3></section>||<div style="%s" id="%s"><b class="name">%s</b></div>||<article class="card" style="%s" id="%s"><span class="name">%s</span></article>`, `</main>`},
		{"links", `<nav style="%s">`, `<a href="#" style="display:block;%s" id="%s"><em class="name">%s</em></a>`, `</nav>`},
	}
}

// series lists values in ascending order, and what they are read as.
type series struct {
	as     string
	values []string
}

func manySeries() []series {
	return []series{
		{"text", wordsOf("Aveiro | Beja | Coimbra | Faro | Lagos")},
		{"number", wordsOf("7 | 86 | 940 | 1,350 | 22,008")},
		{"date", wordsOf("2024-11-30 | 2025-02-01 | 2025-10-09 | 2026-01-02 | 2026-03-15")},
		{"number", wordsOf("-40.5 | -3.25 | 0 | 2.75 | 19.5")},
		{"text", wordsOf("Adler | Dachs | Fuchs | Igel | Luchs")},
		{"number", wordsOf("$9.99 | $12.50 | $101.00 | $1,100.25 | $20,000.00")},
		{"date", wordsOf("3 Jan 2026 | 21 Feb 2026 | 5 Mar 2026 | 30 Apr 2026 | 1 May 2026")},
		{"number", wordsOf("2% | 11% | 34% | 58% | 97%")},
	}
}

// orderCells makes lists whose order on the screen is another than the document's, and lists that an act sorts.
func orderCells(p *parts) {
	draw := drawn("order")
	turn := 0
	for _, m := range markups() {
		for _, place := range placings() {
			for _, sorted := range []bool{true, false} {
				s := among(manySeries(), turn)
				seen := slices.Clone(s.values)
				for !sorted && (slices.Equal(seen, s.values) || seen[0] == s.values[4]) {
					draw.Shuffle(len(seen), func(i, j int) { seen[i], seen[j] = seen[j], seen[i] })
				}
				stands := slices.Clone(s.values) // where nobody sees it, the document is in order, and the other way round
				for sorted && slices.Equal(stands, seen) {
					draw.Shuffle(len(stands), func(i, j int) { stands[i], stands[j] = stands[j], stands[i] })
				}
				if place.same || place.mirrored {
					stands = slices.Clone(seen)
				}
				if place.mirrored {
					slices.Reverse(stands)
				}
				orderPage(p, fmt.Sprintf("/order/%d", turn), m, place, s, seen, stands, sorted)
				turn++
			}
		}
	}
	resortedCells(p)
}

func orderPage(p *parts, path string, m markup, place placing, s series, seen, stands []string, sorted bool) {
	var b strings.Builder
	fmt.Fprintf(&b, `<h1>Towns</h1>`+m.open, place.box)
	for in, v := range stands {
		at := slices.Index(seen, v)
		kinds := strings.Split(m.item, "||")
		fmt.Fprintf(&b, kinds[in%len(kinds)], "height:36px;"+place.item(at, in, len(seen)), fmt.Sprintf("i%d", at), v)
	}
	b.WriteString(m.close + `<p>All of them.</p>`)
	p.page(path, listing("en", "Towns", b.String()))
	is := map[bool]truth{true: mustPass, false: mustFail}
	last := len(seen) - 1
	way := fmt.Sprintf("%s by %s, %s, sorted %v", m.name, place.name, s.as, sorted)
	for _, q := range []struct {
		tool     string
		must     truth
		selector string
		a        assertion
	}{
		{"sorted_by asc", is[sorted], ".name", assertion{"type": "sorted_by", "order": "asc", "as": s.as}},
		{"sorted_by desc", mustFail, ".name", assertion{"type": "sorted_by", "order": "desc", "as": s.as}},
		{"comes_before", mustPass, "#i0", assertion{"type": "comes_before", "other": fmt.Sprintf("#i%d", last)}},
		{"comes_before, turned round", mustFail, fmt.Sprintf("#i%d", last-1), assertion{"type": "comes_before", "other": "#i1"}},
		{"comes_before, by words", mustPass, `text="` + seen[1] + `"`, assertion{"type": "comes_before", "other": `text="` + seen[last] + `"`}},
	} {
		if !sorted && descends(s.values, seen) && q.tool == "sorted_by desc" {
			q.must = mustPass
		}
		p.cell(cell{Class: "order", Way: way, Tool: q.tool, Page: path, About: short(b.String()), Truth: q.must, ask: proves(q.selector, q.a)})
	}
	p.cell(cell{Class: "order", Way: way, Tool: "page_snapshot", Page: path, About: short(b.String()), Truth: mustPass, ask: listed(seen)})
}

// listed takes a snapshot, and passes if it has values in their order.
func listed(values []string) question {
	return func(w *worker, page string) (outcome, string, error) {
		if err := w.open(page); err != nil {
			return "", "", err
		}
		a, err := w.call("page_snapshot", nil)
		if err != nil || !a.ok {
			return refused, short(a.Text), err
		}
		at := 0
		for _, v := range values {
			next := strings.Index(a.Text[at:], `"`+v)
			if next < 0 {
				return failed, short(a.Text), nil
			}
			at += next
		}
		return passed, short(a.Text), nil
	}
}

// descends reports whether values are seen in descending order.
func descends(ascending, seen []string) bool {
	turned := slices.Clone(ascending)
	slices.Reverse(turned)
	return slices.Equal(turned, seen)
}

// resortedCells makes tables that a click on a column's head sorts: the answer of the click must not say that all is
// as before.
func resortedCells(p *parts) {
	ways := [][2]string{
		{"rows are moved", `const t=document.querySelector('tbody');[...t.rows].sort((a,b)=>a.id.localeCompare(b.id)).forEach(r=>t.append(r))`},
		{"rows are written anew", `const t=document.querySelector('tbody');t.innerHTML=[...t.rows].sort((a,b)=>a.id.localeCompare(b.id)).map(r=>r.outerHTML).join('')`},
		{"cells get other words", `const r=[...document.querySelectorAll('tbody td:first-child')];const w=r.map(c=>c.textContent).sort();r.forEach((c,i)=>c.textContent=w[i])`},
		{"aria-sort too", `const t=document.querySelector('tbody');[...t.rows].reverse().forEach(r=>t.append(r));document.querySelector('th').setAttribute('aria-sort','descending')`},
		{"two rows change places", `const t=document.querySelector('tbody');t.insertBefore(t.rows[2],t.rows[1])`},
		{"later, after 150 ms", `setTimeout(()=>{const t=document.querySelector('tbody');[...t.rows].sort((a,b)=>a.id.localeCompare(b.id)).forEach(r=>t.append(r))},150)`},
		{"by the style order", `document.querySelector('tbody').style.cssText='display:flex;flex-direction:column-reverse'`},
	}
	for i, w := range ways {
		for j, s := range manySeries() {
			v := s.values
			var rows strings.Builder
			for k, at := range []int{2, 0, 4, 1, 3} {
				fmt.Fprintf(&rows, `<tr id="r%d"><td>%s</td><td>%d</td></tr>`, at, v[at], 10+k)
			}
			path := p.page(fmt.Sprintf("/resorted/%d-%d", i, j), listing("en", "Rows", fmt.Sprintf(`<h1>Rows</h1><table><thead><tr><th><button id="s" onclick=%s>Name</button></th><th>Amount</th></tr></thead><tbody>%s</tbody></table>`,
				`"`+strings.ReplaceAll(w[1], `"`, "&quot;")+`"`, rows.String())))
			p.cell(cell{Class: "order", Way: "a click sorts: " + w[0], Tool: "page_click", Page: path, About: w[1], Truth: mustPass, ask: reorders("#s")})
		}
	}
}

// reorders clicks on a thing, and passes if the answer does not say that all is as before.
func reorders(selector string) question {
	return func(w *worker, page string) (outcome, string, error) {
		w.at = ""
		if err := w.open(page); err != nil {
			return "", "", err
		}
		if _, err := w.call("page_snapshot", nil); err != nil {
			return "", "", err
		}
		w.at = ""
		a, err := w.call("page_click", map[string]any{"selector": selector})
		switch {
		case err != nil:
			return "", "", err
		case !a.ok:
			return refused, short(a.Text), nil
		case strings.Contains(a.Text, "as before"):
			return failed, short(a.Text), nil
		default:
			return passed, short(a.Text), nil
		}
	}
}
