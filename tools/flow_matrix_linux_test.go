package tools_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser"
)

// mortal is a desk with a pool of its own, of which anything may be killed.
type mortal struct {
	desk
	temp string
}

func newMortal(t *testing.T) mortal {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the browser")
	}
	d := mortal{offline(t), t.TempDir()}
	d.Pool = newPool(func(o *browser.Options) { o.TempDir = d.temp })
	t.Cleanup(func() {
		then := d.living()
		d.Pool.Close(3 * time.Second)
		eventually(t, 3*time.Second, "nothing is left over", func() string {
			left, err := os.ReadDir(d.temp)
			if err != nil {
				t.Error(err)
			}
			now := d.living()
			for kind, pids := range then {
				for _, pid := range pids {
					if p, err := processOf(pid); err == nil && !p.zombie {
						now[kind] = append(now[kind], pid)
					}
				}
			}
			if len(left) > 0 || len(now) > 0 {
				return fmt.Sprint(left, now)
			}
			return ""
		})
	})
	return d
}

// slowShop is a page on which a flow types, and then waits until the test lets
// it go on.
func slowShop(t *testing.T) (url string, goOn func()) {
	open := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(`<!doctype html><title>Up</title><h1>Up</h1><input aria-label="Name"><p id=late hidden>Late</p>
				<script>setTimeout(() => fetch('/late').then(() => { document.getElementById('late').hidden = false }))</script>`))
		case "/late":
			select {
			case <-open:
			case <-r.Context().Done():
			}
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server.URL, func() { close(open) }
}

// retriedEvent is in the journal once for each retry.
const retriedEvent = `"flow.retried"`

// crashCase is one cell of the matrix.
type crashCase struct {
	victim, code string
	shared       bool   // it takes the session beside with it
	way          string // whose page the flow runs on
	work         string // what the flow does when the victim is killed
	retried      int    // retries in the journal before
}

func crashCases() (all []crashCase) {
	for _, victim := range []crashCase{
		{victim: "renderer", code: "PAGE_CRASHED"},
		{victim: "browser", code: "BROWSER_CRASHED", shared: true},
		{victim: "driver", code: "BROWSER_CRASHED", shared: true},
	} {
		for _, victim.way = range []string{"own context", "session and start_url", "session as it is"} {
			for _, victim.work = range []string{"idle", "waiting", "between two calls"} {
				all = append(all, victim)
			}
		}
	}
	return all
}

// repeatable reports whether the flow may start over.
func (c crashCase) repeatable() bool { return c.way != "session as it is" }

// limit is in what time after the kill the answer must be there: that of a
// single call where the flow can't start over, that of the flow otherwise.
func (c crashCase) limit() time.Duration {
	if !c.repeatable() && c.work == "waiting" {
		return time.Second
	}
	return flowLimit
}

// flowLimit is the time that the flows are given.
const flowLimit = 25 * time.Second

// call is the flow: it types, waits, and sees that what it typed is still
// there, which it is not on a page that was loaded again behind its back.
func (c crashCase) call(session, url string) string {
	in := map[string]any{"success_condition": "Up", "timeout_ms": flowLimit.Milliseconds()}
	if c.way != "own context" {
		in["session_id"] = session
	}
	if c.repeatable() {
		in["start_url"] = url
	}
	wait := map[string]any{"action": "wait", "selector": "css=#late"}
	if c.work == "between two calls" {
		wait = map[string]any{"action": "wait", "value": 200}
	}
	in["steps"] = []any{map[string]any{"action": "fill", "selector": `textbox "Name"`, "value": "Ada"}, wait,
		map[string]any{"action": "assert", "selector": `textbox "Name"`, "assertion": map[string]any{"type": "value_equals", "expected": "Ada"}}}
	raw, err := json.Marshal(in)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// B6: the crash matrix, for flows. Whatever is killed, between two flows or in
// the middle of one, the flow's answer is true: passed after a retry that is
// told, or inconclusive with the code; never failed, for nothing was wrong with
// the site. What is there afterwards works, and the session beside is as it was.
func TestFlowCrashMatrix(t *testing.T) {
	t.Parallel()
	d := newMortal(t)
	steady, goOn := slowShop(t)
	goOn()
	beside := d.ok("browser_launch", `{}`).Data["session_id"].(string)
	d.ok("page_navigate", `{"session_id": %q, "url": %q}`, beside, steady)
	for i, c := range crashCases() {
		if !slices.Contains([]int{7, 10, 15, 23}, i) && !soak() {
			continue // each victim, each way and each work are among these
		}
		t.Run(c.victim+", "+c.way+", "+c.work, func(t *testing.T) {
			d := d
			d.t = t
			d.ok("page_fill", `{"session_id": %q, "selector": "textbox \"Name\"", "value": "Bob"}`, beside)
			spared := d.living()["renderer"]
			url, goOn := slowShop(t)
			session := ""
			if c.way != "own context" {
				session = d.ok("browser_launch", `{}`).Data["session_id"].(string)
				defer d.ok("browser_close", `{"session_id": %q}`, session)
				d.ok("page_navigate", `{"session_id": %q, "url": %q}`, session, url)
			}
			hit := c.shared
			if c.victim != "renderer" || c.work == "idle" && session == "" {
				spared, hit = nil, true // no page but the one beside is there
			}
			struck := make(chan time.Time, 1)
			strike := func() {
				<-time.After(rand.N(150 * time.Millisecond)) // any moment will do
				at := time.Now()
				d.strike(c.victim, spared)
				goOn()
				struck <- at
			}
			d.ok("run_start", `{"goal": "the name stays"}`)
			c.retried = strings.Count(d.files(), retriedEvent)
			if c.work == "idle" {
				strike()
				<-time.After(rand.N(150 * time.Millisecond)) // noticed or not
			} else {
				started := false
				d.heard = func(message string) {
					if strings.Contains(message, "step 2 of 3") && !started {
						started = true
						go strike()
					}
				}
			}
			a := d.raw("verify_user_flow", c.call(session, url))
			took := time.Since(<-struck)
			c.judge(d.desk, a)
			if limit := c.limit(); took > limit {
				t.Errorf("answered %s after the kill, want %s at most", took, limit)
			}
			t.Logf("answered %s after the kill: %v, %v attempts, %s", took.Round(time.Millisecond), a.Data["status"], a.Data["attempts"], a.Error.Code)
			d.heard = nil
			c.again(d.desk, session, url)
			c.neighbour(d.desk, beside, hit)
		})
	}
	if ids := d.Pool.SessionIDs(); len(ids) != 1 {
		t.Errorf("sessions are left open: %v", ids)
	}
}

// judge checks the answer of the flow under which something was killed, and
// the verdict of its run.
func (c crashCase) judge(d desk, a answer) {
	d.t.Helper()
	status, _ := a.Data["status"].(string)
	flaky, _ := a.Data["flaky"].(bool)
	told := strings.Contains(a.text, c.code)
	run, why := d.finish()
	switch {
	case c.repeatable() && status == "passed" && run == "passed":
		if c.work != "idle" && !flaky || flaky && !told {
			d.t.Errorf("it passed as if nothing had been (flaky %v): %s", flaky, a.text)
		}
		if n := strings.Count(d.files(), retriedEvent) - c.retried; flaky != (n > 0) || a.Data["attempts"] != float64(n+1) || n > 3 {
			d.t.Errorf("%v attempts, flaky %v, and %d retries in the journal", a.Data["attempts"], flaky, n)
		}
	case !c.repeatable() && c.work == "idle" && a.Error.Code == c.code && run == "inconclusive":
	case !c.repeatable() && c.work != "idle" && status == "inconclusive" && run == "inconclusive" && told:
	default:
		d.t.Errorf("the flow is %q (%s), the run %s (%s): %s", status, a.Error.Code, run, why, a.text)
	}
}

// again runs the flow once more: it passes, and at once.
func (c crashCase) again(d desk, session, url string) {
	d.t.Helper()
	d.ok("run_start", `{"goal": "the name stays"}`)
	a := d.raw("verify_user_flow", c.call(session, url))
	if a.Data["status"] != "passed" || a.Data["attempts"] != 1.0 {
		d.t.Errorf("the next flow: %s", a.text)
	}
	if run, why := d.finish(); run != "passed" {
		d.t.Errorf("the next run is %s (%s)", run, why)
	}
}

// neighbour checks the session beside: untouched, or told once and back where
// it was.
func (c crashCase) neighbour(d desk, beside string, hit bool) {
	d.t.Helper()
	const name = `{"session_id": %q, "script": "location.pathname + document.querySelector('input').value"}`
	want := "/Bob"
	if hit {
		if a := d.call("page_evaluate", name, beside); a.OK || a.Error.Code != c.code {
			d.t.Errorf("the session beside was not told: %s", a.text)
		}
		want = "/"
	}
	if a := d.ok("page_evaluate", name, beside); a.Data["result"] != want {
		d.t.Errorf("the session beside is at %v, want %s", a.Data["result"], want)
	}
}
