package agent_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/qa"
)

// unsteady is a model whose provider gives faults before each turn.
type unsteady struct {
	script
	faults map[int][]*agent.ModelError // by the turn, from 0
	asked  int
}

func (u *unsteady) Next(ctx context.Context, c agent.Conversation) (agent.Reply, error) {
	u.asked++
	if faults := u.faults[u.at]; len(faults) > 0 {
		u.faults[u.at] = faults[1:]
		return agent.Reply{}, faults[0]
	}
	return u.script.Next(ctx, c)
}

func fault(f agent.Fault, status int) *agent.ModelError {
	return &agent.ModelError{Provider: "openai", Model: "m", Fault: f, Status: status, Message: "not now", Usage: agent.Usage{Input: 10, Output: 1}}
}

func repeated(n int, f *agent.ModelError) []*agent.ModelError {
	out := make([]*agent.ModelError, n)
	for i := range out {
		out[i] = f
	}
	return out
}

// E4, D6: what may be gone the next time is asked again, so often as the limits
// allow; the rest ends the task. It is never the fault of the thing under test.
func TestProviderFaults(t *testing.T) {
	t.Parallel()
	long := fault(agent.RateLimited, 429)
	long.RetryAfter = 10 * time.Minute
	asks := fault(agent.RateLimited, 429)
	asks.RetryAfter = 7 * time.Second
	for name, c := range map[string]struct {
		faults  []*agent.ModelError
		budget  int // of time, in ms
		status  qa.Status
		why     string
		waits   []time.Duration
		outage  bool
		retried int
	}{
		"none":                           {nil, 0, qa.Passed, "", nil, false, 0},
		"three in a row":                 {repeated(3, fault(agent.Overloaded, 529)), 0, qa.Passed, "", []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second}, false, 3},
		"four in a row":                  {repeated(4, fault(agent.Unavailable, 500)), 0, qa.Inconclusive, "HTTP 500): not now; asked 4 times", []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second}, true, 3},
		"it says how long":               {repeated(1, asks), 0, qa.Passed, "", []time.Duration{7 * time.Second}, false, 1},
		"it says for far too long":       {repeated(1, long), 0, qa.Inconclusive, "10m0s, which is too long", nil, true, 0},
		"longer than there is time":      {repeated(1, asks), 6000, qa.Inconclusive, "no time left to wait 7s", nil, true, 0},
		"an answer that can't be read":   {repeated(2, fault(agent.BadAnswer, 200)), 0, qa.Passed, "", []time.Duration{500 * time.Millisecond, time.Second}, false, 2},
		"a wrong key":                    {repeated(1, fault(agent.Unauthorised, 401)), 0, qa.Inconclusive, "unauthorised (HTTP 401)", nil, false, 0},
		"a refusal":                      {repeated(1, fault(agent.Refused, 0)), 0, qa.Inconclusive, "refused", nil, false, 0},
		"too long, and nothing to spare": {repeated(1, fault(agent.TooLong, 400)), 0, qa.Inconclusive, "too-long", nil, false, 0},
	} {
		if again := []string{"none", "three in a row", "an answer that can't be read", "a refusal"}; slices.Contains(again, name) && !soak() {
			continue // another case shows the same
		}
		t.Run(name, func(t *testing.T) {
			model := &unsteady{faults: map[int][]*agent.ModelError{1: c.faults}}
			r := newRig(t, model)
			r.Task.Expectations = []qa.Expectation{{Text: `the title is "Sign in – Assay Demo"`}}
			r.Rates = &agent.Rates{Input: 1e5, Output: 1e6}
			if c.budget > 0 {
				r.Limits.MaxTimeMS = c.budget
				r.warm()
			}
			var waits []time.Duration
			r.Wait = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
			model.turns = []agent.Reply{r.opened(), calls("verify_assertion", titleHolds), calls("run_finish", last("passed"))}
			out := r.run()
			r.wants(out, c.status, c.why)
			if len(waits) != len(c.waits) || out.Retries != c.retried || (out.Outage != nil) != c.outage {
				t.Fatalf("waited %v, retries %d, outage %v; want %v, %d, %t", waits, out.Retries, out.Outage, c.waits, c.retried, c.outage)
			}
			for i, want := range c.waits {
				if waits[i] != want {
					t.Errorf("waited %v, want %v", waits, c.waits)
				}
			}
			if n := len(c.faults); out.Report.Costs.TokensInput != 10*n || out.Report.Costs.TokensOutput != n || out.Report.Costs.USD != float64(n)*2 {
				t.Errorf("%d failed turns cost %+v", n, out.Report.Costs)
			}
			transcript, err := os.ReadFile(filepath.Join(r.dir, "runs", out.Report.RunID, "transcript.jsonl"))
			if n := strings.Count(string(transcript), "asked again after"); err != nil || n != c.retried {
				t.Errorf("the transcript tells %d retries of %d (%v)", n, c.retried, err)
			}
		})
	}
}

// The same request is sent again without what the conversation can spare.
func TestTooLongConversation(t *testing.T) {
	t.Parallel()
	model := &unsteady{faults: map[int][]*agent.ModelError{3: {fault(agent.TooLong, 400)}}}
	r := newRig(t, model)
	r.Task.Expectations = []qa.Expectation{{Text: `the title is "Sign in – Assay Demo"`}}
	model.turns = []agent.Reply{r.opened(), calls("page_snapshot", `{}`, "page_snapshot", `{"depth": 2}`), calls("verify_assertion", titleHolds), calls("run_finish", last("passed"))}
	r.wants(r.run(), qa.Passed, "")
	if text := model.seen.Turns[1].Results[0].Text(); !has(text, "an older snapshot") {
		t.Errorf("the older snapshot reads %q", text)
	}
}
