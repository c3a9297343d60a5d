package look

import "fmt"

// lateWay describes something that happens after the page has loaded.
type lateWay struct {
	name   string
	script string
	html   string // instead of the total's line
	head   string
	is     truth
	tools  []string // nothing: all
	steps  []step   // of the flow, instead of looking for the total
	after  string   // success condition of the flow
}

// lateTools returns the questions about a page to which something happens later.
func lateTools() []string {
	return []string{"check", "verify_page_loads", "verify_user_flow", "analyze_console_errors", "console_clean", "run"}
}

// totalLine holds the total from the start, unless the page's own line says
// otherwise.
const totalLine = `<p>Total <b id="total">512</b> orders</p>`

func latePage(w lateWay) page {
	html := w.html
	if html == "" {
		html = totalLine
	}
	return page{body: fmt.Sprintf(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Orders</title>%s<style>body{font:16px/1.5 Arial,sans-serif;margin:24px}nav a{margin-right:12px}</style></head>
<body><nav><a href="/fine/start">Start</a><a href="/fine/start">Orders</a></nav><h1>Orders</h1><div id="app">%s</div><p>All regions, yesterday.</p><script>%s</script></body></html>`, w.head, html, w.script)}
}

func lateQuestion(tool string, w lateWay) question {
	steps := w.steps
	if steps == nil {
		steps = []step{assertStep("text_contains", "#app", "512"), assertStep("console_clean", "", "")}
	}
	switch tool {
	case "verify_page_loads":
		return loads()
	case "verify_user_flow":
		return flow(w.after, steps...)
	case "analyze_console_errors":
		return consoleErrors()
	case "console_clean":
		return asserts("console_clean", "", "")
	case "run":
		return runOf(expectation{text: "the orders are 512", selector: "#app", assertion: contains("512")}, patience)
	}
	return nil
}

func lateCells(p *parts) {
	p.page("/fine/start", page{body: `<!doctype html><title>Start</title><h1>Start</h1><p>Welcome to the shop of the north.</p>`})
	p.page("/late/gone", page{status: 500, body: `<!doctype html><title>Error</title><h1>Something went wrong</h1>`})
	ways := append(append(append(lateErrors(), lateData()...), lateTurns()...), lateFine()...)
	for i, w := range ways {
		path := p.page(fmt.Sprintf("/late/%d", i), latePage(w))
		tools := w.tools
		if tools == nil {
			tools = lateTools()
		}
		for _, tool := range tools {
			p.cell(cell{Class: "late", Way: w.name, Tool: tool, Page: path, About: short(w.head + w.html + " " + w.script), Truth: w.is, ask: lateQuestion(tool, w), batch: tool == "check", fresh: tool == "console_clean"})
		}
	}
}

// lateErrors lists exceptions and messages that come after the load.
func lateErrors() []lateWay {
	var out []lateWay
	for _, ms := range []int{50, 300, 700} {
		out = append(out, lateWay{name: fmt.Sprintf("exception after %d ms", ms), is: mustFail, script: fmt.Sprintf(`addEventListener('load',()=>setTimeout(()=>{null.rows.length},%d))`, ms)})
	}
	pure := []string{"check", "verify_user_flow", "analyze_console_errors", "console_clean"}
	return append(out, []lateWay{
		{name: "rejected promise after 300 ms", is: mustFail, script: `setTimeout(()=>Promise.reject(new Error('no session')),300)`},
		{name: "console error after 400 ms", is: mustFail, tools: pure, script: `setTimeout(()=>console.error('could not load rows'),400)`},
		{name: "exception in an animation frame", is: mustFail, script: `let n=0;(function f(){if(++n==20)throw new Error('frame');requestAnimationFrame(f)})()`},
		{name: "exception in a module loaded late", is: mustFail, script: `setTimeout(()=>{const s=document.createElement('script');s.textContent='rowsOf(null)';document.body.append(s)},350)`},
		{name: "exception in a frame", is: mustFail, tools: []string{"check", "verify_user_flow", "console_clean"}, html: totalLine + `<iframe srcdoc="<p>map</p><script>setTimeout(()=>{lost()},200)</script>"></iframe>`},
		{name: "exception of a worker", is: mustFind, tools: []string{"check"}, script: `new Worker(URL.createObjectURL(new Blob(['setTimeout(()=>{lost()},200)'])))`},
		{name: "5,000 lines after an error", is: mustFail, tools: pure, script: `console.error('payment failed');for(let i=0;i<5000;i++)console.log('tick '+i)`},
		{name: "5,000 lines after an exception", is: mustFail, script: `setTimeout(()=>{for(let i=0;i<5000;i++)console.log('tick '+i)},60);throw new Error('boot')`},
		{name: "script that is not there", is: mustFail, tools: pure, html: totalLine + `<script src="/no/such.js"></script>`},
		{name: "style sheet that is not there", is: mustFail, tools: pure, head: `<link rel="stylesheet" href="/no/such.css">`},
		{name: "module that is not there, late", is: mustFail, tools: pure, script: `setTimeout(()=>{const s=document.createElement('script');s.src='/no/late.js';document.body.append(s)},400)`},
		{name: "request that fails with 500, late", is: mustFail, tools: pure, script: `setTimeout(()=>fetch('/x/data?ms=200&status=500'),300)`},
		{name: "request that is refused", is: mustFail, tools: pure, script: `fetch('/x/refuse').catch(()=>0)`},
		{name: "dialog at load", is: mustFail, tools: []string{"check", "verify_page_loads", "verify_user_flow"}, script: `alert('Session expired')`},
		{name: "dialog after 500 ms", is: mustFail, tools: []string{"check", "verify_page_loads", "verify_user_flow"}, script: `setTimeout(()=>confirm('Reload?'),500)`},
		{name: "meta refresh to an error", is: mustFail, tools: []string{"check", "verify_page_loads", "verify_user_flow", "run"}, head: `<meta http-equiv="refresh" content="0;url=/late/gone">`},
		{name: "meta refresh to an error after 1 s", is: mustFail, tools: []string{"check", "verify_page_loads"}, head: `<meta http-equiv="refresh" content="1;url=/late/gone">`},
		{name: "sent to an error after 300 ms", is: mustFail, tools: []string{"check", "verify_page_loads", "verify_user_flow", "run"}, script: `setTimeout(()=>location='/late/gone',300)`},
		{name: "sent to a missing page after 600 ms", is: mustFail, tools: []string{"check", "verify_page_loads", "verify_user_flow", "run"}, script: `setTimeout(()=>location.replace('/no/such/page'),600)`},
		{name: "error before one more navigation", is: mustFail, tools: []string{"verify_user_flow"}, script: `console.error('payment failed')`,
			steps: []step{{"action": "click", "selector": `link "Start"`}, assertStep("text_contains", "h1", "Start"), assertStep("console_clean", "", "")}},
		{name: "exception after the last click", is: mustFail, tools: []string{"verify_user_flow"}, html: totalLine + `<button onclick="setTimeout(()=>{lost()},400)">Refresh</button>`,
			steps: []step{{"action": "click", "selector": `button "Refresh"`}, assertStep("text_contains", "#app", "512")}},
	}...)
}

// lateData lists data that arrive after the load, and break or complete the
// page.
func lateData() []lateWay {
	var out []lateWay
	all := []string{"check", "verify_page_loads", "verify_user_flow", "run"}
	looks := []string{"verify_user_flow", "run"}
	for _, ms := range []int{200, 800, 1500} {
		get := fmt.Sprintf(`fetch('/x/data?ms=%d').then(r=>r.json()).then(d=>`, ms)
		out = append(out,
			lateWay{name: fmt.Sprintf("data after %d ms throw", ms), is: mustFail, tools: all, script: get + `{document.getElementById('app').innerHTML='';d.rows.items.map(x=>x)})`},
			lateWay{name: fmt.Sprintf("data after %d ms replace it by an error", ms), is: mustFail, tools: looks, script: get + `{document.getElementById('app').innerHTML='<p role=alert>Could not load orders</p>'})`},
			lateWay{name: fmt.Sprintf("data after %d ms show another figure", ms), is: mustFail, tools: looks, script: get + `{document.getElementById('total').textContent='498'})`},
			lateWay{name: fmt.Sprintf("data after %d ms complete it", ms), is: mustPass, tools: all, html: `<p>Loading…</p>`, script: get + `{document.getElementById('app').innerHTML='<p>Total <b>'+d.total+'</b> orders</p>'})`},
			lateWay{name: fmt.Sprintf("request after %d ms fails, page says so", ms), is: mustFail, tools: looks, script: fmt.Sprintf(`fetch('/x/data?ms=%d&status=503').then(r=>{if(!r.ok)document.getElementById('app').textContent='Service unavailable'})`, ms)})
	}
	return append(out,
		lateWay{name: "taken away after 600 ms", is: mustFail, tools: looks, script: `setTimeout(()=>document.getElementById('total').remove(),600)`},
		lateWay{name: "page blank after 600 ms", is: mustFail, tools: all, script: `setTimeout(()=>document.body.innerHTML='',600)`},
		lateWay{name: "sheet over all after 500 ms", is: mustFail, tools: all, script: `setTimeout(()=>{const s=document.createElement('div');s.style='position:fixed;inset:0;background:#fff;z-index:9';document.body.append(s)},500)`},
		lateWay{name: "counts up to the figure", is: mustPass, tools: all, html: `<p>Total <b id="total">0</b> orders</p>`, script: `let n=0;const t=setInterval(()=>{n=Math.min(512,n+32);document.getElementById('total').textContent=n;if(n==512)clearInterval(t)},30)`})
}

// lateTurns lists acts that the page takes back a little later, and their
// twins.
func lateTurns() []lateWay {
	var out []lateWay
	for _, ms := range []int{400, 900} {
		for _, ok := range []bool{false, true} {
			name, is, status := "taken back", mustFail, 500
			if ok {
				name, is, status = "kept", mustPass, 200
			}
			html := fmt.Sprintf(`<button onclick="s.textContent='Saved';fetch('/x/save?ms=%d&status=%d',{method:'POST'}).then(r=>{if(!r.ok)s.textContent='Could not save'})">Save</button> <output id="s"></output>`, ms, status)
			click := step{"action": "click", "selector": `button "Save"`}
			out = append(out,
				lateWay{name: fmt.Sprintf("save %s after %d ms", name, ms), is: is, tools: []string{"verify_user_flow"}, html: html, steps: []step{click, assertStep("text_contains", "#s", "Saved")}},
				lateWay{name: fmt.Sprintf("save %s after %d ms, success condition", name, ms), is: is, tools: []string{"verify_user_flow"}, html: html, steps: []step{click, assertStep("visible", "h1", "")}, after: "text=Saved"})
		}
		html := fmt.Sprintf(`<label><input type="checkbox" id="c" onchange="setTimeout(()=>{c.checked=false},%d)"> Newsletter</label>`, ms)
		out = append(out, lateWay{name: fmt.Sprintf("box unticked by itself after %d ms", ms), is: mustFail, tools: []string{"verify_user_flow"}, html: html,
			steps: []step{{"action": "click", "selector": "#c"}, assertStep("checked", "#c", "")}})
	}
	return append(out, lateWay{name: "row comes back after it was put away", is: mustFail, tools: []string{"verify_user_flow"},
		html:  `<ul id="l"><li>North</li><li id="r">South</li></ul><button onclick="const r=document.getElementById('r');r.remove();fetch('/x/archive?ms=500&status=409',{method:'POST'}).then(()=>document.getElementById('l').append(r))">Archive</button>`,
		steps: []step{{"action": "click", "selector": `button "Archive"`}, assertStep("hidden", "#r", ""), assertStep("count_equals", "#l li", "1")}})
}

// lateFine goes on for ever elsewhere, or ends well.
func lateFine() []lateWay {
	fine := func(name, html, script string) lateWay {
		return lateWay{name: name, is: mustPass, html: totalLine + html, script: script}
	}
	return []lateWay{
		fine("nothing happens", "", ""),
		fine("clock elsewhere", `<p>It is <time id="t"></time></p>`, `setInterval(()=>t.textContent=new Date().toISOString(),100)`),
		fine("carousel elsewhere", `<p id="t">First offer</p>`, `let n=0;setInterval(()=>t.textContent=['Second','Third','First'][n++%3]+' offer',400)`),
		fine("endless animation elsewhere", `<div style="width:40px;height:40px;background:#9cf;animation:m 1s infinite alternate"></div><style>@keyframes m{to{transform:translateX(200px)}}</style>`, ""),
		fine("ticker elsewhere", `<div style="overflow:hidden;height:24px"><p id="t" style="white-space:nowrap">news of today news of today</p></div>`, `let x=0;(function f(){t.style.transform='translateX('+(x=(x-1)%300)+'px)';requestAnimationFrame(f)})()`),
		fine("live chart on a canvas", `<canvas id="c" width="300" height="80"></canvas>`, `const g=c.getContext('2d');let n=0;setInterval(()=>{g.fillRect(n=(n+3)%300,80-Math.random()*60,2,60)},60)`),
		fine("event stream open", `<p id="t">live</p>`, `new EventSource('/x/stream').onmessage=e=>t.textContent='live '+e.data`),
		fine("long poll open", "", `fetch('/x/poll').catch(()=>0)`),
		fine("polls every 300 ms", "", `setInterval(()=>fetch('/x/data?ms=20'),300)`),
		fine("beacon", "", `navigator.sendBeacon('/x/beacon','a')`),
		fine("resize notice", `<div id="b">box</div>`, `new ResizeObserver(()=>{b.style.width=(b.offsetWidth%50+200)+'px'}).observe(b)`),
		fine("warnings only", "", `console.warn('deprecated');setTimeout(()=>console.info('ready'),300)`),
		fine("5,000 harmless lines", "", `for(let i=0;i<5000;i++)console.log('tick '+i)`),
		fine("late picture", "", `setTimeout(()=>{const i=new Image();i.src='/x/flat.png?c=9cf';document.body.append(i)},500)`),
		fine("late component", `<x-late></x-late>`, `setTimeout(()=>customElements.define('x-late',class extends HTMLElement{connectedCallback(){this.textContent='details'}}),400)`),
		fine("address changed in place", "", `setTimeout(()=>history.replaceState(0,'','?view=all'),300)`),
		fine("toast comes and goes", `<p id="t"></p>`, `setTimeout(()=>t.textContent='Welcome',200);setTimeout(()=>t.textContent='',700)`),
		{name: "dialog that the click asks for", is: mustPass, tools: []string{"verify_user_flow"}, html: totalLine + `<button onclick="alert('Copied')">Copy</button>`,
			steps: []step{{"action": "click", "selector": `button "Copy"`}, assertStep("text_contains", "#app", "512")}},
		{name: "save that stands", is: mustPass, tools: []string{"verify_user_flow"}, html: totalLine + `<button onclick="s.textContent='Saved'">Save</button><output id="s"></output>`,
			steps: []step{{"action": "click", "selector": `button "Save"`}, assertStep("text_equals", "#s", "Saved"), assertStep("console_clean", "", "")}, after: "text=Saved"},
	}
}
