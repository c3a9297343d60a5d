package egress

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assay-qa/assay/internal/wait"
)

// Bounds on what one gate holds. A browser opens 32 connections to its proxy,
// and 255 WebSockets.
const (
	maxConnections  = 512
	maxHeaderBytes  = 256 << 10
	headerLimit     = time.Minute      // between the connection and a request's last header
	idleLimit       = 2 * time.Minute  // a kept connection without a request
	tunnelIdleLimit = 10 * time.Minute // a tunnel in which nothing moves
	bufferSize      = 32 << 10
)

// Resolver finds a name's addresses.
type Resolver func(ctx context.Context, name string) ([]netip.Addr, error)

// Options holds a gate's settings.
type Options struct {
	Policy  *Policy
	Resolve Resolver         // nil: the system's
	Ports   *Ports           // shared by the gates that may not be reached; nil: this one alone
	Now     func() time.Time // required
	// Judge decides on every request that isn't tunnelled; a rule refuses it. May
	// be nil.
	Judge func(r *http.Request, url string, body []byte) Rule
	// JudgeTunnel decides on every tunnel before it is opened. May be nil.
	JudgeTunnel func(host, port string) Rule
	// JudgeMessage decides on what a WebSocket sends in a tunnel, which a rule closes.
	// May be nil.
	JudgeMessage func(Sending) Rule
	OnUnreached  func(Unreached) // called, before the browser is answered, from many goroutines; may be nil
}

// Unreached describes a request that did not get out: a rule refused it, or its
// host could not be connected to.
type Unreached struct {
	ID     string // of the answer that the browser got, in the header [IDHeader]; "" when it got none
	Time   time.Time
	Method string // CONNECT for what is tunnelled: https and WebSockets
	Host   string // as the browser wrote it
	Port   string
	URL    string // "" for a tunnel
	Rule   Rule   // what refused it, or ""
	Reason string // without a rule: the network error as browsers spell it, such as ERR_CONNECTION_REFUSED
}

// Headers of a refusal. What a site sends under these names is dropped, so
// that it can't pass for ours.
const (
	RuleHeader = "Assay-Egress-Refused"
	IDHeader   = "Assay-Egress-Id"
)

// Gate runs a forward proxy on loopback. It serves only clients that present its
// credentials.
type Gate struct {
	opts     Options
	addr     netip.AddrPort
	user     string
	password string
	wanted   []byte // Proxy-Authorization of a client that has both
	priming  string // host that the gate itself answers for
	listener net.Listener
	server   *http.Server
	onward   *http.Transport
	forward  *httputil.ReverseProxy
	buffers  *buffers
	requests atomic.Uint64
	ctx      context.Context // ends with the gate
	cancel   context.CancelFunc

	mu     sync.Mutex
	closed bool
	conns  map[net.Conn]struct{} // tunnels and connections onward
	work   sync.WaitGroup        // requests, and the server's loop
	over   chan struct{}         // closed when Close has done its work
}

// Start opens a gate on a free port of 127.0.0.1.
func Start(o Options) (*Gate, error) {
	if o.Policy == nil || o.Now == nil {
		return nil, errors.New("an egress gate needs a policy and a clock")
	}
	if o.Resolve == nil {
		o.Resolve = func(ctx context.Context, name string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", name)
		}
	}
	if o.Ports == nil {
		o.Ports = &Ports{}
	}
	var lc net.ListenConfig
	ctx, cancel := context.WithCancel(context.Background())
	l, err := lc.Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		cancel()
		return nil, fmt.Errorf("open the egress gate: %w", err)
	}
	g := &Gate{opts: o, ctx: ctx, cancel: cancel, listener: l, user: "assay", password: rand.Text(), priming: "gate-" + strings.ToLower(rand.Text()) + ".invalid",
		buffers: newBuffers(), conns: map[net.Conn]struct{}{}, over: make(chan struct{})}
	g.addr = netip.MustParseAddrPort(l.Addr().String())
	g.wanted = []byte("Basic " + base64.StdEncoding.EncodeToString([]byte(g.user+":"+g.password)))
	o.Ports.add(g.addr)
	g.onward = &http.Transport{
		DialContext: g.dial, DisableCompression: true, MaxIdleConnsPerHost: 32, IdleConnTimeout: idleLimit,
		MaxResponseHeaderBytes: maxHeaderBytes, ReadBufferSize: bufferSize, WriteBufferSize: bufferSize,
	}
	g.forward = g.reverseProxy()
	g.server = &http.Server{
		Handler: g, ReadHeaderTimeout: headerLimit, IdleTimeout: idleLimit, MaxHeaderBytes: maxHeaderBytes,
		ConnState:   expect,
		BaseContext: func(net.Listener) context.Context { return g.ctx },
		ErrorLog:    log.New(io.Discard, "", 0), // what clients and sites do wrong is reported to the browser
	}
	g.work.Add(1)
	go func() {
		defer g.work.Done()
		_ = g.server.Serve(&limited{Listener: l, places: wait.NewPlaces(maxConnections), life: g.ctx}) // it ends with Close
	}()
	return g, nil
}

// Server returns the proxy's address for a browser, such as http://127.0.0.1:4711.
func (g *Gate) Server() string { return "http://" + g.addr.String() }

// Credentials returns what the proxy asks for, by Basic authentication.
func (g *Gate) Credentials() (user, password string) { return g.user, g.password }

// PrimingURL returns an address that the gate answers itself, with status 204: a
// browser that loads it has shown its credentials, and reached no other host.
func (g *Gate) PrimingURL() string { return "http://" + g.priming + "/" }

// Close ends the gate with all its connections, and waits for its goroutines.
// It may be called more than once.
func (g *Gate) Close() {
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		<-g.over
		return
	}
	g.closed = true
	conns := g.conns
	g.conns = nil
	g.mu.Unlock()
	g.cancel()
	_ = g.server.Close() // it says only that a socket was closed already
	for c := range conns {
		_ = c.Close()
	}
	g.work.Wait()
	g.onward.CloseIdleConnections()
	g.opts.Ports.remove(g.addr)
	close(g.over)
}

// enter counts a request in, unless the gate is closed.
func (g *Gate) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.work.Add(1)
	return true
}

// keep notes a connection that Close has to close. It reports false, and has
// closed it, when the gate is closed.
func (g *Gate) keep(c net.Conn) bool {
	g.mu.Lock()
	closed := g.closed
	if !closed {
		g.conns[c] = struct{}{}
	}
	g.mu.Unlock()
	if closed {
		_ = c.Close() // it drops itself, which takes the lock
	}
	return !closed
}

func (g *Gate) drop(c net.Conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.conns, c)
}

// ServeHTTP answers one request of the browser.
func (g *Gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !g.enter() {
		return
	}
	defer g.work.Done()
	r.RequestURI = strings.ReplaceAll(r.RequestURI, lone, "%")
	switch {
	case !g.authorised(r):
		w.Header().Set("Proxy-Authenticate", `Basic realm="assay"`)
		w.WriteHeader(http.StatusProxyAuthRequired)
	case r.Method == http.MethodConnect:
		g.tunnel(w, r)
	case r.URL.Scheme != "http" || r.URL.Host == "":
		http.Error(w, "assay: this is a proxy: it takes absolute http addresses and CONNECT", http.StatusBadRequest)
	case r.URL.Host == g.priming:
		w.WriteHeader(http.StatusNoContent)
	default:
		g.pass(w, r)
	}
}

func (g *Gate) authorised(r *http.Request) bool {
	return subtle.ConstantTimeCompare([]byte(r.Header.Get("Proxy-Authorization")), g.wanted) == 1
}

// unreached reports a request that did not get out, and returns the report.
func (g *Gate) unreached(r *http.Request, err error) Unreached {
	u := Unreached{ID: fmt.Sprintf("%s-%d", g.password[:8], g.requests.Add(1)), Time: g.opts.Now(), Method: r.Method, Host: r.URL.Hostname(), Port: r.URL.Port()}
	if r.Method != http.MethodConnect {
		u.URL = r.RequestURI // the URL may have been taken apart for the way out
		if address, err := url.Parse(r.RequestURI); err == nil && address.User != nil {
			address.User = nil
			u.URL = address.String()
		}
		if u.Port == "" {
			u.Port = "80"
		}
	}
	var refused *refusal
	if errors.As(err, &refused) {
		u.Rule = refused.rule
	} else {
		u.Reason = reason(err)
	}
	if g.opts.OnUnreached != nil {
		g.opts.OnUnreached(u)
	}
	return u
}

// limited bounds the connections that are open at once: the next one waits.
type limited struct {
	net.Listener
	places *wait.Places
	life   context.Context
}

// Accept waits for a place, then for a connection.
func (l *limited) Accept() (net.Conn, error) {
	if err := l.places.Take(l.life); err != nil {
		return nil, err
	}
	c, err := l.Listener.Accept()
	if err != nil {
		l.places.Give()
		return nil, err
	}
	line := newLenient(c)
	return &placed{Conn: line, line: line, release: sync.OnceFunc(l.places.Give)}, nil
}

// placed gives its place back when it is closed.
type placed struct {
	net.Conn
	line    *lenient
	release func()
}

// Close closes the connection.
func (c *placed) Close() error {
	defer c.release()
	return c.Conn.Close()
}
