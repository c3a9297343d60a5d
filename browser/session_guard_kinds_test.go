package browser

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/guard"
)

// kindsPage sends a request when it loads, and has controls whose names say nothing of
// what they send.
const kindsPage = `<!doctype html><title>Shop</title>
<form method=post action=/comments><input name=text value=hello><button id=comment>Send</button></form>
<form method=post action=/orders/5/cancel><button id=cancel>Go on</button></form>
<button id=erase onclick="fetch('/users/5', {method: 'DELETE'})">Tidy</button>
<button id=named onclick="fetch('/hit', {method: 'POST'})">Delete user</button>
<button id=pay onclick="fetch('/checkout', {method: 'POST'})">Pay now</button>
<button id=else onclick="fetch('ELSEWHERE/collect', {method: 'POST', mode: 'no-cors'})">Share</button>
<script>if (location.pathname === '/') fetch('/notices/5', {method: 'DELETE'})</script>`

// newKinds serves that page and returns what arrives there, and at another origin.
func newKinds(t *testing.T) (address string, arrived func() []string) {
	t.Helper()
	var mu sync.Mutex
	var seen []string
	note := func(at string, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.Method != http.MethodGet {
			seen = append(seen, at+r.Method+" "+r.URL.Path)
		}
	}
	elsewhere := newSite(t, nil)
	elsewhere.mux.HandleFunc("/", func(_ http.ResponseWriter, r *http.Request) { note("elsewhere: ", r) })
	s := newSite(t, nil)
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		note("", r)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, strings.ReplaceAll(kindsPage, "ELSEWHERE", strings.Replace(elsewhere.URL, "127.0.0.1", "elsewhere.test", 1)))
	})
	return s.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		out := seen
		seen = nil
		return out
	}
}

// byActs returns a guard that heeds who acts.
func byActs(t *testing.T) *guard.Guard {
	t.Helper()
	g, err := guard.New(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g.ByActs()
}

// A12: worked acts may write ordinarily at first contact, and what destroys is stopped;
// what the page sends by itself passes, and what a file of a person says is done.
func TestGuardHeedsWhoActs(t *testing.T) {
	address, arrived := newKinds(t)
	s := opened(t, poolWith(t, func(o *Options) { o.Guard = byActs(t) }), address)
	if got := arrived(); len(got) != 1 || got[0] != "DELETE /notices/5" {
		t.Errorf("at load arrived %q", got)
	}
	try := func(css, code, want string) {
		t.Helper()
		_, err := s.Click(within30s(t), "css="+css, 0)
		if got := string(codeOf(err)); got != code {
			t.Errorf("click %s: %v, want %q", css, err, code)
		}
		if got := strings.Join(arrived(), "; "); !strings.HasPrefix(got, want) || want == "" && strings.Contains(got, "users") {
			t.Errorf("click %s: %q arrived, want %q", css, got, want)
		}
	}
	try("#comment", "", "POST /comments")
	try("#cancel", "ACTION_BLOCKED", "")
	try("#erase", "ACTION_BLOCKED", "")
	try("#named", "ACTION_BLOCKED", "")
	try("#else", "ACTION_BLOCKED", "")
	s.ActAs(true)
	try("#named", "", "POST /hit")
	try("#erase", "", "DELETE /users/5")
	try("#pay", "", "POST /checkout")
	s.ActAs(false)
	try("#pay", "ACTION_BLOCKED", "")
	if _, err := s.Navigate(within30s(t), address+"/users/5/delete", "", 0); codeOf(err) != explain.ActionBlocked {
		t.Errorf("opening an address that deletes: %v", err)
	}
}

// A12: where the client can, a person is asked once for each method and path.
func TestGuardAsksOnceForEachPath(t *testing.T) {
	address, arrived := newKinds(t)
	var mu sync.Mutex
	var questions []string
	s := opened(t, poolWith(t, func(o *Options) {
		o.Guard = byActs(t)
		o.Confirm = func(_ context.Context, question string) (bool, error) {
			mu.Lock()
			defer mu.Unlock()
			questions = append(questions, question)
			return true, nil
		}
	}), address)
	arrived()
	for range 2 {
		if _, err := s.Click(within30s(t), "css=#erase", 0); err != nil {
			t.Fatal(err)
		}
	}
	if got := arrived(); len(got) != 2 {
		t.Errorf("%q arrived, want two requests", got)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(questions) != 1 || !strings.Contains(questions[0], "DELETE") || !strings.Contains(questions[0], "/users/5") {
		t.Errorf("asked: %q, want one question", questions)
	}
}
