package eventlog

import "testing"

// The browser's words about a request are read beside the address: what a page's author
// writes into an address, or into the console, decides nothing.
func TestComplaintsAreTheBrowsersOwn(t *testing.T) {
	t.Parallel()
	const address = "http://a.test/net::ERR_TUNNEL_CONNECTION_FAILED/403 /ERR_BLOCKED_BY_CLIENT"
	at := Place{URL: address, Line: 1, Column: 1}
	for said, want := range map[string]complaint{
		"Failed to load resource: net::ERR_EMPTY_RESPONSE":                                  {kind: resourceFailed, address: address, net: "ERR_EMPTY_RESPONSE"},
		"Failed to load resource: the server responded with a status of 403 (Forbidden)":    {kind: resourceFailed, address: address, forbidden: true},
		"Failed to load resource: the server responded with a status of 500 (403 of 9)":     {kind: resourceFailed, address: address},
		"WebSocket connection to '" + address + "' failed: ":                                {kind: socketFailed, address: address},
		"WebSocket connection to 'ws://b.test/' failed: net::ERR_TUNNEL_CONNECTION_FAILED":  {kind: socketFailed, address: "ws://b.test/", net: "ERR_TUNNEL_CONNECTION_FAILED"},
		"Access to fetch at 'http://b.test/x' from origin 'http://a.test:4031' was blocked": {kind: corsRefused, address: "http://b.test/x"},
		"net::ERR_TUNNEL_CONNECTION_FAILED":                                                 {},
		"it Failed to load resource: net::ERR_EMPTY_RESPONSE":                               {},
	} {
		got := complaintOf(said, at)
		if got.kind != want.kind || got.address != want.address || got.net != want.net || got.forbidden != want.forbidden {
			t.Errorf("%q: %+v, want %+v", said, got, want)
		}
		if got.kind != "" && got.lead+got.tail != said {
			t.Errorf("%q: it is parted into %q and %q", said, got.lead, got.tail)
		}
	}
	for failure, want := range map[string]string{
		"net::ERR_ABORTED": "ERR_ABORTED", "ERR_ABORTED: the browser died": "ERR_ABORTED", "net::ERR_ABORTED_BY_X": "ERR_ABORTED_BY_X", "NS_ERROR_ABORT": "NS_ERROR_ABORT",
		"blocked by host: net::ERR_ABORTED": "", "": "", "it broke at http://a.test/ERR_ABORTED": "",
	} {
		if got := netOf(failure); got != want {
			t.Errorf("%q: %q, want %q", failure, got, want)
		}
	}
	for name, c := range map[string]struct {
		at   Place
		want bool
	}{
		"of the browser":         {at, true},
		"a call in a script":     {Place{URL: address, Line: 1, Column: 9}, false},
		"of a page without one":  {Place{}, false},
		"of a script's 4th line": {Place{URL: address, Line: 4, Column: 5}, false},
	} {
		if c.at.OfBrowser() != c.want {
			t.Errorf("%s: the browser says it: %v", name, c.at.OfBrowser())
		}
	}
}
