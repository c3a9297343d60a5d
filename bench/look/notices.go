package look

import (
	"fmt"
	"net/url"
	"strings"
)

// noticedCells makes pages with faults that nothing asks for: something must say so, and must be silent on their
// healthy twins.
func noticedCells(p *parts) {
	loadedCells(p)
	behaviourCells(p)
	columnCells(p)
	addressOfOtherCells(p)
}

// notice adds a page and asks check and verify_page_loads about it.
func notice(p *parts, path, way, about string, content page, must truth) {
	p.page(path, content)
	p.cell(cell{Class: "noticed", Way: way, Tool: "check", Page: path, About: short(about), Truth: must, batch: true})
	p.cell(cell{Class: "noticed", Way: way, Tool: "verify_page_loads", Page: path, About: short(about), Truth: must, ask: loads()})
}

const sheet = `body{font:16px/1.5 Arial,sans-serif;margin:0;padding:24px}.card{border:1px solid #ccc;padding:12px;max-width:300px}`

// loadedCells makes pages whose style sheets, scripts, fonts and modules come in many ways.
func loadedCells(p *parts) {
	for i, site := range []struct{ lang, title, body string }{
		{"en", "Depot", `<h1>Depot</h1><div class="card"><p>Gate 4 is open until nine.</p></div>`},
		{"de", "Werkstatt", `<h1>Werkstatt</h1><div class="card"><p>Termine gibt es ab Montag.</p></div>`},
		{"fr", "Atelier", `<h1>Atelier</h1><div class="card"><p>Ouvert tous les jours.</p></div>`},
		{"es", "Taller", `<h1>Taller</h1><div class="card"><p>Abierto de lunes a viernes.</p></div>`},
	} {
		html := `<!doctype html><html><head><title>` + site.title + `</title></head><body><div id="root"></div></body></html>`
		for j, r := range []struct {
			name, kind, text string
			status           int
			is               truth
		}{
			{"as it should be", "text/css", sheet, 200, mustHush},
			{"as HTML", "text/html", html, 200, mustFind},
			{"empty", "text/css", "", 200, mustFind},
			{"cut in the middle", "text/css", sheet[:len(sheet)/2], 200, mustFind},
			{"with 404", "text/css", "not found", 404, mustFind},
			{"with 500", "text/html", "<h1>Error</h1>", 500, mustFind},
			{"with 403", "application/json", "{}", 403, mustFind},
			{"as JSON", "application/json", `{"message":"gone"}`, 200, mustFind},
		} {
			at := p.page(fmt.Sprintf("/load/%d/%d.css", i, j), page{status: r.status, kind: r.kind, body: r.text})
			body := `<!doctype html><html lang="` + site.lang + `"><head><meta charset="utf-8"><title>` + site.title + `</title><link rel="stylesheet" href="` + at + `"></head><body>` + site.body + `</body></html>`
			notice(p, fmt.Sprintf("/load/%d/css%d", i, j), "a style sheet "+r.name+", "+site.title, r.kind+" "+r.text, page{body: body}, r.is)
		}
		for j, r := range []struct {
			name, kind, text, attribute string
			status                      int
			is                          truth
		}{
			{"as it should be", "text/javascript", `document.title=document.title`, "", 200, mustHush},
			{"as HTML", "text/html", html, "", 200, mustFind},
			{"as HTML, a module", "text/html", html, `type="module"`, 200, mustFind},
			{"empty", "text/javascript", "", "", 200, mustFind},
			{"cut in the middle", "text/javascript", `function start(){document.title='x`, "", 200, mustFind},
			{"with 404", "text/plain", "no", "defer", 404, mustFind},
			{"with 503", "text/html", "<h1>Busy</h1>", "async", 503, mustFind},
			{"a module, as it should be", "text/javascript", `export const a = 1`, `type="module"`, 200, mustHush},
		} {
			at := p.page(fmt.Sprintf("/load/%d/%d.js", i, j), page{status: r.status, kind: r.kind, body: r.text})
			body := listing(site.lang, site.title, site.body+`<script `+r.attribute+` src="`+at+`"></script>`)
			notice(p, fmt.Sprintf("/load/%d/js%d", i, j), "a script "+r.name+", "+site.title, r.kind+" "+r.text, body, r.is)
		}
		for j, r := range []struct {
			name, kind, text string
			status           int
		}{{"as HTML", "text/html", html, 200}, {"damaged", "font/woff2", "wOF2 this is no font at all", 200}, {"with 404", "text/plain", "no", 404}} {
			at := p.page(fmt.Sprintf("/load/%d/%d.woff2", i, j), page{status: r.status, kind: r.kind, body: r.text})
			body := listing(site.lang, site.title, `<style>@font-face{font-family:Icons;src:url(`+at+`)}.i{font-family:Icons}</style>`+site.body+`<button><span class="i">&#xe001;</span></button>`)
			notice(p, fmt.Sprintf("/load/%d/font%d", i, j), "a font of icons "+r.name+", "+site.title, r.text, body, mustFind)
		}
	}
}

// behaviourCells makes pages that do something wrong without an error.
func behaviourCells(p *parts) {
	answer := func(body string) string {
		return `fetch('/x/answer?kind=application/json&body=` + url.QueryEscape(body) + `').then(r=>r.json()).then(d=>{})`
	}
	for i, w := range []struct {
		name, html, script string
		is                 truth
	}{
		{"an answer", ``, answer(`{"ok":true,"rows":[1]}`), mustHush},
		{"an answer without errors", ``, answer(`{"errors":[],"data":{"n":1}}`), mustHush},
		{"an answer whose words speak of errors", ``, answer(`{"title":"Error handling in Go","rows":[]}`), mustHush},
		{"ok is false", ``, answer(`{"ok":false,"error":"database is down"}`), mustFind},
		{"errors of GraphQL", ``, answer(`{"data":null,"errors":[{"message":"Cannot query field"}]}`), mustFind},
		{"success is false", ``, answer(`{"success":false,"message":"no licence"}`), mustFind},
		{"an error of RPC", ``, answer(`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}`), mustFind},
		{"requests without end", ``, `(function f(){fetch('/x/data?a=1').then(f)})()`, mustFind},
		{"requests without end, 20 ms apart", ``, `(function f(){fetch('/x/answer?status=200&kind=text/plain&body=x').then(()=>setTimeout(f,20))})()`, mustFind},
		{"a request each second", ``, `setInterval(()=>fetch('/x/data'),1000)`, mustHush},
		{"three requests", ``, `for(const n of [1,2,3])fetch('/x/data?n='+n)`, mustHush},
		{"a line wider than the window", `<div style="width:2400px;height:20px;background:#cde">Wide</div>`, ``, mustFind},
		{"a table wider than the window", `<table style="width:3000px"><tr><td>One</td><td>Two</td></tr></table>`, ``, mustFind},
		{"a wide table in a box that scrolls", `<div style="overflow:auto"><table style="width:3000px"><tr><td>One</td><td>Two</td></tr></table></div>`, ``, mustHush},
		{"something wide that is cut", `<div style="overflow:hidden"><div style="width:3000px;height:9px;background:#cde"></div></div>`, ``, mustHush},
		{"a late banner pushes all down", `<div id="z"></div><p>Read this first, please.</p><p>And then that.</p>`, `setTimeout(()=>{document.getElementById('z').style.height='420px'},250)`, mustFind},
		{"a late picture without a size", `<img id="z" alt=""><p>Read this first, please.</p><p>And then that.</p>`, `setTimeout(()=>{z.style.cssText='display:block;width:300px;height:400px';z.src='/x/flat.png?c=124'},250)`, mustFind},
		{"a late banner over the page", `<div id="z"></div><p>Read this.</p>`, `setTimeout(()=>{z.style.cssText='position:fixed;bottom:0;left:0;width:200px;height:30px;background:#eee'},900)`, mustHush},
		{"a late text in its reserved place", `<div id="z" style="height:60px"></div><p>Read this.</p>`, `setTimeout(()=>{z.textContent='Ready'},900)`, mustHush},
		{"a password that shows its text", `<form><label>Name <input name="u"></label><label>Password <input type="text" name="p"></label><button>Go</button></form>`, ``, mustFind},
		{"a password that shows its text, German", `<form><label for="a">Passwort</label><input id="a" name="kennwort"><button>Los</button></form>`, ``, mustFind},
		{"a password that shows its text, by its purpose", `<form><input aria-label="Secret" autocomplete="current-password"><button>Go</button></form>`, ``, mustFind},
		{"a new password that shows its text, French", `<form><label>Mot de passe <input name="pass" autocomplete="new-password"></label><button>OK</button></form>`, ``, mustFind},
		{"a field about passwords", `<form><label>Months until a password expires <input type="number" value="6"></label><button>Keep</button></form>`, ``, mustHush},
		{"a search for passwords", `<form><label>Search passwords <input type="search"></label></form>`, ``, mustHush},
	} {
		for j, title := range wordsOf("Depot | Lager") {
			notice(p, fmt.Sprintf("/behaves/%d-%d", i, j), w.name+", "+title, w.html+w.script, listing("en", title, "<h1>"+title+"</h1><p>All of it, since Monday.</p>"+w.html+"<script>"+w.script+"</script>"), w.is)
		}
	}
}

// columnCells makes tables whose cells are asked for by the heads of row and column.
func columnCells(p *parts) {
	rows := [][]string{{"A-1", "Open", "12"}, {"B-7", "Paid", "40"}, {"C-3", "Void", "7"}}
	for i, heads := range [][]string{{"Order", "Status", "Amount"}, {"Nummer", "Zustand", "Menge"}, {"Réf", "État", "Nombre"}} {
		for j, make := range []func(heads []string, rows [][]string) string{tableOf, gridOf, tableWithScopes} {
			for _, swapped := range []bool{false, true} {
				shown := rows
				if swapped {
					shown = nil
					for _, r := range rows {
						shown = append(shown, []string{r[0], r[2], r[1]})
					}
				}
				path := p.page(fmt.Sprintf("/columns/%d-%d-%v", i, j, swapped), listing("en", "Table", "<h1>Table</h1>"+make(heads, shown)))
				for _, r := range rows {
					must := map[bool]truth{false: mustPass, true: mustFail}[swapped]
					p.cell(cell{Class: "noticed", Way: fmt.Sprintf("a cell by its heads, %s, swapped %v, %s", heads[1], swapped, r[0]), Tool: "text_equals", Page: path, About: fmt.Sprint(heads), Truth: must,
						ask: proves(fmt.Sprintf(`row %q column %q`, r[0], heads[1]), assertion{"type": "text_equals", "expected": r[1]})})
				}
			}
		}
	}
}

func tableOf(heads []string, rows [][]string) string {
	var b strings.Builder
	b.WriteString("<table><thead><tr><th>" + strings.Join(heads, "</th><th>") + "</th></tr></thead><tbody>")
	for _, r := range rows {
		b.WriteString("<tr><td>" + strings.Join(r, "</td><td>") + "</td></tr>")
	}
	return b.String() + "</tbody></table>"
}

func tableWithScopes(heads []string, rows [][]string) string {
	var b strings.Builder
	b.WriteString(`<table><tr><th scope="col">` + strings.Join(heads, `</th><th scope="col">`) + "</th></tr>")
	for _, r := range rows {
		b.WriteString(`<tr><th scope="row">` + r[0] + "</th><td>" + strings.Join(r[1:], "</td><td>") + "</td></tr>")
	}
	return b.String() + "</table>"
}

func gridOf(heads []string, rows [][]string) string {
	var b strings.Builder
	b.WriteString(`<div role="grid"><div role="row" style="display:flex">`)
	for _, h := range heads {
		b.WriteString(`<div role="columnheader" style="width:120px">` + h + "</div>")
	}
	for _, r := range rows {
		b.WriteString(`</div><div role="row" style="display:flex">`)
		for _, c := range r {
			b.WriteString(`<div role="gridcell" style="width:120px">` + c + "</div>")
		}
	}
	return b.String() + "</div></div>"
}

// addressOfOtherCells makes links that lead to the same path of another site.
func addressOfOtherCells(p *parts) {
	for i, path := range []string{"/tables.html", "/reports/2026", "/a/b/c"} {
		p.page("/at"+path, listing("en", "There", "<h1>There</h1><p>The tables of the year.</p>"))
		for _, there := range []string{"", "other"} {
			must := mustPass
			href := `href="/at` + path + `"`
			if there != "" {
				must, href = notPass, `href="" onmousedown="this.href='http://localhost:'+location.port+'/at`+path+`'"`
			}
			from := p.page(fmt.Sprintf("/from/%d%s", i, there), listing("en", "Here", `<h1>Here</h1><a `+href+`>Tables</a>`))
			for _, pattern := range []string{"**/at" + path, "/at" + path} {
				p.cell(cell{Class: "noticed", Way: "a link to " + path + " of " + map[bool]string{true: "this site", false: "another origin"}[there == ""], Tool: "flow: url_matches " + pattern, Page: from, About: href, Truth: must,
					ask: flowOf(act("click", `link "Tables"`), assertStep("url_matches", "", pattern))})
			}
		}
	}
}
