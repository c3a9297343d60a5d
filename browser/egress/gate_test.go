package egress

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// rig is a gate with a note of what it reported.
type rig struct {
	*Gate
	mu    sync.Mutex
	notes []Unreached
}

func start(t *testing.T, lists Lists, resolve Resolver) *rig {
	t.Helper()
	return startWith(t, lists, resolve, nil)
}

func startWith(t *testing.T, lists Lists, resolve Resolver, ports *Ports) *rig {
	t.Helper()
	policy, err := NewPolicy(lists)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{}
	r.Gate, err = Start(Options{Policy: policy, Resolve: resolve, Ports: ports, Now: time.Now, OnUnreached: func(u Unreached) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.notes = append(r.notes, u)
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// told returns the reports so far.
func (r *rig) told() []Unreached {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.notes)
}

// client goes through the gate.
func (r *rig) client(t *testing.T) *http.Client {
	t.Helper()
	proxy, err := url.Parse(r.Server())
	if err != nil {
		t.Fatal(err)
	}
	proxy.User = url.UserPassword(r.Credentials())
	transport := &http.Transport{Proxy: http.ProxyURL(proxy)}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: 10 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func get(t *testing.T, c *http.Client, address string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}

// raw sends bytes to the gate and returns its answer.
func (r *rig) raw(t *testing.T, lines string) string {
	t.Helper()
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", r.addr.String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	user, password := r.Credentials()
	req := &http.Request{Header: http.Header{}}
	req.SetBasicAuth(user, password)
	lines = strings.ReplaceAll(lines, "AUTH", "Proxy-Authorization: "+req.Header.Get("Authorization"))
	if _, err := io.WriteString(c, lines); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(c)
	if err != nil && !errors.Is(err, net.ErrClosed) && len(answer) == 0 {
		return "closed: " + err.Error()
	}
	return string(answer)
}

func toName(addrs ...string) Resolver {
	return func(context.Context, string) ([]netip.Addr, error) {
		out := make([]netip.Addr, len(addrs))
		for i, a := range addrs {
			out[i] = netip.MustParseAddr(a)
		}
		return out, nil
	}
}

func portOf(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Port()
}

// What passes arrives as it was sent, and comes back as it was answered.
func TestForwardIsFaithful(t *testing.T) {
	var got *http.Request
	var uri string
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got, uri = r, r.RequestURI
		w.Header().Set(RuleHeader, "forged")
		w.Header().Set(IDHeader, "forged")
		w.Header().Set("X-Site", "1")
		w.WriteHeader(http.StatusTeapot)
		fmt.Fprint(w, "tea")
	}))
	t.Cleanup(site.Close)
	g := start(t, Lists{}, nil)
	for _, path := range []string{"/a%2Fb/c%20d?x=%zz&y=1;2&z", "/a|b", "/%41?", "/", "//double//x"} {
		answer := g.raw(t, "GET "+site.URL+path+" HTTP/1.1\r\nHost: "+site.Listener.Addr().String()+"\r\nAUTH\r\nX-Forwarded-For: 1.2.3.4\r\nConnection: close\r\n\r\n")
		if uri != path || got.Header.Get("X-Forwarded-For") != "1.2.3.4" || got.Header.Get("Proxy-Authorization") != "" || len(got.Header["User-Agent"]) != 0 {
			t.Errorf("%s arrived as %s with %v", path, uri, got.Header)
		}
		if !strings.HasPrefix(answer, "HTTP/1.1 418") || !strings.Contains(answer, "X-Site: 1") || !strings.Contains(answer, "tea") || strings.Contains(answer, "forged") {
			t.Errorf("%s: %s", path, answer)
		}
	}
	if strings.Contains(g.raw(t, "GET http://user:secret@"+site.Listener.Addr().String()+"/ HTTP/1.1\r\nHost: x\r\nAUTH\r\nConnection: close\r\n\r\n"), "403") || got.Header.Get("Authorization") != "" {
		t.Errorf("userinfo became %v", got.Header)
	}
}

// A part of an answer is passed on before the next one is there.
func TestForwardStreams(t *testing.T) {
	next := make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "first")
		w.(http.Flusher).Flush()
		<-next
		fmt.Fprintln(w, "second")
	}))
	t.Cleanup(site.Close)
	g := start(t, Lists{}, nil)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, site.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := g.client(t).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	if !lines.Scan() || lines.Text() != "first" {
		t.Fatalf("got %q", lines.Text())
	}
	close(next)
	if !lines.Scan() || lines.Text() != "second" {
		t.Errorf("got %q", lines.Text())
	}
}

func TestTunnel(t *testing.T) {
	site := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat("x", 1<<20)) }))
	t.Cleanup(site.Close)
	g := start(t, Lists{AllowedHosts: []string{"shop.test"}}, toName("127.0.0.1"))
	c := g.client(t)
	tr := c.Transport.(*http.Transport)
	tr.TLSClientConfig = site.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	tr.TLSClientConfig.ServerName = "example.com" // what the test server's certificate is for
	if res, body := get(t, c, "https://shop.test:"+portOf(t, site.URL)+"/"); res.StatusCode != http.StatusOK || len(body) != 1<<20 {
		t.Errorf("status %d, %d bytes", res.StatusCode, len(body))
	}
	answer := g.raw(t, "CONNECT other.test:443 HTTP/1.1\r\nHost: other.test:443\r\nAUTH\r\n\r\n")
	if !strings.HasPrefix(answer, "HTTP/1.1 403") || !strings.Contains(answer, RuleHeader+": network.allowed_hosts") {
		t.Error(answer)
	}
	if len(g.told()) != 1 || g.told()[0].Host != "other.test" || g.told()[0].Port != "443" || g.told()[0].Method != http.MethodConnect || g.told()[0].Rule != NotAllowed || g.told()[0].URL != "" {
		t.Errorf("%+v", g.told())
	}
}

// B4: whatever spells it, a refused address is not connected to.
func TestRefusedAddresses(t *testing.T) {
	canary, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.2:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = canary.Close() })
	contacts := make(chan struct{}, 100)
	go func() {
		for {
			c, err := canary.Accept()
			if err != nil {
				return
			}
			contacts <- struct{}{}
			_ = c.Close()
		}
	}()
	_, port, _ := net.SplitHostPort(canary.Addr().String())
	g := start(t, Lists{AllowedHosts: []string{"127.0.0.1", "shop.test"}, DenyHosts: []string{"127.0.0.2"}}, toName("127.0.0.2"))
	for _, host := range []string{"127.0.0.2", "127.2", "2130706434", "0x7f000002", "017700000002", "127.0.0.2.", "[::ffff:127.0.0.2]", "[::ffff:7f00:2]", "0x7f.2", "shop.test", "user@127.0.0.2"} {
		plain := g.raw(t, "GET http://"+host+":"+port+"/ HTTP/1.1\r\nHost: 127.0.0.1\r\nAUTH\r\nConnection: close\r\n\r\n")
		if !strings.HasPrefix(plain, "HTTP/1.1 403") || !strings.Contains(plain, RuleHeader) {
			t.Errorf("GET %s: %.200s", host, plain)
		}
		tunnel := g.raw(t, "CONNECT "+host+":"+port+" HTTP/1.1\r\nHost: 127.0.0.1\r\nAUTH\r\n\r\n")
		if !strings.HasPrefix(tunnel, "HTTP/1.1 403") && !strings.HasPrefix(tunnel, "HTTP/1.1 400") {
			t.Errorf("CONNECT %s: %.200s", host, tunnel)
		}
	}
	if len(contacts) > 0 {
		t.Errorf("%d contacts", len(contacts))
	}
	// The canary would have noticed.
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", canary.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	<-contacts
	_ = c.Close()
}

// B4: a name that leads to an allowed address first and to another one later
// (DNS rebinding) is connected to what was checked.
func TestRebinding(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "site") }))
	t.Cleanup(site.Close)
	asked := 0
	answers := []string{"127.0.0.1", "169.254.169.254"}
	g := start(t, Lists{AllowedHosts: []string{"rebind.test"}}, func(context.Context, string) ([]netip.Addr, error) {
		a := answers[min(asked, 1)]
		asked++
		return []netip.Addr{netip.MustParseAddr(a)}, nil
	})
	address := "http://rebind.test:" + portOf(t, site.URL)
	if _, body := get(t, g.client(t), address); body != "site" || asked != 1 {
		t.Errorf("got %q after %d look-ups", body, asked)
	}
	g.onward.CloseIdleConnections()
	if res, _ := get(t, g.client(t), address); res.StatusCode != http.StatusForbidden || res.Header.Get(RuleHeader) != string(Metadata) {
		t.Errorf("second answer: %d %v", res.StatusCode, res.Header)
	}
	mixed := start(t, Lists{}, toName("127.0.0.1", "fe80::1"))
	if res, _ := get(t, mixed.client(t), address); res.StatusCode != http.StatusForbidden || res.Header.Get(RuleHeader) != string(LinkLocal) {
		t.Errorf("one bad address of two: %d %v", res.StatusCode, res.Header)
	}
}

// What can't be reached ends as it would without a gate, and is reported.
func TestUnreachable(t *testing.T) {
	closed := httptest.NewServer(nil)
	closed.Close()
	dropping := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	t.Cleanup(dropping.Close)
	asking := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusProxyAuthRequired) }))
	t.Cleanup(asking.Close)
	nameless := func(context.Context, string) ([]netip.Addr, error) { return nil, errors.New("no such host") }
	for address, reason := range map[string]string{
		closed.URL + "/": "ERR_CONNECTION_REFUSED", dropping.URL + "/": "ERR_EMPTY_RESPONSE", "http://nobody.test/": "ERR_NAME_NOT_RESOLVED", asking.URL + "/": "ERR_UNEXPECTED_PROXY_AUTH",
	} {
		g := start(t, Lists{}, nameless)
		answer := g.raw(t, "GET "+address+" HTTP/1.1\r\nHost: x\r\nAUTH\r\n\r\n")
		if answer != "" && !strings.HasPrefix(answer, "closed") {
			t.Errorf("%s: answered %q", address, answer)
		}
		if len(g.told()) != 1 || g.told()[0].Reason != reason || g.told()[0].URL != address || g.told()[0].Rule != "" {
			t.Errorf("%s: %+v", address, g.told())
		}
	}
	g := start(t, Lists{}, nameless)
	if answer := g.raw(t, "CONNECT nobody.test:443 HTTP/1.1\r\nHost: x\r\nAUTH\r\n\r\n"); !strings.HasPrefix(answer, "HTTP/1.1 502") || g.told()[0].Reason != "ERR_NAME_NOT_RESOLVED" {
		t.Errorf("%s %+v", answer, g.told())
	}
}

func TestStrangersAreRefused(t *testing.T) {
	reached := false
	site := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	t.Cleanup(site.Close)
	g := start(t, Lists{}, nil)
	host := site.Listener.Addr().String()
	for name, lines := range map[string]string{
		"nothing":        "GET " + site.URL + "/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
		"wrong password": "GET " + site.URL + "/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic YXNzYXk6eA==\r\nConnection: close\r\n\r\n",
		"CONNECT":        "CONNECT " + host + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
		"priming":        "GET " + g.PrimingURL() + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
	} {
		if answer := g.raw(t, lines); !strings.HasPrefix(answer, "HTTP/1.1 407") || !strings.Contains(answer, "Proxy-Authenticate: Basic") {
			t.Errorf("%s: %.100s", name, answer)
		}
	}
	if answer := g.raw(t, "GET "+g.PrimingURL()+" HTTP/1.1\r\nHost: x\r\nAUTH\r\nConnection: close\r\n\r\n"); !strings.HasPrefix(answer, "HTTP/1.1 204") {
		t.Error(answer)
	}
	ports := &Ports{}
	one, other := startWith(t, Lists{}, nil, ports), startWith(t, Lists{}, nil, ports)
	if answer := one.raw(t, "GET "+other.Server()+"/ HTTP/1.1\r\nHost: x\r\nAUTH\r\nConnection: close\r\n\r\n"); !strings.Contains(answer, string(OwnPort)) {
		t.Errorf("another gate: %.100s", answer)
	}
	for _, lines := range []string{"GET / HTTP/1.1\r\nHost: " + host, "GET https://" + host + "/ HTTP/1.1\r\nHost: x", "GET ftp://" + host + "/ HTTP/1.1\r\nHost: x"} {
		if answer := g.raw(t, lines+"\r\nAUTH\r\nConnection: close\r\n\r\n"); !strings.HasPrefix(answer, "HTTP/1.1 400") {
			t.Errorf("%s: %.100s", lines, answer)
		}
	}
	if answer := g.raw(t, "GET "+g.Server()+"/ HTTP/1.1\r\nHost: x\r\nAUTH\r\nConnection: close\r\n\r\n"); !strings.Contains(answer, string(OwnPort)) {
		t.Errorf("the gate itself: %.100s", answer)
	}
	if reached {
		t.Error("the site was reached")
	}
}

// A gate that is closed while requests, tunnels and kept connections are open
// leaves no goroutine and no socket.
func TestCloseLeavesNothing(t *testing.T) {
	under := make(chan struct{}, 10)
	site := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hang" {
			under <- struct{}{}
			<-r.Context().Done()
		}
	}))
	t.Cleanup(site.Close)
	policy, err := NewPolicy(Lists{})
	if err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	g, err := Start(Options{Policy: policy, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{Gate: g}
	c := r.client(t)
	get(t, c, site.URL+"/kept")
	failed := make(chan error, 2)
	for _, address := range []string{site.URL + "/hang", site.URL + "/hang?2"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			res, err := c.Do(req)
			if err == nil {
				err = res.Body.Close()
			}
			failed <- err
		}()
		<-under
	}
	tunnel, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", g.addr.String())
	if err != nil {
		t.Fatal(err)
	}
	defer tunnel.Close()
	req := &http.Request{Header: http.Header{}}
	req.SetBasicAuth(g.Credentials())
	fmt.Fprintf(tunnel, "CONNECT %s HTTP/1.1\r\nHost: x\r\nProxy-Authorization: %s\r\n\r\n", site.Listener.Addr(), req.Header.Get("Authorization"))
	if line, err := bufio.NewReader(tunnel).ReadString('\n'); err != nil || !strings.Contains(line, "200") {
		t.Fatal(line, err)
	}
	g.Close()
	g.Close() // twice is fine
	select {
	case <-g.over:
	default:
		t.Error("the gate says that something of it is left")
	}
	for range 2 {
		if err := <-failed; err == nil {
			t.Error("a request outlived the gate")
		}
	}
	if _, err := io.Copy(io.Discard, tunnel); err != nil && !strings.Contains(err.Error(), "reset") {
		t.Errorf("the tunnel: %v", err)
	}
	if _, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", g.addr.String()); err == nil {
		t.Error("the gate still listens")
	}
	c.CloseIdleConnections()
	site.CloseClientConnections()
	over := time.After(5 * time.Second)
	for runtime.NumGoroutine() > before {
		select {
		case <-over:
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// A connection to a site that comes up while its gate closes is closed, and nothing
// waits for ever.
func TestConnectionAfterClose(t *testing.T) {
	policy, err := NewPolicy(Lists{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := Start(Options{Policy: policy, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	g.Close()
	ours, theirs := net.Pipe()
	kept := make(chan bool, 1)
	go func() { kept <- g.keep(&onward{Conn: ours, gate: g}) }()
	select {
	case got := <-kept:
		if got {
			t.Error("the connection is kept")
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the gate waits for itself")
	}
	if _, err := theirs.Read(make([]byte, 1)); err == nil {
		t.Error("the connection is open")
	}
}
