package egress

import (
	"strings"
	"testing"
)

func TestParseHost(t *testing.T) {
	for spelling, want := range map[string]string{
		"Shop.Test.Example":  "shop.test.example",
		"shop.test.example.": "shop.test.example",
		"a_b.test":           "a_b.test",
		"127.0.0.2":          "127.0.0.2",
		"127.0.0.2.":         "127.0.0.2",
		"127.2":              "127.0.0.2",
		"127.0.2":            "127.0.0.2",
		"2130706434":         "127.0.0.2",
		"0x7f000002":         "127.0.0.2",
		"0X7F000002":         "127.0.0.2",
		"0x7f.0x0.0x0.0x2":   "127.0.0.2",
		"017700000002":       "127.0.0.2",
		"0177.0.0.02":        "127.0.0.2",
		"0x":                 "0.0.0.0",
		"4294967295":         "255.255.255.255",
		"[::1]":              "::1",
		"::ffff:127.0.0.2":   "127.0.0.2",
		"[::ffff:7f00:2]":    "127.0.0.2",
		"xn--bcher-kva.test": "xn--bcher-kva.test",
	} {
		if h, err := parseHost(spelling); err != nil || h.String() != want {
			t.Errorf("%q is %v (%v), want %s", spelling, h, err, want)
		}
	}
	for _, spelling := range []string{
		"", ".", "a..b", "bücher.test", "a b", "a%2eb", "a/b", "user@host", "fe80::1%eth0", "[fe80::1%25eth0]", "[::1", "[127.0.0.1]",
		"256.1", "1.2.3.4.5", "4294967296", "127.0.0.256", "0x1ffffffff", "08", "1.2.3.0xg1.5", "99999999999999999999", "::1::", "host:80",
		strings.Repeat("a", 64) + ".test", strings.Repeat("abc.", 80) + "test",
	} {
		if h, err := parseHost(spelling); err == nil {
			t.Errorf("%q passes as %v", spelling, h)
		}
	}
}

// B4, E7: which host a set of lists refuses, and by which rule.
func TestPolicy(t *testing.T) {
	for name, c := range map[string]struct {
		lists Lists
		want  map[string]Rule
	}{
		"nothing set": {Lists{}, map[string]Rule{
			"shop.example": "", "localhost": "", "10.0.0.7": "", "[::1]": "",
			"169.254.169.254": Metadata, "169.254.7.7": LinkLocal, "fe80::1": LinkLocal, "fe80::1%eth0": Malformed, "fd00:ec2::254": Metadata,
			"100.100.100.200": Metadata, "metadata.google.internal": Metadata, "METADATA.Google.Internal.": Metadata,
			"0.0.0.0": Unspecified, "0": Unspecified, "0.1.2.3": Unspecified, "[::]": Unspecified, "224.0.0.1": Multicast, "ff02::1": Multicast, "255.255.255.255": Multicast,
			"2852039166": Metadata, "0xa9fea9fe": Metadata, "0251.0376.0251.0376": Metadata, "169.254.43518": Metadata,
			"::ffff:169.254.169.254": Metadata, "64:ff9b::a9fe:a9fe": Metadata, "2002:a9fe:a9fe::1": Metadata, "::169.254.169.254": Metadata,
			"::ffff:0:a9fe:a9fe": Metadata, "64:ff9b::e000:1": Multicast, "64:ff9b::0.0.0.0": Unspecified, "::ffff:0.0.0.0": Unspecified,
			"2001:0:a9fe:a9fe::1": Metadata, "2001:0:102:304:0:0:5601:5601": Metadata, "64:ff9b:1::a9fe:a9fe": Metadata, "64:ff9b::102:304": "",
			"bücher.test": Malformed, "": Malformed,
		}},
		"a list is enforced without block_external": {Lists{AllowedHosts: []string{"localhost", "*.test.example", "10.0.0.7", "::1"}}, map[string]Rule{
			"localhost": "", "LOCALHOST.": "", "a.test.example": "", "a.b.test.example": "", "10.0.0.7": "", "10.7": "", "[::1]": "", "::ffff:10.0.0.7": "",
			"test.example": NotAllowed, "eviltest.example": NotAllowed, "test.example.evil.com": NotAllowed, "127.0.0.1": NotAllowed, "shop.localhost": NotAllowed,
			"10.0.0.8": NotAllowed, "64:ff9b::a00:7": NotAllowed, "shop.example": NotAllowed,
		}},
		"block_external adds nothing to a list": {Lists{AllowedHosts: []string{"shop.example"}, BlockExternal: true}, map[string]Rule{
			"shop.example": "", "localhost": NotAllowed, "127.0.0.1": NotAllowed,
		}},
		"block_external alone leaves loopback": {Lists{BlockExternal: true}, map[string]Rule{
			"localhost": "", "app.localhost": "", "127.0.0.1": "", "127.9.9.9": "", "2130706433": "", "[::1]": "", "::ffff:127.0.0.1": "",
			"shop.example": External, "10.0.0.1": External, "localhost.example": External, "64:ff9b::7f00:1": External,
		}},
		"denied beats allowed": {Lists{AllowedHosts: []string{"*.example", "10.0.0.1"}, DenyHosts: []string{"ads.example", "*.track.example", "10.0.0.1"}}, map[string]Rule{
			"shop.example": "", "ads.example": Denied, "x.track.example": Denied, "track.example": "", "10.0.0.1": Denied, "::ffff:10.0.0.1": Denied, "64:ff9b::a00:1": Denied,
		}},
		"denying localhost denies loopback": {Lists{DenyHosts: []string{"localhost"}}, map[string]Rule{"localhost": Denied, "127.0.0.1": Denied, "::1": Denied, "10.0.0.1": ""}},
		"no list opens what is shut":        {Lists{AllowedHosts: []string{"169.254.169.254", "0.0.0.0", "metadata.google.internal", "::"}}, map[string]Rule{"169.254.169.254": Metadata, "0.0.0.0": Unspecified, "metadata.google.internal": Metadata, "::": Unspecified}},
		"production": {Lists{ProductionHosts: []string{"*.shop.example", "shop.example", "10.1.1.1"}}, map[string]Rule{
			"shop.example": Production, "www.shop.example": Production, "10.1.1.1": Production, "staging.example": "",
		}},
		"production by name only": {Lists{AllowedHosts: []string{"*.shop.example", "pay.shop.example"}, ProductionHosts: []string{"*.shop.example"}}, map[string]Rule{
			"pay.shop.example": "", "www.shop.example": Production, "other.example": NotAllowed,
		}},
		"scope narrows": {Lists{Scopes: [][]string{{"*.example"}, nil, {"a.example", "prod.example", "ads.example"}}, AllowedHosts: []string{"*.example"}, DenyHosts: []string{"ads.example"}, ProductionHosts: []string{"prod.example"}}, map[string]Rule{
			"a.example": "", "b.example": NotInScope, "prod.example": Production, "ads.example": Denied, "a.test": NotAllowed,
		}},
	} {
		p, err := NewPolicy(c.lists)
		if err != nil {
			t.Fatal(err)
		}
		for host, want := range c.want {
			if got := p.Check(host); got != want {
				t.Errorf("%s: %s is refused by %q, want %q", name, host, got, want)
			}
		}
	}
}

func TestNewPolicyNamesWhatIsWrong(t *testing.T) {
	for _, lists := range []Lists{
		{AllowedHosts: []string{"ok.test", "http://no.test"}}, {DenyHosts: []string{"no.test:80"}}, {ProductionHosts: []string{"*"}},
		{Scopes: [][]string{{"*.1.2.3.4"}}}, {Scopes: [][]string{{"a.*.no.test"}}}, {AllowedHosts: []string{""}},
	} {
		if _, err := NewPolicy(lists); err == nil {
			t.Errorf("%+v passes", lists)
		} else if !strings.Contains(err.Error(), "hosts") {
			t.Errorf("%+v: %v", lists, err)
		}
	}
}

func FuzzParseHost(f *testing.F) {
	for _, seed := range []string{"127.1", "[::1]", "a.test.", "0x7f.1", "::ffff:1.2.3.4"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, err := parseHost(text)
		if err != nil {
			return
		}
		again, err := parseHost(h.String()) // one spelling for each host
		if err != nil || again != h {
			t.Errorf("%q is %v, which is %v (%v)", text, h, again, err)
		}
	})
}

// A12: a host whose name says production is not opened as a page, and is
// production even where it is named; what a page loads from there is not refused.
func TestProductionWords(t *testing.T) {
	p, err := NewPolicy(Lists{ProductionWords: []string{"prod", "live"}, ProductionHosts: []string{"shop.example"}})
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]bool{
		"prod.example.com": true, "api-prod.example.com": true, "eu.LIVE.example.com": true, "shop_live.example": true, "shop.example": true,
		"product.example.com": false, "alive.example.com": false, "test.example.com": false, "live.localhost": false, "127.0.0.1": false, "10.0.0.1": false,
	} {
		if got := p.Production(host); got != want {
			t.Errorf("Production(%s) = %v, want %v", host, got, want)
		}
		if got := p.CheckPage(host) != ""; got != want {
			t.Errorf("CheckPage(%s) refuses: %v, want %v", host, got, want)
		}
	}
	if rule := p.Check("cdn.prod.example.com"); rule != "" {
		t.Errorf("what a page loads from there is refused by %s", rule)
	}
	named, err := NewPolicy(Lists{ProductionWords: []string{"live"}, AllowedHosts: []string{"live.example.com", "*.example.com"}})
	if err != nil {
		t.Fatal(err)
	}
	if named.CheckPage("live.example.com") != "" || !named.Production("live.example.com") || named.CheckPage("eu.live.example.com") != ProductionWord {
		t.Error("only the host that is named itself is opened, and it stays production")
	}
}
