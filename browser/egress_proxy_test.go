package browser

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/browser/explain"
)

// gatedPool returns a pool with lists, and names that lead where resolve says.
func gatedPool(t *testing.T, lists egress.Lists, resolve egress.Resolver) *Pool {
	t.Helper()
	return poolWith(t, func(o *Options) { o.Network, o.resolve = lists, resolve })
}

// named resolves names in .test to addresses; others don't exist.
func named(names map[string]string) egress.Resolver {
	return func(_ context.Context, name string) ([]netip.Addr, error) {
		if a, ok := names[name]; ok {
			return []netip.Addr{netip.MustParseAddr(a)}, nil
		}
		return nil, errors.New("no such host")
	}
}

func port(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil || u.Port() == "" {
		t.Fatalf("%q has no port: %v", address, err)
	}
	return u.Port()
}

// B4: an explicit navigation to a refused host, and a redirect to one, end with
// HOST_BLOCKED, the host, the rule, and the setting that opens it.
func TestNavigationToABlockedHost(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{"/{$}": "<title>Home</title>"})
	web.handle("/to", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.FormValue("url"), http.StatusFound)
	})
	names := named(map[string]string{"shop.test": "127.0.0.1", "ads.shop.test": "127.0.0.1", "meta.shop.test": "169.254.169.254"})
	pool := gatedPool(t, egress.Lists{AllowedHosts: []string{"127.0.0.1", "shop.test", "*.shop.test"}, DenyHosts: []string{"ads.shop.test"}, ProductionHosts: []string{"www.shop.test"}}, names)
	s := launch(t, pool, LaunchOptions{})
	if nav := visit(t, s, "http://shop.test:"+port(t, web.URL)+"/"); nav.Title != "Home" || nav.Status != 200 {
		t.Fatalf("an allowed name: %+v", nav)
	}
	for target, words := range map[string][]string{
		"http://other.test/":                       {"other.test", "network.allowed_hosts", "add it"},
		"https://other.test/":                      {"other.test", "network.allowed_hosts"},
		"http://127.0.0.2:8080/x?token=secret":     {"127.0.0.2", "network.allowed_hosts"},
		"http://ads.shop.test/":                    {"ads.shop.test", "network.deny_hosts"},
		"http://www.shop.test/":                    {"www.shop.test", "guard.production_hosts", "this very host"},
		"http://169.254.169.254/latest/meta-data/": {"169.254.169.254", "metadata", "no setting"},
		"http://meta.shop.test/":                   {"meta.shop.test", "metadata"}, // by its address: the name is allowed
		"https://meta.shop.test/":                  {"meta.shop.test", "metadata"},
	} {
		for way, address := range map[string]string{"directly": target, "by redirect": web.URL + "/to?url=" + strings.ReplaceAll(target, "?", "%3F")} {
			_, err := s.Navigate(within30s(t), address, "", 0)
			if e := wantCode(t, err, explain.HostBlocked, words...); way == "directly" && strings.Contains(string(e.Message.Text()), "secret") {
				t.Errorf("%s %s: %v", target, way, e)
			}
		}
	}
	if nav := visit(t, s, web.URL+"/"); nav.Title != "Home" { // and the session goes on
		t.Errorf("%+v", nav)
	}
}

// B4: what a page itself asks of a refused host is in the network log with the
// rule, once, and is told in the answer; it is no failure of the page.
func TestBlockedRequestsAreTold(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{"/{$}": `<title>Home</title><img src="http://cdn.test/a.png"><script>
		const s = new WebSocket('ws://socket.test/'); s.onerror = () => { document.title = 'refused' }
		fetch('https://api.test/v1').catch(() => {}); fetch('http://api.test/v2').catch(() => {})
		navigator.sendBeacon('http://beacon.test/b', 'x')</script>`})
	s := launch(t, gatedPool(t, egress.Lists{AllowedHosts: []string{"127.0.0.1"}}, nil), LaunchOptions{})
	nav := visit(t, s, web.URL+"/")
	becomes(t, "the WebSocket is refused", func() error {
		if title, err := pageOf(s).Title(); title != "refused" {
			return fmt.Errorf("%q, %w", title, err)
		}
		return nil
	})
	if e, err := s.Quiet(within30s(t)); err != nil || len(e.Blocked) != 1 || e.Blocked[0].Count != 5 || e.Blocked[0].Rule != "network.allowed_hosts" || len(e.Failed) != 0 {
		t.Errorf("%+v, %v; navigation: %+v", e, err, nav.Effects)
	}
	want := []string{"http://api.test/v2", "http://beacon.test/b", "http://cdn.test/a.png", "https://api.test/v1", "socket.test:80"}
	var got []string
	for _, e := range s.Network("", 0, time.Time{}, 0).Events {
		if e.Blocked == "" {
			continue
		}
		got = append(got, e.URL)
		if e.Blocked != "network.allowed_hosts" || e.Status != 0 || e.Failed() || !strings.Contains(e.Failure, "blocked by network.allowed_hosts") || e.Pending || e.Start.IsZero() {
			t.Errorf("%+v", e)
		}
		if x, err := s.Exchange(within30s(t), e.RequestID); err != nil || x.URL != e.URL {
			t.Errorf("%s in detail: %+v, %v", e.RequestID, x, err)
		}
	}
	slices.Sort(got)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("blocked %v, want %v", got, want)
	}
	if failed := s.Network("", -1, time.Time{}, 0); failed.Matched != 5 {
		t.Errorf("among the failed: %+v", failed)
	}
	logs, err := s.Console("", time.Time{}, 0)
	if err != nil || len(logs.Entries) == 0 {
		t.Fatal(logs, err)
	}
	for _, e := range logs.Entries {
		if e.IsError() || !strings.Contains(string(e.Text), "blocked by network.allowed_hosts") {
			t.Errorf("console %+v", e)
		}
	}
}

// What fails on its way out, without a rule, fails as it would without a gate.
func TestFailuresBehindTheGate(t *testing.T) {
	t.Parallel()
	closed, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := closed.Addr().String()
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	web := newSite(t, map[string]string{"/{$}": `<title>Home</title><script>
		Promise.allSettled([fetch('http://` + nobody + `/a'), fetch('https://` + nobody + `/b'), fetch('http://nobody.test/c')]).then(r => { document.title = r.map(x => x.status).join() })</script>`})
	s := launch(t, gatedPool(t, egress.Lists{}, named(nil)), LaunchOptions{})
	visit(t, s, web.URL+"/")
	becomes(t, "the page's script meets rejections", func() error {
		if title, err := pageOf(s).Title(); title != "rejected,rejected,rejected" {
			return fmt.Errorf("%q, %w", title, err)
		}
		return nil
	})
	for path, reason := range map[string]string{"/a": "ERR_CONNECTION_REFUSED", "/b": "ERR_CONNECTION_REFUSED", "/c": "ERR_NAME_NOT_RESOLVED"} {
		events := s.Network("**"+path, 0, time.Time{}, 0).Events
		if len(events) != 1 || events[0].Failure != "net::"+reason || events[0].Blocked != "" || !events[0].Failed() {
			t.Errorf("%s: %+v", path, events)
		}
	}
	logs, err := s.Console("error", time.Time{}, 0)
	if err != nil || len(logs.Entries) < 3 {
		t.Fatal(logs, err)
	}
	for _, e := range logs.Entries {
		if strings.Contains(string(e.Text), "TUNNEL") || strings.Contains(string(e.Text), "EMPTY_RESPONSE") {
			t.Errorf("console %+v", e)
		}
	}
	for address, reason := range map[string]string{"https://" + nobody + "/": "ERR_CONNECTION_REFUSED", "https://nobody.test/": "ERR_NAME_NOT_RESOLVED", "http://nobody.test/": "ERR_NAME_NOT_RESOLVED"} {
		_, err := s.Navigate(within30s(t), address, "", 0)
		wantCode(t, err, explain.NavigationFailed, reason)
	}
}

// B4: a name that changes its address under the page (DNS rebinding) can't
// reach what is not allowed by address.
func TestRebindingInTheBrowser(t *testing.T) {
	t.Parallel()
	var contacts int
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { contacts++; w.WriteHeader(http.StatusNoContent) })
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.2:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	_, p, _ := net.SplitHostPort(l.Addr().String())
	web := newSite(t, map[string]string{"/{$}": "<title>Home</title>"})
	addr := "127.0.0.1"
	pool := gatedPool(t, egress.Lists{DenyHosts: []string{"127.0.0.2"}}, func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr(addr)}, nil
	})
	s := launch(t, pool, LaunchOptions{})
	visit(t, s, "http://rebind.test:"+port(t, web.URL)+"/")
	addr = "127.0.0.2"
	if got := js(t, s, `fetch('http://rebind.test:`+p+`/').then(r => r.status, () => 'refused')`); got != `"refused"` && got != "403" {
		t.Errorf("the page got %s", got)
	}
	if contacts != 0 {
		t.Errorf("%d contacts", contacts)
	}
}

// The gate costs the page neither its blank start, nor a history entry, nor its
// cache; nothing of the priming is in the event log.
func TestPrimingLeavesNoTrace(t *testing.T) {
	t.Parallel()
	asked := 0
	web := newSite(t, map[string]string{"/{$}": `<title>Home</title><img src="/cached.svg">`})
	web.handle("/cached.svg", func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("Content-Type", "image/svg+xml")
		w.Header().Set("Cache-Control", "max-age=3600")
		fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg"/>`)
	})
	var authorization []string
	web.handle("/basic", func(w http.ResponseWriter, r *http.Request) {
		authorization = append(authorization, r.Header.Get("Authorization"), r.Header.Get("Proxy-Authorization"))
		w.Header().Set("WWW-Authenticate", `Basic realm="site"`)
		w.WriteHeader(http.StatusUnauthorized)
	})
	s := launch(t, poolOf(t), LaunchOptions{})
	if got := js(t, s, `[location.href, history.length]`); got != `["about:blank",1]` {
		t.Errorf("the first page is %s", got)
	}
	if events := s.Network("", 0, time.Time{}, 0); len(events.Events) != 0 {
		t.Errorf("%+v", events)
	}
	visit(t, s, web.URL+"/")
	visit(t, s, web.URL+"/?again")
	if asked != 1 {
		t.Errorf("a cached picture was asked for %d times", asked)
	}
	if nav, err := s.Navigate(within30s(t), web.URL+"/basic", "", 0); err == nil && nav.Status != 401 {
		t.Errorf("%+v", nav)
	}
	if strings.Join(authorization, "") != "" {
		t.Errorf("the site got credentials: %q", authorization)
	}
}

// B6: the gate ends with its session. A browser that dies leaves it, since the
// session is rebuilt behind the same gate.
func TestGateEndsWithItsSession(t *testing.T) {
	t.Parallel()
	pool := poolToBreak(t, nil)
	closed, rebuilt := launch(t, pool, LaunchOptions{}), launch(t, pool, LaunchOptions{})
	if err := closed.Close(within30s(t)); err != nil {
		t.Fatal(err)
	}
	refuses := func(s *Session) error {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.gate.Server(), "http://"))
		if err != nil {
			return nil //nolint:nilerr // that is what is asked for
		}
		return errors.Join(errors.New("the gate is open"), c.Close())
	}
	if err := refuses(closed); err != nil {
		t.Error(err)
	}
	if err := refuses(rebuilt); err == nil {
		t.Error("the other session lost its gate")
	}
	before := rebuilt.current().context
	endProcess(t, browserPID(t, pool))
	becomes(t, "the session is rebuilt", func() error {
		if rebuilt.current().context == before {
			return errors.New("it has its old browser")
		}
		return nil
	})
	web := newSite(t, map[string]string{"/": "<title>Behind the gate</title>"})
	becomes(t, "its pages load", func() error { _, err := rebuilt.Navigate(within30s(t), web.URL, "", 0); return err })
	if err := refuses(rebuilt); err == nil {
		t.Error("the rebuilt session has no gate")
	}
	if err := rebuilt.Close(within30s(t)); err != nil {
		t.Fatal(err)
	}
	if err := refuses(rebuilt); err != nil {
		t.Error(err)
	}
}

// A session may be narrowed to hosts, never widened.
func TestSessionScope(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{"/{$}": "<title>Home</title>"})
	pool := gatedPool(t, egress.Lists{AllowedHosts: []string{"127.0.0.1", "b.test"}}, named(map[string]string{"b.test": "127.0.0.1", "c.test": "127.0.0.1"}))
	s := launch(t, pool, LaunchOptions{AllowedHosts: []string{"127.0.0.1", "c.test"}})
	visit(t, s, web.URL+"/")
	_, err := s.Navigate(within30s(t), "http://b.test:"+port(t, web.URL)+"/", "", 0)
	wantCode(t, err, explain.HostBlocked, "b.test", "allowed_hosts of the session", "options.allowed_hosts")
	_, err = s.Navigate(within30s(t), "http://c.test:"+port(t, web.URL)+"/", "", 0)
	wantCode(t, err, explain.HostBlocked, "c.test", "network.allowed_hosts")
	_, err = pool.Launch(within30s(t), LaunchOptions{AllowedHosts: []string{"http://a.test/"}})
	wantCode(t, err, explain.InvalidInput, "http://a.test/", "without scheme")
}
