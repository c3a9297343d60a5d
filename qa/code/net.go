package code

import "strings"

// NetError says what an error of a browser's network means, and whose it is.
type NetError struct {
	Name      string // as browsers write it; that of a row may be the beginning of several
	Means     string // what was met at the address, in words
	Title     string // one line for a reader, with the address for %s
	Hint      string // what to do next
	OfTester  bool   // this machine or the browser itself refused: it says nothing about the site
	Transient bool   // it may be gone the next time
}

// Net returns what a network error means, by the longest row that its name begins with. An
// error that is not in the table is the site's.
func Net(name string) NetError {
	var out NetError
	for _, e := range netErrors() {
		if strings.HasPrefix(name, e.Name) && len(e.Name) > len(out.Name) {
			out = e
		}
	}
	return out
}

// netErrors is the only table of them.
func netErrors() []NetError {
	const (
		nobody = "Nothing answers at %s "
		spell  = "the host name does not resolve: fix the spelling, or check the network"
		fix    = "no host answers at that address: fix it, or check the network"
		log    = "look at the server's log"
		start  = "nothing listens at that address: start the server, or fix host and port"
		slow   = "the host does not answer: fix host and port, or check the network"
		proxy  = "fix the proxy that this machine is configured with"
	)
	const ofTester, ofSite, passing, lasting = true, false, true, false
	return []NetError{
		{"ERR_CONNECTION_REFUSED", "nothing answers there: connection refused", nobody + "(connection refused)", start, ofSite, passing},
		{"ERR_NAME_NOT_RESOLVED", "nothing answers there: the name has no address", nobody + "(its name has no address)", spell, ofSite, passing},
		{"ERR_NAME_RESOLUTION_FAILED", "nothing answers there: the name has no address", nobody + "(its name has no address)", spell, ofSite, passing},
		{"ERR_ADDRESS_", "nothing answers there: address unreachable", nobody + "(address unreachable)", fix, ofSite, lasting},
		{"ERR_ADDRESS_UNREACHABLE", "nothing answers there: address unreachable", nobody + "(address unreachable)", fix, ofSite, passing},
		{"ERR_CONNECTION_TIMED_OUT", "nothing answers there: timed out", nobody + "(timed out)", slow, ofSite, passing},
		{"ERR_TIMED_OUT", "nothing answers there: timed out", nobody + "(timed out)", slow, ofSite, passing},
		{"ERR_CONNECTION_CLOSED", "the server closed the connection without an answer", "%s closes the connection without an answer", log, ofSite, passing},
		{"ERR_EMPTY_RESPONSE", "the server closed the connection without an answer", "%s closes the connection without an answer", log, ofSite, passing},
		{"ERR_CONNECTION_RESET", "the server reset the connection", "%s resets the connection", log, ofSite, passing},
		{"ERR_CONNECTION_ABORTED", "the connection was given up", "%s gives up the connection", log, ofSite, passing},
		{"ERR_SOCKET_NOT_CONNECTED", "the connection is gone", "%s closes the connection without an answer", log, ofSite, passing},
		{"ERR_INVALID_HTTP_RESPONSE", "it does not speak HTTP", "%s does not speak HTTP", "fix host and port, or look at the server's log", ofSite, lasting},
		{"ERR_HTTP2_", "it breaks the rules of HTTP/2", "%s breaks the rules of HTTP/2", log, ofSite, lasting},
		{"ERR_RESPONSE_HEADERS_", "its headers contradict themselves", "%s answers with headers that contradict themselves", log, ofSite, lasting},
		{"ERR_TOO_MANY_REDIRECTS", "it redirects without end", "%s redirects without end", "the site redirects in a circle, often a sign-in that does not stick", ofSite, lasting},
		{"ERR_SSL_", "it does not speak https", "%s and the browser agree on no way to speak https", "the server does not speak https there: try http://, or fix the server's TLS", ofSite, lasting},
		{"ERR_SSL_PROTOCOL_ERROR", "it does not speak https", "%s does not speak https (try http://)", "the server does not speak https there: try http://, or fix the server's TLS", ofSite, lasting},
		{"ERR_CERT_", "its certificate is not valid", "%s has no valid certificate", "the certificate is not trusted: fix it, or use the http address of a test system", ofSite, lasting},

		{"ERR_UNSAFE_PORT", "browsers refuse that port", "%s has an unsafe port", "browsers refuse that port for safety: serve on another one, such as 8080", ofTester, lasting},
		{"ERR_INVALID_URL", "that is no address", "%s is no address", "give a full http or https address", ofTester, lasting},
		{"ERR_INTERNET_DISCONNECTED", "this machine has no network", "This machine has no network to reach %s", "check the network of this machine", ofTester, passing},
		{"ERR_NETWORK_CHANGED", "the network of this machine changed meanwhile", "The network of this machine changed while it loaded %s", "call again", ofTester, passing},
		{"ERR_NETWORK_ACCESS_DENIED", "this machine does not let the browser into the network",
			"This machine does not let the browser reach %s", "check the firewall of this machine", ofTester, lasting},
		{"ERR_INSUFFICIENT_RESOURCES", "this machine has too little left", "This machine has too little left to load %s", "close other sessions, and call again", ofTester, lasting},
		{"ERR_PROXY_", "the proxy does not answer", "The proxy to %s does not answer", proxy, ofTester, lasting},
		{"ERR_TUNNEL_", "the proxy refuses to connect there", "The proxy refuses to connect to %s", proxy, ofTester, lasting},
		{"ERR_BLOCKED_BY_", "the request was blocked", "The request of %s was blocked",
			"a rule of this session stopped it: network_intercept without patterns lists them, mode observe ends one", ofTester, lasting},
		{"ERR_ABORTED", "no page came", "%s shows no page", "the navigation was cancelled: the address starts a download, answers 204, or the page went elsewhere", ofTester, lasting},

		{"NS_ERROR_CONNECTION_REFUSED", "nothing answers there: connection refused", nobody + "(connection refused)", start, ofSite, passing},
		{"NS_ERROR_UNKNOWN_HOST", "nothing answers there: the name has no address", nobody + "(its name has no address)", spell, ofSite, passing},
		{"NS_ERROR_NET_TIMEOUT", "nothing answers there: timed out", nobody + "(timed out)", slow, ofSite, passing},
		{"NS_ERROR_NET_RESET", "the server reset the connection", "%s resets the connection", log, ofSite, passing},
		{"NS_ERROR_PROXY_", "the proxy does not answer", "The proxy to %s does not answer", proxy, ofTester, lasting},
		{"NS_ERROR_OFFLINE", "this machine has no network", "This machine has no network to reach %s", "check the network of this machine", ofTester, passing},
	}
}
