package workspace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/rules"
)

// MaxRepeated bounds the calls that are kept of a run, to be made again as a flow.
const MaxRepeated = 500

// RecordedCall holds a call of a run, as its log has it.
type RecordedCall struct {
	Tool     string
	Repeat   Repeat
	Input    json.RawMessage
	Failed   bool   // it ended in an error
	PageLeft bool   // it failed, and the page may have been left all the same
	Looks    bool   // it leaves the page as it is
	Void     string // of a check that holds: why it proves nothing

	Session       string             // that it was made in; empty: in none, or in one for this call alone
	Before, After browser.TabNumbers // of that session
}

// FlowFromCalls returns the flow of a run's calls, or why there is none. What no step does is a gap in it.
func FlowFromCalls(task qa.TaskSpec, base string, made []RecordedCall) (flow.Flow, error) {
	r := FlowBuilder{task: task, base: base, Flow: flow.Flow{Name: task.Goal, Role: task.Role, Steps: []qa.FlowStep{}, MadeBy: "the calls of a run"}}
	if len(made) > MaxRepeated {
		return r.Flow, fmt.Errorf("it has more than %d calls", MaxRepeated)
	}
	for i, c := range made {
		err := r.add(c)
		if err != nil {
			r.Flow.Steps = append(r.Flow.Steps, flow.Gap(gapOf(c), fmt.Sprintf("call %d, %s: %v", i+1, c.Tool, err)))
		}
		if errors.Is(err, errOneSession) {
			break
		}
		r.followTabs(c)
	}
	r.Flow.TimeoutMS = min(flow.MaxTimeoutMS, 30_000+5_000*len(r.Flow.Steps))
	switch problems := r.Flow.Validate(rules.Flows()); {
	case r.Flow.StartURL == "":
		return r.Flow, fmt.Errorf("it opens no address: it went on with a page that was open before it")
	case !r.Flow.Asserts() && len(r.Flow.Gaps()) == 0:
		return r.Flow, fmt.Errorf("it has no check that a flow makes")
	case len(problems) > 0:
		return r.Flow, problems[0]
	}
	return r.Flow, nil
}

// FlowBuilder makes a flow of calls.
type FlowBuilder struct {
	task    qa.TaskSpec
	base    string
	Flow    flow.Flow
	session string // that the calls are made in; ofItsOwn: a flow in a session for it alone
	closed  bool
	tabs    browser.TabNumbers // before the first call
	current int                // tab of the session that the steps so far end in; 0: none is known
}

// gapOf says what a flow lacks without a call.
func gapOf(c RecordedCall) string {
	if c.Looks {
		return flow.GapOfCheck
	}
	return flow.GapOfAct
}

// ofItsOwn stands for the session of a flow that has one for itself.
const ofItsOwn = "of its own"

// followTabs adds the step that leads to the tab that a call has made current, or that has become it.
func (r *FlowBuilder) followTabs(c RecordedCall) {
	if c.Session == "" || c.Session != r.session {
		return
	}
	if now := c.After.Current; now != r.current {
		r.current = now
		r.Flow.Steps = append(r.Flow.Steps, r.tab(now))
	}
}

// tab returns the step that makes a tab of the session current: a flow's own session counts its tabs
// from 1, beginning with the one that the first call found.
func (r *FlowBuilder) tab(id int) qa.FlowStep {
	switch {
	case id == r.tabs.Current:
		return qa.FlowStep{Action: "tab", Value: "1"}
	case id > r.tabs.Opened:
		return qa.FlowStep{Action: "tab", Value: strconv.Itoa(id - r.tabs.Opened + 1)}
	}
	return flow.Gap(flow.GapOfAct, fmt.Sprintf("tab %d was open before the run", id))
}

// Inline adds the steps of a flow that a call ran: in the session of the calls, or in one of its own,
// which a flow has only where no other call has one.
func (r *FlowBuilder) Inline(in RecordedInput) error {
	if in.StartURL != "" {
		if r.session != "" {
			return errOneSession
		}
		r.session = ofItsOwn
		if err := r.Open(in.StartURL, 0); err != nil {
			return err
		}
	}
	for _, s := range in.Steps {
		if id, err := strconv.Atoi(s.Value); s.Action == "tab" && err == nil && in.StartURL == "" {
			step := r.tab(id)
			step.Intent, step.TimeoutMS = s.Intent, s.TimeoutMS
			s = step
		}
		r.Flow.Steps = append(r.Flow.Steps, s)
	}
	r.Flow.SuccessCondition = in.SuccessCondition
	return nil
}

// RecordedInput holds the arguments of the calls that a flow can make.
type RecordedInput struct {
	URL              string          `json:"url"`
	Back             bool            `json:"back"`
	Tab              int             `json:"tab"`
	Drop             bool            `json:"drop"`
	Onto             json.RawMessage `json:"to"` // a selector of page_drag; a point of computer_action
	Script           string          `json:"script"`
	Arg              map[string]any  `json:"arg"`
	Selector         string          `json:"selector"`
	Value            string          `json:"value"`
	Option           string          `json:"option"`
	Key              string          `json:"key"`
	State            string          `json:"state"`
	Mode             string          `json:"mode"`
	Intent           string          `json:"intent"`
	TimeoutMS        int             `json:"timeout_ms"`
	Fields           []field         `json:"fields"`
	DelayMS          int             `json:"delay_ms"`
	Exact            bool            `json:"exact"`
	Expects          []string        `json:"expects"`
	ExpectedTitle    string          `json:"expected_title"`
	ShouldBeVisible  *bool           `json:"should_be_visible"`
	Assertion        *qa.Assertion   `json:"assertion"`
	Options          *sessionOptions `json:"options"`
	StartURL         string          `json:"start_url"`
	Steps            []qa.FlowStep   `json:"steps"`
	SuccessCondition string          `json:"success_condition"`
	Paths            []string        `json:"paths"`
	Action           string          `json:"action"`
	Text             string          `json:"text"`
}

// field holds one of several fields that a call fills.
type field struct {
	Selector string `json:"selector"`
	Value    string `json:"value"`
	Option   string `json:"option"`
}

// Files returns the files of an upload, as a step of a flow names them.
func (in RecordedInput) Files() string { return strings.Join(in.Paths, "\n") }

// sessionOptions holds what a session was opened with, as far as a flow's may differ.
type sessionOptions struct {
	Viewport     *struct{} `json:"viewport"`
	Device       string    `json:"device"`
	Locale       string    `json:"locale"`
	Timezone     string    `json:"timezone"`
	Role         string    `json:"role"`
	StorageState string    `json:"storage_state"`
	AllowedHosts []string  `json:"allowed_hosts"`
}

// Repeat says how a flow repeats the calls of a tool. The zero value is that no
// step of a flow does.
type Repeat struct {
	Nothing bool // they leave nothing to repeat
	Closes  bool // they end the session, after which no flow goes on
	Failed  bool // those that failed are repeated, too
	Step    func(r *FlowBuilder, in RecordedInput) error
}

// errOneSession says that a call is of another session than those before it, as all that follow may be.
var errOneSession = errors.New("a flow has one session: what follows is left out")

// ErrNoStep says that no step of a flow does what a call did.
var ErrNoStep = errors.New("no step of a flow does that")

// Acts repeats a call by a step of the same arguments.
func Acts(action string) Repeat {
	return Repeat{Step: func(r *FlowBuilder, in RecordedInput) error {
		r.Flow.Steps = append(r.Flow.Steps, in.step(action))
		return nil
	}}
}

// Fill adds a step for each field that a call filled.
func (r *FlowBuilder) Fill(in RecordedInput) error {
	if in.Fields == nil {
		return Acts("fill").Step(r, in)
	}
	for _, f := range in.Fields {
		one, action := in, "fill"
		if one.Selector, one.Value, one.Option = f.Selector, f.Value, f.Option; f.Option != "" {
			action = "select"
		}
		r.Flow.Steps = append(r.Flow.Steps, one.step(action))
	}
	return nil
}

func (in RecordedInput) step(action string) qa.FlowStep {
	return qa.FlowStep{Action: action, Selector: in.Selector, Value: in.Value, Option: in.Option, Key: in.Key, DelayMS: in.DelayMS, Exact: in.Exact, Intent: in.Intent, TimeoutMS: in.TimeoutMS}
}

func (r *FlowBuilder) add(c RecordedCall) error {
	var in RecordedInput
	if len(c.Input) > 0 {
		if err := json.Unmarshal(c.Input, &in); err != nil {
			return fmt.Errorf("a flow does not take its arguments: %w", err)
		}
	}
	switch {
	case c.Repeat.Nothing || c.Failed && (!c.Repeat.Failed || !c.PageLeft):
		r.closed = r.closed || c.Repeat.Closes
		return nil
	case r.closed, c.Session != "" && r.session != "" && c.Session != r.session:
		return errOneSession
	case bytes.Contains(c.Input, []byte("••••")):
		return fmt.Errorf("it typed what is not kept: use the reference of a secret")
	}
	if c.Session != "" && r.session == "" {
		r.session, r.tabs, r.current = c.Session, c.Before, c.Before.Current
	}
	if c.Repeat.Step == nil {
		return ErrNoStep
	}
	if c.Looks && c.Void != "" {
		return fmt.Errorf("it proves nothing: %s", c.Void)
	}
	if r.Flow.SuccessCondition != "" { // which ends a flow
		a, selector := flow.Condition(r.Flow.SuccessCondition)
		r.Flow.SuccessCondition = ""
		r.Assert(a, selector, 0)
	}
	return c.Repeat.Step(r, in)
}

// Launch takes over how a session was opened, where a flow can say it.
func (r *FlowBuilder) Launch(in RecordedInput) error {
	o := in.Options
	if o == nil {
		return nil
	}
	role := o.Role
	if o.Viewport != nil || o.Device+o.Locale+o.Timezone+o.StorageState != "" || len(o.AllowedHosts) > 0 || r.Flow.Role != "" && role != "" && role != r.Flow.Role {
		return fmt.Errorf("a flow's session has the configuration's options")
	}
	if role != "" {
		r.Flow.Role = role
	}
	return nil
}

// Open opens an address; the first one is the flow's start.
func (r *FlowBuilder) Open(address string, timeout int) error {
	address, err := flow.Join(r.base, address)
	switch {
	case err != nil:
		return err
	case r.Flow.StartURL == "" && len(r.Flow.Gaps()) == len(r.Flow.Steps):
		r.Flow.StartURL = address
	default:
		r.Flow.Steps = append(r.Flow.Steps, qa.FlowStep{Action: "navigate", URL: address, TimeoutMS: timeout})
	}
	return nil
}

// Wait adds the wait for an element's state.
func (r *FlowBuilder) Wait(in RecordedInput) error {
	s := in.step("wait")
	switch in.State {
	case "", "visible":
		r.Flow.Steps = append(r.Flow.Steps, s)
	case "hidden":
		r.Assert(qa.Assertion{Type: qa.Hidden}, s.Selector, s.TimeoutMS)
	case "detached":
		r.Assert(qa.Assertion{Type: qa.CountEquals, Expected: "0"}, s.Selector, s.TimeoutMS)
	default:
		r.Assert(qa.Assertion{Type: qa.Exists}, s.Selector, s.TimeoutMS)
	}
	return nil
}

// Assert adds a step that asserts something.
func (r *FlowBuilder) Assert(a qa.Assertion, selector string, timeout int) {
	r.Flow.Steps = append(r.Flow.Steps, qa.FlowStep{Action: "assert", Selector: selector, Assertion: &a, TimeoutMS: timeout})
}

// Assertion adds the assertion of a check, or those that its expectations demand.
func (r *FlowBuilder) Assertion(in RecordedInput) error {
	if in.Assertion != nil {
		r.Assert(*in.Assertion, in.Selector, in.TimeoutMS)
		return nil
	}
	for _, e := range r.task.Number().Expectations {
		if !slices.Contains(in.Expects, e.ID) {
			continue
		}
		demands, err := e.Demands()
		if err != nil {
			return err
		}
		for _, d := range demands {
			if d.Figure != "" || len(d.Alike) > 0 {
				return fmt.Errorf("no step of a flow asserts that %s", d.Means)
			}
			r.Assert(d.Assertion, d.Selector, in.TimeoutMS)
		}
	}
	return nil
}
