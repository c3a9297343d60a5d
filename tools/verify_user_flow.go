package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/flows"
	"github.com/assay-qa/assay/tools/rules"
	"github.com/assay-qa/assay/tools/schema"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type verifyUserFlowInput struct {
	tool.OnSession
	StartURL         string           `json:"start_url,omitempty" jsonschema:"default: the open page"`
	Steps            []map[string]any `json:"steps" jsonschema:"assertion: as in verify_assertion"` // read by flow, which names what is wrong
	SuccessCondition string           `json:"success_condition,omitempty" jsonschema:"selector or text seen at the end"`
	Name             string           `json:"name,omitempty"`
	tool.TimeLimit
	tool.Watches
	tool.Binds
	tool.Shows
}

type verifyUserFlowOutput struct {
	Success        bool               `json:"success"`
	Status         qa.Status          `json:"status"`
	StepsCompleted int                `json:"steps_completed"`
	TotalSteps     int                `json:"total_steps"`
	FailureStep    int                `json:"failure_step,omitempty" jsonschema:"from 1; 0 is start_url, one past the last the success condition"`
	FailureReason  pagetext.Text      `json:"failure_reason,omitempty"`
	Screenshots    []flowShot         `json:"screenshots"`
	ConsoleLogs    []browser.LogEntry `json:"console_logs"`
	DurationMS     int64              `json:"duration_ms"`
	Evidence       flowEvidence       `json:"evidence"`
	Flaky          bool               `json:"flaky"`
	Attempts       int                `json:"attempts"`
}

// flowShot holds a picture with the step it shows.
type flowShot struct {
	Step int    `json:"step"`
	Name string `json:"name"`
	URI  string `json:"uri"`
	Path string `json:"path"`
	Data string `json:"base64,omitempty" jsonschema:"with include_image"`
}

// Show sets the pictures, the newest first as long as there is room.
func (o *verifyUserFlowOutput) Show(picture func(path string) string) {
	for i := len(o.Screenshots) - 1; i >= 0; i-- {
		o.Screenshots[i].Data = picture(o.Screenshots[i].Path)
	}
}

// flowEvidence holds the stored result of the flow: the SHA-256 of flow.json.
type flowEvidence struct {
	Hash      string    `json:"hash"`
	Timestamp time.Time `json:"timestamp"`
}

func verifyUserFlow(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "verify_user_flow", Set: tool.Core,
		Repeat: workspace.Repeat{Step: (*workspace.FlowBuilder).Inline}, Verifies: true, Destructive: true, Publish: true, Loose: []string{"steps"}, Secrets: []string{"steps*"},
		Forms: schema.Forms{"steps": schema.Of[[]qa.FlowStep]()},
		Enums: map[string][]string{"steps.action": flow.WrittenActions(), "steps.assertion.type": nil},
		Unlisted: append(rareOfAssertion("steps.assertion"), "steps.visual", "steps.changed", "steps.unchanged", "steps.exact", "steps.delay_ms", "steps.description", "steps.intent",
			"steps.to", "steps.name", "name", "steps.assertion.attribute"),
		Description: "Run a flow to its first failure, 30 s in all; in a fresh context if start_url is given. Something must be asserted. Form: assay://schemas/flow.json",
	}, func(ctx context.Context, c *tool.Call, in verifyUserFlowInput) (verifyUserFlowOutput, error) {
		r := &flows.Run{Call: c, Expects: in.Expects, Flow: flow.Flow{Name: in.Name, StartURL: in.StartURL,
			SuccessCondition: in.SuccessCondition, TimeoutMS: int(in.TimeoutMS), WatchMS: in.WatchMS}}
		c.About.Subject = r.Subject()
		c.Hidden = []string{"steps"} // they may hold passwords
		if in.TimeoutMS.Duration() > ws.HardLimit {
			return verifyUserFlowOutput{},
				engine.InvalidInput(fmt.Sprintf("use up to %d, raise limits.timeout_ms, or run it with: assay run", ws.HardLimit.Milliseconds()), "timeout_ms is %d", in.TimeoutMS)
		}
		var problems flow.Problems
		if r.Flow, problems = r.Flow.WithSteps(engine.JSON(in.Steps), rules.Flows()); len(problems) > 0 {
			return verifyUserFlowOutput{}, flows.BadFlow(problems)
		}
		defer func() { c.Hidden, c.Input = nil, logged(r, in) }()
		if err := prepare(ctx, r, in); err != nil {
			return verifyUserFlowOutput{}, err
		}
		if err := r.Execute(ctx); err != nil {
			return verifyUserFlowOutput{}, err
		}
		if err := couldNotBegin(r); err != nil {
			return verifyUserFlowOutput{}, err
		}
		out := flowAnswer(r)
		if in.IncludeImage && c.Shot == nil {
			c.Shot = lastShot(r)
		}
		return out, nil
	})
}

// logged returns the input as the log may show it.
func logged(r *flows.Run, in verifyUserFlowInput) json.RawMessage {
	return engine.JSON(struct {
		verifyUserFlowInput
		Steps []qa.FlowStep `json:"steps"`
	}{in, flows.LoggedSteps(r.Flow.Steps, func(i int) bool { return r.Plain[r.Flow.Steps[i].Selector] })})
}

// prepare finds the session, and makes the addresses absolute.
func prepare(ctx context.Context, r *flows.Run, in verifyUserFlowInput) error {
	base := r.Call.Workspace.Target.BaseURL
	if in.SessionID != "" || in.StartURL == "" {
		s, err := r.Call.SessionFor(ctx, in.SessionID)
		if err != nil {
			return err
		}
		r.Session = s
		if relative(r) {
			state, err := s.State(ctx)
			if err != nil {
				return err
			}
			base = state.URL
		}
	}
	if r.Session == nil {
		r.Flow = r.Flow.Below(base)
	}
	resolved, problems := r.Flow.Resolve(base)
	if len(problems) > 0 {
		return flows.BadFlow(problems)
	}
	r.Flow = resolved
	return nil
}

// relative reports whether any address needs a base.
func relative(r *flows.Run) bool {
	addresses := []string{r.Flow.StartURL}
	for _, s := range r.Flow.Steps {
		addresses = append(addresses, s.URL)
	}
	for _, a := range addresses {
		if strings.HasPrefix(a, "/") || strings.HasPrefix(a, "?") {
			return true
		}
	}
	return false
}

// couldNotBegin returns the error of a flow that a fault of the tester ended before
// anything was looked at: there is nothing to answer but the error. A flow whose own
// time is over is answered, at whatever step that was.
func couldNotBegin(r *flows.Run) error {
	s := r.Result.Failed
	if r.Result.Status != qa.Inconclusive || s == nil || s.Fault == nil || s.Fault.GoesOn || s.Fault.OutOfTime {
		return nil
	}
	if s.Fault.Code == string(explain.Cancelled) || s == r.Result.Steps[0] {
		e := engine.AsError("flow", s.Fault.Cause)
		return &engine.Error{Code: s.Fault.Code, Message: pagetext.Sentencef("%s: %s", pagetext.Text(s.Name()), s.Fault.Message),
			Hint: s.Fault.Hint, Retriable: e.Retriable, Page: pagetext.Of(s.Fault.Near...)}
	}
	return nil
}

// What an answer carries of a long flow. All steps are in flow.json, all
// messages in the run's console.jsonl.
const (
	maxFlowShots   = 50
	maxFlowEntries = 30
)

// flowAnswer says what came of the flow: short, and what to do next.
func flowAnswer(r *flows.Run) verifyUserFlowOutput {
	c, res := r.Call, r.Result
	out := verifyUserFlowOutput{
		Success: res.Status == qa.Passed, Status: res.Status, StepsCompleted: res.Completed(), TotalSteps: len(r.Flow.Steps),
		FailureReason: res.Reason, Screenshots: shots(r), ConsoleLogs: entries(r), DurationMS: res.Duration.Milliseconds(),
		Evidence: flowEvidence{Hash: r.Record.SHA256, Timestamp: r.Record.Time}, Flaky: res.Flaky, Attempts: res.Attempts,
	}
	c.Say("%s: %d of %d steps in %d ms", res.Status.Shouted(), out.StepsCompleted, out.TotalSteps, out.DurationMS)
	for _, retry := range res.Retries {
		c.Say("attempt %d ended at %s by a transient fault (%s); started over", retry.Attempt, retry.Step, retry.Code)
	}
	if res.Flaky {
		c.Say("flaky: it passed, but not at once")
	}
	if s := res.Failed; s != nil {
		out.FailureStep = s.Index
		out.FailureReason = pagetext.Text(s.Name()+": ") + res.Reason
		c.Say("stopped at %s", s.Name())
		c.Quote("%s", engine.OneLine(res.Reason))
		for _, line := range s.Candidates {
			c.Quote("%s", line)
		}
		if s.Seen != nil {
			c.Quote("page: %s %q", s.Seen.URL, s.Seen.Title)
			for _, e := range s.Seen.Errors {
				c.Quote("visible: %s", e)
			}
		}
		if s.Fault != nil && s.Fault.Hint != "" {
			c.Say("next: %s", s.Fault.Hint)
		}
		if refs := r.Files.Stored(s.Shots); len(refs) > 0 {
			c.Shot = &refs[len(refs)-1]
		}
		if s.Action == "visual" && r.Shown != nil {
			c.Shot = r.Shown
		}
	} else if res.Reason != "" {
		c.Quote("%s", engine.OneLine(res.Reason))
	}
	if res.Watched != "" {
		c.Quote("%s", res.Watched)
	}
	for _, note := range r.Notes {
		c.Quote("%s", note)
	}
	c.Say("result: %s", filepath.Join(c.Run.Dir(), r.Record.Name))
	return out
}

// shots lists the pictures of the attempt that decided, the newest if there
// are too many.
func shots(r *flows.Run) []flowShot {
	out := []flowShot{}
	seen := map[int]bool{}
	for _, s := range r.Result.Steps {
		for _, n := range s.Shots {
			if seen[n] {
				continue
			}
			seen[n] = true
			for _, ref := range r.Files.Stored([]int{n}) {
				out = append(out, flowShot{Step: s.Index, Name: ref.Name, URI: ref.URI, Path: ref.Path})
			}
		}
	}
	return out[max(0, len(out)-maxFlowShots):]
}

// lastShot returns the newest picture of the attempt that decided; nil where it has
// none.
func lastShot(r *flows.Run) *tool.ScreenshotRef {
	var last *tool.ScreenshotRef
	for _, s := range r.Result.Steps {
		for _, ref := range r.Files.Stored(s.Shots) {
			last = &ref
		}
	}
	return last
}

// entries returns the newest messages of the console, each cut to a line.
func entries(r *flows.Run) []browser.LogEntry {
	out := append([]browser.LogEntry{}, slices.Clone(r.Console[max(0, len(r.Console)-maxFlowEntries):])...)
	for i := range out {
		out[i].Text = engine.OneLine(out[i].Text)
	}
	return out
}
