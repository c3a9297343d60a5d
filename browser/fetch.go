package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/redact"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
	texts "github.com/assay-qa/assay/internal/text"
)

// Fetched holds the answer to a request of our own.
type Fetched struct {
	URL         string // that answered, after redirects
	Status      int
	ContentType string
	Location    string // where a redirect leads that was not followed
	Body        []byte
	Cut         bool // the body is longer than the limit, and ends there
	Redirects   int  // that were followed
}

// Bounds on a request of our own.
const (
	maxFetchRedirects = 5
	maxFetchHeaders   = 256 << 10
	maxUserAgent      = 500
)

// fetcher sends requests of our own as the session, beside its page.
type fetcher struct {
	*livePage
	egress *egressProxy
}

// Fetch gets an address with the session's cookies and through its gate, but
// not by its page: what the page's scripts say or do can't touch the answer.
// Redirects are followed within the same origin only, and cookies of the answer
// are not kept. At most limit bytes of the body are read.
//
// Its errors: INVALID_INPUT for what is no http address, HOST_BLOCKED and
// ACTION_BLOCKED for what the session may not ask for, TIMEOUT,
// NAVIGATION_FAILED when there was no whole answer. Any status is an answer.
func (s *fetcher) Fetch(ctx context.Context, address string, limit int64) (Fetched, error) {
	subject := explain.Quoting(redact.URL(address))
	what := explain.Doing("fetch", subject)
	if err := CheckURL(address); err != nil {
		return Fetched{}, err
	}
	target, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return Fetched{}, explain.Invalid("give a full http:// or https:// address", "%s: %v", what, err)
	}
	if target.Scheme != "http" && target.Scheme != "https" || target.User != nil {
		return Fetched{}, explain.Invalid("give an http:// or https:// address without user and password", "%s: not an address that can be asked", what)
	}
	cookies, agent, err := s.identity(ctx, subject)
	if err != nil {
		return Fetched{}, err
	}
	client := s.client()
	defer client.CloseIdleConnections()
	for n := 0; ; n++ {
		if err := s.egress.CheckHost(what, target.String()); err != nil {
			return Fetched{}, err
		}
		if rule := s.egress.judgeRequest(guard.Request{Method: http.MethodGet, URL: target.String()}); rule != "" {
			return Fetched{}, explain.RequestRefused(what, "blocked by "+string(rule))
		}
		got, err := s.get(ctx, client, target, cookies, agent, limit)
		if err != nil {
			return Fetched{}, s.notFetched(ctx, what, target, err)
		}
		got.Redirects = n
		next, err := target.Parse(got.Location)
		if got.Location == "" || err != nil || n == maxFetchRedirects || next.Scheme != target.Scheme || next.Host != target.Host || next.User != nil {
			return got, nil
		}
		target = next
	}
}

// ShownURL returns an address without the values that may be credentials.
func ShownURL(address string) string { return redact.URL(address) }

// client sends our own requests by the session's way out. It keeps no
// connection, so that each one is dialled, and judged, by itself.
func (s *fetcher) client() *http.Client {
	dial := (&net.Dialer{}).DialContext
	if s.egress.gate != nil {
		dial = s.egress.gate.Dial
	}
	return &http.Client{
		Transport:     &http.Transport{DialContext: dial, DisableKeepAlives: true, MaxResponseHeaderBytes: maxFetchHeaders},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func (s *fetcher) get(ctx context.Context, client *http.Client, target *url.URL, cookies []playwright.Cookie, agent string, limit int64) (Fetched, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return Fetched{}, err
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("Accept-Language", s.opts.Locale)
	request.Header.Set("User-Agent", agent)
	if line := cookieLine(cookies, target, s.pool.Now()); line != "" {
		request.Header.Set("Cookie", line)
	}
	response, err := client.Do(request)
	if err != nil {
		return Fetched{}, err
	}
	defer func() { _ = response.Body.Close() }() // it was only read
	got := Fetched{URL: target.String(), Status: response.StatusCode, ContentType: response.Header.Get("Content-Type")}
	if response.StatusCode >= 300 && response.StatusCode < 400 {
		got.Location = response.Header.Get("Location")
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	if err != nil {
		return Fetched{}, fmt.Errorf("the answer broke off after %d bytes: %w", len(body), err)
	}
	if int64(len(body)) > limit {
		body, got.Cut = body[:limit], true
	}
	got.Body = body
	return got, nil
}

// identity returns what identifies the session to a site: the context's
// cookies, and the browser's name.
func (s *fetcher) identity(ctx context.Context, subject pagetext.Sentence) ([]playwright.Cookie, string, error) {
	type known struct {
		cookies []playwright.Cookie
		agent   string
	}
	k, err := on(ctx, s.livePage, "fetch", subject, func(ctx context.Context, t *tab) (known, error) {
		cookies, err := within(ctx, t, rest.CookieLimit, func() ([]playwright.Cookie, error) {
			return t.context.pw.Cookies() // sorted out by cookieLine: the driver's own filter is lax
		})
		if err != nil {
			return known{}, err
		}
		agent, err := within(ctx, t, rest.AgentLimit, func() (any, error) { return t.page.Evaluate("() => navigator.userAgent") })
		if err != nil && ctx.Err() != nil {
			return known{}, err
		}
		name, _ := agent.(string) // a page too busy to tell is no reason not to ask
		return known{cookies, headerText(name)}, nil
	})
	return k.cookies, k.agent, err
}

// headerText returns text if it fits into a header, or "": a page can change
// what its scripts read.
func headerText(text string) string {
	if len(text) > maxUserAgent || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return ""
	}
	return text
}

// cookieLine returns the Cookie header for an address (RFC 6265, 5.4).
func cookieLine(cookies []playwright.Cookie, target *url.URL, now time.Time) string {
	host, path := strings.ToLower(target.Hostname()), target.EscapedPath()
	if path == "" {
		path = "/"
	}
	var pairs []string
	for _, c := range cookies {
		domain, below := strings.CutPrefix(strings.ToLower(c.Domain), ".")
		switch {
		case domain != host && (!below || !strings.HasSuffix(host, "."+domain)):
		case c.PartitionKey != nil: // belongs to a page within another site
		case c.Secure && target.Scheme != "https" && !isLoopback(host):
		case c.Expires > 0 && c.Expires < float64(now.Unix()):
		case path != c.Path && (!strings.HasPrefix(path, c.Path) || !strings.HasSuffix(c.Path, "/") && path[len(c.Path)] != '/'):
		default:
			pairs = append(pairs, c.Name+"="+c.Value)
		}
	}
	return strings.Join(pairs, "; ")
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// notFetched says why there is no answer.
func (s *fetcher) notFetched(ctx context.Context, what pagetext.Sentence, target *url.URL, err error) error {
	if rule, ok := egress.RefusedBy(err); ok {
		return hostBlocked(what, target.Hostname(), rule)
	}
	var timeout net.Error
	switch {
	case ctx.Err() != nil:
		return classify(ctx.Err(), what)
	case ended(s.ended):
		return explain.SessionClosed(what, s.id)
	case errors.As(err, &timeout) && timeout.Timeout():
		return explain.NoAnswerInTime(what, err)
	}
	reason := err
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		reason = wrapped.Err // without the address, whose query may be long
	}
	return explain.NotFetched(what, texts.Cut(reason.Error(), maxReason), err)
}
