package e2e_test

import (
	"os"
	"syscall"
	"testing"
	"time"
)

// shutdownLimit is in what time a server must be gone, with everything. It takes less than
// two seconds on a free machine; the calls under way have thirty.
const shutdownLimit = 10 * time.Second

// goodbye is a way to end a server.
type goodbye struct {
	name string
	say  func(w *wire)
}

func goodbyes() []goodbye {
	signal := func(s os.Signal) func(*wire) {
		return func(w *wire) {
			if err := w.cmd.Process.Signal(s); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	return []goodbye{
		{"EOF", func(w *wire) { w.hangUp() }},
		{"SIGTERM", signal(syscall.SIGTERM)},
		{"SIGINT", signal(os.Interrupt)},
		{"SIGHUP", signal(syscall.SIGHUP)},
		{"SIGQUIT", signal(syscall.SIGQUIT)},
		{"stdout unread", func(w *wire) { must(w.t, w.stdout.Close()) }},
	}
}

// moment is what a server is in the middle of when it is told to end.
type moment struct {
	name  string
	reach func(w *wire, site string)
}

func moments() []moment {
	calling := func(tool string, arguments map[string]any) func(*wire, string) {
		return func(w *wire, site string) {
			w.do("page_navigate", map[string]any{"url": site + "/ok"})
			w.beginWithProgress("t", tool, arguments)
			w.awaitProgress(`"t"`)
			w.damaged = true // nobody waits for that answer
		}
	}
	return []moment{
		{"starting", func(*wire, string) {}},
		{"driver starting", func(w *wire, _ string) { w.driver() }},
		{"browser starting", func(w *wire, _ string) { w.browser() }},
		{"idle", func(w *wire, site string) { w.do("page_navigate", map[string]any{"url": site + "/ok"}) }},
		{"full house", func(w *wire, _ string) {
			for range 5 {
				w.do("browser_launch", nil)
			}
		}},
		{"waiting", calling("page_wait_for_selector", map[string]any{"selector": "#never", "timeout_ms": 30_000})},
		{"spinning", calling("page_evaluate", map[string]any{"script": "for (;;);"})},
		{"loading", func(w *wire, site string) {
			calling("page_navigate", map[string]any{"url": site + "/never", "timeout_ms": 30_000})(w, site)
		}},
		{"in an open run", func(w *wire, site string) {
			w.do("run_start", map[string]any{"goal": "be interrupted"})
			calling("verify_page_loads", map[string]any{"url": site + "/never", "timeout_ms": 30_000})(w, site)
		}},
		{"everything below stopped", func(w *wire, site string) {
			w.do("page_navigate", map[string]any{"url": site + "/ok"})
			for _, p := range below(w.t, w.cmd.Process.Pid) {
				must(w.t, syscall.Kill(p.pid, syscall.SIGSTOP))
			}
		}},
	}
}

// B6: however and whenever a server is told to end, it does so in two seconds
// and leaves nothing, also where driver and browser are stopped. A reader that leaves is a
// goodbye too. make test has each goodbye at one moment; make soak has every pair.
func TestShutdown(t *testing.T) {
	needsBrowser(t)
	site := badSite(t)
	for i, m := range moments() {
		for j, g := range goodbyes() {
			if !soak() && i != []int{9, 1, 8, 2, 5, 3}[j] {
				continue
			}
			t.Run(m.name+" "+g.name, func(t *testing.T) {
				w := alone(t, november25)
				m.reach(w, site)
				then := w.family()
				start := time.Now()
				g.say(w)
				if code := w.exit(shutdownLimit); code != 0 {
					t.Errorf("exit code %d, want 0", code)
				}
				exited := time.Since(start)
				eventually(t, shutdownLimit-exited, func() string { return w.left(then) })
				t.Logf("ended after %s, nothing left after %s", exited.Round(time.Millisecond), time.Since(start).Round(time.Millisecond))
			})
		}
	}
}

// Clients close the server's stderr before it has ended, as mcp-go's does: what it logs
// then must not kill it, for it has a browser to end.
func TestShutdownWithoutStderr(t *testing.T) {
	needsBrowser(t)
	unread, stderr, err := os.Pipe()
	must(t, err)
	must(t, unread.Close())
	cmd := serving(t, t.TempDir(), "-v")
	cmd.Stderr = stderr
	stdin, err := cmd.StdinPipe()
	must(t, err)
	must(t, cmd.Start())
	must(t, stderr.Close())
	must(t, stdin.Close())
	if err := cmd.Wait(); err != nil {
		t.Errorf("the server ended by %v", err)
	}
}

// A client that hangs up without a word is a client like any other.
func TestShutdownUnasked(t *testing.T) {
	needsBrowser(t)
	w := launch(t, november25)
	w.hangUp()
	if code := w.exit(shutdownLimit); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	eventually(t, shutdownLimit, func() string { return w.left(nil) })
}
