package gemini_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/gemini"
	"github.com/assay-qa/assay/internal/wiretest"
)

// served is a model on a scripted provider that judges each request.
type served struct {
	t *testing.T
	*gemini.Model
	server *wiretest.Server
	talk   agent.Conversation
}

func serve(t *testing.T, model string, script wiretest.Script) *served {
	t.Helper()
	server, err := wiretest.New(wiretest.Gemini, script, wiretest.Options{Key: key, Model: model, Secrets: []string{"hunter2"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		for _, p := range server.Problems() {
			t.Error("the judge: ", p)
		}
	})
	connection := agent.Connection{BaseURL: server.URL(), Model: model, Key: key, Timeout: 30 * time.Second, Computer: true}
	if err := gemini.Check(t.Context(), connection); err != nil {
		t.Error(err)
	}
	m, err := gemini.New(connection)
	if err != nil {
		t.Fatal(err)
	}
	return &served{t: t, Model: m, server: server, talk: conversation()}
}

// next takes a turn and answers its calls, with pictures if they ask for them.
func (s *served) next(notes ...string) agent.Reply {
	s.t.Helper()
	r, err := s.Next(s.t.Context(), s.talk)
	if err != nil {
		s.t.Fatal(err)
	}
	turn := agent.Turn{Reply: r, Notes: notes}
	for i, c := range r.Calls {
		result := agent.Result{ID: c.ID, Name: c.Name, Parts: []agent.Part{{Text: fmt.Sprintf("did %s, call %d", c.Name, i)}}}
		if strings.Contains(string(c.Arguments), "include_image") {
			result.Parts = append(result.Parts, agent.Part{Image: &agent.Image{MIMEType: "image/png", Data: pixel}})
		}
		turn.Results = append(turn.Results, result)
	}
	s.talk.Turns = append(s.talk.Turns, turn)
	return r
}

// A conversation with every tool of the catalogue and the computer, by models of
// each kind (C2, A12): the judge finds nothing to object to.
func TestConversation(t *testing.T) {
	t.Parallel()
	for _, model := range []string{"gemini-2.5-flash", "gemini-2.5-computer-use-preview-10-2025", "gemini-3-flash-preview", "gemini-3-pro-preview", "gemini-3.5-flash"} {
		t.Run(model, func(t *testing.T) {
			var shown []wiretest.Seen
			turns := []wiretest.Say{
				{Think: "first the page", Text: "I open it.", Calls: []wiretest.Call{{Name: "page_navigate", Args: map[string]any{"url": "http://127.0.0.1/"}}}, Input: 100, Cached: 60, Output: 8},
				{Calls: []wiretest.Call{{Name: "page_snapshot"}, {Name: "page_screenshot", Args: map[string]any{"include_image": true}}}},
				{Fault: wiretest.Empty},
			}
			computer := gemini.Can(agent.Connection{Model: model}).Computer
			if computer {
				for _, a := range []wiretest.Action{{Kind: "screenshot"}, {Kind: "click", X: 1, Y: 1}, {Kind: "type", Text: "Ada"}, {Kind: "key", Text: "Control+A"}, {Kind: "scroll", DY: 200},
					{Kind: "drag", ToX: 1, ToY: 1}, {Kind: "wait"}, {Kind: "move"}} {
					turns = append(turns, wiretest.Say{Computer: []wiretest.Action{a}})
				}
			}
			turns = append(turns, wiretest.Say{Calls: []wiretest.Call{{Name: "page_screenshot", Args: map[string]any{"include_image": true}}}},
				wiretest.Say{Final: json.RawMessage(`{"summary":"done","status":"passed","findings":[]}`)})
			script := wiretest.Fixed(turns...)
			s := serve(t, model, func(seen wiretest.Seen) wiretest.Say { shown = append(shown, seen); return script(seen) })
			first := s.next("75 % of the budget are spent")
			if len(first.Calls) != 1 || string(first.Calls[0].Arguments) != `{"url":"http://127.0.0.1/"}` || first.Text != "I open it." || first.Usage != (agent.Usage{Input: 100, Cached: 60, Output: 8}) {
				t.Errorf("the first turn is %+v", first)
			}
			s.next()
			if empty := s.next("you said nothing"); empty.Text != "" || len(empty.Calls) != 0 {
				t.Errorf("an empty turn is %+v", empty)
			}
			s.talk.Turns[1].Results[1].Parts[1] = agent.Part{Text: "(older)"} // as the loop does with pictures that grew old
			last := s.next()
			for range turns[4:] {
				if computer && len(s.talk.Turns) < 12 && (len(last.Calls) != 1 || last.Calls[0].Name != "computer_action") {
					t.Errorf("an action is %+v", last)
				}
				last = s.next()
			}
			if !strings.Contains(last.Text, `"summary":"done"`) || len(shown) != len(turns) {
				t.Errorf("the last turn is %+v, of %d", last, len(shown))
			}
			if s := shown[0]; s.Task != task || !strings.HasPrefix(s.System, "Test what you are told.") || s.Computer != computer || len(s.Tools) != len(catalogue()) {
				t.Errorf("the first request shows task %q, system %q, computer %v, tools %v", s.Task, s.System, s.Computer, s.Tools)
			}
			if a := shown[1].Answers; len(a) != 1 || a[0].Text != "did page_navigate, call 0" || !slices.Contains(shown[1].Said, "75 % of the budget are spent") {
				t.Errorf("the second request shows answers %+v, notes %q", a, shown[1].Said)
			}
			if a := shown[2].Answers; len(a) != 2 || !strings.Contains(string(shown[2].Body), pixel) {
				t.Errorf("the third request shows answers %+v", a)
			}
		})
	}
}

// Every fault of the scripted wire has its name (D2), and a turn that is odd is
// no fault.
func TestScriptedFaults(t *testing.T) {
	t.Parallel()
	navigate := wiretest.Call{Name: "page_navigate", Args: map[string]any{"url": "http://127.0.0.1/"}}
	for fault, want := range map[wiretest.Fault]agent.Fault{
		wiretest.RateLimit: agent.RateLimited, wiretest.Overload: agent.Overloaded, wiretest.ServerError: agent.Unavailable, wiretest.BadCall: agent.BadAnswer,
		wiretest.Cut: agent.Unavailable, wiretest.Malformed: agent.BadAnswer, wiretest.Refusal: agent.Refused,
		wiretest.Truncated: "", wiretest.DuplicateID: "", wiretest.MaxTokens: "", wiretest.SafetyPending: "",
	} {
		t.Run(string(fault), func(t *testing.T) {
			calls := []wiretest.Call{navigate}
			if fault == wiretest.DuplicateID {
				calls = append(calls, wiretest.Call{Name: "page_snapshot"})
			}
			s := serve(t, "gemini-3.5-flash", wiretest.Fixed(wiretest.Say{Fault: fault, Calls: calls}, wiretest.Say{Text: "done"}))
			r, err := s.Next(t.Context(), s.talk)
			var e *agent.ModelError
			if known := errors.As(err, &e); known != (want != "") || known && (e.Fault != want || strings.Contains(err.Error(), key)) {
				t.Fatalf("%v, want %q", err, want)
			}
			if fault == wiretest.RateLimit && e.RetryAfter != time.Second {
				t.Errorf("retry after %v, want 1 s", e.RetryAfter)
			}
			switch {
			case e != nil && e.Retriable():
				if r, err = s.Next(t.Context(), s.talk); err != nil || len(r.Calls) != 1 {
					t.Errorf("asked again: %+v, %v", r, err)
				}
			case fault == wiretest.MaxTokens && !r.Cut:
				t.Errorf("the turn is %+v, want a cut one", r)
			case fault == wiretest.SafetyPending && r.Calls[0].Confirm == "":
				t.Errorf("the call is %+v, want one to confirm", r.Calls[0])
			case fault == wiretest.DuplicateID && (len(r.Calls) != 2 || r.Calls[0].ID == r.Calls[1].ID):
				t.Errorf("the calls are %+v", r.Calls)
			}
			if e == nil {
				s.next()
				s.next() // in the order that the judge wants
			}
		})
	}
}

// wireOf tells where a request would go, and lets none go there.
type wireOf struct{ to *string }

func (w wireOf) RoundTrip(r *http.Request) (*http.Response, error) {
	*w.to = r.URL.String()
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(turns(`{"text":"done"}`))), Request: r}, nil
}

// Without an address it is Google's, whatever the environment says (D2).
func TestPublicAddress(t *testing.T) {
	t.Setenv("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:1/")
	to := ""
	m, err := gemini.New(agent.Connection{Model: "gemini-3.5-flash", Key: key, Transport: wireOf{&to}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Next(t.Context(), conversation()); err != nil || to != "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.5-flash:generateContent" {
		t.Errorf("%v; it asks %s", err, to)
	}
}

// What the SDK would ask for by itself, more of a long turn, is the loop's to
// ask for: each request counts.
func TestNoContinuation(t *testing.T) {
	t.Parallel()
	a := newAPI(t, `{"candidates":[{"content":{"role":"model","parts":[{"text":"half"}]},"finishReason":"CONTINUATION","continuationToken":"YWJj"}]}`, turns(`{"text":"whole"}`))
	r, err := a.model(t, nil).Next(t.Context(), conversation())
	if err != nil || !r.Cut || r.Text != "half" || len(a.paths) != 1 {
		t.Errorf("%+v, %v after %d requests", r, err, len(a.paths))
	}
}
