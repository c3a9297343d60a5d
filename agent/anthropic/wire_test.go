package anthropic_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/anthropic"
	"github.com/assay-qa/assay/internal/wiretest"
)

// scripted is the scripted provider. When the test ends, it must have found
// nothing wrong with any request.
func scripted(t *testing.T, script wiretest.Script) *wiretest.Server {
	t.Helper()
	s, err := wiretest.New(wiretest.Anthropic, script, wiretest.Options{Key: key, Secrets: []string{"hunter2"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, p := range s.Problems() {
			t.Error(p)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// asking is a model of ours that asks it, with the provider's own computer tool.
func asking(t *testing.T, s *wiretest.Server, name string) *anthropic.Model {
	t.Helper()
	c := agent.Connection{BaseURL: s.URL(), Model: name, Key: key, Computer: true}
	if err := anthropic.Check(t.Context(), c); err != nil {
		t.Error(err)
	}
	m, err := anthropic.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// titled is a conversation that the provider can tell from others.
func titled(task string) agent.Conversation {
	c := conversation()
	c.Task = task
	return c
}

// photo is a picture that decodes.
const photo = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// work goes on as the loop does until the model has given its final answer, and
// shortens what is old: each call is answered with a text and, if it was one at
// the screen, a picture.
func work(t *testing.T, m *anthropic.Model, c agent.Conversation) (agent.Conversation, []error) {
	t.Helper()
	var faults []error
	for range 20 {
		r, err := m.Next(t.Context(), c)
		var e *agent.ModelError
		if errors.As(err, &e) && e.Retriable() && len(faults) < 5 {
			faults = append(faults, err)
			continue
		}
		if err != nil {
			return c, append(faults, err)
		}
		turn := agent.Turn{Reply: r, Notes: []string{"a note"}}
		for _, call := range r.Calls {
			answer := agent.Result{ID: call.ID, Name: call.Name, Parts: []agent.Part{{Text: "answer to " + call.Name}}}
			if call.Name == "computer_action" {
				answer.Parts = append(answer.Parts, agent.Part{Image: &agent.Image{MIMEType: "image/png", Data: photo}})
			}
			turn.Results = append(turn.Results, answer)
		}
		for i := range c.Turns {
			for j := range c.Turns[i].Results {
				parts := c.Turns[i].Results[j].Parts
				for k := range parts {
					if parts[k].Image != nil {
						parts[k] = agent.Part{Text: "(an older picture)"}
					}
				}
			}
		}
		c.Turns = append(c.Turns, turn)
		if r.Text != "" && len(r.Calls) == 0 {
			return c, faults
		}
	}
	t.Error("no end")
	return c, faults
}

// D1, D2: a whole conversation with each kind of model, judged by the official
// description and the order of the protocol.
func TestScripted(t *testing.T) {
	t.Parallel()
	seen := map[string][]wiretest.Seen{}
	script := wiretest.Fixed(
		wiretest.Say{Think: "where to begin", Text: "I look.", Calls: []wiretest.Call{{Name: "page_snapshot", Args: map[string]any{"root": "main"}}}},
		wiretest.Say{Think: "there", Computer: []wiretest.Action{{Kind: "click", X: 10, Y: 20}, {Kind: "type", Text: "x"}, {Kind: "screenshot"}, {Kind: "scroll", X: 5, Y: 5, DY: 300}, {Kind: "key", Text: "Control+A"}}},
		wiretest.Say{Think: "both", Computer: []wiretest.Action{{Kind: "drag", X: 1, Y: 2, ToX: 30, ToY: 40}, {Kind: "wait"}}, Calls: []wiretest.Call{{Name: "page_snapshot"}}},
		wiretest.Say{Final: json.RawMessage(`{"summary":"fine","status":"passed","findings":[]}`)},
	)
	s := scripted(t, func(n wiretest.Seen) wiretest.Say { seen[n.Task] = append(seen[n.Task], n); return script(n) })
	for _, name := range []string{"claude-sonnet-5-5", "claude-opus-4-8", "claude-opus-4-7", "claude-haiku-4-5"} {
		c, faults := work(t, asking(t, s, name), titled(name))
		if len(faults) > 0 || len(c.Turns) != 4 || c.Turns[3].Reply.Text != `{"summary":"fine","status":"passed","findings":[]}` {
			t.Errorf("%s: %v; %d turns", name, faults, len(c.Turns))
			continue
		}
		calls := c.Turns[1].Reply.Calls
		if len(calls) != 2 || calls[0].Name != "computer_action" || calls[1].Name != "computer_action" {
			t.Errorf("%s: a batch became %+v", name, calls)
		}
		seen := seen[name]
		if !slices.Equal(seen[1].Said, []string{"a note"}) || !seen[1].Computer || slices.Contains(seen[1].Tools, "computer_action") || len(seen[2].Answers) != 5 {
			t.Errorf("%s: %+v", name, seen)
		}
		for i, pictures := range []int{0, 0, 1, 0, 1} { // each at the end of its batch
			if a := seen[2].Answers[i]; a.Images != pictures || a.IsError {
				t.Errorf("%s: answer %d: %+v", name, i, a)
			}
		}
	}
}

// Faults of the note, on this wire: told as what they are, and gone the next
// time if they may be.
func TestScriptedFaults(t *testing.T) {
	t.Parallel()
	lasting := map[wiretest.Fault]agent.Fault{wiretest.WrongKey: agent.Unauthorised, wiretest.Refusal: agent.Refused}
	passing := map[wiretest.Fault]agent.Fault{wiretest.RateLimit: agent.RateLimited, wiretest.Overload: agent.Overloaded, wiretest.ServerError: agent.Unavailable,
		wiretest.Cut: agent.Unavailable, wiretest.Malformed: agent.BadAnswer, wiretest.BadCall: agent.Unavailable}
	call := wiretest.Call{Name: "page_snapshot", Args: map[string]any{"root": "main"}}
	s := scripted(t, func(n wiretest.Seen) wiretest.Say {
		return wiretest.Fixed(
			wiretest.Say{Calls: []wiretest.Call{call}},
			wiretest.Say{Think: "hm", Text: "I go on.", Calls: []wiretest.Call{call, {Name: "page_snapshot"}}, Fault: wiretest.Fault(n.Task)},
			wiretest.Say{Text: "ready"})(n)
	})
	m := asking(t, s, newest)
	for _, f := range wiretest.Faults() {
		if f == wiretest.Slow {
			continue // below
		}
		c, faults := work(t, m, titled(string(f)))
		want, isLasting := lasting[f]
		if !isLasting {
			want = passing[f]
		}
		switch {
		case want == "":
			if len(faults) > 0 {
				t.Errorf("%s: %v", f, faults)
			}
		case len(faults) != 1:
			t.Errorf("%s: %v", f, faults)
		default:
			var e *agent.ModelError
			if !errors.As(faults[0], &e) || e.Fault != want || f == wiretest.RateLimit && e.RetryAfter != time.Second {
				t.Errorf("%s: %+v", f, faults[0])
			}
		}
		if end := c.Turns[len(c.Turns)-1].Reply.Text; !isLasting && f != wiretest.SafetyPending && end != "ready" {
			t.Errorf("%s: the end is %q", f, end)
		}
	}
	slow := titled(string(wiretest.Slow))
	first := next(t, m, slow)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := m.Next(ctx, answered(slow, first, nil, text("done"))); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}
