package tools_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/wait"
)

const closed = `<script>customElements.define('x-box', class extends HTMLElement { constructor() { super(); this.attachShadow({mode: 'closed'}).textContent = 'x' } })</script>`

// rowsInView returns a list of n rows that renders only those in view; one of them is
// replaced.
func rowsInView(n int, row, by string) string {
	return fmt.Sprintf(`<div id=list style="overflow:auto;height:120px"><div id=all style="position:relative;height:%dpx"></div></div><script>
		const draw = () => {
			const box = list.clientHeight < list.scrollHeight ? list : document.scrollingElement, from = Math.floor(box.scrollTop / 30);
			all.innerHTML = '';
			for (let i = from; i < Math.min(%d, from + Math.ceil(box.clientHeight / 30) + 1); i++)
				all.insertAdjacentHTML('beforeend', '<div class=row style="position:absolute;top:' + 30 * i + 'px">' + ('Row ' + i).replace(/^%s$/, '%s') + '</div>');
		};
		list.onscroll = document.onscroll = () => requestAnimationFrame(draw);
		draw();
	</script>`, 30*n, n, row, by)
}

// rowsAtEnd returns a list that adds ten rows whenever it is scrolled to its end, up to n; the
// last one is replaced.
func rowsAtEnd(style string, n int, last string) string {
	return fmt.Sprintf(`<style>.row{min-width:200px;height:50px}</style><div id=list style="%s"></div><script>
		let n = 0, size = list.style.overflow ? list : document.scrollingElement;
		const add = () => { for (let k = 0; k < 20 && n < %d; k++) list.insertAdjacentHTML('beforeend', '<div class=row>' + (++n == %[2]d ? '%s' : 'Row ' + n) + '</div>') };
		const near = () => size.scrollTop + size.clientHeight > size.scrollHeight - 20 && size.scrollLeft + size.clientWidth > size.scrollWidth - 20;
		(size === list ? list : document).onscroll = () => { window.scrolls = (window.scrolls || 0) + 1; if (near()) add() };
		add();
	</script>`, style, n, last)
}

// Issue 15, item 3: what a person sees in any frame or open shadow root is not
// absent, and what was not looked into is named.
func TestAbsenceLooksEverywhere(t *testing.T) {
	t.Parallel()
	d := patient(t)
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	foreign := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	const thing = `<p>Error 7</p><button>Delete</button><label>Code <input></label>`
	pages := map[string]string{
		"/long":   rowsAtEnd("", 70, thing),
		"/thing":  thing,
		"/nested": `<iframe src="/thing"></iframe>`,
		"/late":   `<div id=d></div><script>let n = 0; const on = () => { d.textContent = 'Wait ' + n; if (n++ < 10) setTimeout(on, 150); else d.innerHTML = '` + thing + `' }; on()</script>`,
		"/clear":  `<div style="opacity:0">` + thing + `</div>`,
		"/empty":  `<p>Nothing</p>`,
	}
	frame := func(origin, path string) string {
		return `<p>Open</p><iframe title=Inner src="` + origin + path + `"></iframe>`
	}
	tests := []struct{ name, body, outcome, observed string }{
		{"nowhere", `<p>Open</p>`, "true", ""},
		{"same origin", frame("", "/thing"), "false", "/thing"},
		{"nested", frame("", "/nested"), "false", "/thing"},
		{"open shadow root", `<p>Open</p><div id=h></div><script>h.attachShadow({mode: 'open'}).innerHTML = '` + thing + `'</script>`, "false", ""},
		{"a frame that loads when it is scrolled to", `<p>Open</p><iframe loading=lazy src="/thing" style="position: absolute; top: 6000px"></iframe>`,
			"false", "/thing"},
		{"blind spots", `<p>Open</p><canvas></canvas><img width=90 height=90 src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><x-box style="display:block">.</x-box>` + closed, "true", "not looked into: 1 possible closed shadow root, 1 canvas, 1 picture"},
		{"rows in view only, one below", rowsInView(40, "Row 33", "Error 7"), "false", "in div#list, scrolled to"},
		{"rows in view only, none", rowsInView(40, "", ""), "true", "scrolled through: div#list"},
		{"rows of a window in view only", strings.Replace(rowsInView(200, "Row 99", "Error 7"), "overflow:auto;height:120px", "", 1), "false", "in html, scrolled to"},
		{"below a window that nobody can scroll", `<style>html{overflow:hidden}</style><p>Open</p><div style="height:3000px"></div>` + thing, "true", "0 visible"},
		{"rows that one address brings at the page's end, one below", strings.Replace(rowsAtEnd("", 70, "Error 7"), "add() };\n\t\tadd", "fetch('/part').then(add) };\n\t\tadd", 1), "false", "scrolled to its ends: html"},
		{"rows that come at the page's end, none", rowsAtEnd("", 70, ""), "true", "scrolled to its ends: html"},
		{"cards that come at the right end", rowsAtEnd("overflow:auto;display:flex;width:500px", 70, "Error 7"), "false", "scrolled to its ends: div#list"},
		{"all rows of a page", rowsAtEnd("", 20, ""), "true", "0 visible"},
		{"all rows rendered", `<div style="overflow:auto;height:120px">` + strings.Repeat("<p>Row</p>", 40) + `</div>`, "true", "0 visible"},
		// Last: what is kept of a session has all origins that it ever showed, and costs a page then.
		{"another site", frame(foreign, "/thing"), "false", foreign + "/thing"},
		{"another site, nested", frame(foreign, "/nested"), "false", foreign + "/thing"},
		{"another site, late", frame(foreign, "/late"), "false", foreign + "/late"},
		{"another site: unseen, in an unseen frame, and something else", frame(foreign, "/clear") + `<iframe style="opacity:0" src="` + foreign + `/thing"></iframe>` + frame(foreign, "/empty"), "true", "frames looked into: 3"},
		{"rows that come at the end, in a frame of another site", frame(foreign, "/long"), "false", "scrolled to its ends: html"},
	}
	for i, tt := range tests {
		pages[fmt.Sprintf("/%d", i)] = tt.body
	}
	mux.HandleFunc("/part", func(_ http.ResponseWriter, r *http.Request) {
		_ = wait.For(r.Context(), 300*time.Millisecond) // longer than a page has its turn for
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>Page</title>"+pages[r.URL.Path])
	})
	for i, tt := range tests {
		d.ok("page_navigate", `{"url": "%s/%d"}`, server.URL, i)
		asks := []string{`"selector": "text=\"Error 7\"", "assertion": {"type": "hidden"}`}
		if tt.name == "nowhere" || tt.name == "another site" {
			asks = append(asks, `"selector": "button \"Delete\"", "assertion": {"type": "count_equals", "expected": "0"}`, `"selector": "label=Code", "assertion": {"type": "visible", "not": true}`,
				`"selector": "button \"Delete\"", "assertion": {"type": "exists", "not": true}`, `"selector": "role=button", "assertion": {"type": "count_at_most", "expected": "0"}`,
				`"assertion": {"type": "text_contains", "expected": "Error 7", "not": true}`)
		}
		for _, ask := range asks {
			got := d.call("verify_assertion", `{%s, "timeout_ms": 1}`, ask)
			observed := fmt.Sprint(got.Data["observed"])
			wanted := tt.observed
			if strings.Contains(ask, "text_contains") && tt.name != "another site" {
				wanted = ""
			}
			scrolled := strings.Contains(observed, "scrolled")
			if !got.OK || fmt.Sprint(got.Data["passed"]) != tt.outcome || !strings.Contains(observed, wanted) || tt.outcome == "true" && scrolled != strings.Contains(wanted, "scrolled") {
				t.Errorf("%s: %s: passed %v, observed %q, want %s and %q; %s", tt.name, ask, got.Data["passed"], observed, tt.outcome, wanted, got.text)
			}
		}
	}
	d.ok("browser_close", `{}`)
	d.ok("page_navigate", `{"url": "%s/5"}`, server.URL)
	if got := d.ok("verify_assertion", `{"selector": "text=\"Error 7\"", "assertion": {"type": "hidden"}}`); !strings.HasPrefix(got.text, "PASSED") || !strings.Contains(strings.SplitN(got.text, "\n", 2)[0], "it was not looked for in 1 possible closed shadow root, 1 canvas, 1 picture") {
		t.Errorf("the first line doesn't say where was not looked: %s", got.text)
	}
	d.ok("page_navigate", `{"url": "%s/1"}`, server.URL)
	if got := d.ok("verify_assertion", `{"selector": "css=.error", "assertion": {"type": "hidden"}}`); !strings.Contains(fmt.Sprint(got.Data["observed"]), "not looked into: 1 frame") {
		t.Errorf("%v", got.Data)
	}
	pages["/rows"] = rowsInView(40, "", "")
	d.ok("page_navigate", `{"url": "%s/rows"}`, server.URL)
	for ask, want := range map[string]string{
		`"type": "count_at_least", "expected": "5"`: "", `"type": "count_at_most", "expected": "4"`: "", `"type": "count_equals", "expected": "5"`: "TIMEOUT", `"type": "count_at_most", "expected": "40"`: "TIMEOUT", `"type": "count_at_least", "expected": "6"`: "TIMEOUT",
	} {
		d.want(want, "verify_assertion", `{"selector": "css=.row", "assertion": {`+ask+`}, "timeout_ms": 1}`)
	}
	pages["/whole"] = rowsAtEnd("", 20, "")
	d.ok("page_navigate", `{"url": "%s/whole"}`, server.URL)
	var scrolls [2]any
	for i := range scrolls { // a page that holds all it has is scrolled once
		d.ok("verify_assertion", `{"selector": "text=\"Error 7\"", "assertion": {"type": "hidden"}, "timeout_ms": 1}`)
		scrolls[i] = d.ok("page_evaluate", `{"script": "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done([scrolls, scrollY]))))"}`).Data["result"]
	}
	if fmt.Sprint(scrolls[0]) != fmt.Sprint(scrolls[1]) || !strings.HasSuffix(fmt.Sprint(scrolls[0]), " 0]") {
		t.Errorf("scrolled: %v", scrolls)
	}
	pages["/endless"] = rowsAtEnd("", 1e6, "")
	d.ok("page_navigate", `{"url": "%s/endless"}`, server.URL)
	d.want("TIMEOUT", "verify_assertion", `{"selector": "text=\"Error 7\"", "assertion": {"type": "hidden"}, "timeout_ms": 1}`, "goes on adding rows")
	d.want("TIMEOUT", "verify_assertion", `{"selector": "css=.row >> nth=-1", "assertion": {"type": "text_contains", "expected": "Row"}, "timeout_ms": 1}`, "goes on adding rows")
	pages["/more"] = rowsAtEnd("overflow:auto;height:200px", 70, "Error 7")
	d.ok("page_navigate", `{"url": "%s/more"}`, server.URL)
	if got := d.ok("verify_assertion", `{"selector": "css=.row >> nth=-1", "assertion": {"type": "text_contains", "expected": "Row 20"}, "timeout_ms": 1}`); fmt.Sprint(got.Data["passed"]) != "false" {
		t.Errorf("%v", got.Data)
	}
	d.ok("verify_assertion", `{"selector": "css=.row", "assertion": {"type": "count_equals", "expected": "70"}, "timeout_ms": 1}`)
	if got := d.ok("verify_assertion", `{"selector": "text=\"Error 7\"", "assertion": {"type": "visible"}, "timeout_ms": 1}`); fmt.Sprint(got.Data["passed"]) != "true" {
		t.Errorf("%v", got.Data)
	}
	d.ok("page_navigate", `{"url": "%s/rows"}`, server.URL)
	if got := d.call("verify_assertion", `{"selector": "text=\"Row 33\"", "assertion": {"type": "visible"}, "timeout_ms": 1}`); !strings.Contains(fmt.Sprint(got.Data["observed"]), "div#list renders only what is in view: scroll to the place with computer_action scroll") {
		t.Errorf("%v", got.Data)
	}
	pages["/log"] = strings.Replace(rowsAtEnd("overflow:auto;height:200px", 20, ""), "const near", "setInterval(() => list.insertAdjacentHTML('beforeend', '<p>Row'), 60); const near", 1)
	d.ok("page_navigate", `{"url": "%s/log"}`, server.URL)
	d.ok("verify_assertion", `{"selector": "text=\"Error 7\"", "assertion": {"type": "hidden"}}`)
	pages["/replaced"] = strings.Replace(rowsInView(40, "", ""), "list.onscroll =", "list.onscroll = () => list.replaceWith(list.cloneNode(true)); list.onwheel =", 1)
	d.ok("page_navigate", `{"url": "%s/replaced"}`, server.URL)
	d.want("TIMEOUT", "verify_assertion", `{"selector": "text=\"Error 7\"", "assertion": {"type": "hidden"}, "timeout_ms": 1}`, "replaced")
	pages["/gone"] = `<p id=p>Error 7</p><button onclick="this.remove(); p.remove()">Delete</button>`
	d.ok("page_navigate", `{"url": "%s/gone"}`, server.URL)
	d.ok("page_snapshot", `{}`)
	d.ok("page_click", `{"selector": "button \"Delete\""}`)
	for ask, want := range map[string]string{
		`"selector": "text=\"Error 7\"", "assertion": {"type": "hidden"}`:                         "seen before in this run, at ",
		`"assertion": {"type": "text_contains", "not": true, "expected": "Error 7"}`:              "seen before in this run, at ",
		`"selector": "button \"Delete\"", "assertion": {"type": "exists", "not": true}`:           "seen before in this run, at ",
		`"selector": "button \"Deleet\"", "assertion": {"type": "count_equals", "expected": "0"}`: "never seen in this run",
		`"assertion": {"type": "text_contains", "not": true, "expected": "Error 8"}`:              "never seen in this run",
	} {
		if got := d.raw("verify_assertion", "{"+ask+"}"); !strings.Contains(fmt.Sprint(got.Data["observed"]), want) {
			t.Errorf("%s: %v, want %q", ask, got.Data["observed"], want)
		}
	}
}
