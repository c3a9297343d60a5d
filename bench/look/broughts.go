package look

import (
	"fmt"
	"strings"
)

// frame describes how applications of some make wire a handler: %s of html are the words of the control, script runs f
// when it is used.
type wiring struct{ name, control, script string }

func wirings() []wiring {
	return []wiring{
		{"plain", `<button id="go">%s</button>`, `document.getElementById('go').onclick=f`},
		{"delegated", `<div class="btn-row"><button data-testid="go"><span>%s</span></button></div>`, `document.addEventListener('click',e=>{if(e.target.closest('[data-testid=go]'))f()})`},
		{"custom element", `<x-button><button class="inner">%s</button></x-button>`, `customElements.define('x-button',class extends HTMLElement{connectedCallback(){this.addEventListener('click',()=>queueMicrotask(f))}})`},
		{"a form", `<form><input type="hidden" name="a" value="1"><button type="submit">%s</button></form>`, `document.querySelector('form').onsubmit=e=>{e.preventDefault();setTimeout(f,30)}`},
		{"a role", `<div role="button" tabindex="0">%s</div>`, `document.querySelector('[role=button]').addEventListener('pointerup',f)`},
	}
}

// broughtCells makes flows and runs in which an act does what is checked, and others in which it stood there before.
func broughtCells(p *parts) {
	p.page("/brought/there", listing("en", "Receipt", "<h1>Receipt</h1><p>Your parcel is on its way.</p>"))
	texts := [][3]string{{"Send", "Parcel is sent", "Ready to send"}, {"Buchen", "Gebucht für Montag", "Noch nicht gebucht"}, {"Valider", "Commande validée", "En attente"}, {"Guardar", "Cambios guardados", "Sin cambios"}}
	for i, w := range wirings() {
		for j, t := range texts {
			for _, works := range []bool{false, true} {
				stands, f, must := t[1], ``, notPass
				if works {
					stands, f, must = t[2], `document.getElementById('s').textContent='`+t[1]+`'`, mustPass
				}
				path := p.page(fmt.Sprintf("/brought/%d-%d-%v", i, j, works), listing("en", "Desk", fmt.Sprintf(`<h1>Desk</h1>`+w.control+`<p id="s" role="status">%s</p><script>const f=()=>{%s};%s</script>`, t[0], stands, f, w.script)))
				way := fmt.Sprintf("%s, %s, works %v", w.name, t[0], works)
				button := `button "` + t[0] + `"`
				add := func(tool string, ask question) {
					p.cell(cell{Class: "brought", Way: way, Tool: tool, Page: path, About: short(w.control + w.script), Truth: must, ask: ask})
				}
				add("flow: text of the page", flowOf(act("click", button), assertStep("text_contains", "", t[1])))
				add("flow: the element's text", flowOf(act("click", button), assertStep("text_equals", "#s", t[1])))
				add("run: text of the page", runOf(expectation{text: "it is done", assertion: contains(t[1])}, patience, click(button)))
				if !works {
					add("flow: the heading", flowOf(act("click", button), assertStep("visible", `heading "Desk"`, "")))
					add("flow: the address", flowOf(act("click", button), assertStep("url_matches", "", "/brought/**")))
					add("flow: no error", flowOf(act("click", button), assertStep("hidden", ".error", "")))
					add("run: no error", runOf(expectation{text: "no error", selector: ".never", assertion: assertion{"type": "hidden"}}, patience, click(button)))
				} else {
					add("flow: text, and no error", flowOf(act("click", button), assertStep("text_contains", "", t[1]), assertStep("hidden", ".error", "")))
				}
			}
		}
	}
	controlCells(p)
	wayCells(p)
	writeCells(p)
}

// controlCells makes fields and boxes that do something, or nothing.
func controlCells(p *parts) {
	for i, c := range []struct {
		name, html, script, dead string
		steps                    []step
		check                    step
	}{
		{"a filter", `<label>Find <input id="q"></label><ul><li>Oak</li><li>Elm</li></ul><p id="n">%s</p>`, `document.getElementById('q').oninput=()=>{document.getElementById('n').textContent='1 tree'}`, "1 tree", []step{fill("#q", "oak")}, assertStep("text_equals", "#n", "1 tree")},
		{"a choice", `<label>Year <select id="y"><option>2024</option><option>2025</option></select></label><p id="n">%s</p>`, `document.getElementById('y').onchange=()=>{document.getElementById('n').textContent='Figures of 2025'}`, "Figures of 2025", []step{{"action": "select", "selector": "#y", "option": "2025"}}, assertStep("text_equals", "#n", "Figures of 2025")},
		{"a key", `<label>Search <input id="q"></label><p id="n">%s</p>`, `document.getElementById('q').onkeydown=e=>{if(e.key=='Enter')document.getElementById('n').textContent='3 hits'}`, "3 hits", []step{{"action": "press", "selector": "#q", "key": "Enter"}}, assertStep("text_contains", "", "3 hits")},
		{"a tab", `<div role="tablist"><button role="tab" id="b">Prices</button></div><div role="tabpanel" id="n">%s</div>`, `document.getElementById('b').onclick=()=>{document.getElementById('n').textContent='From 9 euros'}`, "From 9 euros", []step{act("click", "#b")}, assertStep("text_contains", "", "From 9 euros")},
		{"a fold", `<button id="b">More</button><div id="n">%s</div>`, `document.getElementById('b').onclick=()=>{document.getElementById('n').textContent='Opening hours'}`, "Opening hours", []step{act("click", "#b")}, assertStep("visible", `text="Opening hours"`, "")},
		{"a hover", `<span id="b" tabindex="0">Help</span><div id="n">%s</div>`, `document.getElementById('b').onmouseenter=()=>{document.getElementById('n').textContent='Ask at the desk'}`, "Ask at the desk", []step{act("hover", "#b")}, assertStep("text_contains", "#n", "Ask at the desk")},
	} {
		for _, works := range []bool{false, true} {
			stands, script, must := c.dead, "", notPass
			if works {
				stands, script, must = "–", c.script, mustPass
			}
			for j, head := range wordsOf("Garden | Wald | Forêt") {
				path := p.page(fmt.Sprintf("/control/%d-%d-%v", i, j, works), listing("en", head, "<h1>"+head+"</h1>"+strings.Replace(c.html, "%s", stands, 1)+"<script>"+script+"</script>"))
				p.cell(cell{Class: "brought", Way: fmt.Sprintf("%s, works %v, %s", c.name, works, head), Tool: "flow", Page: path, About: c.html, Truth: must, ask: flowOf(append(append([]step{}, c.steps...), c.check)...)})
			}
		}
	}
}

// wayCells makes links and forms that lead on, or don't.
func wayCells(p *parts) {
	for i, head := range wordsOf("Bookings | Buchungen | Réservations | Reservas") {
		there := p.page(fmt.Sprintf("/way/there%d", i), listing("en", "There", "<h1>"+head+"</h1><p>Number 4711 is yours.</p>"))
		for _, works := range []bool{false, true} {
			stop := map[bool]string{false: ` onclick="event.preventDefault()"`, true: ""}[works]
			must := map[bool]truth{false: notPass, true: mustPass}[works]
			link := p.page(fmt.Sprintf("/way/link%d-%v", i, works), listing("en", "Here", `<h1>`+head+`</h1><nav><a href="`+there+`"`+stop+`>Mine</a></nav>`))
			check := assertStep("visible", `heading "`+head+`"`, "")
			if works {
				check = assertStep("text_contains", "", "Number 4711 is yours.")
			}
			p.cell(cell{Class: "brought", Way: fmt.Sprintf("a link, works %v, %s", works, head), Tool: "flow", Page: link, About: stop, Truth: must, ask: flowOf(act("click", `link "Mine"`), check)})
			form := p.page(fmt.Sprintf("/way/form%d-%v", i, works), listing("en", "Here", `<h1>`+head+`</h1><form action="`+map[bool]string{false: fmt.Sprintf("/way/form%d-false", i), true: there}[works]+`"><label>Name <input name="n"></label><button>Book</button></form>`))
			p.cell(cell{Class: "brought", Way: fmt.Sprintf("a form, taken %v, %s", works, head), Tool: "flow", Page: form, About: "refused with 200: the same page again", Truth: must, ask: flowOf(fill("label=Name", "Ada"), act("click", `button "Book"`), check)})
		}
		looked := p.page(fmt.Sprintf("/way/look%d", i), listing("en", "Here", "<h1>"+head+"</h1><p>Open all year.</p>"))
		p.cell(cell{Class: "brought", Way: "only looked at, " + head, Tool: "flow", Page: looked, About: "no act", Truth: mustPass, ask: flowOf(assertStep("visible", `heading "`+head+`"`, ""))})
		p.cell(cell{Class: "brought", Way: "only looked at, " + head, Tool: "run", Page: looked, About: "no act", Truth: mustPass, ask: runOf(expectation{text: "it is open", assertion: contains("Open all year.")}, patience)})
		p.cell(cell{Class: "brought", Way: "only what never was, " + head, Tool: "flow", Page: looked, About: "an absence alone", Truth: notPass, ask: flowOf(assertStep("hidden", ".never-here", ""))})
	}
}

// writeCells makes acts that write twice, or whose answer holds an error: a finding must say so.
func writeCells(p *parts) {
	send := func(body string) string {
		return `fetch('/x/answer?kind=application/json&body='+encodeURIComponent('` + body + `'),{method:'POST',headers:{'Content-Type':'application/json'},body:'{"n":1}'})`
	}
	for i, w := range []struct {
		name, script string
		is           truth
	}{
		{"one write", send(`{"ok":true}`), mustHush},
		{"one write, list of no errors", send(`{"errors":[],"id":4}`), mustHush},
		{"one write, error is null", send(`{"error":null,"data":{"id":4}}`), mustHush},
		{"two equal writes", send(`{"ok":true}`) + ";" + send(`{"ok":true}`), mustFind},
		{"two equal writes, 80 ms apart", send(`{"id":7}`) + ";setTimeout(()=>" + send(`{"id":7}`) + ",80)", mustFind},
		{"ok is false", send(`{"ok":false,"message":"no space left"}`), mustFind},
		{"errors", send(`{"errors":[{"message":"Field is unknown"}],"data":null}`), mustFind},
		{"success is false", send(`{"success":false,"error":"quota"}`), mustFind},
		{"status is error", send(`{"status":"error","message":"locked"}`), mustFind},
		{"an error with a code", send(`{"error":{"code":-32603,"message":"Internal error"}}`), mustFind},
	} {
		for j, t := range [][2]string{{"Send", "Sent to the office"}, {"Speichern", "Gespeichert"}, {"Publier", "Publié"}} {
			path := p.page(fmt.Sprintf("/write/%d-%d", i, j), listing("en", "Desk", `<h1>Desk</h1><button>`+t[0]+`</button><p id="s"></p><script>document.querySelector('button').onclick=()=>{document.getElementById('s').textContent='`+t[1]+`';`+w.script+`}</script>`))
			p.cell(cell{Class: "brought", Way: "writes: " + w.name + ", " + t[0], Tool: "run", Page: path, About: short(w.script), Truth: w.is, ask: runOf(expectation{text: "it is done", assertion: contains(t[1])}, patience, click(`button "`+t[0]+`"`))})
		}
	}
}
