package look

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
)

// madeCells makes runs in which the caller brings about what it then sees, and the same where the page's own control
// does.
func madeCells(p *parts) {
	for i, w := range wordsOf("Lantern festival | Nachtfähre | Marché couvert | Cuenta saldada | Brugt båd | 祭りの夜") {
		sentence := expectation{text: `The page shows "` + w + `"`}
		add := func(way, path string, must truth, e expectation, calls ...toolCall) {
			p.cell(cell{Class: "made", Way: way + ", " + w, Tool: "run", Page: path, About: way, Truth: must, ask: runOf(e, patience, calls...)})
		}
		to := func(name, body string) string {
			return p.page(fmt.Sprintf("/made/%d/%s", i, name), listing("en", "Notes", "<h1>Notes</h1>"+body))
		}
		again := func(path string) toolCall { return toolCall{"page_navigate", map[string]any{"url": path}} }
		query := url.QueryEscape(w)

		free := to("free", `<div contenteditable="true" id="e" style="min-height:40px">Write here</div><p>Draft.</p>`)
		add("typed into editable text", free, notPass, sentence, toolCall{"page_fill", map[string]any{"selector": "#e", "value": w}})
		plain := to("plain", `<div contenteditable="plaintext-only" role="textbox" aria-label="Note" id="e" style="min-height:40px"></div>`)
		add("typed into a plain editable box", plain, notPass, sentence, toolCall{"page_fill", map[string]any{"selector": "#e", "value": w}})
		for k, s := range [][2]string{
			{"localStorage", `localStorage.getItem('n')`}, {"sessionStorage", `sessionStorage.getItem('n')`}, {"a cookie", `decodeURIComponent((document.cookie.match(/n=([^;]*)/)||['',''])[1])`},
		} {
			set := map[string]string{"localStorage": `localStorage.setItem('n','` + w + `')`, "sessionStorage": `sessionStorage.setItem('n','` + w + `')`, "a cookie": `document.cookie='n='+encodeURIComponent('` + w + `')`}[s[0]]
			path := to("kept"+fmt.Sprint(k), `<p id="n">none</p><button onclick="`+"keep()"+`">Keep</button><script>function keep(){`+set+`;document.getElementById('n').textContent='`+w+`'}document.getElementById('n').textContent=`+s[1]+`||'none'</script>`)
			add(s[0]+" by a script, then loaded again", path, notPass, sentence, evaluated("() => { "+set+" }"), again(path))
			add(s[0]+" by the page's button", path, mustPass, sentence, click(`button "Keep"`))
		}
		note := fmt.Sprintf("/x/notes/a%d", i)
		path := to("post", `<p id="n">none</p><script>fetch('`+note+`').then(r=>r.text()).then(t=>{document.getElementById('n').textContent=t||'none'})</script>`)
		add("an own POST, then loaded again", path, notPass, sentence, evaluated(`() => fetch('`+note+`?text=`+query+`',{method:'POST'}).then(r => r.status)`), again(path))
		own := fmt.Sprintf("/x/notes/b%d", i)
		path = to("form", `<label>Note <input id="f"></label><button onclick="fetch('`+own+`?text='+encodeURIComponent(f.value),{method:'POST'}).then(()=>fetch('`+own+`')).then(r=>r.text()).then(t=>{n.textContent=t})">Add</button><ul><li id="n"></li></ul>`)
		add("typed, and added by the page's button", path, mustPass, sentence, toolCall{"page_fill", map[string]any{"selector": "#f", "value": w}}, click(`button "Add"`))
		path = to("echo", `<p id="n">No search.</p><script>const q=new URLSearchParams(location.search).get('q');if(q)document.getElementById('n').textContent='Nothing found for '+q</script>`)
		add("the caller's own query", path, notPass, sentence, again(path+"?q="+query))
		path = to("hash", `<p id="n">No place.</p><script>if(location.hash)document.getElementById('n').textContent=decodeURIComponent(location.hash.slice(1))</script>`)
		add("the caller's own fragment", path, notPass, sentence, again(path+"#"+url.PathEscape(w)))
		path = to("written", `<p id="n">none</p>`)
		for k, script := range []string{`() => { document.getElementById('n').textContent = '` + w + `' }`, `() => { const p = document.createElement('p'); p.append('` + w + `'); document.body.append(p) }`, `() => { document.body.insertAdjacentHTML('beforeend', '<h2>` + w + `</h2>') }`} {
			add(fmt.Sprintf("written by a script (%d)", k+1), path, notPass, sentence, evaluated(script))
		}
		path = to("there", `<p>`+w+`</p>`)
		add("it stands there", path, mustPass, sentence)
		add("it stands there, a script looked", path, notFail, sentence, evaluated(`() => document.title`))
		voids(p, w, i)
	}
}

// voids makes checks that hold whatever the page shows, bound to a sentence that is not so.
func voids(p *parts, w string, i int) {
	path := p.page(fmt.Sprintf("/made/%d/void", i), listing("en", "Notes", "<h1>Notes</h1><p>Nothing of that kind.</p>"))
	ways := map[string]map[string]any{
		"an optional part":    {"assertion": assertion{"type": "text_matches", "expected": "Nothing( " + w + ")?"}},
		"an alternative":      {"assertion": assertion{"type": "text_matches", "expected": w + "|Nothing"}},
		"any text":            {"assertion": assertion{"type": "text_matches", "expected": "(" + w + ")*"}},
		"an optional letter":  {"assertion": assertion{"type": "text_matches", "expected": "(?:" + w + "){0,1}"}},
		"a list of selectors": {"selector": `h1, text="` + w + `"`, "assertion": assertion{"type": "visible"}},
		"not another text":    {"assertion": denied(contains("not " + w))},
	}
	for _, name := range slices.Sorted(maps.Keys(ways)) {
		a := ways[name]
		p.cell(cell{Class: "made", Way: "a check that proves nothing: " + name + ", " + w, Tool: "run", Page: path, About: fmt.Sprint(a), Truth: notPass, ask: boundTo(`The page shows "`+w+`"`, a)})
	}
}

// boundTo makes a run in which a check of the caller's choice is to prove a sentence.
func boundTo(sentence string, arguments map[string]any) question {
	return func(w *worker, page string) (outcome, string, error) {
		w.at = ""
		if a, err := w.call("run_start", map[string]any{"goal": "look at the page", "route": w.site + page, "expectations": []map[string]any{{"text": sentence}}}); err != nil || !a.ok {
			return refused, short(a.Text), err
		}
		if _, err := w.call("page_navigate", map[string]any{"url": w.site + page}); err != nil {
			return "", "", err
		}
		with := map[string]any{"expects": []string{"E1"}, "timeout_ms": soon}
		for k, v := range arguments {
			with[k] = v
		}
		if _, err := w.call("verify_assertion", with); err != nil {
			return "", "", err
		}
		return w.ask("run_finish", nil, status)
	}
}
