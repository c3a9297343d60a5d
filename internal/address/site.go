package address

import (
	"net"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// SameSite reports whether two addresses are of one site, at one port.
func SameSite(a, b string) bool { return Site(a) != "" && Site(a) == Site(b) && portOf(a) == portOf(b) }

// Origin returns scheme, host and port of an address, in small letters and without the port
// that goes without saying.
func Origin(u *url.URL) string {
	scheme := strings.ToLower(u.Scheme)
	return scheme + "://" + plainHost(scheme, u.Host)
}

func portOf(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return ""
	}
	_, port, _ := net.SplitHostPort(plainHost(strings.ToLower(u.Scheme), u.Host))
	return port
}

// Site returns what the page at an address belongs to: the domain that somebody has
// registered, whatever the scheme, the port and the host below it, as in
// shop.example of https://www.shop.example:8443/cart. An IP address, or a name
// without a registered domain such as localhost, is a site with its port. It is
// empty for what is no address of a host.
func Site(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Hostname() == "" {
		return ""
	}
	host := plainHost(u.Scheme, u.Hostname())
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil && net.ParseIP(host) == nil {
		return domain
	}
	return plainHost(strings.ToLower(u.Scheme), u.Host)
}
