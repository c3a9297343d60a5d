package gemini_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/gemini"
)

// Every way not to give a turn has its name (D2), keeps the provider's words
// without the key, and what it took; nothing is asked twice.
func TestFaults(t *testing.T) {
	t.Parallel()
	refused := func(code, status, message, details string) string {
		return `{"error":{"code":` + code + `,"status":"` + status + `","message":"` + message + `","details":[` + details + `]}}`
	}
	ended := func(reason string) string {
		return `{"candidates":[{"finishReason":"` + reason + `","finishMessage":"why"}],"usageMetadata":{"promptTokenCount":11,"candidatesTokenCount":3}}`
	}
	for title, c := range map[string]struct {
		status  int
		header  map[string]string
		body    string
		fault   agent.Fault
		message string
		after   time.Duration
	}{
		"the quota is spent": {429, nil, refused("429", "RESOURCE_EXHAUSTED", "slow down", `{"@type":"type.googleapis.com/google.rpc.QuotaFailure"},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"13.5s"}`),
			agent.RateLimited, "slow down", 13500 * time.Millisecond},
		"Retry-After in seconds": {429, map[string]string{"Retry-After": "7"}, refused("429", "RESOURCE_EXHAUSTED", "slow down", ""), agent.RateLimited, "slow down", 7 * time.Second},
		"Retry-After as a date": {503, map[string]string{"Retry-After": "Sun, 22 Nov 2026 10:00:30 GMT", "Date": "Sun, 22 Nov 2026 10:00:00 GMT"},
			refused("503", "UNAVAILABLE", "overloaded", ""), agent.Overloaded, "overloaded", 30 * time.Second},
		"a proxy's page":      {502, nil, "<html>Bad gateway</html>", agent.Unavailable, "<html>Bad gateway</html>", 0},
		"its deadline":        {504, nil, refused("504", "DEADLINE_EXCEEDED", "late", ""), agent.TimedOut, "late", 0},
		"the key is wrong":    {400, nil, refused("400", "INVALID_ARGUMENT", "API key not valid: "+key, `{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}`), agent.Unauthorised, "API key not valid: [key]", 0},
		"the key may not":     {403, nil, refused("403", "PERMISSION_DENIED", "no", ""), agent.Unauthorised, "no", 0},
		"a bad request":       {400, nil, refused("400", "INVALID_ARGUMENT", "unknown field", ""), agent.BadRequest, "unknown field", 0},
		"too long":            {400, nil, refused("400", "INVALID_ARGUMENT", "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).", ""), agent.TooLong, "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).", 0},
		"a redirect":          {302, map[string]string{"Location": "http://127.0.0.1:1/"}, "", agent.BadRequest, "", 0},
		"torn JSON":           {200, nil, `{"candidates":[{"content":{"par`, agent.BadAnswer, "the answer can't be read: unexpected end of JSON input", 0},
		"no candidate":        {200, nil, `{}`, agent.BadAnswer, "the answer holds no candidate", 0},
		"a blocked request":   {200, nil, `{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":11,"candidatesTokenCount":3}}`, agent.Refused, "the request was blocked: PROHIBITED_CONTENT", 0},
		"a malformed call":    {200, nil, ended("MALFORMED_FUNCTION_CALL"), agent.BadAnswer, "the turn ended with MALFORMED_FUNCTION_CALL. why", 0},
		"safety":              {200, nil, ended("SAFETY"), agent.Refused, "the turn ended with SAFETY. why", 0},
		"recitation":          {200, nil, ended("RECITATION"), agent.Refused, "the turn ended with RECITATION. why", 0},
		"prohibited content":  {200, nil, ended("PROHIBITED_CONTENT"), agent.Refused, "the turn ended with PROHIBITED_CONTENT. why", 0},
		"a reason of its own": {200, nil, ended("SOMETHING_NEW"), agent.BadAnswer, "the turn ended with SOMETHING_NEW. why", 0},
	} {
		t.Run(title, func(t *testing.T) {
			a := newAPI(t, c.body)
			a.status, a.header = c.status, c.header
			_, err := a.model(t, nil).Next(t.Context(), conversation())
			var e *agent.ModelError
			if !errors.As(err, &e) || e.Fault != c.fault || e.Message != c.message || e.RetryAfter != c.after || (c.status >= 300) != (e.Status == c.status) {
				t.Fatalf("%+v; want %s, %q, after %v", err, c.fault, c.message, c.after)
			}
			if took := strings.Contains(c.body, "usageMetadata"); took != (e.Usage == agent.Usage{Input: 11, Output: 3}) {
				t.Errorf("usage %+v", e.Usage)
			}
			if len(a.paths) != 1 {
				t.Errorf("%d requests, want 1", len(a.paths))
			}
		})
	}
}

// A connection that is cut, one that is refused and one that stays silent are
// told apart from a caller that no longer waits.
func TestConnection(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{}, 3)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // so that the server sees the client go
		if strings.Contains(r.URL.Path, "cut") {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `{"candidates":[`)
			return
		}
		arrived <- struct{}{}
		<-r.Context().Done()
	}))
	defer s.Close()
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	ended, cancel := context.WithCancel(t.Context())
	defer cancel()
	for title, c := range map[string]struct {
		ctx     context.Context
		address string
		model   string
		limit   time.Duration
		want    agent.Fault // empty: context.Canceled
	}{
		"cut":                  {t.Context(), s.URL, "gemini-cut", 0, agent.Unavailable},
		"refused":              {t.Context(), dead.URL, "gemini-3.5-flash", 0, agent.Unavailable},
		"silent":               {t.Context(), s.URL, "gemini-3.5-flash", 50 * time.Millisecond, agent.TimedOut},
		"nobody waits anymore": {ended, s.URL, "gemini-3.5-flash", time.Minute, ""},
	} {
		t.Run(title, func(t *testing.T) {
			m, err := gemini.New(agent.Connection{BaseURL: c.address, Model: c.model, Key: key, Timeout: c.limit})
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "" {
				go func() { <-arrived; cancel() }()
			}
			_, err = m.Next(c.ctx, conversation())
			var e *agent.ModelError
			switch known := errors.As(err, &e); {
			case c.want == "" && (known || !errors.Is(err, context.Canceled)):
				t.Errorf("%T %v, want context.Canceled", err, err)
			case c.want != "" && (!known || e.Fault != c.want):
				t.Errorf("%v, want %s", err, c.want)
			}
			if title == "silent" {
				<-arrived
			}
		})
	}
}

// The check asks for the model alone, and costs no token (D2).
func TestCheck(t *testing.T) {
	t.Parallel()
	a := newAPI(t, `{"name":"models/gemini-3.5-flash"}`)
	connection := agent.Connection{BaseURL: a.URL, Model: "gemini-3.5-flash", Key: key}
	if err := gemini.Check(t.Context(), connection); err != nil || a.paths[0] != "GET /v1beta/models/gemini-3.5-flash" {
		t.Errorf("%v; asked for %q", err, a.paths)
	}
	a.status, a.answers = http.StatusNotFound, []string{`{"error":{"code":404,"message":"models/x is not found","status":"NOT_FOUND"}}`}
	var e *agent.ModelError
	if err := gemini.Check(t.Context(), connection); !errors.As(err, &e) || e.Fault != agent.BadRequest || e.Status != 404 || e.Message != "models/x is not found" {
		t.Errorf("an unknown model: %v", err)
	}
	for want, c := range map[string]agent.Connection{"GEMINI_API_KEY": {Model: "x"}, "agent.model": {Key: key}} {
		if err := gemini.Check(t.Context(), c); !errors.As(err, &e) || e.Retriable() || !strings.Contains(e.Message, want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
