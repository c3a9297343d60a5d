package browser

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/browser/explain"
)

// processesBelow lists all processes below pid.
func processesBelow(t *testing.T, pid int) []int {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		t.Fatalf("no /proc to read the process tree from: %v", err)
	}
	children := map[int][]int{}
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it ended meanwhile
		}
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		parent, _ := strconv.Atoi(fields[1])
		child, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		children[parent] = append(children[parent], child)
	}
	var all []int
	for queue := []int{pid}; len(queue) > 0; queue = queue[1:] {
		all = append(all, children[queue[0]]...)
		queue = append(queue, children[queue[0]]...)
	}
	return all
}

// renderers returns the renderer processes below a pool's driver.
func renderers(t *testing.T, p *Pool) map[int]bool {
	pids := map[int]bool{}
	for _, pid := range processesBelow(t, driverPID(p)) {
		command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // none of one that ends just now
		if bytes.Contains(command, []byte("--type=renderer")) && driver.ProcessAlive(pid) {
			pids[pid] = true
		}
	}
	return pids
}

// patient returns a site on which a session can be signed in, and be kept waiting.
func patient(t *testing.T) *site {
	web := newSite(t, map[string]string{"/{$}": "<title>T</title><button>Go</button>"})
	web.handle("/signin", func(w http.ResponseWriter, _ *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "who", Value: "me", HttpOnly: true, Path: "/"})
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<title>In</title><script>localStorage.mark = 'kept'</script>"))
	})
	web.handle("/who", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		c, err := r.Cookie("who")
		if err != nil {
			_, _ = w.Write([]byte("<title>nobody</title>"))
			return
		}
		_, _ = w.Write([]byte("<title>" + c.Value + "</title>"))
	})
	web.handle("/hang", slow(nil, nil))
	return web
}

// signIn has a session visit the site as somebody, and waits until what it
// would need in another browser was captured.
func signIn(t *testing.T, s *Session, web *site) {
	t.Helper()
	visit(t, s, web.URL+"/signin")
	visit(t, s, web.URL+"/who")
	becomes(t, "the storage state is kept", func() error {
		state, _ := s.storage.get()
		if state == nil || len(state.Cookies) != 1 || len(state.Origins) != 1 || s.current().busy() {
			return errUnusable
		}
		return nil
	})
}

// knows fails unless the session is signed in at the page it was at.
func knows(t *testing.T, s *Session, web *site) {
	t.Helper()
	if got, want := js(t, s, "[location.href, document.title, localStorage.mark]"), `["`+web.URL+`/who","me","kept"]`; got != want {
		t.Errorf("after the crash the session has %s, want %s", got, want)
	}
}

// work describes what a session does when something is killed under it; nil is
// nothing.
type work struct {
	name string
	call func(s *Session, web *site) error
}

func works() []work {
	return []work{
		{"idle", nil},
		{"waiting", func(s *Session, _ *site) error {
			_, err := s.WaitFor(context.Background(), "css=#never", "visible", time.Minute)
			return err
		}},
		{"evaluating", func(s *Session, _ *site) error {
			_, _, err := s.Evaluate(context.Background(), "new Promise(() => {})", nil)
			return err
		}},
		{"loading", func(s *Session, web *site) error {
			_, err := s.Navigate(context.Background(), web.URL+"/hang", "", time.Minute)
			return err
		}},
	}
}

// B6: the crash matrix. Whatever is killed, and whatever is going on then: the
// call ends with its code within a second, and the session goes on under its
// id, signed in, where it was. A session beside it is none the worse for a
// renderer's end, and is rebuilt too when they shared what died.
func TestCrashMatrix(t *testing.T) {
	web := patient(t)
	p := poolToBreak(t, nil)
	beside := launch(t, p, LaunchOptions{})
	signIn(t, beside, web)
	for i, victim := range []struct {
		name   string
		code   explain.Code
		shared bool // with the session beside it
		find   func(s *Session, before map[int]bool) []int
	}{
		{"renderer", explain.PageCrashed, false, func(_ *Session, before map[int]bool) (own []int) {
			for pid := range renderers(t, p) {
				if !before[pid] {
					own = append(own, pid)
				}
			}
			return own
		}},
		{"browser", explain.BrowserCrashed, true, func(*Session, map[int]bool) []int { return []int{browserPID(t, p)} }},
		{"driver", explain.BrowserCrashed, true, func(*Session, map[int]bool) []int { return []int{driverPID(p)} }},
	} {
		for j, w := range works() {
			if i != j%3 && !soak() {
				continue // make soak has every pair, make test every victim and every work
			}
			t.Run(victim.name+" "+w.name, func(t *testing.T) {
				before := renderers(t, p)
				s := launch(t, p, LaunchOptions{})
				signIn(t, s, web)
				id, dead := s.ID(), victim.find(s, before)
				if len(dead) == 0 {
					t.Fatal("the victim was not found")
				}
				done := make(chan error, 1)
				if w.call != nil {
					go func() { done <- w.call(s, web) }()
					becomes(t, "the call is under way", s.held)
				}
				struck := time.Now()
				for _, pid := range dead {
					endProcess(t, pid)
				}
				if w.call == nil {
					becomes(t, "the crash is noticed", func() error {
						if s.latest() == nil {
							return errHeld
						}
						return nil
					})
					struck = time.Now() // from here on it is the call that takes time
					go func() { _, err := s.Look(context.Background(), "css=body", FactCount, ""); done <- err }()
				}
				wantCode(t, soon(t, time.Second-time.Since(struck), func() error { return <-done }), victim.code, s.ID(), "form input is lost", web.URL)
				knows(t, s, web)
				if got, err := p.Session(id); err != nil || got != s {
					t.Errorf("the session is not found by its id: %v", err)
				}
				if victim.shared {
					_, err := beside.Look(within30s(t), "css=body", FactCount, "")
					wantCode(t, err, victim.code, beside.ID())
				}
				knows(t, beside, web)
			})
		}
	}
}

// A renderer that ends while its picture is taken ends the picture, with the
// code of what died: Chromium itself may crash then, as it waits for a frame.
func TestStillOfPageThatCrashes(t *testing.T) {
	t.Parallel()
	p := poolToBreak(t, nil)
	s := launch(t, p, LaunchOptions{})
	web := newSite(t, map[string]string{"/{$}": "<!doctype html><title>T</title>" + neverStill})
	visit(t, s, web.URL+"/")
	browser := browserPID(t, p)
	done := make(chan error, 1)
	go func() {
		_, err := s.Still(within30s(t), StillOptions{})
		done <- err
	}()
	heldPose(t, s)
	for pid := range renderers(t, p) {
		endProcess(t, pid)
	}
	want := explain.PageCrashed
	err := soon(t, 10*time.Second, func() error { return <-done })
	if codeOf(err) == explain.BrowserCrashed && !driver.ProcessAlive(browser) {
		want = explain.BrowserCrashed
	}
	wantCode(t, err, want, s.ID())
	visit(t, s, web.URL+"/")
}

// B6: a page that crashes its renderer whenever it is loaded is not loaded for
// ever, and nobody takes the blank page for it.
func TestPageThatCrashesEachTime(t *testing.T) {
	p := poolToBreak(t, nil)
	var loads atomic.Int32
	var deadly atomic.Bool
	web := newSite(t, map[string]string{"/ok": "<title>ok</title>"})
	web.handle("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		loads.Add(1)
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<title>T</title><p>here<script>fetch('/alive')</script>"))
	})
	web.handle("/alive", func(http.ResponseWriter, *http.Request) {
		if deadly.Load() {
			for pid := range renderers(t, p) {
				_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended by itself
			}
		}
	})
	s := launch(t, p, LaunchOptions{})
	visit(t, s, web.URL+"/")
	deadly.Store(true)
	first := soon(t, time.Second, func() error {
		_, _, err := s.Evaluate(context.Background(), "fetch('/alive').then(() => new Promise(() => {}))", nil)
		return err
	})
	wantCode(t, first, explain.PageCrashed, s.ID())
	becomes(t, "it is given up", func() error {
		s.livePage.mu.Lock()
		defer s.livePage.mu.Unlock()
		if !ended(s.recovery.done) || !s.recovery.state.isBlank() {
			return errHeld
		}
		return nil
	})
	for range 2 { // not once: the blank page must never be taken for the other one
		_, err := s.Look(within30s(t), "css=p", FactCount, "")
		wantCode(t, err, explain.PageCrashed, "blank", "crashed again each time", "page_navigate", web.URL)
	}
	if n := loads.Load(); n != 1+maxReloads {
		t.Errorf("the page was loaded %d times, want %d", n, 1+maxReloads)
	}
	visit(t, s, web.URL+"/ok")
	if got := js(t, s, "document.title"); got != `"ok"` {
		t.Errorf("got %s", got)
	}
}

// B6: an address that can't be loaded again leaves a blank page that says so.
func TestRebuildWithoutSite(t *testing.T) {
	t.Parallel()
	web := patient(t)
	p := poolToBreak(t, nil)
	s := launch(t, p, LaunchOptions{})
	visit(t, s, web.URL+"/")
	web.CloseClientConnections()
	web.Close()
	endProcess(t, browserPID(t, p))
	becomes(t, "the crash is noticed", func() error {
		if r := s.latest(); r == nil || !ended(r.done) {
			return errHeld
		}
		return nil
	})
	_, err := s.Look(within30s(t), "css=body", FactCount, "")
	wantCode(t, err, explain.BrowserCrashed, "blank", "ERR_CONNECTION_REFUSED", web.URL)
}

// B6: a navigation that overtakes a slow reload needs no word about the page
// that it replaces: what was promised of that page is not owed any more. When
// the navigation is given up, nobody takes the blank page for the old one.
func TestNavigationOvertakesReload(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"carried out", "given up"} {
		t.Run(way, func(t *testing.T) {
			p := poolToBreak(t, nil)
			web := newSite(t, map[string]string{"/ok": "<title>ok</title>"})
			var slowly atomic.Bool
			reloads := make(chan struct{}, maxBuilds)
			web.handle("/{$}", func(w http.ResponseWriter, r *http.Request) {
				if slowly.Load() {
					reloads <- struct{}{}
					<-r.Context().Done()
					return
				}
				w.Header().Set("Content-Type", "text/html")
				_, _ = w.Write([]byte("<title>T</title>"))
			})
			s := launch(t, p, LaunchOptions{})
			visit(t, s, web.URL+"/")
			slowly.Store(true)
			endProcess(t, driverPID(p))
			becomes(t, "the crash is noticed", func() error {
				if s.latest() == nil {
					return errHeld
				}
				return nil
			})
			_, err := s.Look(within30s(t), "css=body", FactCount, "")
			wantCode(t, err, explain.BrowserCrashed, "is being rebuilt")
			<-reloads
			if way == "carried out" {
				visit(t, s, web.URL+"/ok")
				visit(t, s, web.URL+"/ok")
				if got := js(t, s, "document.title"); got != `"ok"` {
					t.Errorf("got %s", got)
				}
				return
			}
			gone, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := s.Navigate(gone, web.URL+"/ok", "", time.Minute); err == nil {
				t.Fatal("a navigation that was given up succeeded")
			}
			for range 2 {
				_, err := s.Look(within30s(t), "css=body", FactCount, "")
				wantCode(t, err, explain.BrowserCrashed, "blank", replaced, "page_navigate")
			}
		})
	}
}

// wantProcessors fails unless all that a driver has started may run on so many processors.
func wantProcessors(t *testing.T, driver, want int) {
	t.Helper()
	below := processesBelow(t, driver)
	for _, pid := range below {
		var set unix.CPUSet
		if err := unix.SchedGetaffinity(pid, &set); err == nil && set.Count() != want { // it may have ended
			t.Errorf("process %d may run on %d processors, want %d", pid, set.Count(), want)
		}
	}
	if len(below) == 0 {
		t.Error("the driver has started nothing")
	}
}

// B6: a session whose browser can't be had again is lost, says why, and keeps
// nobody waiting for its place. B16: its browser ran on the processors that it may.
func TestRebuildThatFails(t *testing.T) {
	t.Parallel()
	link := filepath.Join(t.TempDir(), "chrome")
	p := newPool(t, func(o *Options) {
		o.MaxSessions, o.CPUPercent = 1, 50
		inst, err := driver.Locate(t.Context(), o.Install)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(inst.Browser.Path, link); err != nil {
			t.Fatal(err)
		}
		o.Install.ExecutablePath = link
	})
	s := launch(t, p, LaunchOptions{})
	wantProcessors(t, driverPID(p), (runtime.NumCPU()+1)/2)
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	endProcess(t, driverPID(p))
	becomes(t, "the session is lost", func() error {
		if !ended(s.lost) {
			return errHeld
		}
		return nil
	})
	for range 2 {
		_, _, err := s.Evaluate(within30s(t), "1", nil)
		e := wantCode(t, err, explain.BrowserCrashed, s.ID(), "could not be rebuilt", "executable_path", "browser_launch")
		if e.Retriable {
			t.Error("calling again can't help")
		}
	}
	if ids := p.SessionIDs(); len(ids) != 0 {
		t.Errorf("a lost session is listed as open: %v", ids)
	}
	inst, err := driver.Locate(t.Context(), testOptions(t, "").Install)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(inst.Browser.Path, link); err != nil {
		t.Fatal(err)
	}
	if got := js(t, launch(t, p, LaunchOptions{}), "6*7"); got != "42" {
		t.Errorf("got %s", got)
	}
	_, err = p.Session(s.ID())
	wantCode(t, err, explain.SessionNotFound)
}

// B6: a driver whose start outlasts the server's patience is ended, not left
// behind; newPool looks.
func TestPoolClosedWhileDriverHangs(t *testing.T) {
	p := newPool(t, nil)
	p.Warm()
	becomes(t, "the driver starts", func() error {
		p.mu.Lock()
		l := p.launcher
		p.mu.Unlock()
		if l == nil {
			return errHeld
		}
		pid, ok := l.PID()
		if !ok {
			return errHeld
		}
		return syscall.Kill(pid, syscall.SIGSTOP)
	})
	_ = soon(t, 2*time.Second, func() error { p.Close(1200 * time.Millisecond); return nil })
}

// A browser that acts on nothing any more, such as one that a page floods with messages,
// is ended when a session in it can't be closed in time, and its other sessions are
// rebuilt. One that answers stays.
func TestDeafBrowserIsReplaced(t *testing.T) {
	p := poolToBreak(t, nil)
	s, web := showIn(t, p, "<h1>Here</h1>")
	process := s.current().context.process
	process.endIfDeaf(time.Hour, p.opts.Log)
	if ended(process.gone) {
		t.Fatal("a browser that answers was ended")
	}
	other := launch(t, p, LaunchOptions{})
	if err := syscall.Kill(browserPID(t, p), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := other.Close(timeLimit(t, 10*time.Millisecond)); err == nil {
		t.Error("a session of a stopped browser was closed")
	}
	process.endIfDeaf(10*time.Millisecond, p.opts.Log)
	becomes(t, "the session is rebuilt", func() error {
		_, err := s.State(within30s(t))
		return err
	})
	if state, err := s.State(within30s(t)); err != nil || state.URL != web.URL+"/" {
		t.Errorf("the rebuilt session: %+v, %v", state, err)
	}
}
