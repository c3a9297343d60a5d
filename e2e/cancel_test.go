package e2e_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// cancelLimit tells a cancelled call, which is over within a second on a machine that
// is free, from one that goes on: that lasts twenty seconds and more.
const cancelLimit = 15 * time.Second

// event is a line of a run's own log.
type event struct{ Tool, ErrorCode string }

// logged lists the tool calls that the server has filed, oldest first. It is
// how a test sees the end of a call that may not be answered.
func (w *wire) logged() []event {
	w.t.Helper()
	files, err := filepath.Glob(filepath.Join(w.data, "runs", "*", "events.jsonl"))
	if err != nil {
		w.t.Fatal(err)
	}
	var events []event
	for _, file := range files {
		if w.before[filepath.Base(filepath.Dir(file))] {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			w.t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			var e event
			if json.Unmarshal(line, &e) == nil && e.Tool != "" { // the last line may be half there
				events = append(events, e)
			}
		}
	}
	return events
}

// inRun starts a run, so that what the test calls is filed in a place of its own.
func (w *wire) inRun() *wire {
	w.t.Helper()
	w.do("run_start", map[string]any{"goal": w.t.Name()})
	return w
}

// eventually polls until done says "", and returns how long that took.
func eventually(t *testing.T, limit time.Duration, left func() string) time.Duration {
	t.Helper()
	start := time.Now()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		what := left()
		took := time.Since(start)
		if what == "" {
			return took
		}
		if took > limit {
			t.Errorf("after %s still: %s", limit, what)
			return took
		}
		<-tick.C
	}
}

// cancel tells the server to give a call up, and checks that it does.
func (w *wire) cancel(id, tool string) {
	w.t.Helper()
	calls := len(w.logged())
	w.say("notifications/cancelled", map[string]any{"requestId": json.Number(id), "reason": "changed my mind"})
	took := eventually(w.t, cancelLimit, func() string {
		events := w.logged()
		if len(events) == calls {
			return tool + " is running"
		}
		if last := events[len(events)-1]; last.Tool != tool || last.ErrorCode != "CANCELLED" {
			w.t.Errorf("the cancelled call is filed as %+v", last)
		}
		return ""
	})
	w.t.Logf("%s was over after %s", tool, took)
}

// notAnswered checks that no answer to a cancelled request came.
func (w *wire) notAnswered(id string) {
	w.t.Helper()
	w.ask("tools/list", nil) // what the server had to say before, it has said now
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range w.heard {
		if m.Method == "" && key(m.ID) == id {
			w.t.Errorf("the cancelled request %s was answered: %s", id, brief(m.line))
		}
	}
}

// A call that would take long is over within a second of its cancellation,
// is not answered, and the session goes on working.
func TestCancel(t *testing.T) {
	for _, r := range []revision{november25, july26} {
		t.Run(string(r), func(t *testing.T) {
			needsBrowser(t)
			site := badSite(t)
			w := attach(t, r).inRun()
			for i, c := range []struct {
				name, tool string
				arguments  map[string]any
			}{
				{"waiting", "page_wait_for_selector", map[string]any{"selector": "#never", "timeout_ms": 30_000}},
				{"loading", "page_navigate", map[string]any{"url": site + "/never", "timeout_ms": 30_000}},
				{"half loaded", "page_navigate", map[string]any{"url": site + "/half", "timeout_ms": 30_000}},
				{"retrying", "verify_assertion", map[string]any{"selector": "h1", "timeout_ms": 30_000, "assertion": map[string]any{"type": "text_equals", "expected": "never"}}},
				{"promised", "page_evaluate", map[string]any{"script": "new Promise(() => {})"}},
				{"spinning", "page_evaluate", map[string]any{"script": "for (;;);"}},
				{"one-off", "verify_page_loads", map[string]any{"url": site + "/never", "timeout_ms": 30_000}},
			} {
				if r != november25 && i > 0 && !soak() {
					continue // make test has every call in one version, and one in another
				}
				t.Run(c.name, func(t *testing.T) {
					w := w.in(t)
					w.do("page_navigate", map[string]any{"url": site + "/ok"})
					id := w.beginWithProgress(c.name, c.tool, c.arguments)
					w.awaitProgress(`"` + c.name + `"`)
					w.cancel(id, c.tool)
					w.notAnswered(id)
					w.well(site)
				})
			}
		})
	}
}

// After a cancelled wait the same page answers: nothing was lost.
func TestCancelKeepsThePage(t *testing.T) {
	w, _ := onSite(t, "/ok")
	w.inRun().do("page_fill", map[string]any{"selector": `textbox "Name"`, "value": "Ada"})
	id := w.beginWithProgress("t", "page_wait_for_selector", map[string]any{"selector": "#never", "timeout_ms": 30_000})
	w.awaitProgress(`"t"`)
	w.cancel(id, "page_wait_for_selector")
	a := w.result(w.answerWithin(w.begin("page_evaluate", map[string]any{"script": "document.querySelector('input').value"}), 5*time.Second))
	if !a.envelope.OK || field[string](w, a, "result") != "Ada" {
		t.Errorf("the page after a cancelled wait: %s", a.text())
	}
}

// A cancellation on the heels of its request finds it, however early it comes:
// the next call on the page needn't wait.
func TestCancelAtOnce(t *testing.T) {
	w, site := onSite(t, "/ok")
	for range 30 {
		id := w.nextID()
		w.raw(append(w.encode(map[string]any{"jsonrpc": "2.0", "id": json.Number(id), "method": "tools/call", "params": map[string]any{
			"name":      "verify_assertion",
			"arguments": map[string]any{"selector": "h1", "timeout_ms": 20_000, "assertion": map[string]any{"type": "text_equals", "expected": "never"}},
		}}), w.encode(map[string]any{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": map[string]any{"requestId": json.Number(id)}})...))
		w.result(w.answerWithin(w.begin("page_evaluate", map[string]any{"script": "1"}), cancelLimit))
		w.notAnswered(id)
	}
	w.well(site)
}

// An id is the same however it is spelt.
func TestCancelSpeltOtherwise(t *testing.T) {
	t.Parallel()
	w, site := onSite(t, "/ok")
	w.raw([]byte(`{"jsonrpc":"2.0","id":"caf\u00e9 <1>","method":"tools/call","params":{"name":"verify_assertion","arguments":` +
		`{"selector":"h1","timeout_ms":20000,"assertion":{"type":"text_equals","expected":"never"}}}}` + "\n"))
	w.raw([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"café \u003c1>"}}` + "\n"))
	w.result(w.answerWithin(w.begin("page_evaluate", map[string]any{"script": "1"}), cancelLimit))
	w.notAnswered(`"café <1>"`)
	w.well(site)
}

// Cancelling a queue of calls on one page cancels each: those that run, those that wait for the
// page, and those that have not begun, which leave no event.
func TestCancelQueued(t *testing.T) {
	t.Parallel()
	w, site := onSite(t, "/ok")
	w.inRun()
	before := len(w.logged())
	var ids []string
	for range 8 {
		ids = append(ids, w.begin("page_wait_for_selector", map[string]any{"selector": "#never", "timeout_ms": 60_000}))
	}
	w.ask("ping", nil)
	for _, id := range ids {
		w.say("notifications/cancelled", map[string]any{"requestId": json.Number(id)})
	}
	w.result(w.answerWithin(w.begin("page_evaluate", map[string]any{"script": "1"}), 2*cancelLimit)) // one call that is left would hold the page for longer
	for _, e := range w.logged()[before:] {
		if e.Tool == "page_wait_for_selector" && e.ErrorCode != "CANCELLED" {
			t.Errorf("a cancelled call is filed as %+v", e)
		}
	}
	for _, id := range ids {
		w.notAnswered(id)
	}
	w.well(site)
}
