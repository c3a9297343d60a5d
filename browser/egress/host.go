package egress

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// host describes what an address names: a name in lower case without a trailing dot,
// or an IP address.
type host struct {
	name string     // "" for an IP address
	addr netip.Addr // unmapped; the zero Addr for a name
}

func (h host) String() string {
	if h.name != "" {
		return h.name
	}
	return h.addr.String()
}

// parseHost reads a host as browsers do (WHATWG URL), so that no other
// spelling of an address gets past a list: 127.1, 0x7f000001, 017700000001,
// 2130706433, trailing dots, upper case. Names are taken in ASCII; others have
// to come in their xn-- form, as browsers send them.
func parseHost(s string) (host, error) {
	if inner, ok := strings.CutPrefix(s, "["); ok {
		if s, ok = strings.CutSuffix(inner, "]"); !ok {
			return host{}, fmt.Errorf("host %q lacks its closing bracket", cut(inner))
		}
		if !strings.Contains(s, ":") {
			return host{}, fmt.Errorf("host %q is no IPv6 address", cut(s))
		}
	}
	if strings.Contains(s, ":") {
		addr, err := netip.ParseAddr(s)
		if err != nil || addr.Zone() != "" {
			return host{}, fmt.Errorf("host %q is no IPv6 address, or has a zone", cut(s))
		}
		return host{addr: addr.Unmap()}, nil
	}
	s = strings.ToLower(strings.TrimSuffix(s, "."))
	labels := strings.Split(s, ".")
	if isNumber(labels[len(labels)-1]) {
		addr, err := parseIPv4(labels)
		return host{addr: addr}, err
	}
	if len(s) > 253 {
		return host{}, fmt.Errorf("host %q is too long", cut(s))
	}
	for _, l := range labels {
		if l == "" || len(l) > 63 || strings.Trim(l, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return host{}, fmt.Errorf("host %q is no host name", cut(s))
		}
	}
	return host{name: s}, nil
}

// isNumber reports whether a host's last label makes it an IPv4 address.
func isNumber(label string) bool {
	if strings.Trim(label, "0123456789") == "" {
		return label != ""
	}
	digits, ok := strings.CutPrefix(label, "0x")
	return ok && strings.Trim(digits, "0123456789abcdef") == ""
}

// parseIPv4 reads one to four numbers, each decimal, octal (0…) or hexadecimal
// (0x…); the last fills what is left of the 32 bits.
func parseIPv4(labels []string) (netip.Addr, error) {
	bad := fmt.Errorf("host %q is no IPv4 address", cut(strings.Join(labels, ".")))
	if len(labels) > 4 {
		return netip.Addr{}, bad
	}
	var value uint64
	for i, label := range labels {
		n, err := parseNumber(label)
		last := i == len(labels)-1
		switch {
		case err != nil, !last && n > 255, last && n >= 1<<(8*(5-len(labels))):
			return netip.Addr{}, bad
		case last:
			value += n
		default:
			value += n << (8 * (3 - i))
		}
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}), nil
}

func parseNumber(label string) (uint64, error) {
	if digits, ok := strings.CutPrefix(label, "0x"); ok {
		if digits == "" {
			return 0, nil
		}
		return strconv.ParseUint(digits, 16, 33)
	}
	if len(label) > 1 && label[0] == '0' {
		return strconv.ParseUint(label[1:], 8, 33)
	}
	return strconv.ParseUint(label, 10, 33)
}

// local reports whether h means this machine by itself, without a resolver.
func (h host) local() bool {
	return h.name == "localhost" || strings.HasSuffix(h.name, ".localhost") || h.addr.IsLoopback()
}

// cut bounds what an error repeats of a request.
func cut(s string) string { return s[:min(len(s), 100)] }
