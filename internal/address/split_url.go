package address

import (
	"net/url"
	"strings"

	"golang.org/x/net/idna"

	"github.com/assay-qa/assay/internal/pattern"
)

// parts holds an address in the form that patterns are compared with.
type parts struct {
	base, query, hash string
	hashed            bool // there is a #
}

func split(address string) parts {
	var p parts
	p.base, p.hash, p.hashed = strings.Cut(strings.TrimSpace(address), "#")
	p.base, p.query, _ = strings.Cut(p.base, "?")
	if m := withHost.FindStringSubmatch(p.base); m != nil {
		scheme := strings.ToLower(m[1])
		p.base = scheme + "://" + plainHost(scheme, m[2]) + m[3]
	}
	p.base, p.query, p.hash = plain(p.base), plain(p.query), plain(p.hash)
	return p
}

var withHost = pattern.New(`^([A-Za-z][A-Za-z0-9+.-]*)://(?:[^/@]*@)?([^/]*)(.*)$`)

// plainHost writes a host, with its port, as browsers do. It may hold globs.
func plainHost(scheme, host string) string {
	host = strings.ToLower(host)
	port := map[string]string{"http": ":80", "https": ":443", "ws": ":80", "wss": ":443"}[scheme]
	if port != "" {
		host = strings.TrimSuffix(host, port)
	}
	host = strings.TrimSuffix(host, ":")
	labels := strings.Split(host, ".")
	for i, l := range labels {
		if strings.IndexFunc(l, func(r rune) bool { return r >= 0x80 }) < 0 {
			continue
		}
		name, number, found := strings.Cut(l, ":")
		if ascii, err := idna.Lookup.ToASCII(name); err == nil {
			labels[i] = ascii
			if found {
				labels[i] += ":" + number
			}
		}
	}
	return strings.Join(labels, ".")
}

// plain takes away the escapes that no character needs.
func plain(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	var b strings.Builder
	for text != "" {
		if c, ok := escaped(text); ok && unreserved(c) {
			b.WriteByte(c)
			text = text[3:]
			continue
		}
		b.WriteByte(text[0])
		text = text[1:]
	}
	return b.String()
}

// SameHost reports whether two addresses have the same host and port.
func SameHost(a, b *url.URL) bool {
	return plainHost(strings.ToLower(a.Scheme), a.Host) == plainHost(strings.ToLower(b.Scheme), b.Host)
}

// SamePath reports whether two addresses have the same path, without regard
// to slashes at the end and repeated ones.
func SamePath(a, b *url.URL) bool {
	segments := func(u *url.URL) string {
		return strings.Join(strings.FieldsFunc(u.EscapedPath(), func(r rune) bool { return r == '/' }), "/")
	}
	return plain(segments(a)) == plain(segments(b))
}
