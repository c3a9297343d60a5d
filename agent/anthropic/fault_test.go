package anthropic_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/anthropic"
)

func failure(kind, message string) string {
	return `{"type":"error","error":{"type":"` + kind + `","message":"` + message + `"},"request_id":"req_7"}`
}

// fault wants a ModelError.
func fault(t *testing.T, err error) *agent.ModelError {
	t.Helper()
	var e *agent.ModelError
	if !errors.As(err, &e) {
		t.Fatalf("%v is no ModelError", err)
	}
	if strings.Contains(e.Error(), key) || e.Err != nil && strings.Contains(e.Err.Error(), key) {
		t.Errorf("the key is told: %v; %v", e, e.Err)
	}
	if e.Provider != "anthropic" || e.Model != newest {
		t.Errorf("whose fault: %q %q", e.Provider, e.Model)
	}
	return e
}

// Faults of the note: what the provider refuses with is told apart, in its own
// words, and asked once.
func TestRefusals(t *testing.T) {
	t.Parallel()
	page := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusBadGateway)
		_, _ = w.Write([]byte("<html>secret innards</html>"))
	}
	for _, c := range []struct {
		name    string
		answer  http.HandlerFunc
		fault   agent.Fault
		status  int
		wait    time.Duration
		message string
	}{
		{"too fast", sends(429, failure("rate_limit_error", "slow down"), "Retry-After", "7", "Request-Id", "req_7"), agent.RateLimited, 429, 7 * time.Second, "slow down (req_7)"},
		{"in milliseconds", sends(429, failure("rate_limit_error", "slow down"), "Retry-After", "7", "Retry-After-Ms", "1500"), agent.RateLimited, 429, 1500 * time.Millisecond, "slow down"},
		{"until a date", sends(429, failure("rate_limit_error", "x"), "Date", "Wed, 21 Oct 2026 07:28:00 GMT", "Retry-After", "Wed, 21 Oct 2026 07:28:30 GMT"), agent.RateLimited, 429, 30 * time.Second, "x"},
		{"until a date that is past", sends(429, failure("rate_limit_error", "x"), "Date", "Wed, 21 Oct 2026 07:28:00 GMT", "Retry-After", "Wed, 21 Oct 2026 07:20:00 GMT"), agent.RateLimited, 429, 0, "x"},
		{"for ever", sends(429, failure("rate_limit_error", "x"), "Retry-After", "1e300"), agent.RateLimited, 429, 24 * time.Hour, "x"},
		{"nonsense", sends(429, failure("rate_limit_error", "x"), "Retry-After", "NaN"), agent.RateLimited, 429, 0, "x"},
		{"overloaded", sends(529, failure("overloaded_error", "Overloaded")), agent.Overloaded, 529, 0, "Overloaded"},
		{"overloaded behind a gateway", sends(500, failure("overloaded_error", "Overloaded")), agent.Overloaded, 500, 0, "Overloaded"},
		{"busy", sends(503, failure("api_error", "busy")), agent.Overloaded, 503, 0, "busy"},
		{"broken", sends(500, failure("api_error", "oh")), agent.Unavailable, 500, 0, "oh"},
		{"a gateway's page", page, agent.Unavailable, 502, 0, "Bad Gateway, without a word of the provider"},
		{"a gateway's patience", sends(504, failure("timeout_error", "late")), agent.TimedOut, 504, 0, "late"},
		{"the key", sends(401, failure("authentication_error", "invalid x-api-key "+key)), agent.Unauthorised, 401, 0, "invalid x-api-key [key]"},
		{"not this model", sends(403, failure("permission_error", "no")), agent.Unauthorised, 403, 0, "no"},
		{"no such model", sends(404, failure("not_found_error", "model: "+newest)), agent.BadRequest, 404, 0, "model: " + newest},
		{"our fault", sends(400, failure("invalid_request_error", "tools.0: no")), agent.BadRequest, 400, 0, "tools.0: no"},
		{"too long", sends(400, failure("invalid_request_error", "prompt is too long: 2 tokens > 1 maximum")), agent.TooLong, 400, 0, "prompt is too long"},
		{"too large", sends(413, failure("request_too_large", "big")), agent.TooLong, 413, 0, "big"},
		{"a long story", sends(400, failure("invalid_request_error", strings.Repeat("ä", 5000)), "Request-Id", "req_8"), agent.BadRequest, 400, 0, "ää"},
	} {
		p := serve(t, c.answer)
		_, err := p.model().Next(t.Context(), conversation())
		e := fault(t, err)
		if e.Fault != c.fault || e.Status != c.status || e.RetryAfter != c.wait || !strings.HasPrefix(e.Message, c.message) || len([]rune(e.Message)) > 300 {
			t.Errorf("%s: %+v", c.name, *e)
		}
		if len(p.requests) != 1 {
			t.Errorf("%s: asked %d times: who counts the budget must know of each", c.name, len(p.requests))
		}
	}
}

// Faults of the note: cut, torn, slow, nobody there. Each may be gone the next
// time.
func TestTornAnswers(t *testing.T) {
	t.Parallel()
	whole := httptest.NewRecorder()
	says("end_turn", `[{"type":"text","text":"hello"}]`)(whole, nil)
	cut := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "5000")
		_, _ = w.Write(whole.Body.Bytes()[:60])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	slow := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	redirect := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
		w.WriteHeader(http.StatusTemporaryRedirect)
	}
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		fault  agent.Fault
	}{
		{"cut", cut, agent.Unavailable},
		{"slow", slow, agent.TimedOut},
		{"no JSON", sends(200, `{"id":"msg_1","type":"mess<html>`), agent.BadAnswer},
		{"no message", sends(200, `{}`), agent.BadAnswer},
		{"a page", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>sign in</html>")) }, agent.BadAnswer},
		{"no calls", says("tool_use", `[{"type":"text","text":"I call"}]`), agent.BadAnswer},
		{"an unknown end", says("tea_time", `[{"type":"text","text":"I go"}]`), agent.BadAnswer},
		{"elsewhere", redirect, agent.BadAnswer},
	} {
		p := serve(t, c.answer)
		_, err := p.model(func(n *agent.Connection) {
			if c.name == "slow" {
				n.Timeout = 50 * time.Millisecond
			}
		}).Next(t.Context(), conversation())
		if e := fault(t, err); e.Fault != c.fault || e.Message == "" || !e.Retriable() {
			t.Errorf("%s: %+v", c.name, *e)
		}
	}
	p := serve(t, slow)
	address := p.URL
	p.Close()
	m, err := anthropic.New(agent.Connection{BaseURL: strings.Replace(address, "http://", "http://user:"+key+"@", 1), Model: newest, Key: key})
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Next(t.Context(), conversation())
	if e := fault(t, err); e.Fault != agent.Unavailable || strings.Contains(e.Message, "user") {
		t.Errorf("nobody there: %+v", *e)
	}
}

// What the model will not say, and what did not fit, is no turn, and cost tokens
// all the same.
func TestStops(t *testing.T) {
	t.Parallel()
	refused := `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":"refusal","stop_sequence":null,` +
		`"stop_details":{"type":"refusal","category":"cyber","explanation":"not that"},"usage":{"input_tokens":3,"output_tokens":1}}`
	for _, c := range []struct {
		answer  http.HandlerFunc
		fault   agent.Fault
		message string
	}{
		{sends(200, refused), agent.Refused, "not that"},
		{says("refusal", "[]"), agent.Refused, "the provider gives no reason"},
		{says("model_context_window_exceeded", `[{"type":"text","text":"and so"}]`), agent.TooLong, "the conversation and its answer don't fit"},
	} {
		_, err := serve(t, c.answer).model().Next(t.Context(), conversation())
		if e := fault(t, err); e.Fault != c.fault || !strings.HasPrefix(e.Message, c.message) || e.Retriable() || e.Usage.Input == 0 {
			t.Errorf("%+v", *e)
		}
	}
	if r := next(t, serve(t, says("max_tokens", `[{"type":"text","text":"and then"}]`)).model(), conversation()); !r.Cut || r.Text != "and then" {
		t.Errorf("%+v", r)
	}
}

// Somebody who stops the work is not told that the provider failed.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	p := serve(t, func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() })
	_, err := p.model().Next(ctx, conversation())
	var e *agent.ModelError
	if !errors.Is(err, context.Canceled) || errors.As(err, &e) {
		t.Errorf("%v", err)
	}
	if err := anthropic.Check(ctx, p.connection()); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// Key, address and model are looked at without a token.
func TestCheck(t *testing.T) {
	t.Parallel()
	info := func(lifecycle string) string {
		return `{"type":"model","id":"` + newest + `","display_name":"S","created_at":"2026-09-21T00:00:00Z","lifecycle":"` + lifecycle + `"}`
	}
	p := serve(t, sends(200, info("active")), sends(200, info("retired")), sends(404, failure("not_found_error", "model: x")), sends(200, `{"hello":"world"}`))
	if err := anthropic.Check(t.Context(), p.connection()); err != nil {
		t.Error(err)
	}
	if a := p.last(); a.path != "/v1/models/"+newest || a.header.Get("X-Api-Key") != key {
		t.Errorf("asked for %s", a.path)
	}
	for _, want := range []agent.Fault{agent.BadRequest, agent.BadRequest, agent.BadAnswer} {
		if e := fault(t, anthropic.Check(t.Context(), p.connection())); e.Fault != want || e.Message == "" {
			t.Errorf("%+v", *e)
		}
	}
	for _, c := range []agent.Connection{{BaseURL: p.URL}, {BaseURL: "localhost:80", Model: newest}, {BaseURL: "ftp://x", Model: newest}, {BaseURL: "http://%zz", Model: newest}} {
		if _, err := anthropic.New(c); err == nil {
			t.Errorf("%+v is taken", c)
		}
		if err := anthropic.Check(t.Context(), c); err == nil {
			t.Errorf("%+v is good", c)
		}
	}
}

// A secret of the environment that nobody handed in is not sent.
func TestNothingFromTheEnvironment(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "sk-ant-of-the-environment")
	t.Setenv("ANTHROPIC_AUTH_TOKEN", "token-of-the-environment")
	t.Setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Custom: of-the-environment")
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
	p := serve(t, says("end_turn", `[{"type":"text","text":"hello"}]`))
	next(t, p.model(func(c *agent.Connection) { c.Key = "" }), conversation())
	for name, values := range p.last().header {
		if strings.Contains(strings.Join(values, " "), "of-the-environment") {
			t.Errorf("%s: %v", name, values)
		}
	}
}
