package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/explain"
)

// fetched runs a fetch in the page and returns "status body", or the error.
func fetched(t *testing.T, s *Session, call string) string {
	t.Helper()
	result, _, err := s.Evaluate(within30s(t), "fetch("+call+").then(async r => r.status + ' ' + await r.text(), e => String(e))", nil)
	if err != nil {
		t.Fatalf("fetch(%s): %v", call, err)
	}
	return strings.Trim(string(result), `"`)
}

func intercept(t *testing.T, s *Session, mode InterceptMode, response *MockResponse, patterns ...string) []InterceptRule {
	t.Helper()
	rules, err := s.Intercept(within30s(t), patterns, mode, response)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// B1: block and mock hold across navigations and popups, show in the log, and
// end with observe; the newest rule wins.
func TestInterceptBlocksAndMocks(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	s := opened(t, poolOf(t), c.URL)
	intercept(t, s, Block, nil, "**/tracker*")
	if got := fetched(t, s, "'/tracker.js'"); !strings.Contains(got, "Failed to fetch") {
		t.Errorf("blocked: %q", got)
	}
	intercept(t, s, Mock, &MockResponse{Status: 418, Body: `{"tea": true}`, Headers: map[string]string{"x-made": "up"}}, "GET **/api/pot", "POST **/api/pot")
	if _, err := s.Navigate(within30s(t), c.URL+"/next", "load", 0); err != nil {
		t.Fatal(err)
	}
	if got := fetched(t, s, "'/api/pot'"); got != `418 {\"tea\": true}` {
		t.Errorf("mocked: %q", got)
	}
	popup := "new Promise(done => { const w = open('/popup'); setTimeout(function look() { w.document && w.document.title ? w.fetch('/api/pot').then(r => done(r.status)) : setTimeout(look, 10) }, 10) })"
	if result, _, err := s.Evaluate(within30s(t), popup, nil); err != nil || string(result) != "418" {
		t.Errorf("in a popup: %s %v, want 418", result, err)
	}
	if got := fetched(t, s, "'/api/pot', {method: 'PUT'}"); !strings.HasPrefix(got, "200") {
		t.Errorf("a method without a rule: %q", got)
	}
	if n := c.arrivals("GET /api/pot", "GET /tracker"); n != 0 {
		t.Errorf("%d requests arrived", n)
	}
	for _, e := range s.Matching([]string{"**/tracker*", "GET **/api/pot"}, 0).Events {
		blocked, mocked := strings.Contains(e.URL, "/tracker"), strings.Contains(e.URL, "/api/pot")
		if blocked && e.Blocked != "network_intercept: **/tracker*" || mocked && (e.Mocked != "GET **/api/pot" || e.Status != 418) || e.Method != http.MethodGet {
			t.Errorf("the log says %+v", e)
		}
	}
	if n := s.Matching([]string{"**/tracker*", "GET **/api/pot"}, 0).Matched; n != 3 {
		t.Errorf("%d requests matched, want 3", n)
	}
	intercept(t, s, Block, nil, "**/api/*")
	if got := fetched(t, s, "'/api/pot'"); !strings.Contains(got, "Failed to fetch") {
		t.Errorf("the newest rule does not win: %q", got)
	}
	rules := intercept(t, s, Observe, nil, "**/api/*", "**/tracker*", "GET **/api/pot", "POST **/api/pot")
	if len(rules) != 0 || s.routed != nil {
		t.Errorf("after observe: rules %v, routed %v", rules, s.routed != nil)
	}
	if got := fetched(t, s, "'/api/pot'"); !strings.HasPrefix(got, "200") {
		t.Errorf("after observe: %q", got)
	}
}

// B1: a mock answers a page of another origin, with the headers it needs for
// that, and after the delay that was asked for.
func TestMockAcrossOrigins(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "real") }))
	t.Cleanup(other.Close)
	s := opened(t, poolOf(t), c.URL)
	if got := fetched(t, s, "'"+other.URL+"/x'"); !strings.Contains(got, "Failed to fetch") {
		t.Errorf("the control: a page may not read another origin: %q", got)
	}
	const delay = 400
	intercept(t, s, Mock, &MockResponse{Body: "made up", DelayMS: delay}, other.URL+"/**")
	start := time.Now()
	if got := fetched(t, s, "'"+other.URL+"/x', {method: 'PUT', headers: {'x-own': '1'}}"); got != "200 made up" {
		t.Errorf("mocked: %q", got)
	}
	if took := time.Since(start); took < delay*time.Millisecond {
		t.Errorf("it took %v, want %d ms or more", took, delay)
	}
}

// B6: a mock that waits keeps no session from ending.
func TestMockDelayEndsWithTheSession(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	s := opened(t, poolOf(t), c.URL)
	intercept(t, s, Mock, &MockResponse{DelayMS: 60_000}, "**/slow")
	if _, _, err := s.Evaluate(within30s(t), "void fetch('/slow')", nil); err != nil {
		t.Fatal(err)
	}
	held := func(want int32) func() error {
		return func() error {
			if n := s.interceptor.held.Load(); n != want {
				return fmt.Errorf("%d mocks wait, want %d", n, want)
			}
			return nil
		}
	}
	becomes(t, "the mock waits", held(1))
	if err := s.Close(timeLimit(t, 10*time.Second)); err != nil {
		t.Errorf("close: %v", err)
	}
	becomes(t, "it is let go", held(0))
}

// A rule that holds in one context holds in the one that replaces it.
func TestRulesAreAppliedToANewContext(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	s := opened(t, poolOf(t), c.URL)
	intercept(t, s, Mock, &MockResponse{Status: 201}, "**/api")
	context, err := s.current().context.process.NewContext()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = context.Close() })
	if err := s.applyRules(context); err != nil {
		t.Fatal(err)
	}
	page, err := context.NewPage()
	if err != nil {
		t.Fatal(err)
	}
	if response, err := page.Goto(c.URL + "/api"); err != nil || response.Status() != 201 {
		t.Errorf("in the new context: %v %v", response, err)
	}
}

// B1: what can't be kept is refused, with what to do instead.
func TestInterceptRefuses(t *testing.T) {
	t.Parallel()
	s := launch(t, poolOf(t), LaunchOptions{})
	many := make([]string, maxRules+1)
	for i := range many {
		many[i] = fmt.Sprintf("**/%d", i)
	}
	for name, c := range map[string]struct {
		patterns []string
		mode     InterceptMode
		response *MockResponse
	}{
		"no patterns":        {nil, Block, nil},
		"unknown mode":       {[]string{"**"}, "eat", nil},
		"blank pattern":      {[]string{" "}, Block, nil},
		"bad expression":     {[]string{"re:("}, Block, nil},
		"too many":           {many, Block, nil},
		"response of block":  {[]string{"**"}, Block, &MockResponse{}},
		"status":             {[]string{"**"}, Mock, &MockResponse{Status: 600}},
		"interim status":     {[]string{"**"}, Mock, &MockResponse{Status: 101}},
		"header name":        {[]string{"**"}, Mock, &MockResponse{Headers: map[string]string{"a b": "c"}}},
		"header value":       {[]string{"**"}, Mock, &MockResponse{Headers: map[string]string{"a": "b\nc"}}},
		"large body":         {[]string{"**"}, Mock, &MockResponse{Body: strings.Repeat("x", maxMockBody+1)}},
		"long delay":         {[]string{"**"}, Mock, &MockResponse{DelayMS: 60_001}},
		"negative delay":     {[]string{"**"}, Mock, &MockResponse{DelayMS: -1}},
		"body where none is": {[]string{"**"}, Mock, &MockResponse{Status: 204, Body: "x"}},
	} {
		_, err := s.Intercept(within30s(t), c.patterns, c.mode, c.response)
		if codeOf(err) != explain.InvalidInput {
			t.Errorf("%s: %v, want INVALID_INPUT", name, err)
		}
	}
	if rules := s.Rules(); len(rules) != 0 || s.routed != nil {
		t.Errorf("a refused call left rules: %v", rules)
	}
}

// A12: a mocked request destroys nothing, so the guard has no say in it, by
// whatever way it would have gone.
func TestGuardAndMock(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	p := guardedPool(t, nil)
	s := opened(t, p, c.URL)
	for _, by := range []string{"http", "https"} {
		intercept(t, s, Mock, &MockResponse{Body: "gone"}, "DELETE **/users/*")
		got, _, err := s.Evaluate(within30s(t), "fetch('/users/1', {method: 'DELETE'}).then(r => r.text(), e => String(e))", nil)
		if err != nil || string(got) != `"gone"` {
			t.Errorf("%s: a mocked DELETE: %s, %v", by, got, err)
		}
		intercept(t, s, Observe, nil, "DELETE **/users/*")
		_, _, err = s.Evaluate(within30s(t), "fetch('/users/1', {method: 'DELETE'}).then(r => r.text(), e => String(e))", nil)
		if codeOf(err) != explain.ActionBlocked {
			t.Errorf("%s: a DELETE that is mocked no more: %v, want ACTION_BLOCKED", by, err)
		}
		if err := s.guardSecurePages("https://127.0.0.1/"); err != nil { // from now on each page is watched
			t.Fatal(err)
		}
	}
	if c.arrivals("DELETE") != 0 {
		t.Error("it arrived")
	}
	intercept(t, s, Block, nil, "**/blocked")
	if _, err := s.Navigate(within30s(t), c.URL+"/blocked", "load", 0); codeOf(err) != explain.ActionBlocked || !strings.Contains(err.Error(), "**/blocked") {
		t.Errorf("a blocked document: %v", err)
	}
	if got, _, err := s.Evaluate(within30s(t), "1 + 1", nil); err != nil || string(got) != "2" {
		t.Errorf("the page after that: %s %v", got, err)
	}
}

// B1: rules hold for workers and service workers too.
func TestInterceptSeesWorkers(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	s := opened(t, poolOf(t), c.URL)
	intercept(t, s, Block, nil, "DELETE **/from/*")
	for _, script := range []string{
		"new Promise(done => { new Worker('/worker.js').onmessage = done }).then(() => 1)",
		"navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => 1)",
	} {
		if _, _, err := s.Evaluate(within30s(t), script, nil); err != nil {
			t.Fatal(err)
		}
	}
	becomes(t, "both are stopped", func() error {
		if hits := s.Rules()[0].Hits; hits != 2 {
			return fmt.Errorf("%d hits, want 2", hits)
		}
		return nil
	})
	if n := c.arrivals("DELETE"); n != 0 {
		t.Errorf("%d arrived: %v", n, c.seen)
	}
}

// A page that is frozen holds up no rule: neither the call, nor the session's next page,
// nor another session. The rule holds on that page.
func TestRoutesBesideAFrozenPage(t *testing.T) {
	t.Parallel()
	s, web := show(t, `<h1>Here</h1>`)
	web.handle("/pot", text("tea"))
	_, _, _ = s.Evaluate(timeLimit(t, time.Second), "setTimeout(() => { for (;;); })", nil) // it may be answered before that
	if _, err := s.Look(timeLimit(t, time.Second), "css=h1", FactCount, ""); err == nil {
		t.Fatal("the page is not frozen: the test shows nothing")
	}
	if rules, err := s.Intercept(within30s(t), []string{"/pot"}, Block, nil); err != nil || len(rules) != 1 {
		t.Fatalf("%v, %v", rules, err)
	}
	show(t, "<p>another session") // it has its answer
	visit(t, s, web.URL+"/")
	if got := js(t, s, "fetch('/pot').then(r => r.text(), () => 'blocked')"); got != `"blocked"` {
		t.Errorf("the next page was answered %s", got)
	}
	if err := s.Close(within30s(t)); err != nil {
		t.Error(err)
	}
}
