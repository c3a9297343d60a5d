package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/address"
	"github.com/assay-qa/assay/internal/pattern"
	texts "github.com/assay-qa/assay/internal/text"
)

// InterceptMode describes what happens to the requests that a pattern of
// [Session.Intercept] fits.
type InterceptMode string

// The modes. Observe changes nothing, and ends blocks and mocks: those on its patterns, or
// all where it has none.
const (
	Observe InterceptMode = "observe"
	Block   InterceptMode = "block"
	Mock    InterceptMode = "mock"
)

// MockResponse holds the answer to the requests of a mock.
type MockResponse struct {
	Status  int               `json:"status,omitempty" jsonschema:"default 200"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    string            `json:"body,omitempty"`
	DelayMS int               `json:"delay_ms,omitempty"`
}

// InterceptRule holds a block or a mock in force.
type InterceptRule struct {
	Pattern  string        `json:"pattern"`
	Mode     InterceptMode `json:"mode"`
	Response *MockResponse `json:"response,omitempty"`
	Hits     int           `json:"hits" jsonschema:"requests that it stopped or answered"`

	request address.Request
}

// These bound rules, which stay until their session ends.
const (
	maxRules    = 100
	maxMockBody = 1 << 20 // bytes
	maxPattern  = 2000    // bytes
)

// intercepts holds a session's rules as plain data, newest last.
type intercepts struct {
	mu    sync.Mutex
	rules []*InterceptRule
}

// interceptor blocks and mocks requests of a session's pages by rules.
type interceptor struct {
	*livePage
	intercepts *intercepts
	guard      *sessionGuard
	routing    sync.Mutex                // held while a route is set or taken away
	routed     playwright.BrowserContext // in which the rules are in force
	held       atomic.Int32              // mocks that wait
}

// Intercept puts a rule on each pattern ("[METHOD ]" and an
// [address.Pattern]), in place of an older one on the same pattern, and returns all rules.
// Where several fit a request, the newest holds. They hold for every page and
// service worker of the session until it ends, but for requests of shared
// workers. While there are any, the browser's HTTP cache is off. A mock that
// sets no access-control-allow-origin allows the page that asks.
func (s *interceptor) Intercept(ctx context.Context, patterns []string, mode InterceptMode, response *MockResponse) ([]InterceptRule, error) {
	const what = "network_intercept"
	if err := s.open(what); err != nil {
		return nil, err
	}
	fresh, err := newRules(patterns, mode, response)
	if err != nil {
		return nil, err
	}
	if err := s.intercepts.replace(patterns, fresh); err != nil {
		return nil, err
	}
	live := s.current().context
	_, err = answerOf(ctx, func() (struct{}, error) { return struct{}{}, s.applyRules(live.pw) }, s.whileOpen(live, what)) // of a browser that died the rules are kept, and hold in the next context
	return s.Rules(), classify(err, what)
}

// Rules returns the blocks and mocks in force, oldest first.
func (s *interceptor) Rules() []InterceptRule {
	s.intercepts.mu.Lock()
	defer s.intercepts.mu.Unlock()
	out := make([]InterceptRule, len(s.intercepts.rules))
	for i, r := range s.intercepts.rules {
		out[i] = *r
	}
	return out
}

// headerName matches a token of RFC 9110.
var headerName = pattern.New("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// validate also fills in what was left out.
func (m *MockResponse) validate() error {
	m.Status = cmp.Or(m.Status, http.StatusOK)
	switch {
	case m.Status < 200 || m.Status > 599:
		return explain.Invalid("use 200 to 599; 1xx is no final answer", "response.status is %d", m.Status)
	case len(m.Body) > maxMockBody:
		return explain.Invalid("use a smaller body", "response.body has %d bytes, the limit is %d", len(m.Body), maxMockBody)
	case m.DelayMS < 0 || m.DelayMS > int(rest.MockDelay.Milliseconds()):
		return explain.Invalid(fmt.Sprintf("use 0 to %d", rest.MockDelay.Milliseconds()), "response.delay_ms is %d", m.DelayMS)
	case m.Body != "" && (m.Status == http.StatusNoContent || m.Status == http.StatusResetContent || m.Status == http.StatusNotModified):
		return explain.Invalid("leave the body out, or use another status", "a response with status %d has no body", m.Status)
	}
	typed := false
	for name, value := range m.Headers {
		if !headerName.MatchString(name) || strings.ContainsAny(value, "\r\n\x00") {
			return explain.Invalid("use names such as content-type, and values of one line", "response.headers: %q: %q is no header", texts.Cut(name, maxNote), texts.Cut(value, maxNote))
		}
		typed = typed || strings.EqualFold(name, "content-type")
	}
	if !typed && m.Body != "" {
		headers := map[string]string{"content-type": http.DetectContentType([]byte(m.Body))} // HTML, XML, or plain text
		if json.Valid([]byte(m.Body)) {
			headers["content-type"] = "application/json"
		}
		for name, value := range m.Headers {
			headers[name] = value
		}
		m.Headers = headers
	}
	return nil
}

func newRules(patterns []string, mode InterceptMode, response *MockResponse) ([]*InterceptRule, error) {
	switch {
	case mode != Observe && mode != Block && mode != Mock:
		return nil, explain.Invalid("use observe, block or mock", "mode %q is unknown", mode)
	case mode != Observe && len(patterns) == 0:
		return nil, explain.Invalid(`give patterns such as ["/api/**", "POST **/orders"]; mode observe without patterns ends the rules in force`, "mode %s needs patterns", mode)
	case response != nil && mode != Mock:
		return nil, explain.Invalid("leave response out, or use mode mock", "mode %s has no response", mode)
	}
	if mode == Mock {
		own := MockResponse{}
		if response != nil {
			own = *response
		}
		if err := own.validate(); err != nil {
			return nil, err
		}
		response = &own
	}
	var out []*InterceptRule
	for _, p := range patterns {
		if strings.TrimSpace(p) == "" || len(p) > maxPattern {
			return nil, explain.Invalid(fmt.Sprintf("use a path such as /api/orders, a glob such as **/api/*, or ** for all, within %d bytes", maxPattern),
				"pattern %q can't be used", texts.Cut(p, maxNote))
		}
		request, err := address.ParseRequest(p)
		if err != nil {
			return nil, asInvalid(err)
		}
		if request.Outcome != "" {
			return nil, explain.Invalid("leave "+request.Outcome+" out", "pattern %q: a rule decides before there is an answer", p)
		}
		out = append(out, &InterceptRule{Pattern: p, Mode: mode, Response: response, request: request})
	}
	return out, nil
}

func (r *InterceptRule) matches(method, address string) bool {
	return (r.request.Method == "" || r.request.Method == method) && r.request.Fits(address)
}

// replace takes the rules on patterns away, all of them where there are no patterns, and
// adds the fresh ones, but for those that only observe. Too many of them change nothing.
func (i *intercepts) replace(patterns []string, fresh []*InterceptRule) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	rules := slices.DeleteFunc(slices.Clone(i.rules), func(r *InterceptRule) bool { return len(patterns) == 0 || slices.Contains(patterns, r.Pattern) })
	for _, r := range fresh {
		if r.Mode != Observe && !slices.ContainsFunc(rules, func(o *InterceptRule) bool { return o.Pattern == r.Pattern }) {
			rules = append(rules, r)
		}
	}
	if len(rules) > maxRules {
		return explain.Invalid("end some with mode observe, or write one pattern for several", "%d rules would be in force, the limit is %d", len(rules), maxRules)
	}
	i.rules = rules
	return nil
}

// hit returns the rule for a request, counted; nil when none fits.
func (i *intercepts) hit(method, address string) *InterceptRule {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, r := range slices.Backward(i.rules) {
		if r.matches(method, address) {
			r.Hits++
			found := *r
			return &found
		}
	}
	return nil
}

// cover reports whether a request is blocked or mocked, and so never leaves.
func (i *intercepts) cover(method, address string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.ContainsFunc(i.rules, func(r *InterceptRule) bool { return r.matches(method, address) })
}

// everything matches all requests; it is the pattern of our one route.
const everything = "**/*"

// applyRules puts the session's rules in force in a context, or out of force
// when there are none: a route costs every request a way to us and back, and
// switches the cache off. It is what a context that replaces another one needs.
func (s *interceptor) applyRules(context playwright.BrowserContext) error {
	s.routing.Lock()
	defer s.routing.Unlock()
	s.intercepts.mu.Lock()
	wanted := len(s.intercepts.rules) > 0 || s.guard.guardPolicy().Guard != nil && s.opts.Type != "chromium"
	s.intercepts.mu.Unlock()
	switch {
	case wanted && s.routed != context:
		if err := unlessFrozen(context.Route(everything, s.intercept)); err != nil {
			return err
		}
		s.routed = context
	case !wanted && s.routed == context:
		if err := unlessFrozen(context.Unroute(everything)); err != nil {
			return err
		}
		s.routed = nil
	}
	return nil
}

// unlessFrozen leaves out that a page has not answered in time: the rules hold for those
// that do, and for this one as soon as it does; see driver_shim.js.
func unlessFrozen(err error) error {
	if errors.Is(err, playwright.ErrTimeout) {
		return nil
	}
	return err
}

// intercept decides about one request. Playwright calls it on a goroutine of
// its own. What fails here fails because the page has gone meanwhile, and its
// request with it.
func (s *interceptor) intercept(route playwright.Route) {
	r := route.Request()
	rule := s.intercepts.hit(r.Method(), r.URL())
	switch {
	case rule == nil && s.opts.Type != "chromium" && s.guard.blocksRequest(guardRequest(r)) != "":
		_ = route.Abort("blockedbyclient")
	case rule == nil:
		_ = route.Fallback()
	case rule.Mode == Block:
		s.log.Blocked(r, rule.Pattern)
		_ = route.Abort("blockedbyclient")
	default:
		s.log.Mocked(r, rule.Pattern)
		s.held.Add(1)
		defer s.held.Add(-1)
		if s.pause(time.Duration(rule.Response.DelayMS) * time.Millisecond) {
			_ = route.Fulfill(playwright.RouteFulfillOptions{Status: &rule.Response.Status, Headers: rule.Response.Headers, Body: rule.Response.Body})
		}
	}
}

// guardRequest returns a request as the guard judges it.
func guardRequest(r eventlog.Request) guard.Request {
	out := guard.Request{Method: r.Method(), URL: r.URL(), Header: http.Header{}}
	for name, value := range r.Headers() {
		out.Header.Set(name, value)
	}
	if body, err := r.PostData(); err == nil { // without one there is nothing to judge
		out.Body = []byte(body)
	}
	return out
}

// pause waits, and reports whether the session is still there.
func (s *interceptor) pause(d time.Duration) bool {
	if d <= 0 {
		return true
	}
	return errors.Is(rest.Until(s.life, nil, rest.Policy{Limit: d, Events: []rest.Event{{Of: s.lost, Err: errGone}}}), rest.ErrLimit)
}
