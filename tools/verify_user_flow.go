package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

type verifyUserFlowInput struct {
	onSession
	StartURL         string           `json:"start_url,omitempty" jsonschema:"default: the open page"`
	Steps            []map[string]any `json:"steps" jsonschema:"{action: navigate|click|fill|select|press|hover|wait|assert|screenshot|visual|upload|dialog; url, selector, value, option, key, name, assertion: {type, expected}}"` // read by flow, which names what is wrong
	SuccessCondition string           `json:"success_condition,omitempty" jsonschema:"selector or text seen at the end"`
	Name             string           `json:"name,omitempty"`
	timeLimit
	watches
	binds
}

type verifyUserFlowOutput struct {
	Success        bool               `json:"success"`
	Status         qa.Status          `json:"status"`
	StepsCompleted int                `json:"steps_completed"`
	TotalSteps     int                `json:"total_steps"`
	FailureStep    int                `json:"failure_step,omitempty" jsonschema:"from 1; 0 is start_url, one past the last the success condition"`
	FailureReason  string             `json:"failure_reason,omitempty"`
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
}

// flowEvidence holds the stored result of the flow: the SHA-256 of flow.json.
type flowEvidence struct {
	Hash      string    `json:"hash"`
	Timestamp time.Time `json:"timestamp"`
}

func (d *Desk) verifyUserFlow() Tool {
	return define(d, spec{
		name: "verify_user_flow", set: Core, repeat: repeat{step: repeatFlow}, verifies: true, destructive: true, publish: true, loose: []string{"steps"}, secrets: []string{"steps*"},
		fields:      []string{"success", "status", "failure_reason"},
		description: "Run a flow to its first failure, 30 s in all; in a fresh context if start_url is given. Something must be asserted. Form: assay://schemas/flow.json",
	}, func(ctx context.Context, c *call, in verifyUserFlowInput) (verifyUserFlowOutput, error) {
		r := &flowRun{c: c, expects: in.Expects, flow: flow.Flow{Name: in.Name, StartURL: in.StartURL,
			SuccessCondition: in.SuccessCondition, TimeoutMS: int(in.TimeoutMS), WatchMS: in.WatchMS}}
		c.about.Subject = r.subject()
		c.hidden = []string{"steps"} // they may hold passwords
		if in.TimeoutMS.duration() > d.HardLimit {
			return verifyUserFlowOutput{}, engine.InvalidInput(fmt.Sprintf("use up to %d, raise limits.timeout_ms, or run it with: assay run", d.HardLimit.Milliseconds()), "timeout_ms is %d", in.TimeoutMS)
		}
		var problems flow.Problems
		if r.flow, problems = r.flow.WithSteps(engine.JSON(in.Steps), FlowRules()); len(problems) > 0 {
			return verifyUserFlowOutput{}, badFlow(problems)
		}
		defer func() { c.hidden, c.input = nil, r.logged(in) }()
		if err := r.prepare(ctx, in); err != nil {
			return verifyUserFlowOutput{}, err
		}
		if err := r.execute(ctx); err != nil {
			return verifyUserFlowOutput{}, err
		}
		if err := r.couldNotBegin(); err != nil {
			return verifyUserFlowOutput{}, err
		}
		return r.answer(), nil
	})
}

// logged returns the input as the log may show it.
func (r *flowRun) logged(in verifyUserFlowInput) json.RawMessage {
	return engine.JSON(struct {
		verifyUserFlowInput
		Steps []qa.FlowStep `json:"steps"`
	}{in, loggedSteps(r.flow.Steps, func(i int) bool { return r.plain[r.flow.Steps[i].Selector] })})
}

// loggedSteps returns the steps as the log may show them: a typed text may be a
// password, unless the page has shown that its field holds none.
func loggedSteps(steps []qa.FlowStep, plain func(i int) bool) []qa.FlowStep {
	out := slices.Clone(steps)
	for i, s := range out {
		if s.Action == "fill" && s.Value != "" && len(flow.Secrets(s.Value)) == 0 && !plain(i) {
			out[i].Value = "••••"
		}
	}
	return out
}

// maxProblems sets how many problems of a flow an answer lists.
const maxProblems = 20

// badFlow returns the error for a flow that can't be run as it is written.
func badFlow(problems flow.Problems) *engine.Error {
	text := problems[:min(maxProblems, len(problems))].Error()
	if more := len(problems) - maxProblems; more > 0 {
		text += "\nand more of the kind"
	}
	return engine.InvalidInput("the whole form: assay://schemas/flow.json", "%s", text)
}

// prepare finds the session, and makes the addresses absolute.
func (r *flowRun) prepare(ctx context.Context, in verifyUserFlowInput) error {
	base := r.c.desk.Target.BaseURL
	if in.SessionID != "" || in.StartURL == "" {
		s, err := r.c.sessionFor(ctx, in.SessionID)
		if err != nil {
			return err
		}
		r.session = s
		if r.relative() {
			state, err := s.State(ctx)
			if err != nil {
				return err
			}
			base = state.URL
		}
	}
	if r.session == nil {
		r.flow = r.flow.Below(base)
	}
	resolved, problems := r.flow.Resolve(base)
	if len(problems) > 0 {
		return badFlow(problems)
	}
	r.flow = resolved
	return nil
}

// relative reports whether any address needs a base.
func (r *flowRun) relative() bool {
	addresses := []string{r.flow.StartURL}
	for _, s := range r.flow.Steps {
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
// anything was looked at: there is nothing to answer but the error.
func (r *flowRun) couldNotBegin() error {
	s := r.result.Failed
	if r.result.Status != qa.Inconclusive || s == nil || s.Fault == nil || s.Fault.GoesOn {
		return nil
	}
	if s.Fault.Code == string(browser.Cancelled) || s == r.result.Steps[0] {
		e := engine.AsError("flow", s.Fault.Cause)
		return &engine.Error{Code: s.Fault.Code, Message: s.Name() + ": " + s.Fault.Message, Hint: s.Fault.Hint, Retriable: e.Retriable, Page: s.Fault.Near}
	}
	return nil
}

// repeatFlow takes over the steps of a flow that a call ran.
func repeatFlow(r *reproducer, in reproducibleInput) error {
	if in.StartURL != "" {
		if err := r.open(in.StartURL, 0); err != nil {
			return err
		}
	}
	r.flow.Steps, r.flow.SuccessCondition = append(r.flow.Steps, in.Steps...), in.SuccessCondition
	return nil
}
