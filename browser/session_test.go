package browser

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
)

func TestLaunchOptionsAreRefused(t *testing.T) {
	p := poolOf(t)
	none := filepath.Join(t.TempDir(), "none.json")
	file := func(text string) string {
		path := filepath.Join(t.TempDir(), "state.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct {
		LaunchOptions
		word string
	}{
		"type":             {LaunchOptions{Type: "opera"}, "opera"},
		"width":            {LaunchOptions{Width: -1, Height: 5}, "-1×5"},
		"one side":         {LaunchOptions{Width: 100}, "100×0"},
		"huge":             {LaunchOptions{Width: 10000, Height: 10000}, "10000×10000"},
		"locale":           {LaunchOptions{Locale: "english please"}, "english please"},
		"timezone":         {LaunchOptions{Timezone: "Mars/Olympus"}, "Mars/Olympus"},
		"local timezone":   {LaunchOptions{Timezone: "Local"}, "Local"},
		"device":           {LaunchOptions{Device: "Pixel 999"}, "Pixel 7"},
		"state missing":    {LaunchOptions{StorageState: none}, "none.json"},
		"state no JSON":    {LaunchOptions{StorageState: file("hello")}, "no JSON"},
		"state null":       {LaunchOptions{StorageState: file("null")}, "neither cookies nor origins"},
		"state of another": {LaunchOptions{StorageState: file(`{"name": "package"}`)}, "neither cookies nor origins"},
		"state mistyped":   {LaunchOptions{StorageState: file(`{"cookies": 5}`)}, "state.json"},
		"state bad cookie": {LaunchOptions{StorageState: file(`{"cookies": [{"name": "a", "value": "b"}]}`)}, "state.json"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := p.Launch(within30s(t), c.LaunchOptions)
			wantCode(t, err, explain.InvalidInput, c.word)
		})
	}
	if n := p.places.Taken(); n != 0 {
		t.Errorf("%d places are held by refused launches", n)
	}
}

func TestLaunchOptionsTakeEffect(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{"/{$}": "<title>T</title>"})
	state, err := json.Marshal(map[string]any{
		"cookies": []any{map[string]any{"name": "who", "value": "me", "domain": "127.0.0.1", "path": "/", "expires": -1, "httpOnly": false, "secure": false, "sameSite": "Lax"}},
		"origins": []any{map[string]any{"origin": web.URL, "localStorage": []any{map[string]any{"name": "key", "value": "kept"}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "state.json")
	if err := os.WriteFile(path, state, 0o600); err != nil {
		t.Fatal(err)
	}
	s := launch(t, poolOf(t), LaunchOptions{Width: 800, Height: 600, Locale: "de-DE", Timezone: "Asia/Tokyo", StorageState: path})
	visit(t, s, web.URL+"/")
	got := js(t, s, `[innerWidth, innerHeight, navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, document.cookie, localStorage.getItem('key')]`)
	if want := `[800,600,"de-DE","Asia/Tokyo","who=me","kept"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if i := s.Info(); i.Width != 800 || i.Height != 600 || i.Browser != "chromium" || !i.Headless || i.Version == "" || i.ID != s.ID() {
		t.Errorf("info: %+v", i)
	}

	phone := launch(t, poolOf(t), LaunchOptions{Device: "Pixel 7"})
	visit(t, phone, web.URL+"/")
	if got := js(t, phone, `[devicePixelRatio > 2, navigator.maxTouchPoints > 0, /Pixel 7/.test(navigator.userAgent), screen.width]`); got != `[true,true,true,`+strconv.Itoa(phone.Info().Width)+`]` {
		t.Errorf("phone: %s, %+v", got, phone.Info())
	}
	shot, err := phone.Screenshot(within30s(t), ShotOptions{})
	if err != nil || shot.Width <= 2*phone.Info().Width {
		t.Errorf("a phone's picture has %d pixels for %d: %v", shot.Width, phone.Info().Width, err)
	}
}

func TestSessionAfterClose(t *testing.T) {
	p := poolOf(t)
	s := launch(t, p, LaunchOptions{})
	waiting := make(chan error, 1)
	go func() {
		_, err := s.WaitFor(context.Background(), "css=#never", "visible", time.Minute)
		waiting <- err
	}()
	becomes(t, "the call is under way", s.held)
	for range 2 {
		if err := s.Close(within30s(t)); err != nil {
			t.Fatal(err)
		}
	}
	wantCode(t, soon(t, time.Second, func() error { return <-waiting }), explain.SessionNotFound, s.ID())
	for name, call := range map[string]func() error{
		"evaluate": func() error { _, _, err := s.Evaluate(t.Context(), "1", nil); return err },
		"navigate": func() error { _, err := s.Navigate(t.Context(), "about:blank", "", 0); return err },
		"click":    func() error { _, err := s.Click(t.Context(), "css=a", 0); return err },
		"exchange": func() error { _, err := s.Exchange(t.Context(), "r1"); return err },
	} {
		e := wantCode(t, soon(t, time.Second, call), explain.SessionNotFound, s.ID(), "browser_launch")
		if !strings.HasPrefix(string(e.Message.Text()), "page_") {
			t.Errorf("%s: %s", name, e.Message)
		}
	}
	_, err := p.Session(s.ID())
	wantCode(t, err, explain.SessionNotFound)
}

// held returns an error while no call holds the page.
func (s *Session) held() error {
	t := s.current()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.holder == nil {
		return errHeld
	}
	return nil
}

// B6: a renderer that crashed while nobody looked: the next call says so, the
// one after it has a fresh page at the same address.
func TestCrashWhileIdle(t *testing.T) {
	s, web := showIn(t, poolToBreak(t, nil), "<p>hello")
	crash(t, s)
	err := soon(t, time.Second, func() error { _, _, err := s.Evaluate(context.Background(), "1", nil); return err })
	wantCode(t, err, explain.PageCrashed, "loaded again", web.URL)
	if got := js(t, s, "location.href"); got != `"`+web.URL+`/"` {
		t.Errorf("the fresh page is at %s", got)
	}

	// A navigation starts over and needs no word of the crash.
	for range 5 {
		crash(t, s)
		visit(t, s, web.URL+"/")
	}
}

// B6: a renderer that crashes under a call, and under one that waits for it.
func TestCrashUnderCall(t *testing.T) {
	for name, call := range map[string]func(s *Session) error{
		"evaluate": func(s *Session) error {
			_, _, err := s.Evaluate(context.Background(), "new Promise(() => {})", nil)
			return err
		},
		"wait": func(s *Session) error {
			_, err := s.WaitFor(context.Background(), "css=#never", "visible", time.Minute)
			return err
		},
		"click": func(s *Session) error { _, err := s.Click(context.Background(), "css=#never", time.Minute); return err },
		"look": func(s *Session) error {
			for {
				if _, err := s.Read(context.Background(), "css=p", "x", false); err != nil {
					return err
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, web := showIn(t, poolToBreak(t, nil), "<p>hello")
			done := make(chan error, 2)
			go func() { done <- call(s) }()
			becomes(t, "the call is under way", s.held)
			if name != "look" {
				go func() { _, err := s.Read(context.Background(), "css=p", "x", false); done <- err }()
			} else {
				done <- explain.Crashed("", nil)
			}
			crash(t, s)
			for range 2 {
				wantCode(t, soon(t, time.Second, func() error { return <-done }), explain.PageCrashed)
			}
			visit(t, s, web.URL+"/")
		})
	}
}

// Every call is over within a second of being cancelled, and does nothing
// afterwards: the element turns up later and is not clicked.
func TestCancelledCalls(t *testing.T) {
	web := newSite(t, map[string]string{"/{$}": `<title>T</title><button id=gone hidden onclick="window.clicked = true">Go</button><input id=in disabled>`})
	web.handle("/hang", slow(nil, nil))
	s := launch(t, poolOf(t), LaunchOptions{})
	visit(t, s, web.URL+"/")
	for name, call := range map[string]func(ctx context.Context) error{
		"click": func(ctx context.Context) error { _, err := s.Click(ctx, "css=#gone", time.Minute); return err },
		"fill":  func(ctx context.Context) error { _, _, err := s.Fill(ctx, "css=#in", "x", time.Minute); return err },
		"press": func(ctx context.Context) error { _, err := s.Press(ctx, "css=#none", "a", time.Minute); return err },
		"wait": func(ctx context.Context) error {
			_, err := s.WaitFor(ctx, "css=#gone", "visible", time.Minute)
			return err
		},
		"evaluate": func(ctx context.Context) error {
			_, _, err := s.Evaluate(ctx, "new Promise(() => {})", nil)
			return err
		},
		"navigate": func(ctx context.Context) error {
			_, err := s.Navigate(ctx, web.URL+"/hang", "", time.Minute)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- call(ctx) }()
			becomes(t, "the call is under way", s.held)
			cancel()
			wantCode(t, soon(t, time.Second, func() error { return <-done }), explain.Cancelled, name)
			// The page is free again soon, and still the same one.
			if got := js(t, s, "gone.id"); got != `"gone"` {
				t.Errorf("the page is another one: %s", got)
			}
		})
	}
	js(t, s, "gone.hidden = false; document.getElementById('in').disabled = false")
	if _, err := s.Hover(t.Context(), "css=#gone", 0); err != nil { // the page has had its time
		t.Fatal(err)
	}
	if got := js(t, s, "[window.clicked, document.getElementById('in').value]"); got != `[null,""]` {
		t.Errorf("a cancelled call acted all the same: %s", got)
	}
}

// A script that never ends: its call ends at its deadline, the next says why
// it can't, and a navigation starts over.
func TestStuckPage(t *testing.T) {
	s, web := show(t, "<p>hello")
	stuck := s.current()
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	err := soon(t, 2*time.Second, func() error { _, _, err := s.Evaluate(ctx, "while (true) {}", nil); return err })
	wantCode(t, err, explain.TimedOut)
	err = soon(t, 5*time.Second, func() error { _, err := s.Click(context.Background(), "css=p", 0); return err })
	wantCode(t, err, explain.TimedOut, "busy with an earlier page_evaluate", "page_navigate")
	nav := visit(t, s, web.URL+"/")
	if nav.Title != "Test" || s.current() == stuck {
		t.Errorf("no fresh page: %+v", nav)
	}
	select {
	case <-stuck.closed:
	case <-time.After(10 * time.Second):
		t.Error("the stuck page is still there")
	}
}

// An action that makes the page stuck says so, at once or a little later.
func TestActionThatNeverEnds(t *testing.T) {
	s, web := show(t, "")
	for _, delay := range []string{"0", "100"} { // the second page takes the place of the first, which is stuck
		web.turn(t, s, `<button onclick="setTimeout(() => { while (true) {} }, `+delay+`)">Go</button>`)
		clicks := make(chan error, 1)
		var acted Acted
		go func() {
			var err error
			acted, err = s.Click(context.Background(), `button "Go"`, time.Second)
			clicks <- err
		}()
		if err := soon(t, 10*time.Second, func() error { return <-clicks }); err != nil {
			wantCode(t, err, explain.TimedOut, "does not answer", "page_navigate")
		} else if notes := string(pagetext.Join(acted.Notes, "\n")); delay == "0" && !strings.Contains(notes, "does not answer") {
			t.Errorf("notes: %q", notes)
		}
		visit(t, s, web.URL+"/")
	}
}

// A navigation doesn't throw away a page that another call is still using.
func TestNavigationWaitsForItsTurn(t *testing.T) {
	t.Parallel()
	s, web := show(t, "<p>hello")
	first := s.current()
	gate := make(chan struct{})
	web.handle("/gate", slow(gate, text("open")))
	held := make(chan error, 1)
	go func() {
		_, _, err := s.Evaluate(context.Background(), "fetch('/gate').then(r => r.text())", nil)
		held <- err
	}()
	becomes(t, "the call is under way", s.held)
	time.AfterFunc(rest.StuckAfter+500*time.Millisecond, func() { close(gate) })
	visit(t, s, web.URL+"/")
	if err := <-held; err != nil {
		t.Error(err)
	}
	if s.current() != first {
		t.Error("the page was replaced while it was in use")
	}
}

// Calls on one page take turns; those on several sessions don't wait for each
// other.
func TestCallsTakeTurns(t *testing.T) {
	t.Parallel()
	s, _ := show(t, "<button onclick='n++'>Go</button><script>var n = 0</script>")
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			if _, err := s.Click(within30s(t), "css=button", 0); err != nil {
				t.Error(err)
			}
		})
		wg.Go(func() {
			if _, _, err := s.Snapshot(within30s(t), OutlineOptions{}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := js(t, s, "n"); got != "10" {
		t.Errorf("%s clicks of 10", got)
	}
}

// A page that goes away, as an action's effect and on its own. Chromium lets
// only popups close themselves, so the test closes it for the page.
func TestPageClosesItself(t *testing.T) {
	t.Parallel()
	s, web := show(t, `<button onclick="fetch('/never'); console.log('close me')">Close</button>`)
	web.handle("/never", slow(nil, nil)) // it keeps the call waiting
	page := pageOf(s)
	page.OnConsole(func(playwright.ConsoleMessage) { go func() { _ = page.Close() }() })
	acted, err := s.Click(within30s(t), `button "Close"`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if notes := string(pagetext.Join(acted.Notes, "\n")); !strings.Contains(notes, "it closed; a blank one") {
		t.Errorf("notes: %q", notes)
	}
	if got := js(t, s, "location.href"); got != `"about:blank"` { // told already
		t.Errorf("the fresh page is at %s", got)
	}
	visit(t, s, web.URL+"/")
	if err := pageOf(s).Close(); err != nil {
		t.Fatal(err)
	}
	_, err = s.Click(within30s(t), `button "Close"`, 0)
	wantCode(t, err, explain.PageCrashed, "closed itself", "page_navigate")
	visit(t, s, web.URL+"/")
}
