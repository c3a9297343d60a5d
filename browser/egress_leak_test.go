package browser

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/browser/explain"
)

// canary listens on 127.0.0.2, on one port for each route, by TCP and UDP, and
// counts who comes.
type canary struct {
	host     map[string]string // host:port by route
	mu       sync.Mutex
	contacts map[string]int
}

func newCanary(t *testing.T, names []string) *canary {
	t.Helper()
	c := &canary{host: map[string]string{}, contacts: map[string]int{}}
	for _, name := range names {
		tcp, udp := bothPorts(t)
		c.host[name] = tcp.Addr().String()
		server := httptest.NewUnstartedServer(http.HandlerFunc(answer))
		_ = server.Listener.Close() // it has its own
		server.Listener = &counted{tcp, func() { c.contact(name) }}
		server.Start()
		t.Cleanup(server.Close)
		t.Cleanup(server.CloseClientConnections)
		t.Cleanup(func() { _ = udp.Close() })
		go func() {
			buffer := make([]byte, 1500)
			for {
				if _, _, err := udp.ReadFrom(buffer); errors.Is(err, net.ErrClosed) {
					return
				}
				c.contact(name)
			}
		}()
	}
	return c
}

// bothPorts opens the same free port for TCP and UDP.
func bothPorts(t *testing.T) (net.Listener, net.PacketConn) {
	t.Helper()
	var lc net.ListenConfig
	for range 20 {
		tcp, err := lc.Listen(t.Context(), "tcp", "127.0.0.2:0")
		if err != nil {
			t.Fatal(err)
		}
		udp, err := lc.ListenPacket(t.Context(), "udp", tcp.Addr().String())
		if err == nil {
			return tcp, udp
		}
		_ = tcp.Close()
	}
	t.Fatal("no port is free for both TCP and UDP")
	return nil, nil
}

// answer lets a page use what it got, whatever it wanted.
func answer(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Allow-Headers", "*")
	w.Header().Set("Access-Control-Allow-Methods", "*")
	w.Header().Set("Content-Type", "text/javascript")
	fmt.Fprint(w, "// "+r.URL.Path)
}

type counted struct {
	net.Listener
	count func()
}

func (l *counted) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		l.count()
	}
	return c, err
}

func (c *canary) contact(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.contacts[name]++
}

func (c *canary) met(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.contacts[name]
}

// rig is a pool, a canary and a site with the routes' pages.
func egressRig(t *testing.T, change func(*Options)) (*Pool, *canary, func(r route) string) {
	t.Helper()
	byName := map[string]route{}
	var names []string
	for _, r := range egressRoutes() {
		byName[r.name] = r
		names = append(names, r.name)
	}
	c := newCanary(t, names)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { routeSite(w, r, byName, c.host) }))
	t.Cleanup(site.Close)
	t.Cleanup(site.CloseClientConnections)
	start := poolWith
	if o := (Options{}); change != nil {
		if change(&o); o.ungated { // its browser has no switches against ways around the gate
			start = newPool
		}
	}
	return start(t, change), c, func(r route) string {
		if r.to != "" {
			return site.URL + aim(r.to, c.host[r.name])
		}
		return site.URL + "/route?name=" + url.QueryEscape(r.name)
	}
}

// refusedAt reports whether the session's gate refused that port.
func refusedAt(s *Session, hostport string) bool {
	_, port, _ := net.SplitHostPort(hostport)
	for _, n := range s.log.Refusals() {
		if n.Port == port && n.Rule == egress.NotAllowed {
			return true
		}
	}
	return false
}

// B4: by no route does a page reach a host that is not on the list. Each route
// is seen to be tried: the gate reports it, or the page says that it is over.
func TestNoRouteGetsPastTheGate(t *testing.T) {
	t.Parallel()
	pool, c, address := egressRig(t, func(o *Options) { o.Network.AllowedHosts = []string{"127.0.0.1"} })
	s := launch(t, pool, LaunchOptions{})
	tried := func(r route) {
		t.Run(r.name, func(t *testing.T) {
			if !r.embeds() {
				_, err := s.Navigate(within30s(t), address(r), "load", 5*time.Second)
				var e *explain.Error
				if err != nil && (!asErr(err, &e) || e.Code != explain.HostBlocked && e.Code != explain.NavigationFailed && e.Code != explain.TimedOut) {
					t.Fatal(err)
				}
			}
			if r.never != "" || r.untried {
				return
			}
			becomes(t, "the attempt ends", func() error {
				if !r.silent && !refusedAt(s, c.host[r.name]) {
					return errors.New("the gate refused nothing")
				}
				if title, err := pageOf(s).Title(); r.silent && (err != nil || title != "over") {
					return fmt.Errorf("the page is %q, %w", title, err)
				}
				return nil
			})
		})
	}
	visit(t, s, strings.TrimSuffix(address(route{name: "x"}), "route?name=x")+"frames")
	for _, embedded := range []bool{true, false} {
		for _, r := range egressRoutes() {
			if r.embeds() == embedded {
				tried(r)
			}
		}
	}
	// The marker: a page of the site is loaded after all, and its answer has come.
	visit(t, s, address(route{name: "none", page: "x"}))
	for _, r := range egressRoutes() {
		if n := c.met(r.name); n > 0 {
			t.Errorf("%s: %d contacts", r.name, n)
		}
	}
}

// What is allowed works by every route: in popups, workers, service workers,
// WebSockets and downloads the gate is passed without being asked for anything.
func TestAllowedHostIsReachedByEveryRoute(t *testing.T) {
	t.Parallel()
	pool, c, address := egressRig(t, func(o *Options) { o.Network.AllowedHosts = []string{"127.0.0.1", "127.0.0.2"} })
	s := launch(t, pool, LaunchOptions{})
	for i, r := range egressRoutes() {
		if r.never != "" || r.untried || r.silent || !sampled(i+1, 4) {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			_, _ = s.Navigate(within30s(t), address(r), "commit", 5*time.Second) // many answers are no page
			becomes(t, "the canary is met", func() error {
				if c.met(r.name) == 0 {
					return errors.New("no contact")
				}
				return nil
			})
		})
	}
}

// The test of what is refused can fail: without the gate the same pages reach the canary,
// but for the routes that this browser doesn't have.
func TestRoutesReachTheCanaryWithoutAGate(t *testing.T) {
	t.Parallel()
	pool, c, address := egressRig(t, func(o *Options) { o.ungated = true })
	s := launch(t, pool, LaunchOptions{})
	for i, r := range egressRoutes() {
		if !sampled(i, 4) {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			_, _ = s.Navigate(within30s(t), address(r), "commit", 5*time.Second) // many answers are no page
			if r.never != "" {
				return
			}
			becomes(t, "the canary is met", func() error {
				if c.met(r.name) == 0 {
					return errors.New("no contact")
				}
				return nil
			})
		})
	}
	for _, r := range egressRoutes() {
		if r.never != "" && c.met(r.name) > 0 {
			t.Errorf("%s reaches the canary after all (it was thought that %s): have the gate's refusal checked", r.name, r.never)
		}
	}
}
