package e2e_test

import (
	"encoding/json"
	"testing"
)

// beginWithProgress starts a tool call that asks to hear of its progress.
func (w *wire) beginWithProgress(token any, tool string, arguments map[string]any) string {
	w.t.Helper()
	return w.send("tools/call", map[string]any{"name": tool, "arguments": arguments, "_meta": map[string]any{"progressToken": token}})
}

// progress lists the notifications for a token, a JSON text, so far.
func (w *wire) progress(token string) []message {
	w.mu.Lock()
	defer w.mu.Unlock()
	var found []message
	for _, m := range w.heard {
		if isProgress(m, token) {
			found = append(found, m)
		}
	}
	return found
}

func isProgress(m message, token string) bool {
	var p struct{ ProgressToken json.RawMessage }
	return m.Method == "notifications/progress" && json.Unmarshal(m.Params, &p) == nil && string(p.ProgressToken) == token
}

// awaitProgress waits until the server says that a call is under way.
func (w *wire) awaitProgress(token string) {
	w.t.Helper()
	w.await("progress for "+token, patience, func(m message) bool { return isProgress(m, token) })
}

// Progress comes where it was asked for, and only there: none for a call that is over
// before 500 ms. That its numbers rise and that none comes after the result is checked
// by every audit.
func TestProgress(t *testing.T) {
	t.Parallel()
	for _, r := range revisions() {
		t.Run(string(r), func(t *testing.T) {
			needsBrowser(t)
			site := badSite(t)
			w := attach(t, r)
			w.do("page_navigate", map[string]any{"url": site + "/ok"})
			if unasked := w.notifications(); len(unasked) > 0 {
				t.Errorf("progress that nobody asked for: %s", unasked[0].line)
			}
			for token, text := range map[any]string{"text token": `"text token"`, 7: "7", 0: "0", "": `""`} {
				w.result(w.answer(w.beginWithProgress(token, "page_evaluate", map[string]any{"script": "new Promise((done) => setTimeout(done, 700))"})))
				if len(w.progress(text)) == 0 {
					t.Errorf("no progress for token %s", text)
				}
			}
			// A call that is refused at once, and a slow one: the heart beats while it waits.
			w.fails(w.result(w.answer(w.beginWithProgress("bad", "page_navigate", map[string]any{"url": "file:///"}))), "INVALID_INPUT")
			if n := len(w.progress(`"bad"`)); n != 0 {
				t.Errorf("%d notifications for a call that is refused at once", n)
			}
			id := w.beginWithProgress("slow", "page_wait_for_selector", map[string]any{"selector": "#never", "timeout_ms": patience.Milliseconds() / 2})
			beats := 0
			w.await("a second notification of a slow call", patience, func(m message) bool {
				if isProgress(m, `"slow"`) {
					beats++
				}
				return beats > 1
			})
			w.say("notifications/cancelled", map[string]any{"requestId": json.Number(id)})
		})
	}
}

// notifications lists all that the server said unasked.
func (w *wire) notifications() []message {
	w.mu.Lock()
	defer w.mu.Unlock()
	var found []message
	for _, m := range w.heard {
		if m.Method != "" {
			found = append(found, m)
		}
	}
	return found
}

// The same token may be used again once its call is over, and two calls at
// once keep theirs apart.
func TestProgressSideBySide(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	site := badSite(t)
	w := attach(t, november25)
	var sessions []string
	for range 2 {
		session := field[string](w, w.do("browser_launch", nil), "session_id")
		w.do("page_navigate", map[string]any{"url": site + "/ok", "session_id": session})
		sessions = append(sessions, session)
	}
	const wait = "new Promise((done) => setTimeout(done, 700))"
	one := w.beginWithProgress("one", "page_evaluate", map[string]any{"script": wait, "session_id": sessions[0]})
	two := w.beginWithProgress("two", "page_evaluate", map[string]any{"script": wait, "session_id": sessions[1]})
	w.answer(one)
	w.answer(two)
	for _, token := range []string{`"one"`, `"two"`} {
		if len(w.progress(token)) == 0 {
			t.Errorf("no progress for token %s", token)
		}
	}
}
