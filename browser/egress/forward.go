package egress

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"strings"
	"sync"
	"time"
)

// errProxyAuth reports a site that asks for a proxy's credentials. The browser
// would take the request for the gate's own, and drop the credentials it has.
var errProxyAuth = errors.New("the site answers 407, as only a proxy may")

// flushAfter bounds how long a part of an answer waits for the next one. At once
// would be too soon: headers alone let the browser show an empty document.
const flushAfter = 5 * time.Millisecond

// pass forwards a request with an absolute http address.
func (g *Gate) pass(w http.ResponseWriter, r *http.Request) {
	// A kept connection is not dialled again, but a list may hold by name.
	if rule := g.opts.Policy.Check(r.URL.Hostname()); rule != "" {
		g.refuse(w, r, &refusal{r.URL.Hostname(), rule})
		return
	}
	if g.opts.Judge != nil {
		if rule := g.opts.Judge(r, written(r), peek(r)); rule != "" {
			if isNavigation(r) {
				g.stay(w, r, &refusal{r.URL.Hostname(), rule})
				return
			}
			g.refuse(w, r, &refusal{r.URL.Hostname(), rule})
			return
		}
	}
	g.forward.ServeHTTP(w, r)
}

// maxPeek bounds how much of a body is read before it is judged, in bytes.
const maxPeek = 256 << 10

// peek returns the beginning of a request's body, which stays whole. What can't
// be read is the forwarding's to report.
func peek(r *http.Request) []byte {
	if r.Body == nil || r.Body == http.NoBody || r.ContentLength == 0 {
		return nil
	}
	head, err := io.ReadAll(io.LimitReader(r.Body, maxPeek))
	rest := io.Reader(r.Body)
	if err != nil {
		rest = failing{err}
	}
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(head), rest), r.Body}
	return head
}

// failing stands for a body that could not be read on: each Read returns err.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func (g *Gate) reverseProxy() *httputil.ReverseProxy {
	return &httputil.ReverseProxy{
		Transport: g.onward, BufferPool: g.buffers, FlushInterval: flushAfter, ErrorLog: log.New(io.Discard, "", 0),
		Rewrite: func(p *httputil.ProxyRequest) {
			// The site gets what the browser sent: path and query in its own
			// spelling, and the headers that a proxy usually claims.
			p.Out.URL.User, p.Out.URL.RawQuery = nil, p.In.URL.RawQuery
			if path := rawPath(p.In.RequestURI); strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//") {
				p.Out.URL.Opaque = path
			}
			for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
				if values, ok := p.In.Header[name]; ok {
					p.Out.Header[name] = values
				}
			}
		},
		ModifyResponse: func(r *http.Response) error {
			if r.StatusCode == http.StatusProxyAuthRequired {
				return errProxyAuth
			}
			r.Header.Del(RuleHeader)
			r.Header.Del(IDHeader)
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) { g.fail(w, r, err) },
	}
}

// rawPath returns the path of an absolute address as it was written.
func rawPath(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	rest, _, _ = strings.Cut(rest, "?")
	at := strings.Index(rest, "/")
	if at < 0 {
		return ""
	}
	return rest[at:]
}

// fail answers a request that did not get through: a refusal in words, any
// other failure by closing the connection, which is what the page's script
// would meet without a gate.
func (g *Gate) fail(w http.ResponseWriter, r *http.Request, err error) {
	var refused *refusal
	switch {
	case errors.As(err, &refused):
		g.refuse(w, r, refused)
	case r.Context().Err() != nil: // the browser gave it up, or the gate closes
		panic(http.ErrAbortHandler)
	default:
		g.unreached(r, err)
		panic(http.ErrAbortHandler)
	}
}

// isNavigation reports whether the answer would become a document. Browsers tell
// it in Sec-Fetch-Mode, but not to plain http; there Chromium asks for https.
func isNavigation(r *http.Request) bool {
	return r.Header.Get("Sec-Fetch-Mode") == "navigate" || r.Header.Get("Upgrade-Insecure-Requests") == "1"
}

// stay refuses a navigation so that the page that began it is kept.
func (g *Gate) stay(w http.ResponseWriter, r *http.Request, refused *refusal) {
	g.note(w, r, refused)
	w.WriteHeader(http.StatusNoContent)
}

// note records a refusal, and names its rule and id in the answer's headers.
func (g *Gate) note(w http.ResponseWriter, r *http.Request, refused *refusal) Unreached {
	u := g.unreached(r, refused)
	w.Header().Set(RuleHeader, string(u.Rule))
	w.Header().Set(IDHeader, u.ID)
	return u
}

// refuse answers 403 with the rule.
func (g *Gate) refuse(w http.ResponseWriter, r *http.Request, refused *refusal) {
	u := g.note(w, r, refused)
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Connection", "close") // its body may still be under way
	w.WriteHeader(http.StatusForbidden)
	fmt.Fprintf(w, "assay refused %s: %s\n", u.Host, u.Rule)
}

// buffers reuses the buffers of copies.
type buffers struct{ pool sync.Pool }

func newBuffers() *buffers {
	return &buffers{sync.Pool{New: func() any { return new([bufferSize]byte) }}}
}

// Get returns a buffer.
func (b *buffers) Get() []byte {
	array, ok := b.pool.Get().(*[bufferSize]byte)
	if !ok {
		array = new([bufferSize]byte)
	}
	return array[:]
}

// Put takes a buffer back.
func (b *buffers) Put(buffer []byte) {
	if len(buffer) == bufferSize {
		b.pool.Put((*[bufferSize]byte)(buffer))
	}
}
