package e2e_test

import (
	"strconv"
	"testing"
	"time"
)

// What a call may take on a page that never comes to rest: its bound, and what
// the server needs to find out why and to take a picture.
const (
	restlessLimit = 6 * time.Second
	restless      = restlessLimit + 5*time.Second
)

// B6: on a page that never comes to rest every tool answers in bounded time:
// it did its work, or it says with a clear code why it could not. The session
// is as good as new afterwards.
func TestRestlessPages(t *testing.T) {
	t.Setenv("ASSAY_LIMITS_TIMEOUT_MS", strconv.FormatInt(restlessLimit.Milliseconds(), 10))
	w, site := aloneOnSite(t, "")
	codes := []string{"TIMEOUT", "NAVIGATION_FAILED", "NOT_ACTIONABLE", "ELEMENT_NOT_FOUND"}
	for i, path := range []string{"/restless", "/moves", "/waits", "/asks", "/pops"} {
		for j, c := range []struct {
			tool      string
			arguments map[string]any
			never     bool // it can't succeed on /moves
		}{
			{"page_click", map[string]any{"selector": `button "Press"`, "timeout_ms": 1000}, true},
			{"page_snapshot", nil, false},
			{"verify_element_exists", map[string]any{"selector": `button "Press"`}, false},
			{"verify_assertion", map[string]any{"selector": `button "Press"`, "timeout_ms": 1000, "assertion": map[string]any{"type": "text_equals", "expected": "Press"}}, false},
			{"verify_page_loads", map[string]any{"url": site + path, "timeout_ms": 1000}, false},
			{"page_navigate", map[string]any{"url": site + path, "timeout_ms": 1000}, false},
		} {
			if !soak() && (i != 0 || j != 0) && (i != 3 || j != 5) {
				continue // browser has the pages, and make soak every pair
			}
			t.Run(path+" "+c.tool, func(t *testing.T) {
				w := w.in(t)
				w.result(w.answerWithin(w.begin("page_navigate", map[string]any{"url": site + path, "wait_until": "commit", "timeout_ms": 1000}), restless))
				start := time.Now()
				a := w.result(w.answerWithin(w.begin(c.tool, c.arguments), restless))
				if !a.envelope.OK {
					w.fails(a, codes...)
				} else if c.never && path == "/moves" {
					t.Errorf("%s succeeded: %s", c.tool, a.text())
				}
				t.Logf("%s: %s", time.Since(start).Round(10*time.Millisecond), brief([]byte(a.text())))
			})
		}
		w.well(site)
	}
}
