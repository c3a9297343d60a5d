package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/internal/demo"
	"github.com/assay-qa/assay/qa"
)

func has(text, part string) bool { return strings.Contains(text, part) }

// opened is the turn that opens the sign-in page.
func (r *rig) opened() agent.Reply {
	return calls("page_navigate", fmt.Sprintf(`{"url": %q}`, r.site+"/login"))
}

const titleHolds = `{"expects": ["E1"]}`

// Promise 1: a task whose expectation was checked has passed, and the report
// says what it took.
func TestWorkedTaskPasses(t *testing.T) {
	t.Parallel()
	model := &script{}
	r := newRig(t, model)
	r.Task.Expectations = []qa.Expectation{{Text: `the title is "Sign in – Assay Demo"`}}
	checked := calls("verify_assertion", titleHolds)
	checked.Usage = agent.Usage{Input: 100, Output: 7}
	model.turns = []agent.Reply{r.opened(), checked, says("checked the title")}
	var events []agent.EventName
	r.Watch = func(e agent.Event) { events = append(events, e.Name) }
	out := r.run()
	r.wants(out, qa.Passed, "")
	if c := out.Report.Costs; out.Report.Summary != "checked the title" || c.TokensInput != 100 || c.TokensOutput != 7 || c.ToolCalls != 4 {
		t.Errorf("summary %q, costs %+v; want 4 calls, 100 tokens in, 7 out", out.Report.Summary, c)
	}
	if got := fmt.Sprint(events); got != "[spec.started tool.called tool.called spec.finished]" { // E5
		t.Errorf("events %s", got)
	}
	if model.closed != 1 {
		t.Errorf("the model was closed %d times", model.closed)
	}
}

// Promise 1: a model that claims what it did not check gets nothing for it.
func TestLyingModel(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		turns  func(r *rig) []agent.Reply
		status qa.Status
		why    string
	}{
		"claims a pass and checks nothing": {func(*rig) []agent.Reply { return []agent.Reply{says("everything passed")} }, qa.Inconclusive, ""},
		"claims a pass without the check that was asked for": {func(r *rig) []agent.Reply {
			return []agent.Reply{r.opened(), calls("verify_assertion", `{"assertion": {"type": "url_matches", "expected": "**login**"}}`), says("passed")}
		}, qa.Inconclusive, "no executed check is bound to it"},
		"its own word is no check": {func(*rig) []agent.Reply {
			return []agent.Reply{calls("assert", `{"severity": "info", "category": "functional", "assertion": "the title is right", "expected": "Sign in – Assay Demo", "observed": "Sign in – Assay Demo", "confidence": 1}`), says("passed")}
		}, qa.Inconclusive, ""},
		"asks for tools that do not exist": {func(*rig) []agent.Reply {
			return sequence(9, func(i int) agent.Reply { return calls("page_clik"+strconv.Itoa(i), "{}") })
		}, qa.Inconclusive, "maxConsecutiveErrors"},
		"asks for the same again and again": {func(r *rig) []agent.Reply { return []agent.Reply{r.opened(), calls("verify_assertion", titleHolds)} }, qa.Inconclusive, "identical calls"},
		"looks on without end": {func(r *rig) []agent.Reply {
			return append([]agent.Reply{r.opened()}, sequence(20, func(i int) agent.Reply { return calls("page_snapshot", fmt.Sprintf(`{"max_chars": %d}`, 9000+i)) })...)
		}, qa.Inconclusive, "no progress"},
		"repeats what fails": {func(r *rig) []agent.Reply {
			return []agent.Reply{r.opened(), calls("page_click", `{"selector": "css=.nothing", "timeout_ms": 20}`)}
		}, qa.Inconclusive, "maxRetriesPerStep"},
		"never says anything": {func(*rig) []agent.Reply { return []agent.Reply{{}} }, qa.Inconclusive, "said nothing"},
		"sends arguments that are no JSON": {func(*rig) []agent.Reply {
			return sequence(9, func(i int) agent.Reply { return calls("page_click", `{"selector`+strconv.Itoa(i)) })
		}, qa.Inconclusive, "maxConsecutiveErrors"},
	} {
		if again := []string{"claims a pass without the check that was asked for"}; slices.Contains(again, name) && !soak() {
			continue // another case shows the same
		}
		t.Run(name, func(t *testing.T) {
			model := &script{}
			r := newRig(t, model)
			r.Task.Expectations = []qa.Expectation{{Text: `the title is "Sign in – Assay Demo"`}}
			model.turns = c.turns(r)
			r.wants(r.run(), c.status, c.why)
		})
	}
}

func sequence(n int, of func(i int) agent.Reply) []agent.Reply {
	out := make([]agent.Reply, n)
	for i := range out {
		out[i] = of(i)
	}
	return out
}

// A9: each budget ends the task by its name, with a report, and is not
// overspent.
func TestBudgetsEndTheTask(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		budgets qa.Budgets
		turn    func(r *rig) agent.Reply
	}{
		"maxToolCalls": {qa.Budgets{MaxToolCalls: 6}, func(*rig) agent.Reply {
			return calls("page_snapshot", `{"depth": 1}`, "page_snapshot", `{"depth": 2}`, "page_snapshot", `{"depth": 3}`, "page_snapshot", `{"depth": 4}`, "page_snapshot", `{"depth": 5}`)
		}},
		"maxScreenshots": {qa.Budgets{MaxScreenshots: 2}, func(*rig) agent.Reply {
			return calls("page_screenshot", `{"name": "a"}`, "page_screenshot", `{"name": "b"}`)
		}},
		"maxTokens": {qa.Budgets{MaxTokens: 1000}, func(*rig) agent.Reply { return agent.Reply{Text: "", Usage: agent.Usage{Input: 600, Output: 10}} }},
		"maxTimeMs": {qa.Budgets{MaxTimeMS: 700}, func(*rig) agent.Reply {
			return calls("page_wait_for_selector", `{"selector": "css=.never", "timeout_ms": 30000}`)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			model := &script{}
			r := newRig(t, model)
			r.Limits.Budgets, r.Task.Budgets = c.budgets, &c.budgets
			model.turns = []agent.Reply{r.opened(), c.turn(r)}
			if name == "maxTimeMs" {
				r.warm()
			}
			out := r.run()
			r.wants(out, qa.Inconclusive, name)
			if n := out.Report.Costs.ToolCalls; c.budgets.MaxToolCalls > 0 && n > c.budgets.MaxToolCalls {
				t.Errorf("%d tool calls of %d", n, c.budgets.MaxToolCalls)
			}
			// Time may also run out within a call, which is named then.
			if out.Stopped == nil || out.Stopped.Kind != qa.BudgetSpent || !has(out.Stopped.Subject+": "+string(out.Stopped.Detail), name) {
				t.Errorf("stopped by %+v", out.Stopped)
			}
		})
	}
}

// warm starts the browser, so that a short budget is not spent on that.
func (r *rig) warm() {
	s, err := shared.Launch(r.t.Context(), browserOptions())
	if err != nil {
		r.t.Fatal(err)
	}
	if err := s.Close(r.t.Context()); err != nil {
		r.t.Error(err)
	}
}

// A9: an unhandled exception of the page stops the loop with a blocker finding,
// whatever the model would have done next.
func TestBrokenPageStopsTheLoop(t *testing.T) {
	t.Parallel()
	model := &script{}
	r := ownRig(t, model)
	broken, err := demo.Start(t.Context(), demo.Options{Broken: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := broken.Close(); err != nil {
			t.Error(err)
		}
	})
	r.site = broken.URL()
	model.turns = []agent.Reply{
		r.opened(),
		calls("page_fill", fmt.Sprintf(`{"selector": "textbox \"Email\"", "value": %q}`, demo.Email)),
		calls("page_fill", fmt.Sprintf(`{"selector": "textbox \"Password\"", "value": %q}`, demo.Password)),
		calls("page_click", `{"selector": "button \"Sign in\""}`),
	}
	signIn := len(model.turns)
	model.turns = append(model.turns, sequence(9, func(i int) agent.Reply { return calls("page_snapshot", fmt.Sprintf(`{"max_chars": %d}`, 5000+i)) })...)
	out := r.run()
	r.wants(out, qa.Failed, "uncaught exception")
	if out.Calls > signIn+1 {
		t.Errorf("%d calls were made after the page had thrown", out.Calls-signIn)
	}
	transcript, err := os.ReadFile(filepath.Join(r.dir, "runs", out.Report.RunID, "transcript.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(transcript)) {
		if !json.Valid([]byte(line)) {
			t.Errorf("transcript: %q is no JSON", line)
		}
	}
	// A14: all of the conversation is there, but for what was typed.
	if n := strings.Count(string(transcript), `"role":"tool"`); n != out.Calls {
		t.Errorf("the transcript has %d of %d answers", n, out.Calls)
	}
	if !has(string(transcript), `"value":"••••"`) || strings.Count(string(transcript), demo.Password) > strings.Count(string(transcript), "Demo account: ") {
		t.Errorf("the transcript shows what was typed: %s", transcript)
	}
}

// What ends a page, ends the loop: a fatal console message is a blocker.
func TestFatalConsoleMessage(t *testing.T) {
	t.Parallel()
	model := &script{}
	r := ownRig(t, model)
	page := site(t, `<title>x</title><script>console.error("ChunkLoadError: loading chunk 7 failed")</script>`)
	model.turns = append([]agent.Reply{calls("page_navigate", fmt.Sprintf(`{"url": %q}`, page)), calls("analyze_console_errors", `{}`)},
		sequence(9, func(i int) agent.Reply { return calls("page_snapshot", fmt.Sprintf(`{"max_chars": %d}`, 5000+i)) })...)
	out := r.run()
	r.wants(out, qa.Failed, "ChunkLoadError")
	if out.Calls != 2 {
		t.Errorf("%d calls, want the loop to stop at the second", out.Calls)
	}
}

// The run is the loop's own, and a script in the page is nobody's.
func TestOwnTools(t *testing.T) {
	t.Parallel()
	model := &script{turns: []agent.Reply{calls("run_start", `{"goal": "something easier"}`, "page_evaluate", `{"script": "1"}`), calls("run_finish", `{"summary": "done"}`)}}
	r := newRig(t, model)
	out := r.run()
	r.wants(out, qa.Inconclusive, "")
	if out.Report.Task.Goal != "the sign-in page works" || out.Report.Summary != "done" {
		t.Errorf("goal %q, summary %q", out.Report.Task.Goal, out.Report.Summary)
	}
	for _, result := range model.seen.Turns[0].Results {
		if !result.IsError || !has(result.Text(), "there is no tool") {
			t.Errorf("%s answered %q", result.Name, result.Text())
		}
	}
}

// A page that changed makes the rest of a batch stale: it is not executed.
func TestBatchEndsWhereThePageChanges(t *testing.T) {
	t.Parallel()
	model := &script{}
	r := newRig(t, model)
	page := site(t, `<title>x</title><a href="#there">Go</a><button>Other</button>`)
	model.turns = []agent.Reply{calls("page_navigate", fmt.Sprintf(`{"url": %q}`, page)), calls("page_click", `{"selector": "link \"Go\""}`, "page_click", `{"selector": "button \"Other\""}`), says("done")}
	out := r.run()
	results := model.seen.Turns[1].Results
	if len(results) != 2 || results[0].IsError || !results[1].IsError || !has(results[1].Text(), "changed the page") {
		t.Errorf("results %+v", results)
	}
	if out.Report.Costs.ToolCalls != 4 {
		t.Errorf("%d tool calls, want 4", out.Report.Costs.ToolCalls)
	}
}

// failing is a model whose provider is gone.
type failing struct{}

func (failing) Next(context.Context, agent.Conversation) (agent.Reply, error) {
	return agent.Reply{}, errors.New("429 too many requests")
}

// A model that can't be asked makes the run inconclusive, with a report.
func TestModelError(t *testing.T) {
	t.Parallel()
	r := newRig(t, failing{})
	r.wants(r.run(), qa.Inconclusive, "429 too many requests")
}

// A16: an interrupted task has its report within three seconds, though a call
// was under way.
func TestInterruptedTask(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	model := &script{}
	r := ownRig(t, model)
	hangs, asked := hangingSite(t)
	model.turns = []agent.Reply{calls("page_navigate", fmt.Sprintf(`{"url": %q}`, hangs))}
	var cancelled time.Time
	go func() {
		<-asked
		cancelled = time.Now()
		cancel()
	}()
	out, err := agent.Run(ctx, r.Options)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(cancelled); took > 3*time.Second {
		t.Errorf("the report came %v after the interruption", took)
	}
	r.wants(out, qa.Inconclusive, "it was interrupted")
}

// forgetful can't keep files.
type forgetful struct{ agent.Recorder }

func (forgetful) Save(string, string, []byte) error { return errors.New("the disk is full") }

// Promise 1: what can't show how it came to its verdict has not passed, in its
// report neither.
func TestNoTranscriptNoPass(t *testing.T) {
	t.Parallel()
	model := &script{}
	r := newRig(t, model)
	r.Record = forgetful{r.Record}
	r.Task.Expectations = []qa.Expectation{{Text: `the title is "Sign in – Assay Demo"`}}
	model.turns = []agent.Reply{r.opened(), calls("verify_assertion", titleHolds), says("checked the title")}
	out, err := agent.Run(t.Context(), r.Options)
	if err == nil || out.Report.Status != qa.Inconclusive || !strings.Contains(string(out.Report.StatusReason), "the disk is full") {
		t.Errorf("%s (%s), %v", out.Report.Status, out.Report.StatusReason, err)
	}
}
