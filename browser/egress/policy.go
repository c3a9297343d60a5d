package egress

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// Rule names why a host was refused: the setting that does it, or what no
// setting opens.
type Rule string

// The rules. Those that are settings are spelt as in mcp.toml.
const (
	NotAllowed Rule = "network.allowed_hosts"
	External   Rule = "network.block_external"
	Denied     Rule = "network.deny_hosts"
	Production Rule = "guard.production_hosts"
	// ProductionWord refuses pages only.
	ProductionWord Rule = "guard.production_words"
	// NotHome names the setting that it is about, too.
	NotHome     Rule = "network.allowed_hosts, which without an entry leaves the hosts of the environment"
	NotInScope  Rule = "allowed_hosts of the session"
	Metadata    Rule = "the ban on cloud metadata"
	LinkLocal   Rule = "the ban on link-local addresses"
	Unspecified Rule = "the ban on unspecified addresses"
	Multicast   Rule = "the ban on multicast and broadcast"
	OwnPort     Rule = "the ban on the gate itself"
	Malformed   Rule = "the ban on malformed hosts"
)

// Lists say which hosts may be reached. A pattern is a host name, *.domain
// (any name below domain, not domain itself) or an IP address, without scheme,
// port and path. With nothing set every host is open but what [Policy] always
// refuses.
type Lists struct {
	// AllowedHosts, when there are any, are the only hosts that may be reached.
	AllowedHosts []string
	// HomeHosts, when there are any, are the only hosts that may be reached without
	// AllowedHosts and BlockExternal: those of the system under test. They name no
	// production host.
	HomeHosts []string
	// BlockExternal without AllowedHosts leaves loopback alone: localhost, the
	// names below it, and loopback addresses.
	BlockExternal bool
	// DenyHosts lists hosts that are refused even where AllowedHosts names
	// them.
	DenyHosts []string
	// ProductionHosts lists hosts that are refused unless AllowedHosts names
	// the host itself: a pattern with * opens none of them.
	ProductionHosts []string
	// ProductionWords make a host that has one of them between its dots and hyphens
	// a production system's: no page is opened there unless AllowedHosts names the
	// host itself. What a page loads from there is not refused.
	ProductionWords []string
	// Scopes holds lists that narrow what the others leave, for all sessions
	// of a caller or for one: a host has to be on each that is not empty.
	Scopes [][]string
}

// Policy holds compiled Lists. It is safe for concurrent use.
type Policy struct {
	allowed, denied, production []pattern
	home                        []pattern
	words                       []string
	scopes                      [][]pattern
	blockExternal               bool
}

// pattern holds one entry of a list.
type pattern struct {
	host
	below bool // *.name
}

// NewPolicy compiles lists. The error names the pattern that is none.
func NewPolicy(l Lists) (*Policy, error) {
	p := &Policy{blockExternal: l.BlockExternal, words: l.ProductionWords}
	var errs [4]error
	p.allowed, errs[0] = parsePatterns(string(NotAllowed), l.AllowedHosts)
	p.denied, errs[1] = parsePatterns(string(Denied), l.DenyHosts)
	p.production, errs[2] = parsePatterns(string(Production), l.ProductionHosts)
	p.home, errs[3] = parsePatterns("the hosts of the environment", l.HomeHosts)
	for _, texts := range l.Scopes {
		scope, err := parsePatterns("allowed_hosts", texts)
		if err != nil {
			return nil, err
		}
		if len(scope) > 0 {
			p.scopes = append(p.scopes, scope)
		}
	}
	return p, errors.Join(errs[:]...)
}

func parsePatterns(list string, texts []string) ([]pattern, error) {
	var out []pattern
	for _, text := range texts {
		entry, err := parsePattern(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %q is no host name, *.domain or IP address: %w", list, cut(text), err)
		}
		out = append(out, entry)
	}
	return out, nil
}

func parsePattern(text string) (pattern, error) {
	name, below := strings.CutPrefix(text, "*.")
	h, err := parseHost(name)
	if err == nil && below && h.name == "" {
		err = fmt.Errorf("*. stands before a name")
	}
	return pattern{host: h, below: below}, err
}

func (p pattern) matches(h host) bool {
	if p.below {
		return strings.HasSuffix(h.name, "."+p.name)
	}
	return p.host == h
}

// matchesAddr reports whether a name's address is one that the pattern means.
// A list that denies localhost denies what resolves to it.
func (p pattern) matchesAddr(addr netip.Addr) bool {
	if p.name == "localhost" && !p.below {
		return addr.IsLoopback()
	}
	return p.addr == addr
}

func anyMatch(list []pattern, h host) bool {
	return slices.ContainsFunc(list, func(p pattern) bool { return p.matches(h) })
}

func anyAddr(list []pattern, addr netip.Addr) bool {
	return slices.ContainsFunc(list, func(p pattern) bool { return p.matchesAddr(addr) })
}

// Hosts is a list of hosts as the lists of a policy have them: names, *.domain, IP addresses.
type Hosts []pattern

// NewHosts compiles a list. The error names the pattern that is none, and the list.
func NewHosts(list string, texts []string) (Hosts, error) { return parsePatterns(list, texts) }

// Has reports whether a host is in the list, by its spelling.
func (l Hosts) Has(hostname string) bool {
	h, err := parseHost(hostname)
	return err == nil && anyMatch(l, h)
}

// Check returns the rule that refuses a host by its spelling, or "". The
// address that a name resolves to is checked when it is dialled.
func (p *Policy) Check(hostname string) Rule {
	h, err := parseHost(hostname)
	if err != nil {
		return Malformed
	}
	return p.check(h)
}

// CheckPage checks a host as Check does, for a page that is to be opened.
func (p *Policy) CheckPage(hostname string) Rule {
	rule := p.Check(hostname)
	if h, err := parseHost(hostname); rule == "" && err == nil && p.looksLive(h) && !p.named(h) {
		return ProductionWord
	}
	return rule
}

// Production reports whether a host is a production system's, be it that the
// allowed hosts name it.
func (p *Policy) Production(hostname string) bool {
	h, err := parseHost(hostname)
	return err == nil && (anyMatch(p.production, h) || p.looksLive(h))
}

func (p *Policy) looksLive(h host) bool {
	if h.name == "" || h.local() {
		return false
	}
	return slices.ContainsFunc(strings.FieldsFunc(h.name, func(r rune) bool { return r == '.' || r == '-' || r == '_' }), func(word string) bool {
		return slices.ContainsFunc(p.words, func(w string) bool { return strings.EqualFold(w, word) })
	})
}

func (p *Policy) check(h host) Rule {
	if slices.Contains(metadataNames, h.name) {
		return Metadata
	}
	if h.addr.IsValid() {
		if rule := p.checkAddr(h, h.addr); rule != "" {
			return rule
		}
	}
	switch {
	case anyMatch(p.denied, h):
		return Denied
	case anyMatch(p.production, h) && !p.named(h):
		return Production
	case len(p.allowed) > 0 && !anyMatch(p.allowed, h):
		return NotAllowed
	case len(p.allowed) == 0 && p.blockExternal && !h.local():
		return External
	case len(p.allowed) == 0 && !p.blockExternal && len(p.home) > 0 && !anyMatch(p.home, h):
		return NotHome
	case slices.ContainsFunc(p.scopes, func(scope []pattern) bool { return !anyMatch(scope, h) }):
		return NotInScope
	}
	return ""
}

// named reports whether the allowed hosts name h itself, not by a *.
func (p *Policy) named(h host) bool {
	return slices.ContainsFunc(p.allowed, func(a pattern) bool { return !a.below && a.host == h })
}

// checkAddr returns the rule that refuses h at the address it resolves to. A
// name may be allowed wherever it leads, loopback and private networks
// included, but for what is always refused or denied by address.
func (p *Policy) checkAddr(h host, addr netip.Addr) Rule {
	addr = addr.Unmap()
	if rule := shut(addr); rule != "" {
		return rule
	}
	for _, a := range append(embedded(addr), addr) {
		switch {
		case anyAddr(p.denied, a):
			return Denied
		case anyAddr(p.production, a) && !p.named(h):
			return Production
		}
	}
	return ""
}

// Named reports whether a host is under test by what names it: loopback, the list of
// hosts that are allowed, the hosts of the environment, or a session's own list. anyNamed
// says that something beside loopback is named at all.
func (p *Policy) Named(name string) (named, anyNamed bool) {
	anyNamed = len(p.allowed) > 0 || len(p.home) > 0 || len(p.scopes) > 0
	h, err := parseHost(name)
	if err != nil {
		return false, anyNamed
	}
	if h.name == "localhost" || strings.HasSuffix(h.name, ".localhost") || h.addr.IsLoopback() || anyMatch(p.allowed, h) || anyMatch(p.home, h) {
		return true, anyNamed
	}
	return slices.ContainsFunc(p.scopes, func(scope []pattern) bool { return anyMatch(scope, h) }), anyNamed
}
