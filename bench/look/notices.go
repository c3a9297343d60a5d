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
	iconCells(p)
	fileCells(p)
}

// iconCells makes pages whose icons are characters of a font that has them, or has not.
func iconCells(p *parts) {
	has := p.page("/load/icons.ttf", page{kind: "font/ttf", body: string(iconFont(0xE001, 0xF015))})
	for i, r := range []struct {
		name, css, html string
		is              truth
	}{
		{"in the text, which the font has", `@font-face{font-family:Icons;src:url(` + has + `)}.i{font-family:Icons}`, `<button><span class="i">&#xe001;</span> Home</button>`, mustHush},
		{"made by a sheet, which the font has", `@font-face{font-family:Glyphs;src:url(` + has + `)}.i::before{font-family:Glyphs;content:"\f015"}`, `<a href="#x"><i class="i"></i> Home</a>`, mustHush},
		{"in the text, which the font lacks", `@font-face{font-family:Icons;src:url(` + has + `)}.i{font-family:Icons}`, `<button><span class="i">&#xe2c7;</span> Home</button>`, mustFind},
		{"made by a sheet, which the font lacks", `@font-face{font-family:Glyphs;src:url(` + has + `)}.i::before{font-family:Glyphs;content:"\f4d1"}`, `<a href="#x"><i class="i"></i> Home</a>`, mustFind},
		{"after a word, of no font of icons", `.more::after{content:" \e5cf"}`, `<button class="more">More</button>`, mustFind},
		{"of a font that nobody loads", `.i{font-family:"Material Icons",sans-serif}`, `<span class="i">&#xe8b6;</span>`, mustFind},
		{"hidden, which no font has", `.i{display:none}`, `<span class="i">&#xe8b6;</span>`, mustHush},
		{"of letters and arrows", ``, `<button>→ Next ✓ ★</button>`, mustHush},
	} {
		for j, title := range wordsOf("Depot | Lager") {
			notice(p, fmt.Sprintf("/icons/%d-%d", i, j), "an icon "+r.name+", "+title, r.css+r.html, listing("en", title, "<style>"+r.css+"</style><h1>"+title+"</h1><p>All of it, since Monday.</p>"+r.html), r.is)
		}
	}
}

// fileCells makes pages with several style sheets and scripts, of which one is wrong, or is empty by design.
func fileCells(p *parts) {
	file := func(path, kind, body string, header map[string]string) string {
		return p.page(path, page{kind: kind, body: body, header: header})
	}
	link := func(of string) string { return `<link rel="stylesheet" href="` + of + `">` }
	script := func(of string) string { return `<script src="` + of + `"></script>` }
	fine := file("/files/fine.css", "text/css; charset=utf-8", "/* base */\n"+sheet, nil)
	code := file("/files/fine.js", "text/javascript", "document.documentElement.dataset.ready='1'", nil)
	for i, r := range []struct {
		name, html string
		is         truth
	}{
		{"an empty sheet beside another", link(fine) + link(file("/files/empty.css", "text/css", "", nil)), mustHush},
		{"a sheet of nothing but a comment beside another", link(fine) + link(file("/files/comment.css", "text/css", "/* nothing yet */", nil)), mustHush},
		{"a sheet with an apostrophe in a comment", link(file("/files/apostrophe.css", "text/css", "/* it's { */\n"+sheet, nil)), mustHush},
		{"a sheet that ends with an import", link(file("/files/import.css", "text/css", `@import url("`+fine+`")`, nil)), mustHush},
		{"a sheet of a page's HTML as text/css beside another", link(fine) + link(file("/files/page.css", "text/css", "<!DOCTYPE html><title>x</title><p>Not here.</p>", nil)), mustFind},
		{"a sheet of JSON as text/css beside another", link(fine) + link(file("/files/json.css", "text/css", `{"statusCode":500,"message":"no"}`, nil)), mustFind},
		{"a sheet as text/plain beside another", link(fine) + link(file("/files/plain.css", "text/plain", sheet, nil)), mustFind},
		{"a sheet that ends in a selector", link(fine) + link(file("/files/selector.css", "text/css", sheet+".card > .tit", nil)), mustFind},
		{"a sheet that ends in a comment", link(fine) + link(file("/files/incomment.css", "text/css", sheet+"/* Part 2: the ta", nil)), mustFind},
		{"a sheet that ends in a media query", link(file("/files/media.css", "text/css", "@media screen{"+sheet, nil)), mustFind},
		{"an empty script beside another", script(code) + script(file("/files/empty.js", "text/javascript", "", nil)), mustHush},
		{"an empty script beside one in the page", script(file("/files/empty1.js", "text/javascript", "", nil)) + `<script>document.documentElement.dataset.a='1'</script>`, mustHush},
		{"two empty scripts and no other", script(file("/files/empty2.js", "text/javascript", "", nil)) + script(file("/files/empty3.js", "text/javascript", "", nil)), mustFind},
		{"an empty module and no other", `<script type="module" src="` + file("/files/empty4.js", "text/javascript", "", nil) + `"></script>`, mustFind},
		{"a script that is shorter than announced", script(file("/files/short.js", "text/javascript", "document.documentElement.dataset.b='1'", map[string]string{"Content-Length": "4000"})), mustFind},
		{"a sheet that is shorter than announced", link(file("/files/short.css", "text/css", sheet, map[string]string{"Content-Length": "9000"})), mustFind},
	} {
		notice(p, fmt.Sprintf("/files/%d", i), r.name, r.html, page{body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Depot</title>` + r.html + `</head><body><h1>Depot</h1><div class="card"><p>Gate 4 is open until nine.</p></div></body></html>`}, r.is)
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
		{"a late advertisement in the middle of a text", `<article><p>The river rose in the night.</p><div id="z"></div><p>By morning the lower road was closed, and the bus went round by the hill.</p><p>Nobody was hurt.</p></article>`, `setTimeout(()=>z.insertAdjacentHTML('beforebegin','<aside style="height:250px;background:#eef">Buy a boat</aside>'),500)`, mustFind},
		{"a late notice that goes again", `<div id="z" style="height:300px">Welcome back</div><form><label>Search <input></label></form><p>Type a name, or a part of it.</p><p>Names are those of all depots.</p>`, `setTimeout(()=>z.remove(),600)`, mustFind},
		{"late data above a form", `<ul id="z"></ul><h2>Add one</h2><form><label>Name of the new one <input></label><button>Add it to the list</button></form>`, `fetch('/x/data').then(()=>setTimeout(()=>{z.innerHTML='<li>North</li>'.repeat(12)},200))`, mustFind},
		{"a late banner as the first of the page", ``, `setTimeout(()=>document.body.insertAdjacentHTML('afterbegin','<div style="height:200px;background:#fee">Closed on Monday</div>'),500)`, mustFind},
		{"a late line at the top of the page", ``, `setTimeout(()=>document.body.insertAdjacentHTML('afterbegin','<div style="height:24px;background:#fee">Closed on Monday</div>'),500)`, mustHush},
		{"late data appended below", `<ul id="z"><li>North</li><li>South</li></ul>`, `setTimeout(()=>{z.innerHTML+='<li>East</li>'.repeat(30)},400)`, mustHush},
		{"late data above a footer", `<ul id="z"></ul><footer>Depot Ltd.</footer>`, `setTimeout(()=>{z.innerHTML='<li>A depot by the river, open all year</li>'.repeat(20)},400)`, mustHush},
		{"late data in place of its skeleton", `<div id="z"><div style="height:300px;background:#eee"></div></div><p>Read this after it.</p>`, `setTimeout(()=>{z.innerHTML='<div style="height:300px">All depots are open today.</div>'},400)`, mustHush},
		{"a line of text that grows late", `<p id="z">One line.</p><p>Read this after it.</p><p>And then that.</p>`, `setTimeout(()=>{z.innerHTML+='<br>And another.'},400)`, mustHush},
		{"a ticker", `<div id="z" style="position:relative;left:0;white-space:nowrap">News of the day</div><p>Read this.</p>`, `let n=0;const t=setInterval(()=>{z.style.left=(n+=40)%400+'px';if(n>2000)clearInterval(t)},40)`, mustHush},
		{"a panel that slides in over the page", `<div id="z" style="position:absolute;top:-300px;left:0;height:300px;background:#fff">The menu of the depot, with all of its words and more</div><p>Read this.</p>`, `setTimeout(()=>{z.style.top='200px'},400)`, mustHush},
		{"a list that is sorted anew", `<ol id="z"><li>East</li><li>North</li><li>South</li><li>West</li></ol>`, `setTimeout(()=>{z.prepend(z.lastElementChild)},400)`, mustHush},
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
