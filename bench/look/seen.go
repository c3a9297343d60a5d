package look

import (
	"fmt"
	"strings"
)

// way describes a way in which a figure on a page is hidden, or shown oddly. The
// texts hold both pages: «hidden|shown».
type way struct {
	name   string
	css    string
	value  string // instead of the figure's element, #v
	after  string // behind all else
	script string
	text   string   // what people read there, if it is not the figure
	tools  []string // nothing: all
}

// figure stands in #v, and nowhere else.
const figure = "$48,210"

// seenTools returns the questions about a page, in the order of their turns.
func seenTools() []string {
	return []string{"text_contains page", "visible", "flow: assert text", "check_kpis", "text_equals", "flow: success_condition",
		"count_equals", "verify_element_exists", "page_snapshot", "text_contains"}
}

// seenQuestion words a question about the text in #v.
func seenQuestion(tool, text string) question {
	switch tool {
	case "text_contains page":
		return asserts("text_contains", "", text)
	case "text_contains":
		return asserts("text_contains", "#v", text)
	case "text_equals":
		return asserts("text_equals", "#v", text)
	case "visible":
		return asserts("visible", "#v", "")
	case "hidden":
		return asserts("hidden", "#v", "")
	case "count_equals":
		return asserts("count_equals", ".value", "3")
	case "verify_element_exists":
		return exists("#v")
	case "flow: assert text":
		return flow("", assertStep("text_contains", "", text))
	case "flow: success_condition":
		return flow("text="+text, assertStep("visible", "h1", ""))
	case "check_kpis":
		return kpis(map[string]string{"Revenue": "48210"}, map[string]string{"Revenue": "USD"})
	case "page_snapshot":
		return marked(text)
	}
	panic("no question for " + tool)
}

// onText returns the questions that need no element #v of the figure.
func onText() []string {
	return []string{"text_contains page", "flow: assert text", "flow: success_condition"}
}

// onElement returns those about texts and elements that are no figure.
func onElement() []string {
	return []string{"text_contains page", "visible", "flow: assert text", "text_contains", "verify_element_exists", "flow: success_condition", "text_equals"}
}

const seenCSS = `body{margin:0;font:16px/1.5 "Liberation Sans",Arial,sans-serif;background:#fff;color:#222}header{background:#1d3557;color:#fff;padding:12px 24px}
main{padding:24px}.cards{display:flex;gap:16px}.card{border:1px solid #ccc;border-radius:6px;padding:12px 20px;min-width:180px;background:#fff}.card h3{margin:0;font-size:14px;color:#555}
.value{font-size:26px;font-weight:700;display:inline-block}table{border-collapse:collapse;margin-top:24px}td,th{border:1px solid #ddd;padding:4px 12px}`

// seenPage returns a small dashboard of three cards; the figure of the third is
// #v.
func seenPage(w way, healthy bool) page {
	value := w.value
	if value == "" {
		value = `<strong class="value" id="v">` + figure + `</strong>`
	}
	body := fmt.Sprintf(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Overview</title><style>%s%s</style></head><body>
<header>Northwind · <a href="#" style="color:#cde">Orders</a> · <a href="#" style="color:#cde">Customers</a></header><main><h1>Overview</h1><div class="cards">
<article class="card"><h3>Orders</h3><strong class="value">1,204</strong></article><article class="card"><h3>Visitors</h3><strong class="value">31,877</strong></article>
<article class="card" id="w"><h3>Revenue</h3>%s</article></div>
<table><tr><th>Region</th><th>Open</th></tr><tr><td>North</td><td>12</td></tr><tr><td>South</td><td>7</td></tr></table><p>Figures are of yesterday.</p></main>%s`,
		seenCSS, w.css, value, w.after)
	if w.script != "" {
		body += "<script>" + w.script + "</script>"
	}
	return page{body: variant(body+"</body></html>", healthy)}
}

// turns takes n tools of a list, beginning elsewhere for each way.
func turns(tools []string, i, n int, all bool) []string {
	if all || n >= len(tools) {
		return tools
	}
	var out []string
	for k := range n {
		out = append(out, tools[(i*n+k+i*n/len(tools))%len(tools)])
	}
	return out
}

// seenCells makes the classes "seen", of pages that hide something with their
// healthy twins, and "odd", of pages that show it in a way that is no reason to
// overlook it.
func seenCells(p *parts, all bool) {
	hidden := append(append(append(hiddenByStyle(), hiddenByPlace()...), hiddenByOthers()...), hiddenByKind()...)
	for i, w := range hidden {
		tools := w.tools
		if tools == nil {
			tools = seenTools()
		}
		text := w.text
		if text == "" {
			text = figure
		}
		for _, healthy := range []bool{false, true} {
			name, is, n := "hidden", notPass, 3
			if healthy {
				name, is, n = "shown", mustPass, 1
			}
			path := p.page(fmt.Sprintf("/seen/%d/%s", i, name), seenPage(w, healthy))
			for _, tool := range turns(tools, i, n, all) {
				must := is
				if must == notPass && tool != "check_kpis" && tool != "page_snapshot" {
					must = mustFail
				}
				p.cell(cell{Class: "seen", Way: w.name + ", " + name, Tool: tool, Page: path, About: about(w, healthy), Truth: must, ask: seenQuestion(tool, text)})
			}
			if i%3 == 0 && w.tools == nil { // that it is hidden can be asserted, too
				must := mustPass
				if healthy {
					must = mustFail
				}
				p.cell(cell{Class: "seen", Way: w.name + ", " + name, Tool: "hidden", Page: path, About: about(w, healthy), Truth: must, ask: seenQuestion("hidden", text)})
			}
		}
	}
	for i, w := range append(append(oddPlaces(), oddText()...), oddKinds()...) {
		tools := w.tools
		if tools == nil {
			tools = seenTools()
		}
		text := w.text
		if text == "" {
			text = figure
		}
		path := p.page(fmt.Sprintf("/odd/%d", i), seenPage(w, true))
		for _, tool := range turns(tools, i, 3, all) {
			p.cell(cell{Class: "odd", Way: w.name, Tool: tool, Page: path, About: about(w, true), Truth: mustPass, ask: seenQuestion(tool, text)})
		}
	}
}

// about names a page by what is special in it.
func about(w way, healthy bool) string {
	return short(variant(strings.Join([]string{w.css, w.value, w.after, w.script}, " "), healthy))
}
