package e2e_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// noticeLimit is in what time a call under way must report that its browser is gone. It
// takes less than a second on a free machine, and the call's own time-out is twenty.
const noticeLimit = 5 * time.Second

// busy says what a session does when something is killed under it.
type busy struct {
	name, tool string
	arguments  func(site string) map[string]any
	until      string // what its progress says then; "" for anything
}

func busies() []busy {
	return []busy{
		{name: "idle"},
		{name: "waiting", tool: "page_wait_for_selector", arguments: func(string) map[string]any {
			return map[string]any{"selector": "#never", "timeout_ms": 30_000}
		}},
		{name: "spinning", tool: "page_evaluate", arguments: func(string) map[string]any { return map[string]any{"script": "for (;;);"} }},
		{name: "loading", tool: "page_navigate", arguments: func(site string) map[string]any {
			return map[string]any{"url": site + "/never", "timeout_ms": 30_000}
		}},
		{name: "in a flow", tool: "verify_user_flow", until: "step 2 of 2: wait", arguments: func(string) map[string]any {
			return map[string]any{"name": "be interrupted", "success_condition": "Fine", "steps": []map[string]any{
				{"action": "fill", "selector": `textbox "Name"`, "value": "Ada"},
				{"action": "wait", "selector": "css=#never", "timeout_ms": 20_000}}}
		}},
	}
}

// start begins the call, if there is one, and waits until it is under way.
func (b busy) start(w *wire, site string) (id string) {
	w.t.Helper()
	if b.tool == "" {
		return ""
	}
	token := fmt.Sprint("busy ", w.said())
	id = w.beginWithProgress(token, b.tool, b.arguments(site))
	w.await("progress of "+b.name, patience, func(m message) bool {
		return isProgress(m, `"`+token+`"`) && strings.Contains(string(m.line), b.until)
	})
	return id
}

// tells checks that the interrupted call said what happened: with an error, or
// with a verdict that is none.
func (b busy) tells(w *wire, a answer, code string) {
	w.t.Helper()
	if b.tool != "verify_user_flow" {
		w.fails(a, code)
		return
	}
	if status := field[string](w, a, "status"); status != "inconclusive" || !strings.Contains(a.text(), code) {
		w.t.Errorf("the flow is %s: %s", status, a.text())
	}
}

// B6: kill -9 of the server leaves no process and no folder behind: in a flow by make
// test, in each kind of call by make soak. browser/driver has the same without a server.
func TestKillServer(t *testing.T) {
	for i, b := range busies() {
		if i != len(busies())-1 && !soak() {
			continue
		}
		t.Run(b.name, func(t *testing.T) {
			w, site := aloneOnSite(t, "/ok")
			b.start(w, site)
			then := w.family()
			if len(then) < 3 {
				t.Fatalf("driver, browser and its helpers expected, got %v", then)
			}
			w.damaged = true
			kill(t, w.cmd.Process.Pid)
			start := time.Now()
			w.exit(killLimit)
			eventually(t, killLimit-time.Since(start), func() string { return w.left(then) })
		})
	}
}

// B6: a server and its driver killed at once can't clean up; the next server
// does.
func TestKillServerAndDriver(t *testing.T) {
	w, _ := aloneOnSite(t, "/ok")
	then := w.family()
	driver := w.driver()
	w.damaged = true
	kill(t, w.cmd.Process.Pid)
	kill(t, driver.pid)
	w.exit(killLimit)
	next := launchIn(t, november25, w.temp)
	next.greet()
	next.do("browser_launch", nil)
	next.hangUp()
	if code := next.exit(shutdownLimit); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	eventually(t, killLimit, func() string { return w.left(then) })
}

// B6: when the driver, the browser or a page's renderer is killed, the call
// under way says so within a second, the next ones work, and what the dead one
// left behind is gone at the end. make test kills each under one call, all with one
// server; make soak has every pair. browser has them without a server (TestCrashMatrix).
func TestKillBelow(t *testing.T) {
	w, site := aloneOnSite(t, "/ok")
	var then []process
	for i, victim := range []struct {
		name string
		code string
		find func(*wire) process
	}{
		{"renderer", "PAGE_CRASHED", (*wire).renderer},
		{"browser", "BROWSER_CRASHED", (*wire).browser},
		{"driver", "BROWSER_CRASHED", (*wire).driver},
	} {
		for j, b := range busies() {
			if !soak() && i != j-2 {
				continue
			}
			t.Run(victim.name+" "+b.name, func(t *testing.T) {
				w := w.in(t)
				dead := victim.find(w)
				id := b.start(w, site)
				kill(t, dead.pid)
				if id != "" {
					b.tells(w, w.result(w.answerWithin(id, noticeLimit)), victim.code)
				}
				w.recovers(site, victim.code)
				then = append(then, w.family()...)
			})
		}
	}
	for range 4 { // all other places are free
		w.do("browser_launch", nil)
	}
	then = append(then, w.family()...)
	w.hangUp()
	if code := w.exit(shutdownLimit); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	eventually(t, shutdownLimit, func() string { return w.left(then) })
}

// recovers checks that the same session works again. The first call may say
// what happened, so that nobody takes a page for his own that isn't; it may not
// say it twice.
func (w *wire) recovers(site, code string) {
	w.t.Helper()
	open := map[string]any{"url": site + "/ok"}
	if a := w.call("page_navigate", open); !a.envelope.OK {
		w.fails(a, code)
		w.do("page_navigate", open)
	}
	w.well(site)
}

// B6: a server ends in the three ways that servers end, idle and in the middle of
// each kind of call, fifty times, and nothing of it is left three seconds later.
func TestKillLoop(t *testing.T) {
	if !soak() {
		t.Skip("repeats TestKillServer and TestShutdown: SOAK=1")
	}
	needsBrowser(t)
	site := badSite(t)
	polite := goodbyes()
	ways := []goodbye{polite[0], polite[1], {"SIGKILL", func(w *wire) { kill(w.t, w.cmd.Process.Pid) }}}
	for round := range 50 {
		way, b := ways[round%len(ways)], busies()[round/len(ways)%len(busies())]
		t.Run(fmt.Sprintf("%d %s %s", round, way.name, b.name), func(t *testing.T) {
			t.Parallel()
			w := alone(t, november25)
			w.opens(site, "/ok")
			b.start(w, site)
			then := w.family()
			if len(then) < 3 {
				t.Fatalf("driver, browser and its helpers expected, got %v", then)
			}
			w.damaged = true // nobody waits for the answer of what is under way
			start := time.Now()
			way.say(w)
			w.exit(killLimit)
			eventually(t, killLimit-time.Since(start), func() string { return w.left(then) })
		})
	}
}
