package browser

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/browser/explain"
)

const fetchLimit = 1 << 10

// A12: a request of our own goes through the session's gate: by name, by the
// address that a name leads to, and to no other origin by a redirect.
func TestFetchKeepsToTheGate(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{"/{$}": "<title>Home</title>"})
	web.handle("/to", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.FormValue("url"), http.StatusFound)
	})
	web.handle("/figures", text(`{"Revenue": 5}`))
	var reached atomic.Bool
	canary := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
	t.Cleanup(canary.Close)
	names := named(map[string]string{"shop.test": "127.0.0.1", "meta.shop.test": "169.254.169.254"})
	s := launch(t, gatedPool(t, egress.Lists{AllowedHosts: []string{"127.0.0.1", "shop.test", "*.shop.test"}}, names), LaunchOptions{})

	got, err := s.Fetch(within30s(t), "http://shop.test:"+port(t, web.URL)+"/figures", fetchLimit)
	if err != nil || string(got.Body) != `{"Revenue": 5}` || got.Status != 200 {
		t.Fatalf("an allowed name: %+v %v", got, err)
	}
	got, err = s.Fetch(within30s(t), web.URL+"/to?url=/to?url=/figures", fetchLimit)
	if err != nil || string(got.Body) != `{"Revenue": 5}` || got.Redirects != 2 || got.URL != web.URL+"/figures" {
		t.Errorf("redirects within the origin: %+v %v", got, err)
	}
	for address, words := range map[string][]string{
		"http://other.test/":                     {"other.test", "network.allowed_hosts"},
		"http://169.254.169.254/latest?token=ab": {"169.254.169.254", "metadata"},
		"http://meta.shop.test/":                 {"meta.shop.test", "metadata"}, // by its address: the name is allowed
		"https://meta.shop.test/":                {"meta.shop.test", "metadata"},
		s.gate.Server() + "/":                    {"the ban on the gate itself"},
	} {
		_, err := s.Fetch(within30s(t), address, fetchLimit)
		wantCode(t, err, explain.HostBlocked, words...)
	}
	got, err = s.Fetch(within30s(t), web.URL+"/to?url="+canary.URL, fetchLimit)
	if err != nil || got.Location != canary.URL || got.Redirects != 0 || reached.Load() {
		t.Errorf("a redirect to another origin was followed, or not told: %+v %v", got, err)
	}
}

// Whatever there is instead of an answer has its code.
func TestFetchWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	web := newSite(t, nil)
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	web.handle("/never", slow(never, text("late")))
	web.handle("/long", text("0123456789"))
	secure := httptest.NewTLSServer(text("{}"))
	t.Cleanup(secure.Close)
	s := launch(t, poolOf(t), LaunchOptions{})

	_, err := s.Fetch(within30s(t), secure.URL, fetchLimit)
	wantCode(t, err, explain.NavigationFailed, "certificate")
	_, err = s.Fetch(timeLimit(t, 200*time.Millisecond), web.URL+"/never", fetchLimit)
	wantCode(t, err, explain.TimedOut)
	ctx, cancel := context.WithCancel(within30s(t))
	cancel()
	_, err = s.Fetch(ctx, web.URL+"/never", fetchLimit)
	wantCode(t, err, explain.Cancelled)
	for _, address := range []string{"file:///etc/passwd", "/api/kpi", "http://user:pass@127.0.0.1/", "data:,x", "about:blank"} {
		_, err = s.Fetch(within30s(t), address, fetchLimit)
		wantCode(t, err, explain.InvalidInput)
	}
	if got, err := s.Fetch(within30s(t), web.URL+"/long", 4); err != nil || string(got.Body) != "0123" || !got.Cut {
		t.Errorf("a body beyond the limit: %+v %v", got, err)
	}
	if got, err := s.Fetch(within30s(t), web.URL+"/long", 10); err != nil || got.Cut {
		t.Errorf("a body at the limit: %+v %v", got, err)
	}
	if err := s.Close(within30s(t)); err != nil {
		t.Fatal(err)
	}
	_, err = s.Fetch(within30s(t), web.URL+"/long", fetchLimit)
	wantCode(t, err, explain.SessionNotFound)
}

// A page that is too busy to say its browser's name does not keep the request.
func TestFetchBesideABusyPage(t *testing.T) {
	t.Parallel()
	s, web := show(t, `<title>Busy</title><script>Object.defineProperty(navigator, 'userAgent', {get() { for (;;); }})</script>`)
	web.handle("/figures", text("{}"))
	if got, err := s.Fetch(within30s(t), web.URL+"/figures", fetchLimit); err != nil || string(got.Body) != "{}" {
		t.Errorf("%+v %v", got, err)
	}
}

// An address gets its own cookies and no others (RFC 6265, 5.4).
func TestCookieLine(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000, 0)
	part := "https://other.test"
	for _, tt := range []struct {
		address string
		cookie  playwright.Cookie
		sent    bool
	}{
		{"http://app.test/api/kpi", playwright.Cookie{Domain: "app.test", Path: "/"}, true},
		{"http://app.test/api/kpi", playwright.Cookie{Domain: ".app.test", Path: "/api"}, true},
		{"http://app.test/api/kpi", playwright.Cookie{Domain: "app.test", Path: "/api/kpi", Expires: 1_001}, true},
		{"http://app.test/api/kpi", playwright.Cookie{Domain: "app.test", Path: "/api/kpi", Expires: -1}, true}, // of the session
		{"http://app.test/api/kpi", playwright.Cookie{Domain: "app.test", Path: "/", Expires: 999}, false},
		{"http://app.test/api/kpi", playwright.Cookie{Domain: "app.test", Path: "/ap"}, false},
		{"http://app.test/api/kpi", playwright.Cookie{Domain: "app.test", Path: "/api/kpi/"}, false},
		{"http://app.test/api/kpi", playwright.Cookie{Domain: "xapp.test", Path: "/"}, false},
		{"http://app.test/api/kpi", playwright.Cookie{Domain: "test", Path: "/"}, false},
		{"http://app.test/api/kpi", playwright.Cookie{Domain: "app.test", Path: "/", Secure: true}, false},
		{"http://app.test/api/kpi", playwright.Cookie{Domain: "app.test", Path: "/", PartitionKey: &part}, false},
		{"https://www.app.test", playwright.Cookie{Domain: ".app.test", Path: "/", Secure: true}, true},
		{"https://www.app.test", playwright.Cookie{Domain: "app.test", Path: "/"}, false}, // of that host alone
		{"http://xapp.test", playwright.Cookie{Domain: ".app.test", Path: "/"}, false},
		{"http://127.0.0.1:8080/", playwright.Cookie{Domain: "127.0.0.1", Path: "/", Secure: true}, true}, // as browsers have it
	} {
		target, err := url.Parse(tt.address)
		if err != nil {
			t.Fatal(err)
		}
		tt.cookie.Name, tt.cookie.Value = "a", "b"
		if got := cookieLine([]playwright.Cookie{tt.cookie}, target, now); got != "a=b" && tt.sent || got != "" && !tt.sent {
			t.Errorf("%s with %+v: %q", tt.address, tt.cookie, got)
		}
	}
}
