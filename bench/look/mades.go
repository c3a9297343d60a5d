package look

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// madeCells makes runs in which the caller brings about what it then sees, and the same where the page's own control
// does.
func madeCells(p *parts) {
	for i, w := range wordsOf("Lantern festival | Nachtfähre | Marché couvert | Cuenta saldada | Brugt båd | 祭りの夜") {
		sentence := expectation{text: `The page shows "` + w + `"`}
		add := func(way, path string, must truth, e expectation, calls ...toolCall) {
			p.cell(cell{Class: "made", Way: way + ", " + w, Tool: "run", Page: path, About: way, Truth: must, ask: runOf(e, patience, calls...), fresh: true}) // what a script wrote stays in a session
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
		storeCells(to, add, w)
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

// storeCells has a script write to what outlives the document, in words that the page writes otherwise, and seeds what the
// page then acts by.
func storeCells(to func(name, body string) string, add func(way, path string, must truth, e expectation, calls ...toolCall), w string) {
	const open = `const done=q=>new Promise((ok,no)=>{q.onsuccess=()=>ok(q.result);q.onerror=()=>no(q.error)});` +
		`const shelf=()=>{const q=indexedDB.open('shelf',1);q.onupgradeneeded=()=>q.result.createObjectStore('b',{autoIncrement:true});return done(q)};`
	const enc, dec = `btoa(encodeURIComponent('%s'))`, `decodeURIComponent(atob(%s))`
	coded := fmt.Sprintf(enc, w)
	sentence := expectation{text: `The page shows "` + w + `"`}
	count := expectation{text: "The page shows \"4 volumes\""}
	again := func(path string) toolCall { return toolCall{"page_navigate", map[string]any{"url": path}} }
	for _, s := range []struct{ name, load, write, act string }{
		{"a database", `shelf().then(db=>done(db.transaction('b').objectStore('b').getAll())).then(a=>{if(a.length)n.textContent=` + fmt.Sprintf(dec, "a[0]") + `})`,
			`async () => { const db = await shelf(); await done(db.transaction('b','readwrite').objectStore('b').add(` + coded + `)); db.close() }`, ""},
		{"a cache", `caches.open('k').then(c=>c.match('/t')).then(r=>r&&r.text()).then(t=>{if(t)n.textContent=` + fmt.Sprintf(dec, "t") + `})`,
			`async () => { const c = await caches.open('k'); await c.put('/t', new Response(` + coded + `)) }`, ""},
		{"coded storage", `if(localStorage.c)n.textContent=` + fmt.Sprintf(dec, "localStorage.c"), `localStorage.c = ` + coded, ""},
		{"coded storage, and the script reloads", `if(localStorage.c)n.textContent=` + fmt.Sprintf(dec, "localStorage.c"), `setTimeout(() => { localStorage.c = ` + coded + `; location.reload() }, 50)`, ""},
		{"two keys", `if(localStorage.a)n.textContent=localStorage.a+localStorage.b`, `() => { const s = '` + w + `'; localStorage.a = s.slice(0, 3); localStorage.b = s.slice(3) }`, ""},
		{"backwards", `if(sessionStorage.r)n.textContent=[...sessionStorage.r].reverse().join('')`, `sessionStorage.r = [...'` + w + `'].reverse().join('')`, ""},
	} {
		path := to("store-"+strings.ReplaceAll(s.name, " ", "-"), `<p id="n">none</p><script>`+open+s.load+`</script>`)
		add(s.name+" by a script, then loaded again", path, notPass, sentence, evaluated(s.write), again(path))
	}
	path := to("store-count", `<p id="n">none</p><script>n.textContent=(Number(localStorage.m||0)+1)+' volumes'</script>`)
	add("a number by a script, and one more", path, notPass, count, evaluated(`localStorage.m = 3`), again(path))
	path = to("store-consent", `<div id="c">We use cookies</div><p id="n">none</p><button onclick="n.textContent='`+w+`'">Tell</button><script>if(localStorage.ok)c.remove()</script>`)
	add("a consent by a script, then the page's button", path, mustPass, sentence, evaluated(`localStorage.ok = 1`), again(path), click(`button "Tell"`))
	path = to("store-flag", `<a href="/made/flagged">On</a><script>if(localStorage.flag)document.title+='!'</script><button onclick="fetch('/x/notes/flag?text=1',{method:'POST'}).then(()=>{n.textContent='`+w+`'})">Save</button><p id="n"></p>`)
	add("a feature flag by a script, then the page's button that saves", path, mustPass, sentence, evaluated(`document.cookie = 'flag=1'`), again(path), click(`button "Save"`))
	path = to("store-there", `<p>`+w+`</p><script>localStorage.seen = 1</script>`)
	add("it stands there before and after a script that stores", path, notFail, sentence, toolCall{"page_snapshot", map[string]any{}}, evaluated(`localStorage.ok = 1`), again(path))
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
