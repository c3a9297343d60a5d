package chat_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/chat"
	"github.com/assay-qa/assay/internal/wiretest"
	"github.com/assay-qa/assay/tools"
	"github.com/assay-qa/assay/tools/workspace"
)

const (
	key   = "local-key-0123456789"
	name  = "qwen3:8b"
	pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
	task  = `{"goal":"the sign-in page works"}`
	old   = "(an older picture)"
)

// catalogue are the real tools, as a model is offered them.
func catalogue() []agent.Tool {
	var out []agent.Tool
	for _, t := range tools.Catalogue((&workspace.Workspace{Settings: workspace.Settings{Sets: []string{"core", "full"}}})) {
		out = append(out, agent.Tool{Name: t.Definition.Name, Description: t.Definition.Description, Schema: t.Definition.RawInputSchema})
	}
	return out
}

// served is a model on a scripted server that judges each request.
type served struct {
	t *testing.T
	*chat.Model
	server *wiretest.Server
	talk   agent.Conversation
}

func serve(t *testing.T, script wiretest.Script, habits ...wiretest.Habit) *served {
	t.Helper()
	server, err := wiretest.New(wiretest.Chat, script, wiretest.Options{Key: key, Model: name, Habits: habits})
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
	m, err := chat.New(agent.Connection{BaseURL: server.URL(), Model: name, Key: key, Timeout: 30 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return &served{t: t, Model: m, server: server, talk: agent.Conversation{Instructions: "Test what you are told.", Task: task, Tools: catalogue(),
		Screen: agent.Screen{Width: 1366, Height: 768}, Final: agent.FinalSchema()}}
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

// A conversation with every tool of the catalogue (C2): calls, pictures, notes
// and the end, in the form and the order that the wire wants.
func TestConversation(t *testing.T) {
	var shown []wiretest.Seen
	script := wiretest.Fixed(
		wiretest.Say{Think: "first the page", Text: "I open it.", Calls: []wiretest.Call{{Name: "page_navigate", Args: map[string]any{"url": "http://127.0.0.1/"}}}, Input: 100, Cached: 60, Output: 7},
		wiretest.Say{Calls: []wiretest.Call{
			{Name: "computer_action", Args: map[string]any{"action": "screenshot", "include_image": true}},
			{Name: "page_screenshot", Args: map[string]any{"include_image": true}}}},
		wiretest.Say{Fault: wiretest.Empty},
		wiretest.Say{Calls: []wiretest.Call{{Name: "page_snapshot"}}},
		wiretest.Say{Final: json.RawMessage(`{"summary":"done","status":"passed","findings":[]}`)},
	)
	s := serve(t, func(seen wiretest.Seen) wiretest.Say { shown = append(shown, seen); return script(seen) })
	first := s.next("75 % of the budget are spent")
	if len(first.Calls) != 1 || first.Calls[0].Name != "page_navigate" || string(first.Calls[0].Arguments) != `{"url":"http://127.0.0.1/"}` || first.Text != "I open it." {
		t.Errorf("the first turn is %+v", first)
	}
	if first.Usage != (agent.Usage{Input: 100, Cached: 60, Output: 7}) {
		t.Errorf("usage %+v", first.Usage)
	}
	s.next()
	if empty := s.next("you said nothing"); empty.Text != "" || len(empty.Calls) != 0 {
		t.Errorf("an empty turn is %+v", empty)
	}
	s.talk.Turns[1].Results[0].Parts[1] = agent.Part{Text: old} // as the loop does with pictures that grew old
	s.next()
	if last := s.next(); !strings.Contains(last.Text, `"summary":"done"`) || len(last.Calls) != 0 {
		t.Errorf("the last turn is %+v", last)
	}
	if len(shown) != 5 {
		t.Fatalf("%d requests for turns, want 5", len(shown))
	}
	if s := shown[0]; s.Task != task || !strings.HasPrefix(s.System, "Test what you are told.") || !strings.Contains(s.System, `"suggested_fix"`) || len(s.Tools) != len(catalogue()) {
		t.Errorf("the first request shows task %q, system %q, tools %v", s.Task, s.System, s.Tools)
	}
	if a := shown[1].Answers; len(a) != 1 || a[0].Text != "did page_navigate, call 0" || !slices.Contains(shown[1].Said, "75 % of the budget are spent") {
		t.Errorf("the second request shows answers %+v, notes %q", a, shown[1].Said)
	}
	pictures := 0
	for _, a := range shown[2].Answers {
		pictures += a.Images
	}
	if len(shown[2].Answers) != 2 || pictures != 2 {
		t.Errorf("the third request shows answers %+v", shown[2].Answers)
	}
	if body := string(shown[4].Body); strings.Count(body, pixel) != 1 || !strings.Contains(body, old) || strings.Contains(body, "first the page") {
		t.Error("the last request does not hold one picture, the word of the old one, and no thought")
	}
}

// What local servers do beside the description (C2): calls without an id, with
// an object for arguments, and calls that are written into the text.
func TestHabits(t *testing.T) {
	for _, habit := range []wiretest.Habit{wiretest.NoIDs, wiretest.TextCalls, wiretest.NoSchema, wiretest.NoImages} {
		t.Run(string(habit), func(t *testing.T) {
			call := wiretest.Call{Name: "page_screenshot", Args: map[string]any{"include_image": true}}
			s := serve(t, wiretest.Fixed(wiretest.Say{Calls: []wiretest.Call{call}}, wiretest.Say{Calls: []wiretest.Call{call}}, wiretest.Say{Text: "done"}), habit)
			ids := map[string]bool{}
			for range 2 {
				r := s.next()
				if len(r.Calls) != 1 || r.Calls[0].Name != call.Name || string(r.Calls[0].Arguments) != `{"include_image":true}` || r.Text != "" {
					t.Fatalf("the turn is %+v", r)
				}
				ids[r.Calls[0].ID] = true
			}
			if len(ids) != 2 || ids[""] {
				t.Errorf("the ids are %v", ids)
			}
			if r := s.next(); r.Text != "done" {
				t.Errorf("the end is %+v", r)
			}
			requests := s.server.Requests()
			if last := string(requests[len(requests)-1].Body); strings.Count(last, "did page_screenshot") != 2 || strings.Count(last, pixel) != 2 {
				t.Errorf("the last request does not tell two results with their pictures: %.600s", last)
			}
		})
	}
}

// Every fault of the wire has its name, and those that may be gone the next
// time are (D2). Nothing is asked twice by the adapter itself.
func TestFaults(t *testing.T) {
	for fault, want := range map[wiretest.Fault]agent.Fault{
		wiretest.RateLimit: agent.RateLimited, wiretest.Overload: agent.Overloaded, wiretest.ServerError: agent.Unavailable, wiretest.BadCall: agent.Unavailable,
		wiretest.Cut: agent.Unavailable, wiretest.Malformed: agent.BadAnswer, wiretest.Refusal: agent.Refused, wiretest.WrongKey: agent.Unauthorised,
	} {
		t.Run(string(fault), func(t *testing.T) {
			s := serve(t, wiretest.Fixed(wiretest.Say{Fault: fault, Text: "sorry"}))
			_, err := s.Next(t.Context(), s.talk)
			var e *agent.ModelError
			if !errors.As(err, &e) || e.Fault != want || len([]rune(e.Message)) > 300 || strings.Contains(err.Error(), key) {
				t.Fatalf("%v, want %s", err, want)
			}
			if fault == wiretest.RateLimit && e.RetryAfter != time.Second {
				t.Errorf("retry after %v, want 1 s", e.RetryAfter)
			}
			if n := len(s.server.Requests()); n != 1 {
				t.Errorf("%d requests, want 1", n)
			}
			if again, err := s.Next(t.Context(), s.talk); e.Retriable() && (err != nil || again.Text != "sorry") {
				t.Errorf("asked again: %+v, %v", again, err)
			}
		})
	}
}

// Turns that are odd, and no faults: the loop is told what came.
func TestOddTurns(t *testing.T) {
	navigate := wiretest.Call{Name: "page_navigate", Args: map[string]any{"url": "http://127.0.0.1/"}}
	t.Run("truncated", func(t *testing.T) {
		s := serve(t, wiretest.Fixed(wiretest.Say{Fault: wiretest.Truncated, Calls: []wiretest.Call{navigate}}))
		if r := s.next(); len(r.Calls) != 1 || json.Valid(r.Calls[0].Arguments) || len(r.Calls[0].Arguments) == 0 {
			t.Errorf("truncated arguments are handed on as %+v", r.Calls)
		}
		s.next()
		body := s.server.Requests()[1].Body
		if !strings.Contains(string(body), `"arguments":"{}"`) { // servers refuse arguments that are no JSON
			t.Errorf("truncated arguments go back as they came: %s", body)
		}
	})
	t.Run("doubled id", func(t *testing.T) {
		s := serve(t, wiretest.Fixed(wiretest.Say{Fault: wiretest.DuplicateID, Calls: []wiretest.Call{navigate, {Name: "page_snapshot"}}}, wiretest.Say{Text: "done"}))
		r := s.next()
		if len(r.Calls) != 2 || r.Calls[0].ID == r.Calls[1].ID {
			t.Errorf("calls %+v", r.Calls)
		}
		s.next()
	})
	t.Run("cut at the limit", func(t *testing.T) {
		s := serve(t, wiretest.Fixed(wiretest.Say{Fault: wiretest.MaxTokens, Text: "I was about to"}, wiretest.Say{Text: "done"}))
		if r := s.next("go on"); !r.Cut || r.Text != "I was about to" {
			t.Errorf("the turn is %+v", r)
		}
		if r := s.next(); r.Cut || r.Text != "done" {
			t.Errorf("the turn is %+v", r)
		}
	})
	t.Run("no answer in time", func(t *testing.T) {
		s := serve(t, wiretest.Fixed(wiretest.Say{Fault: wiretest.Slow}))
		m, err := chat.New(agent.Connection{BaseURL: s.server.URL(), Model: name, Key: key, Timeout: 100 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		var e *agent.ModelError
		if _, err := m.Next(t.Context(), s.talk); !errors.As(err, &e) || e.Fault != agent.TimedOut {
			t.Errorf("%v, want a time-out", err)
		}
	})
}
