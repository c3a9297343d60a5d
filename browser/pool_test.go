package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
)

// B5, B6: five sessions at once in one browser process; a sixth waits for a
// place and gets it, or SESSION_LIMIT.
func TestFiveSessionsShareOneBrowser(t *testing.T) {
	t.Parallel()
	p := poolWith(t, func(o *Options) { o.MaxSessions, o.SessionWait = 5, 200*time.Millisecond })
	var wg sync.WaitGroup
	sessions := make([]*Session, 5)
	for i := range sessions {
		wg.Go(func() { sessions[i] = launch(t, p, LaunchOptions{}) })
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	if n := len(p.SessionIDs()); n != 5 {
		t.Fatalf("%d sessions are open, want 5", n)
	}
	web := newSite(t, map[string]string{"/": "<title>T</title>"})
	for _, s := range sessions {
		wg.Go(func() {
			visit(t, s, web.URL)
			js(t, s, "document.cookie = 'who="+s.ID()+"'; localStorage.who = '"+s.ID()+"'")
		})
	}
	wg.Wait()
	for _, s := range sessions { // isolated from each other
		if got := js(t, s, "document.cookie + localStorage.who"); got != `"who=`+s.ID()+s.ID()+`"` {
			t.Errorf("session %s sees %s", s.ID(), got)
		}
	}
	if runtime.GOOS == "linux" {
		n := 0
		for _, c := range processesOf(p.opts.TempDir) {
			if strings.Contains(c.command, "--remote-debugging-pipe") && !strings.Contains(c.command, "--type=") {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d browser processes, want 1", n)
		}
	}

	_, err := p.Launch(within30s(t), LaunchOptions{})
	wantCode(t, err, explain.SessionLimit, sessions[0].ID(), "browser_close")

	p.opts.SessionWait = 20 * time.Second
	sixth := make(chan error, 1)
	go func() {
		s, err := p.Launch(context.Background(), LaunchOptions{})
		if err == nil {
			err = s.Close(context.Background())
		}
		sixth <- err
	}()
	if err := sessions[2].Close(within30s(t)); err != nil {
		t.Fatal(err)
	}
	if err := soon(t, 15*time.Second, func() error { return <-sixth }); err != nil {
		t.Errorf("the sixth did not get the place that became free: %v", err)
	}
}

func TestLaunchIsCancellable(t *testing.T) {
	p := newPool(t, func(o *Options) { o.MaxSessions, o.SessionWait = 1, time.Minute })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := soon(t, time.Second, func() error { _, err := p.Launch(ctx, LaunchOptions{}); return err })
	wantCode(t, err, explain.Cancelled) // while driver and browser start
	launch(t, p, LaunchOptions{})
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	err = soon(t, 2*time.Second, func() error { _, err := p.Launch(ctx, LaunchOptions{}); return err })
	wantCode(t, err, explain.Cancelled) // while it waits for a place
	if n := p.places.Taken(); n != 1 {
		t.Errorf("%d places taken, want 1", n)
	}
}

func TestSessionLookup(t *testing.T) {
	t.Parallel()
	p := poolWith(t, nil)
	_, err := p.Session("")
	wantCode(t, err, explain.SessionNotFound, "no session is open", "browser_launch")
	_, err = p.Session("s-nope")
	wantCode(t, err, explain.SessionNotFound, "s-nope")
	a := launch(t, p, LaunchOptions{})
	if got, err := p.Session(""); err != nil || got != a {
		t.Errorf("the only session: %v, %v", got, err)
	}
	b := launch(t, p, LaunchOptions{})
	_, err = p.Session("")
	wantCode(t, err, explain.SessionNotFound, a.ID(), b.ID(), "session_id")
	if got, err := p.Session(b.ID()); err != nil || got != b {
		t.Errorf("by id: %v, %v", got, err)
	}
}

// A session stands by that no caller sees: the next launch with the same options gets it,
// unless its page has died meanwhile. Other options do away with it. A closed pool has none.
func TestSpareSession(t *testing.T) {
	t.Parallel()
	warmed := make(chan struct{})
	p := newPool(t, func(o *Options) { o.sparePause, o.Warmed = time.Millisecond, func() { close(warmed) } }) // a second word would end the test
	contexts := func() []playwright.BrowserContext {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.engine == nil {
			return nil
		}
		return openContexts(p.engine)
	}
	standsBy := func(what string) {
		t.Helper()
		becomes(t, what, func() error {
			if open := contexts(); len(open) != 1 || len(open[0].Pages()) != 1 || len(p.SessionIDs()) > 0 {
				return fmt.Errorf("%d contexts for %d sessions", len(open), len(p.SessionIDs()))
			}
			return nil
		})
	}
	g := p.Group(nil)
	open := func(lo LaunchOptions) *Session {
		t.Helper()
		s, err := g.Launch(within30s(t), lo)
		if err != nil {
			t.Fatal(err)
		}
		if got := js(t, s, "1"); got != "1" {
			t.Fatalf("the page answers %s", got)
		}
		return s
	}
	closing := func(s *Session) {
		t.Helper()
		if err := s.Close(within30s(t)); err != nil {
			t.Fatal(err)
		}
	}

	g.Warm(LaunchOptions{})
	standsBy("a session stands by from the start")
	spare := contexts()[0]
	s := open(LaunchOptions{OneCall: true})
	if s.current().context.pw != spare || !isOneCall(s) || !slices.Equal(g.SessionIDs(), []string{s.ID()}) {
		t.Errorf("the launch got another session than the one that stood by, or %v are listed", g.SessionIDs())
	}
	closing(s)
	standsBy("one stands by again")
	if err := contexts()[0].Pages()[0].Close(); err != nil { // it may still be made: either way the launch succeeds
		t.Fatal(err)
	}
	closing(open(LaunchOptions{}))
	standsBy("one stands by once more")
	s = open(LaunchOptions{Width: 800, Height: 600})
	if got := s.Viewport(); got.Width != 800 {
		t.Errorf("the session that stood by has served other options: %+v", got)
	}
	becomes(t, "what nobody can use is closed", func() error {
		if open := contexts(); len(open) != 1 || open[0] != s.current().context.pw {
			return fmt.Errorf("%d contexts are open", len(open))
		}
		return nil
	})

	p.Close(3 * time.Second)
	p.Close(3 * time.Second)
	_, err := p.Launch(t.Context(), LaunchOptions{})
	wantCode(t, err, explain.Cancelled, "shutting down")
	_, _, err = s.Evaluate(t.Context(), "1", nil)
	wantCode(t, err, explain.SessionNotFound)
	if _, err := p.Session(s.ID()); err == nil {
		t.Error("a session is found in a closed pool")
	}
	if err := rest.Until(within30s(t), nil, rest.Policy{Events: []rest.Event{{Of: warmed}}}); err != nil {
		t.Errorf("nobody was told that a session stands by: %v", err)
	}
}

// openContexts returns what is open in the browsers of an engine.
func openContexts(e *engine) []playwright.BrowserContext {
	e.mu.Lock()
	defer e.mu.Unlock()
	var open []playwright.BrowserContext
	for _, b := range e.browsers {
		if ended(b.done) && !b.over() {
			open = append(open, b.process.Contexts()...)
		}
	}
	return open
}

// Each launch option is part of what a spare session must fit, but who uses it.
func TestSameOptions(t *testing.T) {
	options := reflect.TypeFor[LaunchOptions]()
	for i := range options.NumField() {
		field := options.Field(i)
		changed := reflect.New(options).Elem()
		at := reflect.NewAt(field.Type, changed.Field(i).Addr().UnsafePointer()).Elem() // unexported ones too
		switch field.Type.Kind() {
		case reflect.Pointer:
			at.Set(reflect.New(field.Type.Elem()))
		case reflect.Slice:
			at.Set(reflect.MakeSlice(field.Type, 1, 1))
		case reflect.String:
			at.SetString("x")
		case reflect.Bool:
			at.SetBool(true)
		case reflect.Float64:
			at.SetFloat(2)
		default:
			at.SetInt(2)
		}
		if same := sameOptions(LaunchOptions{}, changed.Interface().(LaunchOptions)); same != (field.Name == "OneCall") {
			t.Errorf("options that differ in %s are the same: %v", field.Name, same)
		}
	}
}

// A pool that is closed while its driver starts leaves nothing behind; newPool
// looks.
func TestPoolClosedWhileStarting(t *testing.T) {
	t.Parallel()
	p := newPool(t, nil)
	p.Group(nil).Warm(LaunchOptions{})
	becomes(t, "the start is under way", func() error {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.starting == nil && p.engine == nil {
			return errors.New("not yet")
		}
		return nil
	})
	p.Close(5 * time.Second)
}

func TestMissingBrowsers(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	p := newPool(t, func(o *Options) {
		o.Install.HomeDir = empty // where Playwright keeps its browsers
	})
	for _, name := range []string{"firefox", "webkit"} {
		_, err := p.Launch(within30s(t), LaunchOptions{Type: name})
		wantCode(t, err, explain.DriverMissing, name, "install")
	}
	if got := js(t, launch(t, p, LaunchOptions{}), "1"); got != "1" { // the others are none the worse
		t.Errorf("got %s", got)
	}
	broken := newPool(t, func(o *Options) { o.Install.ExecutablePath = filepath.Join(empty, "no-such-browser") })
	_, err := broken.Launch(within30s(t), LaunchOptions{})
	wantCode(t, err, explain.DriverMissing, "executable_path")
}

// A browser that can't start is told as such, and the places stay free.
func TestBrowserThatFailsToStart(t *testing.T) {
	t.Parallel()
	dud := filepath.Join(t.TempDir(), "chrome")
	if err := os.WriteFile(dud, []byte("#!/bin/sh\necho no luck >&2\nexit 7\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	p := newPool(t, func(o *Options) { o.Install.ExecutablePath = dud; o.MaxSessions = 1 })
	for range 2 {
		_, err := p.Launch(within30s(t), LaunchOptions{})
		var e *explain.Error
		if !errors.As(err, &e) || e.Code != explain.BrowserCrashed && e.Code != explain.DriverMissing {
			t.Fatalf("got %v", err)
		}
	}
	if p.places.Taken() != 0 {
		t.Error("a failed launch holds a place")
	}
}

// Fifty sessions leave no goroutine behind.
func TestSessionsLeaveNoGoroutines(t *testing.T) {
	p := poolOf(t)
	cycle := func() {
		s, err := p.Launch(within30s(t), LaunchOptions{})
		if err != nil {
			t.Fatal(err)
		}
		js(t, s, "setTimeout(() => alert(1)); 1")
		if _, err := s.Click(t.Context(), "css=body", 0); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	cycle()
	before := runtime.NumGoroutine()
	for range repeats(6, 50) {
		cycle()
	}
	becomes(t, "no more goroutines than before", func() error {
		if now := runtime.NumGoroutine(); now > before+5 {
			buf := make([]byte, 1<<20)
			return errors.New(string(buf[:runtime.Stack(buf, true)]))
		}
		return nil
	})
}
