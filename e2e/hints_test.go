package e2e_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// guided is a client that knows what is to be done and what its answers tell it: it
// makes the calls of its job, and between them those that answers name, as they name
// them. It knows no tool by itself.
type guided struct {
	*wire
	files []string // for a call that asks for paths
	text  string   // for a call that asks for a text
}

// wish is a call of a job.
type wish struct {
	tool      string
	arguments map[string]any
}

var (
	// namedCall matches a call in an answer: a tool and its arguments.
	namedCall = regexp.MustCompile(`((?:page|browser|verify|run)_[a-z_]+) (\{[^\n]*?\})(, then do the same again)?`)
	// candidateList matches the selectors that an answer lists in place of one that failed.
	candidateList = regexp.MustCompile(`(?s)(?:each a selector|use one of):\n<(page-[0-9a-f]+)>\n(.*?)\n</page-`)
)

// follow makes a call and all that its answers name, and returns the last answer.
func (g *guided) follow(w wish) answer {
	g.t.Helper()
	made := map[string]bool{}
	a := g.call(w.tool, w.arguments)
	for range 6 {
		next, again, ok := g.next(w, a)
		key := fmt.Sprint(next)
		if !ok || made[key] {
			return a
		}
		made[key] = true
		a = g.call(next.tool, next.arguments)
		if again {
			a = g.call(w.tool, w.arguments)
		}
	}
	g.t.Fatalf("%s %v: the answers name call after call; the last:\n%s", w.tool, w.arguments, a.text())
	return a
}

// next reads the call that an answer names. again says that the call before is to be
// made once more after it.
func (g *guided) next(w wish, a answer) (next wish, again, ok bool) {
	g.t.Helper()
	text := a.text()
	if list := candidateList.FindStringSubmatch(text); list != nil && !a.envelope.OK {
		arguments := maps.Clone(w.arguments)
		arguments["selector"], _, _ = strings.Cut(list[2], "\n")
		return wish{w.tool, arguments}, false, true
	}
	found := namedCall.FindStringSubmatch(text)
	if found == nil {
		return wish{}, false, false
	}
	next.tool = found[1]
	if err := json.Unmarshal([]byte(found[2]), &next.arguments); err != nil {
		g.t.Fatalf("the call that the answer names can't be made: %v\n%s", err, text)
	}
	for name, value := range next.arguments {
		switch {
		case name == "paths":
			next.arguments[name] = g.files
		case value == "…" && name == "selector":
			next.arguments[name] = w.arguments["selector"]
		case value == "…":
			next.arguments[name] = g.text
		}
	}
	return next, found[3] != "", true
}

// guidedPages are the pages of the jobs.
func guidedPages() map[string]string {
	return map[string]string{
		"/popup": `<button onclick="window.open('/kite')">Sign in with Kite</button><p role=status id=s>Signed out</p><script>onmessage = e => { s.textContent = 'Signed in as ' + e.data }</script>`,
		"/kite":  `<title>Kite</title><button onclick="opener.postMessage('Ada', '*'); window.close()">Allow</button>`,
		"/draft": `<a href=/publish target=_blank>Open the draft</a>`,
		"/publish": `<title>Draft</title><button onclick="s.textContent = confirm('Publish it?') ? 'It is public' : 'It stays a draft'">Publish</button>
			<p role=status id=s></p>`,
		"/rename": `<button onclick="s.textContent = 'Renamed to ' + prompt('New name?')">Rename</button><p role=status id=s></p>`,
		"/alerts": `<script>alert('Cookies!'); confirm('Really?'); prompt('Name?')</script><h1>After the alerts</h1><script>onload = () => alert('again')</script>`,
		"/upload": `<input type=file multiple hidden id=f onchange="s.textContent = this.files.length + ' files, ' + [...this.files].reduce((n, f) => n + f.size, 0) + ' bytes'">
			<button onclick="f.click()">Attach files</button><p role=status id=s></p>`,
		"/frame": `<h1>Checkout</h1><iframe title=Payment srcdoc="<label>Card <input oninput=&quot;parent.document.querySelector('p').textContent = 'Card ' + this.value&quot;></label>"></iframe><p></p>`,
		"/words": `<button onclick="s.textContent = 'It was sent'">Send message</button><button>Send money</button><p role=status id=s></p>`,
		"/name":  `<button onclick="s.textContent = 'All is saved'">Save all changes</button><p role=status id=s></p>`,
		"/late":  `<h1>Report</h1><script>setTimeout(() => { document.body.insertAdjacentHTML('beforeend', '<button onclick="this.textContent = \'Opened\'">Open the report</button>') }, 2600)</script>`,
		"/file":  `<a href=/report.csv>Report as CSV</a>`,
		"/one":   `<title>One</title><script>console.error('the first page went wrong')</script><a href=/two>On</a>`,
		"/two":   `<title>Two</title><h1>Second</h1>`,
		"/offers": `<h1>Offers</h1><button>Save all changes</button><iframe title=Payment srcdoc="<label>Card <input></label>"></iframe>
			<select id=plan aria-label=Plan><option>Free<option>Team</select><section><h2>Bread</h2><button>Choose</button></section><section><h2>Milk</h2><button>Choose</button></section>
			<label>Note <input></label><label>Note <input></label>
			<div style="position:relative;width:200px;height:30px"><button>Under</button><div id=veil style="position:absolute;inset:0;background:#eee"><button onclick="veil.remove()">Close</button></div></div>
			<input id=need aria-label=Need oninput="send.disabled = false"><button id=send disabled>Send</button><button onclick="item.style.display = 'block'">Menu</button><a href=#x id=item style="display:none">Item</a>
			<input id=date type=date><input id=time type=time><input id=month type=month><input id=tick type=checkbox>`,
		"/cells": `<style>.bad { color: rgb(200, 0, 0) }</style><ul><li class=bad>4711</li><li>4712</li><li>4713</li></ul>`,
	}
}

// The jobs are those that users of other servers ask for and can't do there; the numbers
// are of their issues. The client makes only the calls of the job and those that answers
// name; what must hold at the end is checked.
func TestJobsByHints(t *testing.T) {
	needsBrowser(t)
	mux := http.NewServeMux()
	for path, body := range guidedPages() {
		mux.HandleFunc(path, func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(rw, "<!doctype html>"+body)
		})
	}
	mux.HandleFunc("/report.csv", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Disposition", "attachment")
		fmt.Fprint(rw, "order,sum\n4711,12\n")
	})
	web := httptest.NewServer(mux)
	t.Cleanup(web.Close)
	w := attach(t, november25)
	var files []string
	for i := range 3 { // more than the 50 MB that others take
		name := filepath.Join(w.uploadRoots(), fmt.Sprintf("part-%d.bin", i))
		must(t, os.WriteFile(name, nil, 0o600))
		must(t, os.Truncate(name, 70*megabyte))
		files = append(files, name)
	}
	click := func(selector string) wish { return wish{"page_click", map[string]any{"selector": selector}} }
	says := func(text string) wish {
		return wish{"verify_assertion", map[string]any{"assertion": map[string]any{"type": "text_contains", "expected": text}}}
	}
	holds := func(selector string, assertion map[string]any) wish {
		return wish{"verify_assertion", map[string]any{"selector": selector, "assertion": assertion}}
	}
	for _, job := range []struct {
		name, page string
		calls      []wish
		ends       wish
		said       string // in the last answer before that
	}{
		{"a popup signs in and closes itself (playwright-mcp#1343, #392, #1089)", "/popup", []wish{click(`button "Sign in with Kite"`), click(`button "Allow"`)}, says("Signed in as Ada"), ""},
		{"a dialog in the second tab (playwright-mcp: the call never ends)", "/draft", []wish{click(`link "Open the draft"`), click(`button "Publish"`)}, says("It is public"), ""},
		{"a prompt is answered", "/rename", []wish{click(`button "Rename"`)}, says("Renamed to Ada Lovelace"), ""},
		{"dialogs while a page loads (playwright#42817: 60 s)", "/alerts", nil, says("After the alerts"), ""},
		{"210 MB in three files by a button (playwright-mcp#1268, playwright#38657)", "/upload", []wish{click(`button "Attach files"`)}, says("3 files, 220200960 bytes"), "sha256"},
		{"a field in a frame (playwright-mcp#1394, chrome-devtools-mcp#186)", "/frame", []wish{{"page_fill", map[string]any{"selector": `textbox "Card"`, "value": "4242"}}}, says("Card 4242"), ""},
		{"plain words for a button", "/words", []wish{click("Send message")}, says("It was sent"), ""},
		{"a name that is nearly right", "/name", []wish{click(`button "Save changes"`)}, says("All is saved"), ""},
		{"an element that comes late (playwright-mcp#1117)", "/late", []wish{click(`button "Open the report"`)}, holds(`button "Opened"`, map[string]any{"type": "visible"}), ""},
		{"a download (playwright-mcp#154)", "/file", []wish{click(`link "Report as CSV"`)}, holds("", map[string]any{"type": "downloaded", "expected": "report.csv"}), "report.csv"},
		{"the console of the page before (chrome-devtools-mcp#88)", "/one", []wish{click(`link "On"`), {"page_get_console_logs", nil}}, says("Second"), "the first page went wrong"},
		{"colours and counts (playwright-mcp#1116)", "/cells", []wish{holds("css=li.bad", map[string]any{"type": "css_equals", "attribute": "color", "expected": "rgb(200, 0, 0)"})}, holds("css=li", map[string]any{"type": "count_equals", "expected": "3"}), "PASSED"},
	} {
		t.Run(job.name, func(t *testing.T) {
			g := &guided{wire: w.in(t), files: files, text: "Ada Lovelace"}
			a := g.follow(wish{"page_navigate", map[string]any{"url": web.URL + job.page}})
			for _, call := range job.calls {
				if a = g.follow(call); !a.envelope.OK {
					t.Fatalf("%s %v: %s", call.tool, call.arguments, a.text())
				}
			}
			if !strings.Contains(a.text()+string(a.StructuredContent), job.said) {
				t.Errorf("want %q in\n%s", job.said, a.text())
			}
			if job.ends.arguments["selector"] == "" {
				delete(job.ends.arguments, "selector")
			}
			if a := g.do(job.ends.tool, job.ends.arguments); !field[bool](g.wire, a, "passed") {
				t.Errorf("it is not done: %s", a.text())
			}
		})
	}
	offersHold(t, w, web.URL)
}

var (
	// meantWord matches the word that an answer takes a wrong one for, and meantAddress the address.
	meantWord    = regexp.MustCompile(`"([^"\n]+)"[^"\n]*; did you mean "([^"]+)"\?`)
	meantAddress = regexp.MustCompile(`did you mean (http\S+)\?`)
	// writtenSo matches the form of a value that an input takes.
	writtenSo = regexp.MustCompile(`write it so: (\S+)`)
	// optionList matches the options of a list.
	optionList = regexp.MustCompile(`(?s)its options:\n<(page-[0-9a-f]+)>\n(.*?)\n</page-`)
)

// offered returns the call with what its answer offers in place of what was wrong.
func offered(t *testing.T, w wish, a answer) wish {
	t.Helper()
	input, err := json.Marshal(w.arguments)
	must(t, err)
	set := func(name, value string) wish {
		arguments := maps.Clone(w.arguments)
		arguments[name] = value
		return wish{w.tool, arguments}
	}
	text := a.text()
	if m := candidateList.FindStringSubmatch(text); m != nil {
		first, _, _ := strings.Cut(m[2], "\n")
		return set("selector", first)
	}
	if m := optionList.FindStringSubmatch(text); m != nil {
		first, _, _ := strings.Cut(m[2], "\n")
		return set("option", strings.Trim(first, `"`))
	}
	if m := writtenSo.FindStringSubmatch(text); m != nil {
		return set("value", m[1])
	}
	if m := meantAddress.FindStringSubmatch(text); m != nil {
		return set("url", m[1])
	}
	if m := meantWord.FindStringSubmatch(text); m != nil {
		var arguments map[string]any
		must(t, json.Unmarshal([]byte(strings.ReplaceAll(string(input), `"`+m[1]+`"`, `"`+m[2]+`"`)), &arguments))
		return wish{w.tool, arguments}
	}
	return w
}

// offersHold takes what each answer offers, in a fresh session: the same error does not come
// again, and the call works (33).
func offersHold(t *testing.T, w *wire, web string) {
	t.Helper()
	call := func(tool string, pairs ...any) wish {
		arguments := map[string]any{"timeout_ms": 1500}
		for i := 0; i < len(pairs); i += 2 {
			arguments[pairs[i].(string)] = pairs[i+1]
		}
		return wish{tool, arguments}
	}
	click := func(selector string) wish { return call("page_click", "selector", selector) }
	covered := map[string]bool{}
	for _, o := range []struct {
		name, code string
		call       wish
		says       string // of what the words alone tell
		does       []wish // what they tell
		instead    *wish  // of the call, where they tell another one
	}{
		{name: "a name that is nearly right", code: "ELEMENT_NOT_FOUND", call: click(`button "Save al changes"`)},
		{name: "an element of a frame", code: "ELEMENT_NOT_FOUND", call: call("page_fill", "selector", `textbox "Card"`, "value", "4")},
		{name: "an option", code: "ELEMENT_NOT_FOUND", call: call("page_select", "selector", "#plan", "option", "Gold")},
		{name: "two of one name", code: "SELECTOR_AMBIGUOUS", call: click(`button "Choose"`)},
		{name: "two of one path", code: "SELECTOR_AMBIGUOUS", call: click("css=section > button")},
		{name: "two fields", code: "SELECTOR_AMBIGUOUS", call: call("page_fill", "selector", `textbox "Note"`, "value", "x")},
		{name: "it is covered", code: "NOT_ACTIONABLE", call: click(`button "Under"`), says: "next: close it", does: []wish{click(`button "Close"`)}},
		{name: "it is disabled", code: "NOT_ACTIONABLE", call: click(`button "Send"`), says: "next: do first what enables it, such as filling a field",
			does: []wish{call("page_fill", "selector", "#need", "value", "x")}},
		{name: "it is not shown", code: "NOT_ACTIONABLE", call: click("#item"), says: "next: do first what shows it, such as opening the menu", does: []wish{click(`button "Menu"`)}},
		{name: "a date", code: "NOT_ACTIONABLE", call: call("page_fill", "selector", "#date", "value", "31.12.2026")},
		{name: "a time", code: "NOT_ACTIONABLE", call: call("page_fill", "selector", "#time", "value", "2 pm")},
		{name: "a month", code: "NOT_ACTIONABLE", call: call("page_fill", "selector", "#month", "value", "May")},
		{name: "a checkbox", code: "NOT_ACTIONABLE", call: call("page_fill", "selector", "#tick", "value", "x"), says: "page_click ticks a checkbox", instead: new(click("#tick"))},
		{name: "no list", code: "NOT_ACTIONABLE", call: call("page_select", "selector", `button "Menu"`, "option", "A"), says: "click it with page_click", instead: new(click(`button "Menu"`))},
		{name: "a misspelt argument", code: "INVALID_INPUT", call: call("page_click", "selecter", `button "Menu"`)},
		{name: "a misspelt word", code: "INVALID_INPUT", call: call("verify_assertion", "selector", `button "Menu"`, "assertion", map[string]any{"type": "visibel"})},
		{name: "an address without its scheme", code: "INVALID_INPUT", call: call("page_navigate", "url", strings.TrimPrefix(web, "http://")+"/one")},
		{name: "it did not come", code: "TIMEOUT", call: call("page_wait_for_selector", "selector", `button "Menus"`)},
		{name: "no such session", code: "SESSION_NOT_FOUND", call: call("page_click", "selector", `button "Menu"`, "session_id", "s-00000000"), instead: new(click(`button "Menu"`))},
		{name: "no such baseline", code: "BASELINE_NOT_FOUND", call: call("compare_visual_regression", "baseline_id", "b-0000000000000000"), says: "capture_visual_baseline captures one",
			does: []wish{call("capture_visual_baseline", "name", "offers")}, instead: new(call("compare_visual_regression", "name", "offers"))},
		{name: "nothing answers there", code: "NAVIGATION_FAILED", call: call("page_navigate", "url", "http://127.0.0.1:9/"), says: "serve on another one, such as 8080", instead: new(call("page_navigate", "url", web+"/one"))},
	} {
		t.Run(o.name, func(t *testing.T) {
			w := w.in(t)
			w.call("browser_close", map[string]any{})
			w.do("page_navigate", map[string]any{"url": web + "/offers"})
			a := w.call(o.call.tool, o.call.arguments)
			covered[o.code] = true
			if a.envelope.Error.Code != o.code || !strings.Contains(a.text(), o.says) {
				t.Fatalf("want %s that says %q, got\n%s", o.code, o.says, a.text())
			}
			for _, does := range o.does {
				w.do(does.tool, does.arguments)
			}
			again := offered(t, o.call, a)
			if o.instead != nil {
				again = *o.instead
			}
			if b := w.call(again.tool, again.arguments); !b.envelope.OK {
				t.Errorf("%s %v was offered\n%s\nand answers\n%s", again.tool, again.arguments, a.text(), b.text())
			}
		})
	}
	elsewhere := map[string]string{
		"HOST_BLOCKED": "a person's setting", "ACTION_BLOCKED": "a person's setting", "NEEDS_HUMAN": "a person acts", "SESSION_LIMIT": "the machine's room", "PAGE_CRASHED": "recovery tests",
		"TAB_CLOSED": "the jobs above", "BROWSER_CRASHED": "recovery tests", "DRIVER_MISSING": "no browser is there", "IMAGE_INVALID": "no page brings it about", "CANCELLED": "the client's own act",
		"INTERNAL": "a fault of ours",
	}
	for _, c := range codesOfBrowser(t) {
		if !covered[c] && elsewhere[c] == "" {
			t.Errorf("no offer of %s is followed", c)
		}
	}
}

// codesOfBrowser reads the codes that a browser's calls answer with.
func codesOfBrowser(t *testing.T) []string {
	t.Helper()
	typed, err := os.ReadFile("../browser/explain/error.go")
	must(t, err)
	names, err := os.ReadFile("../qa/code/code.go")
	must(t, err)
	var out []string
	for _, m := range regexp.MustCompile(`Code = code\.(\w+)`).FindAllStringSubmatch(string(typed), -1) {
		value := regexp.MustCompile(`(?m)^\s*` + m[1] + `\s+= "(\w+)"`).FindStringSubmatch(string(names))
		if value == nil {
			t.Fatalf("code %s has no value", m[1])
		}
		out = append(out, value[1])
	}
	return out
}
