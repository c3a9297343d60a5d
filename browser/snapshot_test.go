package browser

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
)

func TestWaitFor(t *testing.T) {
	s, _ := show(t, `<p class=many hidden>1<p class=many hidden>2<div id=go>here</div><div id=bye>bye</div>
		<script>function later(ms, what) { setTimeout(what, ms) }</script>`)
	for _, c := range []struct{ selector, state, change string }{
		{"css=.many", "visible", "document.querySelectorAll('.many')[1].hidden = false"}, // one of several
		{"css=.many", "hidden", "document.querySelectorAll('.many')[1].hidden = true"},
		{"css=#new", "attached", "document.body.append(Object.assign(document.createElement('p'), {id: 'new', hidden: true}))"},
		{"css=#bye", "detached", "bye.remove()"},
		{`text=here`, "hidden", "go.style.display = 'none'"},
	} {
		js(t, s, "later(1200, () => { "+c.change+" })")
		start := time.Now()
		waited, err := s.WaitFor(within30s(t), c.selector, c.state, 0)
		took := time.Since(start)
		if err != nil || waited > took || took-waited > 500*time.Millisecond || waited < 800*time.Millisecond {
			t.Errorf("%s %s: waited %v of %v, %v", c.selector, c.state, waited, took, err)
		}
		if waited, err := s.WaitFor(within30s(t), c.selector, c.state, 0); err != nil || waited > time.Second {
			t.Errorf("%s is %s already: %v, %v", c.selector, c.state, waited, err)
		}
	}
	_, err := s.WaitFor(within30s(t), "css=.many", "visible", 300*time.Millisecond)
	wantCode(t, err, explain.TimedOut, "not visible after", "2 elements match")
	_, err = s.WaitFor(within30s(t), `button "Sign inn"`, "attached", 300*time.Millisecond)
	wantCode(t, err, explain.TimedOut, "0 elements match")
	_, err = s.WaitFor(within30s(t), "css=html", "hidden", 300*time.Millisecond)
	wantCode(t, err, explain.TimedOut, "1 elements match")
	_, err = s.WaitFor(within30s(t), "css=p", "ready", 0)
	wantCode(t, err, explain.InvalidInput, "attached")
	for _, state := range []string{"hidden", "detached"} {
		if _, err := s.WaitFor(within30s(t), `frame "none" > css=p`, state, time.Second); err != nil {
			t.Errorf("in no frame, %s: %v", state, err)
		}
	}
}

func TestEvaluate(t *testing.T) {
	t.Parallel()
	s, web := show(t, `<p id=p>hello`)
	for script, want := range map[string]string{
		"1 + 1":                          "2",
		"() => document.title":           `"Test"`,
		"undefined":                      "null",
		"() => {}":                       "null",
		"NaN":                            `"NaN"`,
		"[1/0, -0]":                      `["Infinity",0]`,
		"1e300":                          "1e+300", // the binding alone answers -9223372036854775808
		"2 ** 63":                        "9223372036854776000",
		"[12345678901234567890n]":        `["12345678901234567890"]`,
		"/a.b/g":                         `"/a.b/g"`, // the binding alone panics
		"[/x/]":                          `["/x/"]`,
		"new Map([['a', 1]])":            `[["a",1]]`,
		"new Date(0)":                    `"1970-01-01T00:00:00.000Z"`,
		"new URL('http://h/p')":          `"http://h/p"`,
		"new Error('e')":                 `"Error: e"`,
		"new Uint8Array([1, 2])":         `{"0":1,"1":2}`,
		"document.getElementById('p')":   `"<p>"`,
		"({a: () => 1, b: Symbol('s')})": `{"b":"Symbol(s)"}`,
		"Promise.resolve({a: [1, 'x']})": `{"a":[1,"x"]}`,
		"'\\u{1F600}\\ud800'":            `"😀\ud800"`,
	} {
		if got := js(t, s, script); got != want {
			t.Errorf("%s: got %s, want %s", script, got, want)
		}
	}
	got, _, err := s.Evaluate(within30s(t), "x => x.a + x.b[1]", map[string]any{"a": 1.5, "b": []any{"x", 2.0}})
	if err != nil || string(got) != "3.5" {
		t.Errorf("an argument: %s, %v", got, err)
	}
	for script, word := range map[string]string{
		"":                                "empty",
		"1 +":                             "SyntaxError",
		"nope()":                          "nope is not defined",
		"throw new Error('Page crashed')": "page_evaluate",
		"() => { throw new Error('transport closed') }": "transport closed",
		"() => { throw new Error('net::ERR_FAILED') }":  "ERR_FAILED",
		"Promise.reject('no')":                          "no",
		"const a = {}; a.a = a; a":                      "page_evaluate",
		"(() => { const a = {}; a.a = a; return a })()": "plain data",
		"'x'.repeat(100000)":                            "return less",
		"'x'.repeat(20 * 1024 * 1024)":                  "return less",
	} {
		_, _, err := s.Evaluate(within30s(t), script, nil)
		e := wantCode(t, err, explain.InvalidInput, word)
		if len(e.Message)+len(string(pagetext.Join(e.Page, ""))) > 1500 {
			t.Errorf("%s: %d bytes of error", script, len(e.Message))
		}
	}
	if got := js(t, s, "6 * 7"); got != "42" {
		t.Errorf("afterwards: %s", got)
	}
	_, _, err = s.Evaluate(within30s(t), "() => { location.href = '?gone'; return new Promise(() => {}) }", nil)
	wantCode(t, err, explain.NavigationFailed, "another address")
	web.handle("/csp", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'none'")
		_, _ = w.Write([]byte("<title>Strict</title>"))
	})
	visit(t, s, web.URL+"/csp")
	if got := js(t, s, "document.title"); got != `"Strict"` {
		t.Errorf("under a strict policy: %s", got)
	}
	_, _, err = s.Evaluate(within30s(t), "JSON.stringify = () => 'not JSON'", nil)
	wantCode(t, err, explain.InvalidInput, "JSON.stringify")
	_, _, err = s.Evaluate(within30s(t), "1", nil)
	wantCode(t, err, explain.InvalidInput, "JSON.stringify")
}

// An evaluation that is given up does not take the page with it.
func TestEvaluateThatNeverSettles(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<input id=i value=kept>`)
	_, _, err := s.Evaluate(timeLimit(t, 300*time.Millisecond), "new Promise(() => {})", nil)
	wantCode(t, err, explain.TimedOut)
	if got := js(t, s, "i.value"); got != `"kept"` {
		t.Errorf("got %s", got)
	}
}

func TestSnapshotAndState(t *testing.T) {
	t.Parallel()
	s, web := show(t, `<button>Go</button>`)
	outline, state, err := s.Snapshot(within30s(t), OutlineOptions{})
	if err != nil || !strings.Contains(outline.Text, `button "Go"`) || state.URL != web.URL+"/" || state.Title != "Test" || state.Status != 200 {
		t.Errorf("%+v, %+v, %v", outline, state, err)
	}
	_, _, err = s.Snapshot(within30s(t), OutlineOptions{Root: "css=#none"})
	wantCode(t, err, explain.ElementNotFound)
}

// What answers a double click is found by its listeners: an element's own, those that
// frameworks keep elsewhere, and the items of a list that listens for all of them; not what
// stands in a large part of the page that listens (C2).
func TestDoubleClicks(t *testing.T) {
	s, _ := show(t, `<p id=own ondblclick="this.textContent='twice'">Own</p><p id=none onclick="this.textContent='once'">None</p>
		<ul id=all><li>First</li><li>Second</li><li>Third</li></ul><div id=root><b id=react>Reacts</b></div><p hidden ondblclick=1>Hidden</p><section id=large></section>
		<script>all.addEventListener('dblclick', () => {});
		root.__reactContainer$x = {}; root.addEventListener('dblclick', () => {}); react.__reactProps$x = { onDoubleClick() {} };
		large.innerHTML = '<i>x</i>'.repeat(50); large.addEventListener('dblclick', () => {})</script>`)
	found, err := s.DoubleClicks(within30s(t))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, el := range found {
		names = append(names, el.Tag+" "+el.Name)
	}
	if want := []string{"p Own", "li First", "li Second", "b Reacts"}; !slices.Equal(names, want) {
		t.Fatalf("%q answer a double click, want %q", names, want)
	}
	if _, err := s.DoubleClick(within30s(t), found[0].Locators[0], 0); err != nil {
		t.Fatal(err)
	}
	if got, _, err := s.Evaluate(within30s(t), "own.textContent", nil); err != nil || string(got) != `"twice"` {
		t.Errorf("after a double click the text is %s (%v)", got, err)
	}
}
