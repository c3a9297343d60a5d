package browser

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/redact"
	"github.com/assay-qa/assay/internal/pagetext"
)

func TestCheckURL(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"http://localhost", "https://example.test/a?b=c#d", "http://127.0.0.1:3000", "HTTP://Host/", "  http://localhost/ ", "about:blank",
		"http://[::1]:8080/", "http://user:secret@host/", "http://xn--bcher-kva.test/ü"} {
		if err := CheckURL(address); err != nil {
			t.Errorf("%q: %v", address, err)
		}
	}
	for address, word := range map[string]string{
		"":                          "empty",
		"   ":                       "empty",
		"file:///etc/passwd":        `"file"`,
		"FILE:///etc/passwd":        `"file"`,
		"javascript:alert(1)":       `"javascript"`,
		" \tjavascript:alert(1)":    `"javascript"`,
		"java\nscript:alert(1)":     "no address",
		"chrome://version":          `"chrome"`,
		"data:text/html,hi":         `"data"`,
		"blob:http://host/1":        `"blob"`,
		"view-source:http://host/":  `"view-source"`,
		"about:version":             `"about"`,
		"ftp://host/":               `"ftp"`,
		"ws://host/":                `"ws"`,
		"/login":                    "http://localhost:3000/login",
		"login":                     "relative",
		"//host/path":               "relative",
		"www.example.test":          "relative",
		"localhost:3000":            "did you mean http://localhost:3000",
		"127.0.0.1:3000/a":          "did you mean http://127.0.0.1:3000/a",
		"my-host.test:80":           "did you mean",
		"http://":                   "names no host",
		"http:///path":              "names no host",
		"http://:80/":               "names no host",
		"http:foo":                  "names no host",
		"http://user:secret@/":      "names no host",
		"http://exa mple.test/":     "no address",
		"http://example.test/a b":   "white space",
		"http://host:99999/":        "99999",
		"http://host:0/":            "out of range",
		"http://host:port/":         "no address",
		"http://[::1/":              "no address",
		"http://host/%zz":           "no address",
		"http://host/\x00":          "no address",
		strings.Repeat("x", 100000): "relative",
	} {
		err := CheckURL(address)
		e := wantCode(t, err, explain.InvalidInput, word)
		if strings.Contains(string(e.Message.Text())+e.Hint, "secret") || len(e.Message) > 1000 {
			t.Errorf("%.40q: %.300s", address, e.Message)
		}
	}
}

func FuzzCheckURL(f *testing.F) {
	for _, seed := range []string{"http://h", "javascript:x", "h:1", "\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		if CheckURL(address) == nil && address != "about:blank" && !strings.HasPrefix(strings.ToLower(strings.TrimSpace(address)), "http") &&
			strings.TrimSpace(address) != "about:blank" {
			t.Errorf("%q passes", address)
		}
	})
}

func TestNavigate(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{"/{$}": "<title>Home</title>", "/late": "<title>Late</title>", "/plain": "no title"})
	web.handle("/a", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/b?token=abc", http.StatusMovedPermanently)
	})
	web.handle("/b", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) })
	web.handle("/error", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "broken", http.StatusInternalServerError) })
	s := launch(t, poolOf(t), LaunchOptions{})
	nav := visit(t, s, web.URL+"/a")
	if nav.URL != web.URL+"/" || nav.Status != 200 || nav.Title != "Home" {
		t.Errorf("%+v", nav)
	}
	if want := []Redirect{{URL: web.URL + "/a", Status: 301}, {URL: web.URL + "/b?token=" + redact.NotShown, Status: 302}}; fmt.Sprint(nav.Redirects) != fmt.Sprint(want) {
		t.Errorf("redirects %v", nav.Redirects)
	}
	if nav := visit(t, s, web.URL+"/error"); nav.Status != 500 || nav.Effects.Page.Status != 500 || len(nav.Effects.Failed) != 1 || documentStatus(t, s) != 500 {
		t.Errorf("%+v", nav)
	}
	if nav := visit(t, s, "about:blank"); nav.Status != 0 || nav.Effects.Page.Status != 0 || documentStatus(t, s) != 0 {
		t.Errorf("%+v", nav)
	}
	if nav := visit(t, s, " "+web.URL+"/plain\n"); nav.Title != "" || nav.Redirects == nil {
		t.Errorf("%+v", nav)
	}
	if nav := visit(t, s, web.URL+"/plain#part"); nav.URL != web.URL+"/plain#part" || nav.Effects.Page.Status != 200 {
		t.Errorf("within the page: %+v", nav)
	}
	_, err := s.Navigate(within30s(t), web.URL, "sometime", 0)
	wantCode(t, err, explain.InvalidInput, "networkidle")
	for _, state := range WaitStates() {
		if nav, err := s.Navigate(within30s(t), web.URL+"/", state, 0); err != nil || nav.Status != 200 {
			t.Errorf("%s: %+v, %v", state, nav, err)
		}
	}
}

// What is shown already is loaded again, also where its address has a fragment: the browser takes that
// for a place within the page.
func TestNavigateAnew(t *testing.T) {
	t.Parallel()
	s, web := show(t, `<button onclick="this.textContent = 'Used'">New</button>`)
	for name, open := range map[string]Opening{"Navigate": s.Navigate, "NavigateAnew": s.NavigateAnew} {
		at := web.URL + "/#/orders/7"
		visit(t, s, at)
		if _, err := s.Click(within30s(t), "button", time.Second); err != nil {
			t.Fatal(err)
		}
		if _, err := open(within30s(t), at, "load", 0); err != nil {
			t.Fatal(err)
		}
		o, _, err := s.Snapshot(within30s(t), OutlineOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if anew := strings.Contains(o.Text, `button "New"`); anew != (name == "NavigateAnew") {
			t.Errorf("%s loads the page again: %t\n%s", name, anew, o.Text)
		}
	}
}

func TestNavigationFailures(t *testing.T) {
	t.Parallel()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "http://user:secret@" + closed.Addr().String() + "/"
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	web := newSite(t, map[string]string{"/{$}": "<title>Home</title>", "/waiting": "<title>W</title><p>first<img src=/hang>", "/forever": "<title>F</title><script>setTimeout(() => location.href = '/forever?' + Math.random(), 5)</script>"})
	web.handle("/hang", slow(nil, nil))
	web.handle("/circle", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/circle", http.StatusFound) })
	web.handle("/none", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	web.handle("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=x.csv")
		fmt.Fprint(w, "a,b")
	})
	web.handle("/drop", func(_ http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) })
	web.handle("/endless", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Endless</title><p>first part")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	s := launch(t, poolOf(t), LaunchOptions{})
	for name, c := range map[string]struct {
		address string
		code    explain.Code
		words   []string
	}{
		"nobody listens": {nobody, explain.NavigationFailed, []string{"ERR_CONNECTION_REFUSED", "start the server"}},
		"no such host":   {"http://no-such-host.invalid/", explain.NavigationFailed, []string{"no-such-host.invalid"}},
		"circle":         {web.URL + "/circle", explain.NavigationFailed, []string{"ERR_TOO_MANY_REDIRECTS", "circle"}},
		"no content":     {web.URL + "/none", explain.NavigationFailed, []string{"ERR_ABORTED"}},
		"download":       {web.URL + "/file", explain.NavigationFailed, []string{"download"}},
		"dropped":        {web.URL + "/drop", explain.NavigationFailed, []string{"ERR_EMPTY_RESPONSE"}},
		"hangs":          {web.URL + "/hang", explain.TimedOut, []string{"/hang", "timeout_ms"}},
		"endless":        {web.URL + "/endless", explain.TimedOut, []string{"/endless", "has answered", "wait_until"}},
		"waits for more": {web.URL + "/waiting", explain.TimedOut, []string{"/waiting", "has answered", "still loading: GET " + web.URL + "/hang"}},
	} {
		t.Run(name, func(t *testing.T) {
			limit := 20 * time.Second
			if c.code == explain.TimedOut {
				limit = time.Second
			}
			_, err := s.Navigate(within30s(t), c.address, "", limit)
			e := wantCode(t, err, c.code, c.words...)
			if strings.Contains(fmt.Sprint(e.Message, e.Hint, e.Page), "secret") {
				t.Errorf("a password is told: %+v", e)
			}
			if e.Answered != slices.Contains(c.words, "has answered") {
				t.Errorf("answered: %v", e.Answered)
			}
			if nav := visit(t, s, web.URL+"/"); nav.Title != "Home" { // the next call works
				t.Errorf("%+v", nav)
			}
		})
	}
	if nav, err := s.Navigate(within30s(t), web.URL+"/endless", "commit", 0); err != nil || nav.Status != 200 {
		t.Errorf("commit: %+v, %v", nav, err)
	}
}

// A page that navigates for ever: every call ends, and one can leave it.
func TestPageThatNavigatesForEver(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{"/{$}": "<title>Home</title>", "/waiting": "<title>W</title><p>first<img src=/hang>", "/forever": "<title>F</title><button>B</button><script>setTimeout(() => location.href = '/forever?' + Math.random(), 5)</script>"})
	s := launch(t, poolOf(t), LaunchOptions{})
	calls := map[string]func(ctx context.Context) error{
		"navigate": func(ctx context.Context) error {
			_, err := s.Navigate(ctx, web.URL+"/forever", "", 3*time.Second)
			return err
		},
		"snapshot": func(ctx context.Context) error { _, _, err := s.Snapshot(ctx, OutlineOptions{}); return err },
		"state":    func(ctx context.Context) error { _, err := s.State(ctx); return err },
		"look":     func(ctx context.Context) error { _, err := s.Look(ctx, "css=#none", FactCount, ""); return err },
		"shot":     func(ctx context.Context) error { _, err := s.Screenshot(ctx, ShotOptions{}); return err },
		"evaluate": func(ctx context.Context) error {
			_, _, err := s.Evaluate(ctx, "new Promise(r => setTimeout(r, 100))", nil)
			return err
		},
		"click": func(ctx context.Context) error { _, err := s.Click(ctx, "css=button", 2*time.Second); return err },
	}
	for i, name := range []string{"navigate", "snapshot", "state", "look", "shot", "evaluate", "click"} {
		if !sampled(i, 3) {
			continue
		}
		err := soon(t, 12*time.Second, func() error { return calls[name](timeLimit(t, 10*time.Second)) })
		var e *explain.Error
		if err != nil && (!asErr(err, &e) || e.Code == explain.Internal || e.Code == explain.PageCrashed || e.Code == explain.BrowserCrashed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	nav, err := s.Navigate(within30s(t), web.URL+"/", "", 0)
	if err != nil { // the page may be the faster one, each time
		wantCode(t, err, explain.NavigationFailed, "went to another address", "page_snapshot")
	} else if nav.Title != "Home" && nav.Title != "F" {
		t.Errorf("%+v", nav)
	}
	becomes(t, "the page can be left", func() error {
		if nav, err := s.Navigate(within30s(t), web.URL+"/", "", 0); err != nil || nav.Title != "Home" {
			return fmt.Errorf("%+v, %w", nav, err)
		}
		return nil
	})
}

// documentStatus returns the status of the page's document.
func documentStatus(t *testing.T, s *Session) int {
	t.Helper()
	answer, err := s.Answered("", SincePage)
	if err != nil {
		t.Fatal(err)
	}
	return answer.Status
}

// A navigation ends by its own time-out, also where its caller has no deadline, whenever
// the page freezes: the driver may never answer.
func TestNavigationOfAFrozenPageEnds(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{
		"/head":   `<title>x</title><script>for (;;);</script>`,
		"/load":   `<title>x</title><h1>H</h1><script>onload = () => { for (;;); }</script>`,
		"/loaded": `<title>x</title><h1>H</h1><script>onload = () => setTimeout(() => { for (;;); }, 0)</script>`,
	})
	s := launch(t, poolOf(t), LaunchOptions{})
	for _, path := range []string{"/head", "/load", "/loaded"} {
		var nav Navigation
		err := soon(t, 100*time.Second, func() (err error) {
			nav, err = s.Navigate(context.Background(), web.URL+path, "", 2*time.Second)
			return err
		})
		if err != nil {
			wantCode(t, err, explain.TimedOut)
		} else if notes := string(pagetext.Join(nav.Effects.Notes, "\n")); path != "/loaded" || !strings.Contains(notes, "does not answer") {
			t.Errorf("%s was loaded: %q", path, notes)
		}
	}
}

// What waits for a navigation ends with its caller, also where the driver never answers.
func TestNavigationWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<h1>H</h1>`)
	never := make(chan struct{})
	defer close(never)
	err := soon(t, 60*time.Second, func() error {
		_, err := s.actions.ask(timeLimit(t, 500*time.Millisecond), s.current(), func() (playwright.Response, error) { <-never; return nil, nil })
		return err
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the end of its time", err)
	}
}
