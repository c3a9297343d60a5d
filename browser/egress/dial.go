package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// dialLimit bounds finding and connecting to one host.
const dialLimit = 30 * time.Second

// refusal reports as an error that a rule refuses a request.
type refusal struct {
	host string
	rule Rule
}

func (r *refusal) Error() string { return r.host + " is refused: " + string(r.rule) }

// dial connects to a host and port that the policy allows. It resolves the
// name once, checks each address, and connects to one that it checked: no
// second look-up can lead elsewhere. One refused address refuses the name.
func (g *Gate) dial(ctx context.Context, _, hostport string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialLimit)
	defer cancel()
	defer context.AfterFunc(g.ctx, cancel)()
	hostname, portText, err := net.SplitHostPort(hostport)
	if err != nil {
		return nil, &refusal{cut(hostport), Malformed}
	}
	port, err := strconv.ParseUint(portText, 10, 16)
	if err != nil || port == 0 {
		return nil, &refusal{cut(hostport), Malformed}
	}
	h, err := parseHost(hostname)
	if err != nil {
		return nil, &refusal{cut(hostname), Malformed}
	}
	if rule := g.opts.Policy.check(h); rule != "" {
		return nil, &refusal{hostname, rule}
	}
	addrs, err := g.resolve(ctx, h)
	if err != nil {
		return nil, err
	}
	targets := make([]netip.AddrPort, len(addrs))
	for i, addr := range addrs {
		targets[i] = netip.AddrPortFrom(addr.Unmap().WithZone(""), uint16(port))
		if g.opts.Ports.has(targets[i]) {
			return nil, &refusal{hostname, OwnPort}
		}
		if rule := g.opts.Policy.checkAddr(h, addr.WithZone("")); rule != "" {
			return nil, &refusal{hostname, rule}
		}
	}
	return g.connect(ctx, targets)
}

// resolve finds the addresses of a host. Names below localhost never leave
// this machine (RFC 6761).
func (g *Gate) resolve(ctx context.Context, h host) ([]netip.Addr, error) {
	switch {
	case h.name == "":
		return []netip.Addr{h.addr}, nil
	case h.local():
		return []netip.Addr{netip.IPv6Loopback(), netip.AddrFrom4([4]byte{127, 0, 0, 1})}, nil
	}
	addrs, err := g.opts.Resolve(ctx, h.name)
	if err == nil && len(addrs) == 0 {
		err = &net.DNSError{Err: "no address", Name: h.name, IsNotFound: true}
	}
	if err != nil {
		return nil, fmt.Errorf("%w %s: %w", errName, h.name, err)
	}
	return addrs, nil
}

var errName = errors.New("resolve")

// connect tries one address after the other, each with its share of the time.
func (g *Gate) connect(ctx context.Context, targets []netip.AddrPort) (net.Conn, error) {
	var failures []error
	share := dialLimit / time.Duration(len(targets))
	for _, target := range targets {
		d := net.Dialer{Timeout: share, KeepAlive: 30 * time.Second}
		c, err := d.DialContext(ctx, "tcp", target.String())
		if err != nil {
			failures = append(failures, err)
			continue
		}
		kept := &onward{Conn: c, gate: g}
		if !g.keep(kept) {
			return nil, net.ErrClosed
		}
		return kept, nil
	}
	return nil, errors.Join(failures...)
}

// onward wraps a connection to a site. Its gate drops it when it is closed.
type onward struct {
	net.Conn
	gate *Gate
}

// Close closes the connection.
func (c *onward) Close() error {
	c.gate.drop(c)
	return c.Conn.Close()
}

// reason spells a failed connection as browsers do.
func reason(err error) string {
	switch {
	case errors.Is(err, errProxyAuth):
		return "ERR_UNEXPECTED_PROXY_AUTH"
	case errors.Is(err, errName):
		return "ERR_NAME_NOT_RESOLVED"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), isTimeout(err):
		return "ERR_CONNECTION_TIMED_OUT"
	case errors.Is(err, syscall.ECONNREFUSED), strings.Contains(err.Error(), "refused"):
		return "ERR_CONNECTION_REFUSED"
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH):
		return "ERR_ADDRESS_UNREACHABLE"
	case errors.Is(err, syscall.ECONNRESET):
		return "ERR_CONNECTION_RESET"
	case strings.Contains(err.Error(), "malformed HTTP"), strings.Contains(err.Error(), "invalid header"):
		return "ERR_INVALID_HTTP_RESPONSE"
	}
	return "ERR_EMPTY_RESPONSE"
}

func isTimeout(err error) bool {
	var ne net.Error
	return errors.As(err, &ne) && ne.Timeout()
}
