package tools_test

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// Step 15, point 8: what the caller typed into an editor, stored or sent by a script, or
// wrote into the address proves nothing where the page shows it again; what the page's own
// control brought about does.
func TestMadeByTheCaller(t *testing.T) {
	t.Parallel()
	d := patient(t)
	var mu sync.Mutex
	note := "none"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.Method == http.MethodPost {
			body, _ := io.ReadAll(r.Body)
			note = string(body)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Notes</title><h1>Notes</h1><div id=e contenteditable style="min-height:30px"></div><p id=kept></p><p id=sent>%s</p><p>Results for %s: none</p>
<button onclick="localStorage.setItem('n', 'Marché'); show()">Keep</button><button onclick="fetch('/', {method: 'POST', body: 'Lantern'}).then(() => location.reload())">Send</button>
<p id=shelf></p><button onclick="this.after(shelf.textContent + ' of them')">Tell</button>
<script>const done = (q) => new Promise((ok, no) => { q.onsuccess = () => ok(q.result); q.onerror = () => no(q.error) });
const shelf_ = () => { const q = indexedDB.open('shelf', 1); q.onupgradeneeded = () => q.result.createObjectStore('books', {autoIncrement: true}); return done(q) };
const books = async () => { const db = await shelf_(), n = await done(db.transaction('books').objectStore('books').count()); db.close(); return n };
books().then(async n => { const cache = await caches.open('shelf'), hit = await cache.match('/title'); shelf.textContent = [n + 1, hit ? atob(await hit.text()) : 'no title', atob(localStorage.getItem('b') || '')].join(' volumes, ') });
const show = () => kept.textContent = (localStorage.getItem('n') || '') + ' ' + document.cookie; show()</script>`, html.EscapeString(note), html.EscapeString(r.URL.Query().Get("q")))
	}))
	t.Cleanup(server.Close)
	open := func(query string) func() {
		return func() { d.ok("page_navigate", `{"url": %q}`, server.URL+"/"+query) }
	}
	run := func(script string) func() {
		return func() { d.call("page_evaluate", `{"script": %q}`, script) } // one that ends with another page has no answer
	}
	press := func(button string) func() {
		return func() { d.ok("page_click", `{"selector": "button \"%s\""}`, button) }
	}
	for i, c := range []struct {
		name string
		do   []func()
		look string
		void bool
	}{
		{"asked for in the address", []func(){open("?q=Some+tea")}, "Some tea", true},
		{"more than was asked for", []func(){open("?q=Some+tea")}, "Results for Some tea: none", false},
		{"stored by the page's button", []func(){open(""), press("Keep")}, "Marché", false},
		{"sent by the page's button", []func(){open(""), press("Send")}, "Lantern", false},
		{"typed into an editor", []func(){open(""), func() { d.ok("page_fill", `{"selector": "#e", "value": "Nachtfähre"}`) }}, "Nachtfähre", true},
		{"stored by a script", []func(){open(""), run("localStorage.setItem('n', 'Cuenta')"), open("")}, "Cuenta", true},
		{"a cookie of a script", []func(){open(""), run("document.cookie = 'a=Brugt'"), open("")}, "Brugt", true},
		{"sent by a script", []func(){open(""), run("() => fetch('/', {method: 'POST', body: 'Sent ' + 'words'}).then(r => r.status)"), open("")}, "Sent words", true},
		// The words are the page's own making, the matter is the caller's: a count, what is encoded.
		{"a database of a script", []func(){open(""), run("async () => { const db = await shelf_(); db.transaction('books', 'readwrite').objectStore('books').add('x'); db.close() }"), open("")}, "2 volumes", true},
		{"a database, and the script reloads", []func(){open(""), run("shelf_().then(db => { const t = db.transaction('books', 'readwrite'); t.objectStore('books').add('x'); t.oncomplete = () => location.reload() }); 0"), open("")}, "2 volumes", true},
		{"a cache of a script", []func(){open(""), run("async () => { const c = await caches.open('shelf'); await c.put('/title', new Response(btoa('Middlemarch'))) }"), open("")}, "Middlemarch", true},
		{"storage in other words", []func(){open(""), run("localStorage.setItem('b', btoa('Villette')); location.reload()"), open("")}, "Villette", true},
		{"storage later", []func(){open(""), run("new Promise(r => setTimeout(r, 100)).then(() => localStorage.setItem('b', btoa('Villette'))); 0"), func() { d.ok("page_wait_for_selector", `{"selector": "#shelf", "state": "attached"}`) }, run("() => new Promise(r => setTimeout(r, 200))"), open("")}, "Villette", true},
		{"an act that shows it again", []func(){open(""), run("localStorage.setItem('b', btoa('Villette'))"), open(""), press("Keep")}, "Villette", true},
		{"what an act brought about since", []func(){open(""), run("localStorage.setItem('consent', '1')"), open(""), press("Tell")}, "of them", false},
		{"what stood there before it", []func(){open(""), run("localStorage.setItem('consent', '1')"), open("")}, "Results for", false},
		{"a script that reads and waits", []func(){open(""), run("async () => (await fetch('/')).status + await books()"), open("?q=Ink")}, "Results for Ink: none", false},
	} {
		if i >= 4 { // before that the caller stores nothing
			d.call("browser_close", `{}`)
		}
		for _, do := range c.do {
			do()
		}
		a := d.ok("verify_assertion", `{"assertion": {"type": "text_contains", "expected": %q}}`, c.look)
		if (a.Data["void"] != nil) != c.void || (a.Data["passed"] == true) == c.void {
			t.Errorf("%s: void should be %v: %s", c.name, c.void, a.text)
		}
	} // In a flow each check is about the page that it was made on.
	for steps, status := range map[string]string{
		`{"action": "assert", "assertion": {"type": "text_contains", "expected": "Keep"}}, {"action": "navigate", "url": "` + server.URL + `/?q=Keep"}`:       "passed",
		`{"action": "navigate", "url": "` + server.URL + `/?q=Keep+it"}, {"action": "assert", "assertion": {"type": "text_contains", "expected": "Keep it"}}`: "inconclusive",
	} {
		d.ok("run_start", `{"goal": "look"}`)
		d.ok("verify_user_flow", `{"start_url": %q, "steps": [%s]}`, server.URL, steps)
		if got, why := d.finish(); got != status {
			t.Errorf("%s: the run is %s (%s), want %s", steps, got, why, status)
		}
	}
}
