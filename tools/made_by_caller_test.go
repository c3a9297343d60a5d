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
<script>const show = () => kept.textContent = (localStorage.getItem('n') || '') + ' ' + document.cookie; show()</script>`, html.EscapeString(note), html.EscapeString(r.URL.Query().Get("q")))
	}))
	t.Cleanup(server.Close)
	open := func(query string) func() {
		return func() { d.ok("page_navigate", `{"url": %q}`, server.URL+"/"+query) }
	}
	run := func(script string) func() {
		return func() { d.ok("page_evaluate", `{"script": %q}`, script) }
	}
	press := func(button string) func() {
		return func() { d.ok("page_click", `{"selector": "button \"%s\""}`, button) }
	}
	for name, c := range map[string]struct {
		do   []func()
		look string
		void bool
	}{
		"typed into an editor":        {[]func(){open(""), func() { d.ok("page_fill", `{"selector": "#e", "value": "Nachtfähre"}`) }}, "Nachtfähre", true},
		"stored by a script":          {[]func(){open(""), run("localStorage.setItem('n', 'Cuenta')"), open("")}, "Cuenta", true},
		"a cookie of a script":        {[]func(){open(""), run("document.cookie = 'a=Brugt'"), open("")}, "Brugt", true},
		"sent by a script":            {[]func(){open(""), run("() => fetch('/', {method: 'POST', body: 'Sent ' + 'words'}).then(r => r.status)"), open("")}, "Sent words", true},
		"asked for in the address":    {[]func(){open("?q=Some+tea")}, "Some tea", true},
		"more than was asked for":     {[]func(){open("?q=Some+tea")}, "Results for Some tea: none", false},
		"stored by the page's button": {[]func(){open(""), press("Keep")}, "Marché", false},
		"sent by the page's button":   {[]func(){open(""), press("Send")}, "Lantern", false},
	} {
		d.call("browser_close", `{}`) // the first time there is none
		for _, do := range c.do {
			do()
		}
		a := d.ok("verify_assertion", `{"assertion": {"type": "text_contains", "expected": %q}}`, c.look)
		if (a.Data["void"] != nil) != c.void || (a.Data["passed"] == true) == c.void {
			t.Errorf("%s: void should be %v: %s", name, c.void, a.text)
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
