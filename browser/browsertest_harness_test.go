package browser

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
)

// The session layer's tests share one pool, and so one driver and one browser
// process; each test has a session of its own. Tests that end a page's renderer, a
// browser or a driver share another one, one after the other: what dies there takes
// nothing of the others' with it. TestMain closes both and looks for what they left
// behind.
var (
	sharedPool sharedBrowser
	brokenPool sharedBrowser
	breaking   sync.Mutex // held by the test that uses brokenPool
)

// sharedBrowser is a pool that tests share, once one of them needs it.
type sharedBrowser struct {
	sync.Mutex
	pool *Pool
	temp string
}

// TestMain fails a run that leaves processes or files behind (B6).
func TestMain(m *testing.M) {
	code := m.Run()
	for _, shared := range []*sharedBrowser{&sharedPool, &brokenPool} {
		if err := shared.close(); err != nil {
			fmt.Fprintln(os.Stderr, "a shared pool:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// close ends the pool and finds what it leaves behind.
func (b *sharedBrowser) close() error {
	if b.pool == nil {
		return nil
	}
	b.pool.Close(5 * time.Second)
	return errors.Join(leftovers(b.temp), os.RemoveAll(b.temp))
}

// of returns the pool, which it starts at the first call.
func (b *sharedBrowser) of(tb testing.TB) *Pool {
	tb.Helper()
	b.Lock()
	defer b.Unlock()
	if b.pool == nil {
		options := testOptions(tb, "")
		temp, err := os.MkdirTemp("", "assay-sessions-") //nolint:usetesting // it outlives the test
		if err != nil {
			tb.Fatal(err)
		}
		options.TempDir, options.MaxSessions = temp, 20 // the tests run side by side
		b.temp, b.pool = temp, NewPool(options)
	}
	return b.pool
}

// leftovers lists files below temp, and processes that were started with it on
// their command line, as driver and browsers are.
func leftovers(temp string) error {
	var found []error
	entries, err := os.ReadDir(temp)
	if err != nil {
		return err
	}
	for _, e := range entries {
		found = append(found, fmt.Errorf("file %s", e.Name()))
	}
	for _, p := range processesOf(temp) {
		found = append(found, fmt.Errorf("process %d: %.200s", p.pid, p.command))
	}
	return errors.Join(found...)
}

type osProcess struct {
	pid     int
	command string
}

// processesOf returns the running processes with word in their command line;
// none where there is no /proc.
func processesOf(word string) []osProcess {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	var out []osProcess
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(text, []byte(word)) {
			continue
		}
		pid, err := strconv.Atoi(strings.Split(file, "/")[2])
		if err != nil || pid == os.Getpid() || !driver.ProcessAlive(pid) {
			continue
		}
		out = append(out, osProcess{pid, string(bytes.ReplaceAll(text, []byte{0}, []byte(" ")))})
	}
	return out
}

// testOptions returns a pool's options with what this machine has installed.
func testOptions(tb testing.TB, temp string) Options {
	tb.Helper()
	if testing.Short() {
		tb.Skip("needs a browser; -short leaves it out")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		tb.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		tb.Fatal(err)
	}
	install := driver.Options{CacheDir: filepath.Join(cache, "assay"), HomeDir: home, Getenv: os.Getenv}
	if _, err := driver.Locate(tb.Context(), install); err != nil {
		if os.Getenv("CI") != "" {
			tb.Fatalf("no browser, and CI is set: %v", err)
		}
		tb.Skipf("no browser: %v", err)
	}
	return Options{Install: install, TempDir: temp, Timeout: 10 * time.Second, StateRoots: []string{os.TempDir(), cmp.Or(os.Getenv("GOTMPDIR"), os.TempDir())}, SessionWait: 20 * time.Second, Waits: wait.Standard().Part(4)}
}

// sampled reports whether the i-th case of a large set belongs to the fixed sample
// of make test, one of n; make soak has all of them.
func sampled(i, n int) bool { return i%n == 0 || soak() }

// repeats returns how often something is repeated: a few times in make test, whole in
// make soak.
func repeats(few, whole int) int {
	if soak() {
		return whole
	}
	return few
}

// soak reports whether tests that repeat are to run whole.
func soak() bool { return os.Getenv("SOAK") != "" }

// poolOf returns the shared pool.
func poolOf(tb testing.TB) *Pool {
	tb.Helper()
	return sharedPool.of(tb)
}

// newPool returns a pool of the test's own, which must leave nothing behind.
func newPool(tb testing.TB, change func(*Options)) *Pool {
	tb.Helper()
	temp, err := os.MkdirTemp("", "assay-own-pool-") //nolint:usetesting // that it is empty in the end is checked
	if err != nil {
		tb.Fatal(err)
	}
	options := testOptions(tb, temp)
	if change != nil {
		change(&options)
	}
	p := NewPool(options)
	tb.Cleanup(func() {
		p.Close(5 * time.Second)
		becomes(tb, "nothing is left of the pool", func() error { return leftovers(temp) })
		if err := os.RemoveAll(temp); err != nil {
			tb.Error(err)
		}
	})
	return p
}

// poolWith returns a pool with options of its own for its sessions, which run in the
// shared driver and browser: a browser is started for tests alone that need it started
// in another way.
func poolWith(tb testing.TB, change func(*Options)) *Pool {
	tb.Helper()
	return borrowing(tb, sharedPool.of(tb), change)
}

// poolToBreak returns a pool for one test alone, which may end what runs in it. The next
// test goes on with what runs then.
func poolToBreak(tb testing.TB, change func(*Options)) *Pool {
	tb.Helper()
	breaking.Lock()
	tb.Cleanup(breaking.Unlock)
	return borrowing(tb, brokenPool.of(tb), change)
}

// borrowing returns a pool whose sessions run in the driver and the browsers of another.
// They are closed when the test ends.
func borrowing(tb testing.TB, from *Pool, change func(*Options)) *Pool {
	tb.Helper()
	if _, err := from.running(within30s(tb)); err != nil {
		tb.Fatal(err)
	}
	options := from.opts
	options.Browsers = from
	if change != nil {
		change(&options)
	}
	p := NewPool(options)
	tb.Cleanup(func() { p.Close(5 * time.Second) })
	return p
}

// patientPool returns a pool whose sessions wait as long as those of the program: for
// tests of how a wait and a page's own times are to each other.
func patientPool(tb testing.TB) *Pool {
	tb.Helper()
	return poolWith(tb, func(o *Options) { o.Waits = wait.Standard() })
}

// These bound the logs of briefPool's sessions.
const (
	briefLines    = 60
	briefRequests = 120
)

// briefPool returns a pool whose sessions keep little in their logs, so that it takes
// little to fill them.
func briefPool(tb testing.TB) *Pool {
	tb.Helper()
	return poolWith(tb, func(o *Options) { o.logLines, o.logRequests = briefLines, briefRequests })
}

// launch opens a session that is closed when the test ends.
func launch(tb testing.TB, p *Pool, lo LaunchOptions) *Session {
	tb.Helper()
	s, err := p.Launch(within30s(tb), lo)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			tb.Errorf("close the session: %v", err)
		}
	})
	return s
}

// within30s returns a context that ends before the test binary does.
func within30s(tb testing.TB) context.Context { return timeLimit(tb, 30*time.Second) }

func timeLimit(tb testing.TB, limit time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	tb.Cleanup(cancel)
	return ctx
}

// becomes repeats check until it returns nil, for at most 30 s. It is for what
// happens outside of this process.
func becomes(tb testing.TB, what string, check func() error) {
	tb.Helper()
	over := time.After(30 * time.Second)
	for {
		err := check()
		if err == nil {
			return
		}
		select {
		case <-over:
			tb.Errorf("%s: %v", what, err)
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// site is a web server for one test.
type site struct {
	*httptest.Server
	mux   *http.ServeMux
	turns atomic.Int32 // pages shown by turn
}

// newSite serves pages by path: HTML as given. handle adds others.
func newSite(tb testing.TB, pages map[string]string) *site {
	tb.Helper()
	mux := http.NewServeMux()
	s := &site{Server: httptest.NewServer(mux), mux: mux}
	tb.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	for path, body := range pages {
		s.handle(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, body)
		})
	}
	s.handle("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	return s
}

func (s *site) handle(path string, h http.HandlerFunc) { s.mux.HandleFunc(path, h) }

// slow answers when the request is given up, or gate is closed.
func slow(gate <-chan struct{}, then http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-gate:
			then(w, r)
		case <-r.Context().Done():
		}
	}
}

// after answers d later, or never when the request is given up.
func after(d time.Duration, then http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(d):
			then(w, r)
		case <-r.Context().Done():
		}
	}
}

func text(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }
}

// show opens a session on a page with that body.
func show(tb testing.TB, body string) (*Session, *site) {
	tb.Helper()
	return showIn(tb, poolOf(tb), body)
}

// showIn is show with a session of that pool.
func showIn(tb testing.TB, p *Pool, body string) (*Session, *site) {
	tb.Helper()
	web := newSite(tb, map[string]string{"/{$}": "<!doctype html><title>Test</title>" + body})
	s := launch(tb, p, LaunchOptions{})
	visit(tb, s, web.URL+"/")
	return s, web
}

// turn shows another page in a session, served at a path of its own: a table of pages
// needs one session.
func (s *site) turn(tb testing.TB, session *Session, body string) {
	tb.Helper()
	path := fmt.Sprintf("/page-%d", s.turns.Add(1))
	s.handle(path, htmlPage(body))
	visit(tb, session, s.URL+path)
}

// visit navigates and must succeed.
func visit(tb testing.TB, s *Session, address string) Navigation {
	tb.Helper()
	nav, err := s.Navigate(within30s(tb), address, "", 0)
	if err != nil {
		tb.Fatalf("%v", err)
	}
	return nav
}

// js evaluates in the page and must succeed; the result is JSON.
func js(tb testing.TB, s *Session, script string) string {
	tb.Helper()
	result, _, err := s.Evaluate(within30s(tb), script, nil)
	if err != nil {
		tb.Fatalf("%s: %v", script, err)
	}
	return string(result)
}

// wantCode fails unless err has the code and, in message, hint or page text,
// all the words.
func wantCode(tb testing.TB, err error, code explain.Code, words ...string) *explain.Error {
	tb.Helper()
	var e *explain.Error
	if !errors.As(err, &e) {
		tb.Fatalf("got error %v, want %s", err, code)
	}
	if e.Code != code {
		tb.Fatalf("got %v (hint %q), want %s", e, e.Hint, code)
	}
	all := string(e.Message.Text()) + "\n" + e.Hint + "\n" + string(pagetext.Join(e.Page, "\n"))
	for _, word := range words {
		if !strings.Contains(all, word) {
			tb.Errorf("%s should say %q:\n%s", code, word, all)
		}
	}
	return e
}

// pageOf returns the page that a session acts on, for what no tool can do to it.
func pageOf(s *Session) playwright.Page { return s.current().page }

// crash ends the renderer of the session's page and waits until that is known.
func crash(tb testing.TB, s *Session) {
	tb.Helper()
	t := s.current()
	go func() { _, _ = t.page.Goto("chrome://crash") }() // never answers
	select {
	case <-t.crashed:
	case <-time.After(10 * time.Second):
		tb.Fatal("the renderer did not crash")
	}
}

// browserPID finds the browser process below the driver of a pool.
func browserPID(tb testing.TB, p *Pool) int {
	tb.Helper()
	if runtime.GOOS != "linux" {
		tb.Skip("finds processes by /proc")
	}
	for _, c := range processesOf(p.opts.TempDir) {
		if strings.Contains(c.command, "--remote-debugging-pipe") && !strings.Contains(c.command, "--type=") {
			return c.pid
		}
	}
	tb.Fatal("no browser process")
	return 0
}

func driverPID(p *Pool) int {
	if p.opts.Browsers != nil {
		p = p.opts.Browsers
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.engine.pw.Pid()
}

func endProcess(tb testing.TB, pid int) {
	tb.Helper()
	proc, err := os.FindProcess(pid)
	if err != nil {
		tb.Fatal(err)
	}
	if err := proc.Kill(); err != nil {
		tb.Fatal(err)
	}
}

// soon runs call and fails when it takes longer than limit.
func soon(tb testing.TB, limit time.Duration, call func() error) error {
	tb.Helper()
	done := make(chan error, 1)
	go func() { done <- call() }()
	select {
	case err := <-done:
		return err
	case <-time.After(limit):
		tb.Fatalf("no answer within %v", limit)
		return nil
	}
}

// asErr is errors.As for our error.
func asErr(err error, e **explain.Error) bool { return errors.As(err, e) }
