package look

import "fmt"

// timeCells makes pages that show something before their own request has answered, acts whose answer comes late, and
// messages that stand for a while.
func timeCells(p *parts) {
	p.page("/time/next", listing("en", "Next", "<h1>Next</h1><p>Nothing more to do here.</p>"))
	n := 0
	for _, kind := range [][2]string{
		{"fetch", `fetch('/x/answer?kind=text/plain&body=%[2]s&ms=%[1]d').then(r=>r.text()).then(t=>{document.getElementById('n').textContent=t})`},
		{"XMLHttpRequest", `const x=new XMLHttpRequest();x.open('GET','/x/answer?kind=text/plain&body=%[2]s&ms=%[1]d');x.onload=()=>{document.getElementById('n').textContent=x.responseText};x.send()`},
		{"fetch, JSON, next frame", `(async()=>{const r=await fetch('/x/answer?kind=application/json&body={"n":"%[2]s"}&ms=%[1]d');const d=await r.json();requestAnimationFrame(()=>{document.getElementById('n').textContent=d.n})})()`},
		{"fetch after a fetch", `fetch('/x/data?ms=200').then(()=>fetch('/x/answer?kind=text/plain&body=%[2]s&ms=%[1]d')).then(r=>r.text()).then(t=>{document.getElementById('n').textContent=t})`},
	} {
		for _, ms := range []int{900, 1700, 2600} {
			for _, v := range [][3]string{{"orders", "412", "388"}, {"Plätze", "17", "4"}} {
				path := func(final string) string {
					n++
					return p.page(fmt.Sprintf("/time/%d", n), listing("en", "Count", fmt.Sprintf(`<h1>Count</h1><p>Open <b id="n">%s</b> %s</p><button onclick="this.textContent='Pressed'">Details</button><a href="/time/next">Next</a><script>%s</script>`, v[1], v[0], fmt.Sprintf(kind[1], ms, final))))
				}
				stale, same := path(v[2]), path(v[1])
				way := fmt.Sprintf("%s, %d ms, %s", kind[0], ms, v[0])
				add := func(page, tool string, must truth, ask question) {
					p.cell(cell{Class: "time", Way: way, Tool: tool, Page: page, About: kind[1], Truth: must, ask: ask})
				}
				shows := func(what string) expectation {
					return expectation{text: "the count is so", selector: "#n", assertion: assertion{"type": "text_equals", "expected": what}}
				}
				add(stale, "run: what was cached", notPass, runOf(shows(v[1]), 4500))
				add(stale, "run: what was cached, after a click", notPass, runOf(shows(v[1]), 4500, click(`button "Details"`)))
				add(stale, "flow: what was cached, then it leaves", notPass, flowOf(assertStep("text_equals", "#n", v[1]), act("click", `link "Next"`), assertStep("visible", `heading "Next"`, "")))
				add(stale, "run: what comes", mustPass, runOf(shows(v[2]), 4500))
				add(same, "run: what was cached and is so", mustPass, runOf(shows(v[1]), 4500))
			}
		}
	}
	unrelatedCells(p)
	optimisticCells(p)
	toastCells(p)
}

// unrelatedCells makes pages whose requests stay open and have nothing to do with what is asked.
func unrelatedCells(p *parts) {
	for i, s := range [][2]string{{"a long poll", `fetch('/x/poll')`}, {"an event stream", `new EventSource('/x/stream')`}, {"polls, one after the other", `(function f(){fetch('/x/data?ms=300').then(()=>setTimeout(f,100))})()`},
		{"a beacon", `navigator.sendBeacon('/x/data?ms=3000','x')`}, {"a prefetch", `const l=document.createElement('link');l.rel='prefetch';l.href='/x/data?ms=4000';document.head.append(l)`}} {
		for j, total := range wordsOf("Total 512 | Summe 93 | Total général 7 | 合計 41") {
			path := p.page(fmt.Sprintf("/open/%d-%d", i, j), listing("en", "Total", `<h1>Total</h1><p id="t">`+total+`</p><script>`+s[1]+`</script>`))
			ask := runOf(expectation{text: "the total is so", selector: "#t", assertion: assertion{"type": "text_equals", "expected": total}}, 4500)
			p.cell(cell{Class: "time", Way: "beside " + s[0] + ", " + total, Tool: "run", Page: path, About: s[1], Truth: mustPass, ask: ask})
		}
	}
}

// optimisticCells makes acts that the page shows as done, and that the server takes or refuses later.
func optimisticCells(p *parts) {
	acts := []struct{ name, html, script, selector, shown, kind string }{
		{"a save", `<button>Save</button><output id="o"></output>`, `const o=document.getElementById('o');document.querySelector('button').onclick=()=>{o.textContent='Saved';fetch('/x/data?ms=%[1]d&status=%[2]d',{method:'POST'}).then(r=>{if(!r.ok)o.textContent='Could not save'})}`, "#o", "Saved", "text_contains"},
		{"a like", `<button aria-pressed="false">Gefällt mir</button>`, `const b=document.querySelector('button');b.onclick=()=>{b.setAttribute('aria-pressed','true');fetch('/x/data?ms=%[1]d&status=%[2]d',{method:'PUT'}).then(r=>{if(!r.ok)b.setAttribute('aria-pressed','false')})}`, "button", "true", "pressed"},
		{"a removal", `<ul><li id="r">Anchor</li></ul><button>Put away</button>`, `const u=document.querySelector('ul'),l=u.innerHTML;document.querySelector('button').onclick=()=>{u.innerHTML='';fetch('/x/data?ms=%[1]d&status=%[2]d',{method:'PATCH'}).then(r=>{if(!r.ok)u.innerHTML=l})}`, "#r", "", "hidden"},
	}
	for i, a := range acts {
		for _, ms := range []int{1200, 2600, 4500, 6000} {
			for _, code := range []int{200, 409, 500} {
				must := notPass
				if code == 200 {
					must = notFail
					if ms < 3000 {
						must = mustPass
					}
				}
				path := p.page(fmt.Sprintf("/optimistic/%d-%d-%d", i, ms, code), listing("en", "Act", `<h1>Act</h1>`+a.html+`<script>`+fmt.Sprintf(a.script, ms, code)+`</script>`))
				way := fmt.Sprintf("%s, answered with %d after %d ms", a.name, code, ms)
				p.cell(cell{Class: "time", Way: way, Tool: "flow", Page: path, About: short(a.script), Truth: must, ask: flowOf(act("click", "button"), assertStep(a.kind, a.selector, a.shown))})
				want := assertion{"type": a.kind}
				if a.shown != "" {
					want["expected"] = a.shown
				}
				p.cell(cell{Class: "time", Way: way, Tool: "run", Page: path, About: short(a.script), Truth: must, ask: runOf(expectation{text: "it is done", selector: a.selector, assertion: want}, 2000, click("button"))})
			}
		}
	}
}

// toastCells makes messages that stand for a while after a click, and go.
func toastCells(p *parts) {
	for i, box := range []string{`<div role="status">%s</div>`, `<div role="alert" class="toast">%s</div>`, `<div aria-live="polite" class="Toastify__toast"><div>%s</div></div>`, `<output class="snackbar">%s</output>`} {
		for j, ms := range []int{900, 1600, 2500} {
			for _, comes := range []bool{true, false} {
				said := among(wordsOf("Copied to your list | In den Korb gelegt | Ajouté au panier | Enviado"), i+j)
				html := fmt.Sprintf(box, said)
				script := `document.getElementById('z').innerHTML=''`
				must := mustFail
				if comes {
					script, must = fmt.Sprintf("const z=document.getElementById('z');setTimeout(()=>{z.innerHTML=%#q;setTimeout(()=>z.innerHTML='',%d)},150)", html, ms), mustPass
				}
				path := p.page(fmt.Sprintf("/toast/%d-%d-%v", i, ms, comes), listing("en", "List", `<h1>List</h1><p>Two entries.</p><button>Add</button><div id="z"></div><script>document.querySelector('button').onclick=()=>{`+script+`}</script>`))
				p.cell(cell{Class: "time", Way: fmt.Sprintf("a message of %d ms, comes %v, %s", ms, comes, said), Tool: "flow", Page: path, About: short(box), Truth: must,
					ask: flowOf(act("click", `button "Add"`), assertStep("text_contains", "", said), assertStep("visible", `heading "List"`, ""))})
			}
		}
	}
}
