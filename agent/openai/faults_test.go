package openai_test

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
	"github.com/assay-qa/assay/internal/wiretest"
)

// faulty checks the fault of an error; an empty one means that there is none.
func faulty(t *testing.T, err error, want agent.Fault) *agent.ModelError {
	t.Helper()
	if want == "" {
		if err != nil {
			t.Errorf("it fails: %v", err)
		}
		return nil
	}
	var e *agent.ModelError
	if !errors.As(err, &e) {
		t.Errorf("%v (%T), want %s", err, err, want)
		return nil
	}
	if e.Fault != want {
		t.Errorf("%v, want %s", err, want)
	}
	if strings.Contains(err.Error(), key) || len([]rune(e.Message)) > 300 {
		t.Errorf("the error tells too much: %v", err)
	}
	return e
}

// TestFaults: every fault of the wire has its name, comes after one request
// alone (asking again is the loop's business, which counts), and what can be
// fixed by asking again is.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, w := range both() {
		for fault, want := range map[wiretest.Fault]agent.Fault{
			wiretest.RateLimit: agent.RateLimited, wiretest.Overload: agent.Overloaded, wiretest.ServerError: agent.Unavailable,
			wiretest.Cut: agent.Unavailable, wiretest.Slow: agent.TimedOut, wiretest.Malformed: agent.BadAnswer, wiretest.BadCall: agent.Unavailable,
			wiretest.Refusal: agent.Refused, wiretest.WrongKey: agent.Unauthorised,
		} {
			t.Run(string(w)+" "+string(fault), func(t *testing.T) {
				p := connect(t, w, func(c *agent.Connection) {
					if fault == wiretest.Slow {
						c.Timeout = 100 * time.Millisecond
					}
				}, wiretest.Say{Fault: fault, Text: "here I am"})
				_, err := p.Next(t.Context(), talk(clickTool()))
				e := faulty(t, err, want)
				if n := len(p.server.Requests()); n != 1 {
					t.Errorf("%d requests were made", n)
				}
				if e == nil || fault == wiretest.Slow {
					return
				}
				if fault == wiretest.RateLimit && (e.RetryAfter != time.Second || e.Status != 429) {
					t.Errorf("retry after %v, status %d", e.RetryAfter, e.Status)
				}
				if fault == wiretest.Refusal && (e.Message != "here I am" || e.Usage.Input == 0) {
					t.Errorf("the refusal is %q, usage %+v", e.Message, e.Usage)
				}
				if !e.Retriable() {
					return
				}
				if r, err := p.Next(t.Context(), talk(clickTool())); err != nil || r.Text != "here I am" {
					t.Errorf("asked again it says %q, %v", r.Text, err)
				}
			})
		}
	}
}

// TestOddTurns: a turn that was cut, is empty, or holds what is no JSON, is a
// turn; and the conversation goes on in order.
func TestOddTurns(t *testing.T) {
	t.Parallel()
	click := []wiretest.Call{{Name: "page_click", Args: object{"selector": "#a", "session_id": nil, "button": nil}}}
	for _, tc := range []struct {
		fault wiretest.Fault
		calls int
		cut   bool
	}{{wiretest.MaxTokens, 1, true}, {wiretest.Truncated, 1, false}, {wiretest.Empty, 0, false}} {
		t.Run(string(tc.fault), func(t *testing.T) {
			p := connect(t, wiretest.OpenAI, nil, wiretest.Say{Fault: tc.fault, Think: "hm", Calls: click}, wiretest.Say{Text: "on"}, wiretest.Say{Text: "on"})
			c := talk(clickTool())
			r := p.next(c)
			if len(r.Calls) != tc.calls || r.Cut != tc.cut || r.Text != "" {
				t.Fatalf("the turn is %+v", r)
			}
			turn := agent.Turn{Reply: r, Notes: []string{"go on"}}
			for _, call := range r.Calls {
				if want := `{"button":null,"sele`; !strings.HasPrefix(string(call.Arguments), want[:10]) || strings.HasSuffix(string(call.Arguments), "}") {
					t.Errorf("the torn arguments are handed on as %s", call.Arguments)
				}
				turn.Results = append(turn.Results, agent.Result{ID: call.ID, Name: call.Name, IsError: true, Parts: []agent.Part{{Text: "no JSON"}}})
			}
			c.Turns = append(c.Turns, turn)
			p.next(c)
		})
	}
}

// TestSafetyCheck (A12): what a person must confirm is handed on as such, and
// never acknowledged.
func TestSafetyCheck(t *testing.T) {
	t.Parallel()
	p := connect(t, wiretest.OpenAI, func(c *agent.Connection) { c.Computer = true },
		wiretest.Say{Fault: wiretest.SafetyPending, Computer: []wiretest.Action{{Kind: "click", X: 1, Y: 2, Safety: "this page asks for money"}}}, wiretest.Say{Text: "done"})
	c := talk(agent.Tool{Name: "computer_action", Schema: []byte(`{"type":"object"}`)})
	r := p.next(c)
	if len(r.Calls) != 1 || !strings.Contains(r.Calls[0].Confirm, "this page asks for money") {
		t.Fatalf("calls: %+v", r.Calls)
	}
	c.Turns = append(c.Turns, agent.Turn{Reply: r})
	p.next(c)
	if strings.Contains(string(p.server.Requests()[1].Body), "acknowledged_safety_checks") {
		t.Error("somebody acknowledged the check")
	}
}

// answering is a server that gives one answer.
func answering(t *testing.T, status int, body string, header ...string) agent.Connection {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(s.Close)
	return agent.Connection{BaseURL: s.URL, Model: model, Key: key}
}

// TestAnswers: what providers and the proxies before them also say.
func TestAnswers(t *testing.T) {
	t.Parallel()
	failed := func(code string) string {
		return `{"object":"response","status":"failed","output":[],"error":{"code":"` + code + `","message":"sorry"},"usage":{"input_tokens":7,"output_tokens":1}}`
	}
	for _, tc := range []struct {
		name   string
		status int
		body   string
		want   agent.Fault
		says   string
	}{
		{"quota", 429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`, agent.Unauthorised, "quota"},
		{"too long", 400, `{"error":{"message":"exceeds the context window","code":"context_length_exceeded"}}`, agent.TooLong, "window"},
		{"too large", 413, `{"error":{"message":"too large","code":null}}`, agent.TooLong, "too large"},
		{"filter", 400, `{"error":{"message":"filtered","code":"content_filter"}}`, agent.Refused, "filtered"},
		{"key in the words", 401, `{"error":{"message":"wrong key ` + key + `","code":401}}`, agent.Unauthorised, "wrong key ••••"},
		{"forbidden", 403, `{"error":{"message":"not your model"}}`, agent.Unauthorised, "not your model"},
		{"bad request", 400, `{"error":{"message":"` + strings.Repeat("no ", 500) + `"}}`, agent.BadRequest, "no no"},
		{"proxy", 502, "<html>\n\n  <h1>Bad gateway</h1>", agent.Unavailable, "<html> <h1>Bad gateway"},
		{"silent proxy", 503, "", agent.Overloaded, "Service Unavailable"},
		{"page of a captive portal", 200, "<html>please sign in</html>", agent.BadAnswer, "no JSON"},
		{"another object", 200, `{}`, agent.BadAnswer, "no output"},
		{"not an object", 200, `[]`, agent.BadAnswer, "no JSON"},
		{"not ready", 200, `{"object":"response","status":"in_progress","output":[]}`, agent.BadAnswer, "in_progress"},
		{"content filter", 200, `{"object":"response","status":"incomplete","incomplete_details":{"reason":"content_filter"},"output":[]}`, agent.Refused, "filter"},
		{"failed", 200, failed("server_error"), agent.Unavailable, "server_error: sorry"},
		{"failed by rate", 200, failed("rate_limit_exceeded"), agent.RateLimited, "sorry"},
		{"failed by policy", 200, failed("invalid_prompt"), agent.Refused, "sorry"},
		{"failed by picture", 200, failed("invalid_image"), agent.BadRequest, "sorry"},
		{"call of a tool that nobody offered", 200, `{"object":"response","status":"completed","output":[{"type":"shell_call","id":"s","call_id":"c","action":{"commands":["rm -rf /"]}}]}`, agent.BadAnswer, "shell_call"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := open(t, wiretest.OpenAI, answering(t, tc.status, tc.body)).Next(t.Context(), talk())
			e := faulty(t, err, tc.want)
			if e == nil {
				return
			}
			if e.Status != tc.status || !strings.Contains(e.Message, tc.says) {
				t.Errorf("status %d, message %q, want %d, %q", e.Status, e.Message, tc.status, tc.says)
			}
			if strings.HasPrefix(tc.name, "failed") && e.Usage.Input != 7 {
				t.Errorf("what the failed turn took is forgotten: %+v", e.Usage)
			}
		})
	}
}

// TestLastWords: what a model tells on the way is no part of its structured end.
func TestLastWords(t *testing.T) {
	t.Parallel()
	message := func(phase, text string) string {
		return `{"type":"message","id":"m","role":"assistant","status":"completed","phase":"` + phase + `","content":[{"type":"output_text","text":"` + text + `","annotations":[]}]}`
	}
	c := answering(t, 200, `{"object":"response","status":"completed","output":[`+message("commentary", "Let me end.")+`,`+message("final_answer", "{}")+`]}`)
	if r, err := open(t, wiretest.OpenAI, c).Next(t.Context(), talk()); err != nil || r.Text != "{}" {
		t.Errorf("it says %q, %v", r.Text, err)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		header []string
		want   time.Duration
	}{
		{[]string{"Retry-After", "7"}, 7 * time.Second},
		{[]string{"Retry-After", "60", "Retry-After-Ms", "1500"}, 1500 * time.Millisecond},
		{[]string{"Retry-After", "Sun, 22 Nov 2026 10:00:30 GMT", "Date", "Sun, 22 Nov 2026 10:00:00 GMT"}, 30 * time.Second},
		{[]string{"Retry-After", "Sun, 22 Nov 2026 09:00:00 GMT", "Date", "Sun, 22 Nov 2026 10:00:00 GMT"}, 0},
		{[]string{"Retry-After", "soon"}, 0},
	} {
		_, err := open(t, wiretest.OpenAI, answering(t, 429, `{"error":{"message":"slow down"}}`, tc.header...)).Next(t.Context(), talk())
		if e := faulty(t, err, agent.RateLimited); e != nil && e.RetryAfter != tc.want {
			t.Errorf("%v: %v, want %v", tc.header, e.RetryAfter, tc.want)
		}
	}
}

// TestInterrupted: a task that was ended is no fault of the provider's.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	arrived := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // or the server doesn't see the client go
		close(arrived)
		<-r.Context().Done()
	}))
	defer s.Close()
	go func() { <-arrived; cancel() }()
	_, err := open(t, wiretest.OpenAI, agent.Connection{BaseURL: s.URL, Model: model, Timeout: time.Minute}).Next(ctx, talk())
	var e *agent.ModelError
	if !errors.Is(err, context.Canceled) || errors.As(err, &e) {
		t.Errorf("it ends with %v (%T)", err, err)
	}
}
