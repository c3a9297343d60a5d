package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/internal/pagetext"
)

// shop is a site that counts what arrives at it, by "METHOD path".
type shop struct {
	*site
	mu   sync.Mutex
	seen map[string]int
}

// arrivals returns how often requests arrived that start with one of the prefixes.
func (c *shop) arrivals(prefixes ...string) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for what, times := range c.seen {
		if slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(what, p) }) {
			n += times
		}
	}
	return n
}

const canaryPage = `<!doctype html><title>Canary</title>
<button id=d onclick="fetch('/users/1', {method: 'DELETE'})">Delete user</button>
<button id=i title="Delete" onclick="fetch('/users/1', {method: 'DELETE'})"><svg></svg></button>
<button id=ok onclick="fetch('/users/1', {method: 'DELETE'}).catch(() => document.title = 'refused')">OK</button>
<button id=rf>Remove filter</button>
<input aria-label="New task" class="ng-dirty ng-not-empty" value="Delete what is old" onkeydown="if (event.key === 'Enter') this.setAttribute('value', '')">
<label><input type=checkbox class="toggle ng-empty">Seen</label>
<div id=plain onclick="fetch('/users/1', {method: 'DELETE'})"><span>Löschen</span></div>
<label><input type=checkbox>Delete after 30 days</label><input aria-label="Delete reason" id=reason>
<form id=pay method=post action=/pay><input aria-label=Amount><button>Go on</button></form>
<form id=account action=/bye><input aria-label=Why><button>Close account</button></form>
<form id=search action=/search><input aria-label=Search><button>Search</button></form>
<form id=override method=get action=/search><button id=fa formmethod=post formaction=/users/2/delete>Save</button></form>`

func newShop(t *testing.T) *shop {
	t.Helper()
	c := &shop{site: newSite(t, nil), seen: map[string]int{}}
	c.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		c.seen[r.Method+" "+r.URL.Path]++
		c.mu.Unlock()
		switch r.URL.Path {
		case "/worker.js", "/sw.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprintf(w, "fetch('/from%s', {method: 'DELETE'}).catch(() => 1).then(() => self.postMessage && self.postMessage('done'))", r.URL.Path)
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, canaryPage)
		}
	})
	return c
}

func guardedPool(t *testing.T, confirm func(context.Context, string) (bool, error), patterns ...string) *Pool {
	t.Helper()
	g, err := guard.New(nil, patterns)
	if err != nil {
		t.Fatal(err)
	}
	return poolWith(t, func(o *Options) { o.Guard, o.Confirm = g, confirm })
}

func opened(t *testing.T, p *Pool, address string) *Session {
	t.Helper()
	s := launch(t, p, LaunchOptions{})
	if _, err := s.Navigate(within30s(t), address, "load", 0); err != nil {
		t.Fatal(err)
	}
	return s
}

func codeOf(err error) explain.Code {
	var ours *explain.Error
	if errors.As(err, &ours) {
		return ours.Code
	}
	return ""
}

// A12, layer 1: what is called destructive is not clicked, however it is
// named and whatever submits it; what only looks like it is.
func TestGuardRefusesDestructiveClicks(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	s := opened(t, guardedPool(t, nil), c.URL)
	for _, selector := range []string{`button "Delete user"`, "css=#i", "css=#plain", "text=Löschen", "css=#pay button", "css=#fa", "css=#account button"} {
		_, err := s.Click(within30s(t), selector, 0)
		var ours *explain.Error
		if !errors.As(err, &ours) || ours.Code != explain.ActionBlocked || !strings.Contains(string(ours.Message.Text()), "was not done") || !strings.Contains(ours.Hint, "guard.destructive") {
			t.Errorf("click %s: %v, want ACTION_BLOCKED that says so and names guard.destructive", selector, err)
		}
	}
	for _, press := range []string{`textbox "Amount"`, `textbox "Why"`, `button "Delete user"`} {
		if _, err := s.Press(within30s(t), press, "Enter", 0); codeOf(err) != explain.ActionBlocked {
			t.Errorf("Enter on %s: %v, want ACTION_BLOCKED", press, err)
		}
	}
	if n := c.arrivals("DELETE", "POST", "GET /bye"); n != 0 {
		t.Errorf("%d destructive requests arrived", n)
	}
	if stopped := s.TakeStopped(); len(stopped) != 10 {
		t.Errorf("noted for the verdict: %q, want 10", stopped)
	}
	for _, selector := range []string{"css=#rf", "css=#reason", `checkbox "Delete after 30 days"`, `checkbox "Seen"`} {
		if _, err := s.Click(within30s(t), selector, 0); err != nil {
			t.Errorf("click %s: %v", selector, err)
		}
	}
	for _, field := range []string{`textbox "New task"`, `textbox "Search"`} { // the search leaves the page
		if _, err := s.Press(within30s(t), field, "Enter", 0); err != nil {
			t.Errorf("Enter in the %s: %v", field, err)
		}
	}
	if stopped := s.TakeStopped(); len(stopped) != 0 {
		t.Errorf("stopped: %q", stopped)
	}
}

// A12: Enter on what has the focus is no way around.
func TestGuardSeesTheFocus(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	s := opened(t, guardedPool(t, nil), c.URL)
	if _, _, err := s.Evaluate(within30s(t), "document.getElementById('d').focus()", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Press(within30s(t), "", "Enter", 0); codeOf(err) != explain.ActionBlocked {
		t.Errorf("Enter: %v, want ACTION_BLOCKED", err)
	}
	if n := c.arrivals("DELETE"); n != 0 {
		t.Errorf("%d destructive requests arrived", n)
	}
}

// A12, layer 2: what no name tells, the request does, wherever in the page it
// comes from. The answer of the action says so, and so does the log.
func TestGuardStopsDestructiveRequests(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	s := opened(t, guardedPool(t, nil), c.URL)
	_, err := s.Click(within30s(t), `button "OK"`, 0)
	if codeOf(err) != explain.ActionBlocked || !strings.Contains(err.Error(), "was done") {
		t.Errorf("the click: %v, want ACTION_BLOCKED that says that it was done", err)
	}
	for _, script := range []string{
		"fetch('/a', {method: 'delete'}).catch(() => 1)",
		"new Promise(done => { const x = new XMLHttpRequest(); x.onloadend = done; x.open('DELETE', '/b'); x.send() }).then(() => 1)",
		"new Promise(done => { new Worker('/worker.js').onmessage = done }).then(() => 1)",
		"document.getElementById('pay').submit()",
		"new Promise(done => { const f = document.createElement('iframe'); f.srcdoc = '<script>fetch(\"/d\", {method: \"DELETE\"}).catch(() => 1).then(() => parent.postMessage(1))</script>'; addEventListener('message', done); document.body.append(f) }).then(() => 1)",
	} {
		if _, _, err := s.Evaluate(within30s(t), script, nil); codeOf(err) != explain.ActionBlocked {
			t.Errorf("%s: %v, want ACTION_BLOCKED", script, err)
		}
	}
	// The browser sends a beacon when the script is over already: it may be told with the next call.
	_, _, err = s.Evaluate(within30s(t), "navigator.sendBeacon('/c/delete', 'x')", nil)
	if err != nil && codeOf(err) != explain.ActionBlocked {
		t.Error(err)
	}
	becomes(t, "the beacon is stopped", func() error {
		if codeOf(err) != explain.ActionBlocked && !pagetext.Join(s.TakeStopped(), " ").Contains("/c/delete") {
			return errors.New("it is not noted")
		}
		return nil
	})
	if _, _, err := s.Evaluate(within30s(t), "navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => 1)", nil); err != nil && codeOf(err) != explain.ActionBlocked {
		t.Error(err)
	}
	becomes(t, "the service worker's request is stopped", func() error {
		if !pagetext.Join(s.TakeStopped(), " ").Contains("/from/sw.js") {
			return errors.New("it is not noted")
		}
		return nil
	})
	if n := c.arrivals("DELETE", "POST"); n != 0 {
		t.Errorf("%d destructive requests arrived: %v", n, c.seen)
	}
	blocked := 0
	for _, e := range s.Network("", 0, time.Time{}, 0).Events {
		if e.Blocked != "" && e.Failure != "" && !e.Failed() {
			blocked++
		}
	}
	if blocked < 7 {
		t.Errorf("%d requests of the log say that they were blocked, want 7 or more", blocked)
	}
	if logs, err := s.Console("error", time.Time{}, 0); err != nil || logs.Matched != 0 {
		t.Errorf("the page is blamed for what the guard stopped: %v %v", logs.Entries, err)
	}
}

// A12: a pattern of the caller's own may mean any request, pictures included.
func TestGuardTakesRequestPatterns(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	s := opened(t, guardedPool(t, nil, `^GET .*/launch`), c.URL)
	if _, _, err := s.Evaluate(within30s(t), "new Promise(done => { const i = new Image(); i.onerror = i.onload = done; i.src = '/launch.png' }).then(() => 1)", nil); codeOf(err) != explain.ActionBlocked {
		t.Errorf("the picture: %v, want ACTION_BLOCKED", err)
	}
	if _, err := s.Navigate(within30s(t), c.URL+"/launch", "load", 0); codeOf(err) != explain.ActionBlocked || !strings.Contains(err.Error(), "request_patterns") {
		t.Errorf("the navigation: %v, want ACTION_BLOCKED with the rule", err)
	}
	if n := c.arrivals("GET /launch"); n != 0 {
		t.Errorf("%d arrived", n)
	}
}

// A12: a person is asked, and what they say is done, once.
func TestGuardAsks(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	answer, fault, asked := true, error(nil), []string(nil)
	s := opened(t, guardedPool(t, func(_ context.Context, question string) (bool, error) {
		asked = append(asked, question)
		return answer, fault
	}), c.URL)
	click := func() error {
		_, err := s.Click(within30s(t), `button "Delete user"`, 0)
		return err
	}
	if err := click(); err != nil || c.arrivals("DELETE") != 1 {
		t.Errorf("permitted: %v, %d arrived, want 1", err, c.arrivals("DELETE"))
	}
	if len(asked) != 1 || !strings.Contains(asked[0], `button "Delete user"`) || !strings.Contains(asked[0], "rule: delete") {
		t.Errorf("asked %q", asked)
	}
	// The permission was for that click alone.
	if _, err := s.Click(within30s(t), `button "OK"`, 0); codeOf(err) != explain.NeedsHuman {
		t.Errorf("another action: %v, want NEEDS_HUMAN", err)
	}
	answer = false
	if err := click(); codeOf(err) != explain.ActionBlocked || !strings.Contains(err.Error(), "declined") {
		t.Errorf("declined: %v", err)
	}
	for _, fault = range []error{ErrNobodyToAsk, context.DeadlineExceeded, errors.New("wires crossed")} {
		if err := click(); codeOf(err) != explain.NeedsHuman {
			t.Errorf("%v: %v, want NEEDS_HUMAN", fault, err)
		}
	}
	if n := c.arrivals("DELETE"); n != 1 {
		t.Errorf("%d arrived in all, want 1", n)
	}
}

// A12, the control: without a guard everything arrives.
func TestWithoutGuardEverythingArrives(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	s := opened(t, poolOf(t), c.URL)
	if _, err := s.Click(within30s(t), `button "Delete user"`, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Click(within30s(t), "css=#pay button", 0); err != nil {
		t.Fatal(err)
	}
	if c.arrivals("DELETE /users/1") != 1 || c.arrivals("POST /pay") != 1 {
		t.Errorf("arrived: %v", c.seen)
	}
}

// A12: where a proxy judges plain http, a page costs nothing until it turns to
// https, and is watched from then on.
func TestGuardWatchesFromHTTPSOn(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // the browser does not trust it, which is no matter here
	secure.StartTLS()
	t.Cleanup(secure.Close)
	g, err := guard.New(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := poolWith(t, func(o *Options) { o.Guard = g })
	s := opened(t, p, c.URL)
	if _, _, err := s.Evaluate(within30s(t), "fetch('/a', {method: 'DELETE'})", nil); codeOf(err) != explain.ActionBlocked || c.arrivals("DELETE /a") != 0 {
		t.Errorf("plain http is judged at the gate: %v, arrived %v", err, c.seen)
	}
	if len(s.guards) != 0 {
		t.Errorf("%d sentries before any https", len(s.guards))
	}
	if got := fetched(t, s, "'"+secure.URL+"/x'"); !strings.Contains(got, "Failed to fetch") {
		t.Errorf("the control: the certificate is not trusted: %q", got)
	}
	becomes(t, "the page is watched", func() error {
		s.sessionGuard.mu.Lock()
		defer s.sessionGuard.mu.Unlock()
		if len(s.guards) != 1 {
			return fmt.Errorf("%d sentries", len(s.guards))
		}
		return nil
	})
	if err := s.startRequestGuard(s.current().page); err != nil { // waits for the request guard
		t.Fatal(err)
	}
	if _, _, err := s.Evaluate(within30s(t), "fetch('"+secure.URL+"/y/delete', {method: 'POST', mode: 'no-cors'}).catch(() => 1)", nil); codeOf(err) != explain.ActionBlocked {
		t.Errorf("a deletion by https: %v, want ACTION_BLOCKED", err)
	}
	// Even where it is the first that goes by https.
	fresh := opened(t, p, c.URL)
	if _, _, err := fresh.Evaluate(within30s(t), "fetch('"+secure.URL+"/y/delete', {method: 'POST', mode: 'no-cors'}).catch(() => 1)", nil); codeOf(err) != explain.ActionBlocked {
		t.Errorf("a deletion as the first request by https: %v, want ACTION_BLOCKED", err)
	}
	// Or the last of so many that its tunnel has to wait for theirs.
	crowd := opened(t, p, c.URL)
	_, port, _ := strings.Cut(strings.TrimPrefix(secure.URL, "https://"), ":")
	if _, _, err := crowd.Evaluate(within30s(t), "Promise.allSettled([...Array(40).keys()].map(i => fetch('https://127.0.0.' + (i + 2) + ':"+port+"/')).concat("+
		"fetch('"+secure.URL+"/y/delete', {method: 'POST', mode: 'no-cors'}))).then(() => 1)", nil); codeOf(err) != explain.ActionBlocked {
		t.Errorf("a deletion by a late tunnel: %v, want ACTION_BLOCKED", err)
	}
	// A navigation to https is watched before it begins.
	other := launch(t, p, LaunchOptions{})
	if _, err := other.Navigate(within30s(t), secure.URL, "load", 0); codeOf(err) != explain.NavigationFailed {
		t.Errorf("the control: %v", err)
	}
	if len(other.guards) != 1 {
		t.Errorf("%d sentries after a navigation to https", len(other.guards))
	}
}

// A12: no tunnel opens before the pages are watched, whoever began to watch
// them; and what was sent before is judged though its tunnel comes later.
func TestTunnelsWaitForTheWatch(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	s := opened(t, guardedPool(t, nil), c.URL)
	t.Cleanup(func() { _ = s.Close(context.Background()) })
	busy, let := &guardStart{}, make(chan struct{})
	page := s.current().page
	s.sessionGuard.mu.Lock()
	s.guards = map[playwright.Page]*guardStart{page: busy}
	s.sessionGuard.mu.Unlock()
	began := make(chan struct{})
	go busy.once.Do(func() { close(began); <-let })
	<-began
	watched := make(chan error, 1)
	go func() { watched <- s.guardSecurePages("https://a.test/") }()
	becomes(t, "the watch is being put up", func() error {
		s.sessionGuard.mu.Lock()
		defer s.sessionGuard.mu.Unlock()
		if !s.secure {
			return errors.New("not yet")
		}
		return nil
	})
	judged := make(chan egress.Rule, 1)
	go func() { judged <- s.judgeTunnel("a.test", "443") }()
	select {
	case rule := <-judged:
		t.Errorf("a tunnel was judged (%q) while the page was not watched yet", rule)
		judged <- rule
	case <-time.After(200 * time.Millisecond):
	}
	close(let)
	if err := <-watched; err != nil {
		t.Error(err)
	}
	if rule := <-judged; rule != "" {
		t.Errorf("the tunnel: %q", rule)
	}
}

// A12: while a page can't be watched no tunnel opens, not only the first one;
// each tries again to watch it.
func TestNoTunnelOpensUnwatched(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	s := opened(t, guardedPool(t, nil), c.URL)
	page := s.current().page
	for range 2 {
		broken := &guardStart{err: errors.New("the browser refuses")}
		broken.once.Do(func() {})
		s.sessionGuard.mu.Lock()
		s.guards = map[playwright.Page]*guardStart{page: broken}
		s.sessionGuard.mu.Unlock()
		if rule := s.judgeTunnel("a.test", "443"); !strings.Contains(string(rule), "can't be watched") {
			t.Errorf("a tunnel of a page that can't be watched: %q", rule)
		}
	}
	if rule := s.judgeTunnel("a.test", "443"); rule != "" {
		t.Errorf("once the page can be watched: %q", rule)
	}
	if s.guards[page] == nil || s.guards[page].err != nil {
		t.Error("the page is not watched")
	}
}
