package tools_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/tools/pagehealth"
	"github.com/assay-qa/assay/tools/signin"
)

// spin holds a page's main thread for ever.
const spin = `for (;;);`

// Limits of the calls of these tests, as short as a healthy page allows. A call ends
// within its limit and two seconds: what takes ten times as long never ends. A page that
// is frozen keeps a processor busy until the call ends: calls that nothing can answer
// have less.
const (
	frozenAction = time.Second // one action, and one load
	frozenCall   = 2 * time.Second
	frozenLook   = 500 * time.Millisecond
	frozenEnd    = 10 * (frozenCall + 2*time.Second)
)

// frozen is a desk whose calls have that little time.
func frozen(t *testing.T) desk {
	t.Helper()
	d := onlineWith(t, func(o *browser.Options) { o.Timeout = frozenAction })
	d.session() // which starts the browser, if none runs
	d.Limit, d.HardLimit = frozenCall, frozenCall
	return d
}

// ends makes a call that must end by itself.
func (d desk) ends(name, args string) answer {
	d.t.Helper()
	answers := make(chan answer, 1)
	go func() { answers <- d.raw(name, args) }()
	select {
	case a := <-answers:
		return a
	case <-time.After(frozenEnd):
		d.t.Fatalf("%s %s does not end", name, args)
		return answer{}
	}
}

// freezes freezes the page, and gives the calls that follow less time.
func (d desk) freezes() {
	d.t.Helper()
	d.Limit, d.HardLimit = frozenLook, frozenLook
	d.ends("page_evaluate", `{"script": "setTimeout(() => { for (;;); })"}`)
}

// startsOver loads an address in place of a page that is frozen, which may take more than
// one call.
func (d desk) startsOver(address string) {
	d.t.Helper()
	d.Limit, d.HardLimit = frozenEnd/2, frozenEnd/2
	for n := 0; ; n++ {
		if a := d.ends("page_navigate", fmt.Sprintf(`{"url": %q, "timeout_ms": 15000}`, address)); a.OK {
			return
		} else if n > 10 {
			d.t.Fatalf("no navigation starts over: %s", a.text)
		}
	}
}

// unproved reports whether an answer says that something failed, or could not be looked
// at, by a name.
func (a answer) unproved() bool {
	if a.OK {
		return strings.Contains(a.text, "FAILED") || strings.Contains(a.text, "INCONCLUSIVE")
	}
	return slices.Contains([]string{"TIMEOUT", "NAVIGATION_FAILED", "PAGE_CRASHED"}, a.Error.Code)
}

// When a page freezes, and so what may be found on it: nothing, where that is before it
// has loaded; no verdict that passes, where it is within the window of rest after that.
// Whether a call is done before any other moment, the machine decides.
const (
	sometime = iota
	beforeLoaded
	withinRest
)

// momentsToFreeze are pages that freeze by themselves.
func momentsToFreeze() []struct {
	path, page string
	when       int
} {
	page := func(head, body string) string {
		return `<!doctype html><title>t</title>` + head + `<h1>Here</h1><p id=p>12</p>` + body
	}
	script := func(s string) string { return `<script>` + s + `</script>` }
	get := func(of, name string) string {
		return script(`Object.defineProperty(` + of + `, '` + name + `', {get() { ` + spin + ` }})`)
	}
	return []struct {
		path, page string
		when       int
	}{
		{"/head", page(script(spin), ""), beforeLoaded},
		{"/body", page("", script(spin)), beforeLoaded},
		{"/parsed", page("", script(`document.addEventListener('DOMContentLoaded', () => { `+spin+` })`)), beforeLoaded},
		{"/load", page("", script(`onload = () => { `+spin+` }`)), beforeLoaded},
		{"/loaded", page("", script(`onload = () => setTimeout(() => { `+spin+` }, 0)`)), beforeLoaded},
		{"/pageshow", page("", script(`onpageshow = () => { `+spin+` }`)), beforeLoaded},
		{"/painted", page("", script(`onload = () => requestAnimationFrame(() => requestAnimationFrame(() => { `+spin+` }))`)), sometime},
		{"/answered", page("", script(`onload = () => fetch('/data').then(() => { `+spin+` })`)), sometime},
		{"/later", page("", script(`onload = () => setTimeout(() => { `+spin+` }, 90)`)), withinRest},
		{"/frame", page("", `<iframe src="/body"></iframe>`), beforeLoaded},
		{"/refresh", page(`<meta http-equiv=refresh content="0;url=/head">`, ""), sometime},
		{"/images", page("", get("document", "images")), sometime},
		{"/title", page("", get("document", "title")), sometime},
		{"/body-getter", page("", get("document", "body")), sometime},
		{"/agent", page("", get("navigator", "userAgent")), sometime},
		{"/observer", page("", script(`new MutationObserver(() => { `+spin+` }).observe(document, {childList: true, subtree: true, attributes: true})`)), sometime},
		{"/resize", page("", script(`onresize = () => { `+spin+` }`)), sometime},
		{"/mouse", page("", script(`document.addEventListener('mousemove', () => { `+spin+` })`)), sometime},
		{"/hidden", page("", script(`document.addEventListener('visibilitychange', () => { `+spin+` })`)), sometime},
	}
}

// waysToOpen are the calls that open an address; those that verify what it shows first.
func waysToOpen() [][2]string {
	return [][2]string{
		{"verify_page_loads", `{"url": %q, "timeout_ms": 1000}`},
		{"verify_element_exists", `{"url": %q, "selector": "css=h1"}`},
		{"analyze_console_errors", `{"url": %q}`},
		{"verify_user_flow", `{"start_url": %q, "timeout_ms": 1500, "steps": [{"action": "assert", "assertion": {"type": "visible"}, "selector": "css=h1"}]}`},
		{"capture_visual_baseline", `{"url": %q, "name": "frozen"}`},
		{"page_navigate", `{"url": %q, "timeout_ms": 1000}`},
	}
}

const verifyingWays = 4

// A page that freezes at any moment of its load holds no call that opens it, and passes
// in none that can't have looked before, nor in one that verifies it within the window of
// rest: a verdict waits for an answer that the page gives after that.
func TestPagesThatFreezeWhileTheyLoad(t *testing.T) {
	t.Parallel()
	d := frozen(t)
	pages := map[string]string{"/data": "{}"}
	for _, m := range momentsToFreeze() {
		pages[m.path] = m.page
	}
	url := site(t, pages)
	i := 0
	for _, m := range momentsToFreeze() {
		for w, way := range waysToOpen() {
			if i++; !sampled(i, 17) && (m.when != withinRest || w != 1 && w != 3) { // the quickest call, and a flow
				continue
			}
			a := d.ends(way[0], fmt.Sprintf(way[1], url+m.path))
			if (m.when == beforeLoaded || m.when == withinRest && w < verifyingWays) && !a.unproved() {
				t.Errorf("%s of %s: %s", way[0], m.path, a.text)
			}
		}
	}
	s, err := d.Pool.Launch(t.Context(), browser.LaunchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), frozenCall)
	defer cancel()
	if why, err := signin.New("somebody", signin.Role{}).Works(ctx, s, url+"/later"); err == nil {
		t.Errorf("a sign-in that leads to a frozen page works (%s)", why)
	}
}

// So it is with assay check, which watches a page after it has loaded: what freezes in
// that time does not pass. One that freezes as soon as it has loaded, or when it is looked
// at, can't be told: it is inconclusive.
func TestCheckOfPagesThatFreeze(t *testing.T) {
	t.Parallel()
	d := patient(t)
	d.HardLimit = frozenCall
	pages := map[string]string{"/data": "{}"}
	for _, m := range momentsToFreeze() {
		pages[m.path] = m.page
	}
	url := site(t, pages)
	untold := []string{"/loaded", "/images"}
	freezing := slices.Concat(untold, []string{"/head", "/body", "/parsed", "/load", "/pageshow", "/painted", "/answered", "/later", "/frame", "/refresh"})
	for i, path := range freezing {
		if i >= len(untold) && !soak() {
			continue
		}
		report, _, err := pagehealth.CheckPage(t.Context(), d.Workspace, url+path, 2*time.Second)
		said := string(report.StatusReason)
		late := strings.Contains(said, "TIMEOUT")
		if i < len(untold) {
			late = late && report.Status == "inconclusive"
		} else {
			late = late || strings.Contains(said, "did not load") || strings.Contains(said, "took longer")
		}
		if err != nil || report.Status != "inconclusive" && report.Status != "failed" || !strings.Contains(said, "page_loads "+url) || !late {
			t.Errorf("%s: %s: %s, %v", path, report.Status, report.StatusReason, err)
		}
	}
}

// actsThatFreeze are pages that freeze when they are acted on, and the call that does it.
func actsThatFreeze() []struct{ name, page, tool, args string } {
	on := func(event, of string) string { return strings.Replace(of, ">", ` on`+event+`="`+spin+`">`, 1) }
	leaving := func(event string) string {
		return `<h1>Here</h1><script>addEventListener('` + event + `', () => { ` + spin + ` })</script>`
	}
	return []struct{ name, page, tool, args string }{
		{"click", on("click", `<button>Go</button>`), "page_click", `{"selector": "css=button"}`},
		{"mousedown", on("mousedown", `<button>Go</button>`), "page_click", `{"selector": "css=button"}`},
		{"click, later", `<button onclick="setTimeout(() => { for (;;); })">Go</button>`, "page_click", `{"selector": "css=button"}`},
		{"input", on("input", `<input>`), "page_fill", `{"selector": "css=input", "value": "x"}`},
		{"focus", on("focus", `<input>`), "page_fill", `{"selector": "css=input", "value": "x"}`},
		{"change", on("change", `<select><option>a</option><option>b</option></select>`), "page_select", `{"selector": "css=select", "option": "b"}`},
		{"keydown", on("keydown", `<input>`), "page_press", `{"selector": "css=input", "key": "a"}`},
		{"mouseover", on("mouseover", `<button>Go</button>`), "page_hover", `{"selector": "css=button"}`},
		{"a pointer", on("mousemove", `<button>Go</button>`), "computer_action", `{"action": "move", "coords": {"x": 20, "y": 20}}`},
		{"submit", `<form onsubmit="for (;;);"><button>Go</button></form>`, "page_click", `{"selector": "css=button"}`},
		{"a script", `<h1>Here</h1>`, "page_evaluate", `{"script": "for (;;);"}`},
		{"a script, later", `<h1>Here</h1>`, "page_evaluate", `{"script": "setTimeout(() => { for (;;); })"}`},
		{"a promise", `<h1>Here</h1>`, "page_evaluate", `{"script": "new Promise(() => 0)"}`},
		{"beforeunload", leaving("beforeunload"), "page_navigate", `{"url": "%[1]s/fine"}`},
		{"pagehide", leaving("pagehide"), "page_navigate", `{"url": "%[1]s/fine"}`},
		{"unload", leaving("unload"), "page_navigate", `{"url": "%[1]s/fine"}`},
		{"visibilitychange", leaving("visibilitychange"), "page_navigate", `{"url": "%[1]s/fine"}`},
		{"a frame", `<h1>Here</h1><button onclick="document.body.append(Object.assign(document.createElement('iframe'), {src: '/spins'}))">Go</button>`, "page_click", `{"selector": "css=button"}`},
		{"a link", `<a href="/spins">Go</a>`, "page_click", `{"selector": "css=a"}`},
		{"a popup", `<button onclick="open('/spins')">Go</button>`, "page_click", `{"selector": "css=button"}`},
		{"a dialog", `<button onclick="alert(1); for (;;);">Go</button>`, "page_click", `{"selector": "css=button"}`},
	}
}

// A page that freezes under an act holds no call, and the next navigation starts over.
func TestActsThatFreezeThePage(t *testing.T) {
	t.Parallel()
	d := frozen(t)
	for i, c := range actsThatFreeze() {
		if !sampled(i, 5) {
			continue
		}
		url := site(t, map[string]string{"/{$}": "<title>t</title>" + c.page, "/spins": `<h1>Spins</h1><script>` + spin + `</script>`, "/fine": "<title>t</title><h1>Fine</h1>"})
		d.startsOver(url + "/")
		args := c.args
		if strings.Contains(args, "%[1]s") {
			args = fmt.Sprintf(args, url)
		}
		d.ends(c.tool, args)
	}
	d.ends("browser_close", `{}`)
	if open := d.SessionIDs(); len(open) > 0 {
		t.Errorf("it is not closed: %v", open)
	}
}

// looksAtAFrozenPage are the calls that look at a page or act on it, and those that work
// beside it.
func looksAtAFrozenPage() [][2]string {
	return [][2]string{
		{"page_snapshot", `{}`}, {"page_screenshot", `{}`}, {"page_screenshot", `{"full_page": true}`}, {"page_screenshot", `{"selector": "css=h1"}`},
		{"page_wait_for_selector", `{"selector": "css=h1"}`}, {"page_wait_for_selector", `{"selector": "css=h6", "state": "hidden"}`},
		{"page_evaluate", `{"script": "1"}`}, {"dom_snapshot", `{"selector": "css=h1"}`},
		{"page_click", `{"selector": "css=h1"}`}, {"page_fill", `{"selector": "css=input", "value": "x"}`}, {"page_select", `{"selector": "css=select", "option": "a"}`},
		{"page_press", `{"key": "a"}`}, {"page_hover", `{"selector": "css=h1"}`},
		{"computer_action", `{"action": "screenshot"}`}, {"computer_action", `{"action": "click", "coords": {"x": 5, "y": 5}}`}, {"computer_action", `{"action": "scroll", "scroll": {"deltaX": 0, "deltaY": 10}}`},
		{"computer_action", `{"action": "hotkey", "hotkey": "Control+a"}`}, {"computer_action", `{"action": "wait", "wait": {"type": "networkidle"}}`},
		{"verify_element_exists", `{"selector": "css=h1"}`}, {"verify_assertion", `{"selector": "css=h1", "assertion": {"type": "visible"}}`},
		{"verify_assertion", `{"assertion": {"type": "title_equals", "expected": "t"}}`}, {"verify_assertion", `{"assertion": {"type": "console_clean"}}`},
		{"analyze_console_errors", `{}`}, {"capture_visual_baseline", `{"name": "frozen"}`},
		{"check_kpis", `{"spec": {"type": "staticValues", "values": {"p": 12}}}`},
		{"verify_user_flow", `{"session_id": "%s", "timeout_ms": 1500, "steps": [{"action": "click", "selector": "css=h1"}, {"action": "assert", "selector": "css=h1", "assertion": {"type": "visible"}}]}`},
	}
}

// besideAFrozenPage are the calls that no page has to answer, or that say what is known.
func besideAFrozenPage() [][2]string {
	return [][2]string{
		{"compare_visual_regression", `{"name": "frozen"}`}, {"kpi_oracle", `{"spec": {"type": "staticValues", "values": {"p": 12}}}`},
		{"page_upload", `{"selector": "css=input", "files": ["x"]}`}, {"network_intercept", `{"patterns": ["**/x"], "mode": "block"}`},
		{"page_get_console_logs", `{}`}, {"page_get_network_logs", `{}`}, {"page_tabs", `{"action": "list"}`}, {"page_dialog", `{"action": "accept"}`}, {"page_tabs", `{"action": "close"}`},
	}
}

// A page that is frozen is not what any call looks at: each ends, and says that it could
// not look, or that something failed.
func TestLooksAtAFrozenPage(t *testing.T) {
	t.Parallel()
	d := frozen(t)
	url := site(t, map[string]string{"/": "<title>t</title><h1>Here</h1><input><select><option>a</select><p id=p>12</p>"})
	d.ok("page_navigate", `{"url": %q}`, url+"/")
	id := d.session()
	d.freezes()
	looks := looksAtAFrozenPage()
	for i, c := range slices.Concat(looks, besideAFrozenPage()) {
		if !sampled(i, 6) && c[0] != "network_intercept" {
			continue
		}
		args := c[1]
		if strings.Contains(args, "%s") {
			args = fmt.Sprintf(args, id)
		}
		if a := d.ends(c[0], args); i < len(looks) && !a.unproved() {
			t.Errorf("%s %s: %s", c[0], args, a.text)
		}
	}
	d.startsOver(url + "/")
	d.ends("browser_close", `{}`)
	if open := d.SessionIDs(); len(open) > 0 {
		t.Errorf("it is not closed: %v", open)
	}
}

// A run does not pass whose page has frozen since it was judged: not when it ends, and not
// when the page's session is closed before that.
func TestRunsThatEndOnAFrozenPage(t *testing.T) {
	t.Parallel()
	d := frozen(t)
	url := site(t, map[string]string{"/": "<title>t</title><h1>Here</h1>"})
	for _, c := range []struct {
		name, finish string
		close        bool
	}{{"it ends", `{"watch_ms": 0}`, false}, {"it ends watched", `{"watch_ms": 100}`, false}, {"its session is closed", `{}`, true}} {
		d.ok("run_start", `{"goal": "the page is here"}`)
		d.startsOver(url + "/")
		d.ok("verify_element_exists", `{"selector": "css=h1"}`)
		d.freezes()
		if c.close {
			d.ends("browser_close", `{}`)
		}
		a := d.ends("run_finish", c.finish)
		if why, _ := a.Data["statusReason"].(string); a.Data["status"] != "inconclusive" || !strings.Contains(why, "TIMEOUT") {
			t.Errorf("%s: %v: %s", c.name, a.Data["status"], a.text)
		}
	}
}
