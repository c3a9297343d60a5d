package agent_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/qa"
)

// offers are the names of the tools that a model is offered.
func offers(c agent.Conversation) []string {
	var out []string
	for _, t := range c.Tools {
		out = append(out, t.Name)
	}
	return out
}

// A model is offered what is safe without a person, or what a person has named,
// and always the way to end.
func TestAllowedTools(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		allow     []string
		has, lack []string
	}{
		"by default": {nil, []string{"page_click", "verify_assertion", "compare_visual_regression", "assert", "run_finish"},
			[]string{"run_start", "page_evaluate", "network_intercept", "capture_visual_baseline", "step_done"}},
		"by name": {[]string{"page_navigate", "network_intercept", "run_start"}, []string{"page_navigate", "network_intercept", "run_finish"},
			[]string{"run_start", "page_click"}},
	} {
		t.Run(name, func(t *testing.T) {
			model := &script{turns: []agent.Reply{calls("page_click", `{"selector": "css=body"}`), calls("run_finish", last("passed"))}}
			r := newRig(t, model)
			r.Allow = c.allow
			r.run()
			got := offers(model.seen)
			for _, tool := range c.has {
				if !slices.Contains(got, tool) {
					t.Errorf("%s is not offered: %v", tool, got)
				}
			}
			for _, tool := range c.lack {
				if slices.Contains(got, tool) {
					t.Errorf("%s is offered", tool)
				}
			}
			if c.allow != nil && !has(model.seen.Turns[0].Results[0].Text(), "there is no tool") {
				t.Errorf("page_click was answered with %q", model.seen.Turns[0].Results[0].Text())
			}
		})
	}
}

// E5, E6: what must not be seen reaches neither the model nor the transcript
// nor the log: as it is in texts, and in pictures not at all.
func TestRedaction(t *testing.T) {
	t.Parallel()
	page := site(t, `<!doctype html><title>Orders</title><h1>Order of anna@shop.test</h1>`)
	model := &script{}
	r := newRig(t, model)
	var log bytes.Buffer
	address := regexp.MustCompile(`[a-z]+@[a-z.]+`)
	r.Redact = func(text string) string { return address.ReplaceAllString(text, "[redacted]") }
	r.Withhold, r.Log = true, slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	r.Instructions, r.Task.Goal = "The owner is otto@shop.test.", "the order of anna@shop.test is shown"
	r.Task.Expectations, r.Remind = []qa.Expectation{{Text: `the heading says "Order of", and then anna@shop.test`, Selector: "css=h1", Assertion: &qa.Assertion{Type: qa.TextContains, Expected: "Order of"}}}, true
	model.turns = []agent.Reply{
		says("It is fine."),
		calls("page_navigate", fmt.Sprintf(`{"url": %q}`, page)),
		calls("page_snapshot", `{}`, "page_screenshot", `{"include_image": true}`),
		{Text: "I saw eve@shop.test", Calls: calls("page_click", `{"selector": "text=carl@shop.test", "timeout_ms": 50}`).Calls},
		calls("verify_assertion", `{"expects": ["E1"]}`),
		calls("run_finish", last("passed")),
	}
	out := r.run()
	r.wants(out, qa.Passed, "")
	var told strings.Builder
	for _, turn := range model.seen.Turns {
		for _, result := range turn.Results {
			for _, part := range result.Parts {
				if part.Image != nil {
					t.Errorf("%s shows a picture", result.Name)
				}
			}
			told.WriteString(result.Text())
		}
		told.WriteString(strings.Join(turn.Notes, "\n"))
	}
	told.WriteString(model.seen.Task + model.seen.Instructions)
	transcript, err := os.ReadFile(filepath.Join(r.dir, "runs", out.Report.RunID, "transcript.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for where, text := range map[string]string{"the model": told.String(), "the transcript": string(transcript), "the log": log.String()} {
		if has(text, "@shop.test") || !has(text, "[redacted]") {
			t.Errorf("%s reads %s", where, text)
		}
	}
	if !has(told.String(), "it is not shown") {
		t.Error("nothing tells the model why it sees no picture")
	}
	// E5: the log tells which call of which run failed, how long it took, and why.
	if !regexp.MustCompile(`"event":"tool.called","runId":"` + out.Report.RunID + `","stepIndex":4,"toolName":"page_click","toolDurationMs":\d+,"toolInput":".*"error":\{"code":"ELEMENT_NOT_FOUND","message":".*","retriable":(true|false)\}`).MatchString(log.String()) {
		t.Errorf("the log tells %s", log.String())
	}
}

// A turn that was cut off is no final answer, and what is left of its calls is none:
// on wires that send arguments as objects it reads like a whole one (D6).
func TestTurnCutOff(t *testing.T) {
	t.Parallel()
	model := &script{}
	r := newRig(t, model)
	r.Task.Expectations = []qa.Expectation{{Text: `the title is "Sign in – Assay Demo"`}}
	cut := func(pairs ...string) agent.Reply {
		reply := calls(pairs...)
		reply.Cut = true
		return reply
	}
	model.turns = []agent.Reply{{Text: "I think that", Cut: true}, r.opened(),
		cut("verify_assertion", titleHolds, "page_click", `{"selector": "butt`),
		cut("run_finish", last("passed")), // its findings were lost
		calls("verify_assertion", titleHolds), calls("run_finish", last("failed", "the logo is missing"))}
	out := r.run()
	r.wants(out, qa.Failed, "the logo is missing")
	if n := len(out.Report.Checks); n != 1 {
		t.Errorf("%d checks were executed, want 1", n)
	}
	if len(model.seen.Turns) != 5 {
		t.Fatalf("the work ended after %d turns", len(model.seen.Turns)+1)
	}
	for _, i := range []int{0, 2, 3} {
		turn := model.seen.Turns[i]
		if notes := fmt.Sprint(turn.Notes); !has(notes, "your turn was cut off") {
			t.Errorf("turn %d was told %s", i, notes)
		}
		for _, result := range turn.Results {
			if !result.IsError || !has(result.Text(), "cut off") {
				t.Errorf("turn %d was answered with %q", i, result.Text())
			}
		}
	}
	answeredOnce(t, model.seen)
}

// A model whose every turn is cut off is given up.
func TestCutOffForEver(t *testing.T) {
	t.Parallel()
	cut := calls("page_snapshot", `{}`)
	cut.Cut = true
	r := newRig(t, &script{turns: []agent.Reply{cut}})
	r.wants(r.run(), qa.Inconclusive, "3 turns in a row")
}

// A model that forgot a check is told once, and may make it.
func TestReminder(t *testing.T) {
	t.Parallel()
	model := &script{}
	r := newRig(t, model)
	r.Remind = true
	r.Task.Expectations = []qa.Expectation{{Text: `the title is "Sign in – Assay Demo"`}}
	model.turns = []agent.Reply{r.opened(), says("I am done."), calls("verify_assertion", titleHolds), says("Now I am.")}
	r.wants(r.run(), qa.Passed, "")
	if notes := fmt.Sprint(model.seen.Turns[1].Notes); !has(notes, "E1") || !has(notes, "no executed check is bound to it") {
		t.Errorf("notes %s", notes)
	}
}

// The final answer's schema is in the subset that every provider takes: all
// properties required, none beside them.
func TestFinalSchemaIsStrict(t *testing.T) {
	t.Parallel()
	var check func(path string, node map[string]any)
	check = func(path string, node map[string]any) {
		if properties, ok := node["properties"].(map[string]any); ok {
			required, _ := node["required"].([]any)
			if node["additionalProperties"] != false || len(required) != len(properties) {
				t.Errorf("%s: %d of %d properties are required, additionalProperties %v", path, len(required), len(properties), node["additionalProperties"])
			}
			for name, p := range properties {
				if below, ok := p.(map[string]any); ok {
					check(path+"."+name, below)
				}
			}
		}
		if items, ok := node["items"].(map[string]any); ok {
			check(path+"[]", items)
		}
	}
	var schema map[string]any
	if err := json.Unmarshal(agent.FinalSchema(), &schema); err != nil {
		t.Fatal(err)
	}
	check("final", schema)
	var f agent.Final
	if err := json.Unmarshal([]byte(last("passed", "x")), &f); err != nil || len(f.Findings) != 1 {
		t.Errorf("%+v, %v", f, err)
	}
}
