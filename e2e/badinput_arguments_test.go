package e2e_test

import (
	"strings"
	"testing"
)

// E2: arguments that a caller can fix are results with a code, a message that
// names the fault, and a hint that names what is accepted.
func TestBadArguments(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	site := badSite(t)
	w := attach(t, november25)
	w.do("page_navigate", map[string]any{"url": site + "/twins"})
	deep := any("x")
	for range 200 {
		deep = map[string]any{"d": deep}
	}
	for _, c := range []struct {
		name      string
		tool      string
		arguments map[string]any
		code      string
		says      string // part of the answer's text
	}{
		{"missing", "page_navigate", nil, "INVALID_INPUT", `"url"`},
		{"unknown", "page_navigate", map[string]any{"url": site, "uri": site}, "INVALID_INPUT", `"uri"`},
		{"misspelt", "page_click", map[string]any{"selektor": "button"}, "INVALID_INPUT", `"selector"`},
		{"unknown inside", "verify_assertion", map[string]any{"selector": "h1", "assertion": map[string]any{"type": "exists", "expect": "x"}}, "INVALID_INPUT", "expect"},
		{"number for text", "page_navigate", map[string]any{"url": 7}, "INVALID_INPUT", "url"},
		{"list for text", "page_fill", map[string]any{"selector": []string{"a"}, "value": "x"}, "INVALID_INPUT", "selector"},
		{"text for number", "page_click", map[string]any{"selector": "button", "timeout_ms": "soon"}, "INVALID_INPUT", "timeout_ms"},
		{"text for flag", "page_screenshot", map[string]any{"full_page": "yes"}, "INVALID_INPUT", "full_page"},
		{"place outside", "computer_action", map[string]any{"action": "click", "coords": map[string]any{"x": 1e9, "y": 1}}, "INVALID_INPUT", "outside of the viewport"},
		{"unknown key", "computer_action", map[string]any{"action": "hotkey", "hotkey": "Ctrl+A"}, "INVALID_INPUT", "Control"},
		{"bad batch", "computer_action", map[string]any{"actions": []any{map[string]any{"action": "screenshot"}, map[string]any{"action": "drag", "coords": map[string]any{"x": 1, "y": 1}}}}, "INVALID_INPUT", "actions[1] drag"},
		{"no such mode", "dom_snapshot", map[string]any{"selector": "h1", "mode": "few"}, "INVALID_INPUT", "single or all"},
		{"null", "page_navigate", map[string]any{"url": nil}, "INVALID_INPUT", "url"},
		{"fraction", "page_click", map[string]any{"selector": "button", "timeout_ms": 1.5}, "INVALID_INPUT", "timeout_ms"},
		{"time-out zero", "page_click", map[string]any{"selector": "button", "timeout_ms": 0}, "INVALID_INPUT", "timeout_ms"},
		{"time-out negative", "page_navigate", map[string]any{"url": site, "timeout_ms": -1}, "INVALID_INPUT", "timeout_ms"},
		{"time-out endless", "page_navigate", map[string]any{"url": site, "timeout_ms": 1 << 40}, "INVALID_INPUT", "timeout_ms"},
		{"no such enum value", "verify_assertion", map[string]any{"selector": "h1", "assertion": map[string]any{"type": "is_nice"}}, "INVALID_INPUT", "is_nice"},
		{"no such state", "page_wait_for_selector", map[string]any{"selector": "h1", "state": "blue"}, "INVALID_INPUT", "visible"},
		{"no such wait", "page_navigate", map[string]any{"url": site, "wait_until": "bored"}, "INVALID_INPUT", "networkidle"},
		{"no such level", "page_get_console_logs", map[string]any{"level": "loud"}, "INVALID_INPUT", "error"},
		{"no such browser", "browser_launch", map[string]any{"browser_type": "netscape"}, "INVALID_INPUT", "chromium"},
		{"no such device", "browser_launch", map[string]any{"options": map[string]any{"device": "Nokia 3310"}}, "INVALID_INPUT", "Nokia 3310"},
		{"no such zone", "browser_launch", map[string]any{"options": map[string]any{"timezone": "Mars/Base"}}, "INVALID_INPUT", "Mars/Base"},
		{"no room", "browser_launch", map[string]any{"options": map[string]any{"viewport": map[string]any{"width": 0, "height": 5}}}, "INVALID_INPUT", "viewport"},
		{"no such state file", "browser_launch", map[string]any{"options": map[string]any{"storage_state": "/nonexistent.json"}}, "INVALID_INPUT", "nonexistent"},
		{"no such session", "page_snapshot", map[string]any{"session_id": "s-nope"}, "SESSION_NOT_FOUND", "s-nope"},
		{"no selector", "page_click", map[string]any{"selector": "css=]["}, "INVALID_INPUT", "]["},
		{"no selector either", "page_click", map[string]any{"selector": `button "Sign in`}, "INVALID_INPUT", "Sign in"},
		{"no XPath", "page_click", map[string]any{"selector": "xpath=//["}, "INVALID_INPUT", "//["},
		{"empty selector", "page_click", map[string]any{"selector": ""}, "INVALID_INPUT", "selector"},
		{"no such element", "page_click", map[string]any{"selector": `button "Nope"`, "timeout_ms": 300}, "ELEMENT_NOT_FOUND", "Nope"},
		{"two such elements", "page_click", map[string]any{"selector": `button "Delete"`}, "SELECTOR_AMBIGUOUS", `button "Delete" [2]`},
		{"no such key", "page_press", map[string]any{"key": "Any"}, "INVALID_INPUT", "Any"},
		{"no script", "page_evaluate", map[string]any{"script": "return return"}, "INVALID_INPUT", "script"},
		{"no such request", "page_get_network_logs", map[string]any{"request_id": "r-nope"}, "INVALID_INPUT", "r-nope"},
		{"no such pattern", "analyze_console_errors", map[string]any{"ignore_patterns": []string{"("}}, "INVALID_INPUT", "("},
		{"finish without a run", "run_finish", nil, "INVALID_INPUT", "run_start"},
		{"deep", "page_evaluate", map[string]any{"script": "1", "args": deep}, "INVALID_INPUT", "args"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := w.in(t)
			a := w.call(c.tool, c.arguments)
			w.fails(a, c.code)
			if !strings.Contains(a.text(), c.says) {
				t.Errorf("the answer doesn't mention %s: %s", c.says, a.text())
			}
			if a.envelope.Error.Hint == "" {
				t.Errorf("no hint: %s", a.text())
			}
		})
	}
	// Nothing of it left a trace: the page is where it was, with one session.
	if a := w.do("page_evaluate", map[string]any{"script": "document.title"}); field[string](w, a, "result") != "twins" {
		t.Errorf("another page than before: %s", a.text())
	}
}

// B7: a page address is http or https; anything else would reach the machine.
func TestBadAddresses(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	site := badSite(t)
	w := attach(t, november25)
	for _, url := range []string{
		"", " ", "nonsense", "localhost:3000", "//host/path", "/path", "http://", "http:///path", "http://[::1", "http://a b/", "http://%zz/",
		"file:///etc/passwd", "FILE:///etc/passwd", "javascript:alert(1)", "JavaScript:alert(1)", "chrome://version", "chrome:version",
		"about:version", "data:text/html,x", "blob:null/x", "view-source:" + site, "ftp://127.0.0.1/", "devtools://devtools", "\x00", "ws://127.0.0.1/",
	} {
		for _, tool := range []string{"page_navigate", "verify_page_loads", "analyze_console_errors"} {
			t.Run(tool+" "+url, func(t *testing.T) {
				w := w.in(t)
				arguments := map[string]any{"url": url}
				if tool != "page_navigate" && url == "" {
					return // there an empty address is one left out
				}
				w.fails(w.call(tool, arguments), "INVALID_INPUT")
			})
		}
	}
	w.do("page_navigate", map[string]any{"url": site + "/ok"})
}

// An unknown tool has no result to put an error into: the protocol wants an
// error that names it.
func TestUnknownTool(t *testing.T) {
	t.Parallel()
	needsBinary(t)
	for _, r := range revisions() {
		t.Run(string(r), func(t *testing.T) {
			w := attach(t, r)
			for _, tool := range []string{"page_dance", "", "tools/call", strings.Repeat("x", 10_000)} {
				m := w.answer(w.begin(tool, nil))
				if m.Error == nil || m.Error.Code != invalidParams || !strings.Contains(m.Error.Message, tool) {
					t.Errorf("%.40q: %s", tool, brief(m.line))
				}
			}
			w.ask("tools/list", nil)
		})
	}
}
