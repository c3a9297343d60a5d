package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// maxRepeated bounds the calls that are kept of a run, to be made again as a flow.
const maxRepeated = 500

// recordedCall holds a call of a run, as its log has it.
type recordedCall struct {
	tool   string
	repeat repeat
	input  json.RawMessage
	failed bool // it ended in an error
}

// recordCall keeps a call of the run that is open.
func (c *call) recordCall(e *engine.Error) {
	if c.inOwn || c.desk.FromFile {
		return
	}
	c.desk.recordCall(c.run, recordedCall{tool: c.spec.name, repeat: c.spec.repeat, input: c.redacted(), failed: e != nil})
}

// recordCall keeps a call of a run, if it is the one that is open.
func (d *Desk) recordCall(run *evidence.Run, made recordedCall) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.started == run && len(d.recordedCalls) <= maxRepeated {
		d.recordedCalls = append(d.recordedCalls, made)
	}
}

// forgetRecordedCalls begins anew: a run has been opened.
func (d *Desk) forgetRecordedCalls() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.recordedCalls = nil
}

// fileReproduction stores the flow that makes the calls of a run again. why says why no
// flow does; it is empty where one was stored, or a command runs the task again.
func (d *Desk) fileReproduction(r *evidence.Run) (why string, err error) {
	d.mu.Lock()
	made := d.recordedCalls
	d.recordedCalls = nil
	d.mu.Unlock()
	if d.FromFile {
		return "", nil
	}
	f, err := reproduction(r.Task(), d.Target.BaseURL, made)
	if err != nil {
		return err.Error(), nil //nolint:nilerr // it is told, and no fault of the run
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(f); err != nil {
		return "", fmt.Errorf("encode the flow: %w", err)
	}
	_, err = r.SaveFile(qa.RepeatFlow, "application/json", text.Bytes(), 0)
	return "", err
}

// reproduction returns the flow of a run's calls, or why there is none.
func reproduction(task qa.TaskSpec, base string, made []recordedCall) (flow.Flow, error) {
	r := reproducer{task: task, base: base, flow: flow.Flow{Name: task.Goal, Role: task.Role, Steps: []qa.FlowStep{}}}
	if len(made) > maxRepeated {
		return r.flow, fmt.Errorf("it has more than %d calls", maxRepeated)
	}
	for i, c := range made {
		if err := r.add(c); err != nil {
			return r.flow, fmt.Errorf("call %d, %s: %w", i+1, c.tool, err)
		}
	}
	r.flow.TimeoutMS = min(flow.MaxTimeoutMS, 30_000+5_000*len(r.flow.Steps))
	switch problems := r.flow.Validate(FlowRules()); {
	case r.flow.StartURL == "":
		return r.flow, fmt.Errorf("it opens no address: it went on with a page that was open before it")
	case !r.flow.Asserts():
		return r.flow, fmt.Errorf("it has no check that a flow makes")
	case len(problems) > 0:
		return r.flow, problems[0]
	}
	return r.flow, nil
}

// reproducer makes a flow of calls.
type reproducer struct {
	task    qa.TaskSpec
	base    string
	flow    flow.Flow
	session string
	closed  bool
}

// reproducibleInput holds the arguments of the calls that a flow can make.
type reproducibleInput struct {
	SessionID        string          `json:"session_id"`
	URL              string          `json:"url"`
	Selector         string          `json:"selector"`
	Value            string          `json:"value"`
	Option           string          `json:"option"`
	Key              string          `json:"key"`
	State            string          `json:"state"`
	Mode             string          `json:"mode"`
	Intent           string          `json:"intent"`
	TimeoutMS        int             `json:"timeout_ms"`
	Expects          []string        `json:"expects"`
	ExpectedTitle    string          `json:"expected_title"`
	ShouldBeVisible  *bool           `json:"should_be_visible"`
	Assertion        *qa.Assertion   `json:"assertion"`
	Options          *sessionOptions `json:"options"`
	StartURL         string          `json:"start_url"`
	Steps            []qa.FlowStep   `json:"steps"`
	SuccessCondition string          `json:"success_condition"`
}

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

// repeat says how a flow repeats the calls of a tool. The zero value is that no
// step of a flow does.
type repeat struct {
	nothing bool // they leave nothing to repeat
	closes  bool // they end the session, after which no flow goes on
	failed  bool // those that failed are repeated, too
	step    func(r *reproducer, in reproducibleInput) error
}

// errNoStep says that no step of a flow does what a call did.
var errNoStep = errors.New("no step of a flow does that")

// acts repeats a call by a step of the same arguments.
func acts(action string) repeat {
	return repeat{step: func(r *reproducer, in reproducibleInput) error {
		r.flow.Steps = append(r.flow.Steps, in.step(action))
		return nil
	}}
}

func (in reproducibleInput) step(action string) qa.FlowStep {
	return qa.FlowStep{Action: action, Selector: in.Selector, Value: in.Value, Option: in.Option, Key: in.Key, Intent: in.Intent, TimeoutMS: in.TimeoutMS}
}

func (r *reproducer) add(c recordedCall) error {
	var in reproducibleInput
	if len(c.input) > 0 {
		if err := json.Unmarshal(c.input, &in); err != nil {
			return fmt.Errorf("a flow does not take its arguments: %w", err)
		}
	}
	switch {
	case c.repeat.nothing || c.failed && !c.repeat.failed:
		r.closed = r.closed || c.repeat.closes
		return nil
	case r.closed, in.SessionID != "" && r.session != "" && in.SessionID != r.session:
		return fmt.Errorf("a flow has one session")
	case r.flow.SuccessCondition != "":
		return fmt.Errorf("it comes after a flow with a success condition, which ends one")
	case bytes.Contains(c.input, []byte("••••")):
		return fmt.Errorf("it typed what is not kept: type ${secret:NAME}")
	}
	if in.SessionID != "" {
		r.session = in.SessionID
	}
	if c.repeat.step == nil {
		return errNoStep
	}
	return c.repeat.step(r, in)
}

func (r *reproducer) launch(in reproducibleInput) error {
	o := in.Options
	if o == nil {
		return nil
	}
	role := o.Role
	if o.Viewport != nil || o.Device+o.Locale+o.Timezone+o.StorageState != "" || len(o.AllowedHosts) > 0 || r.flow.Role != "" && role != "" && role != r.flow.Role {
		return fmt.Errorf("a flow's session has the configuration's options")
	}
	if role != "" {
		r.flow.Role = role
	}
	return nil
}

// open opens an address; the first one is the flow's start.
func (r *reproducer) open(address string, timeout int) error {
	address, err := flow.Join(r.base, address)
	switch {
	case err != nil:
		return err
	case r.flow.StartURL == "" && len(r.flow.Steps) == 0:
		r.flow.StartURL = address
	default:
		r.flow.Steps = append(r.flow.Steps, qa.FlowStep{Action: "navigate", URL: address, TimeoutMS: timeout})
	}
	return nil
}

func (r *reproducer) wait(in reproducibleInput) error {
	s := in.step("wait")
	switch in.State {
	case "", "visible":
		r.flow.Steps = append(r.flow.Steps, s)
	case "hidden":
		r.assert(qa.Assertion{Type: qa.Hidden}, s.Selector, s.TimeoutMS)
	case "detached":
		r.assert(qa.Assertion{Type: qa.CountEquals, Expected: "0"}, s.Selector, s.TimeoutMS)
	default:
		r.assert(qa.Assertion{Type: qa.Exists}, s.Selector, s.TimeoutMS)
	}
	return nil
}

func (r *reproducer) assert(a qa.Assertion, selector string, timeout int) {
	r.flow.Steps = append(r.flow.Steps, qa.FlowStep{Action: "assert", Selector: selector, Assertion: &a, TimeoutMS: timeout})
}

// assertion adds the assertion of a check, or those that its expectations demand.
func (r *reproducer) assertion(in reproducibleInput) error {
	if in.Assertion != nil {
		r.assert(*in.Assertion, in.Selector, in.TimeoutMS)
		return nil
	}
	for _, e := range r.task.Number().Expectations {
		if !slices.Contains(in.Expects, e.ID) {
			continue
		}
		demands := []qa.Demand{{Selector: e.Selector}}
		if e.Assertion != nil {
			demands[0].Assertion = *e.Assertion
		} else {
			var err error
			if demands, err = qa.Demands(e.Text); err != nil {
				return err
			}
		}
		for _, d := range demands {
			if d.Figure != "" || len(d.Alike) > 0 {
				return fmt.Errorf("no step of a flow asserts that %s", d.Means)
			}
			r.assert(d.Assertion, d.Selector, in.TimeoutMS)
		}
	}
	return nil
}

// sayReproduction stores what repeats the run, and says why nothing does.
func (c *call) sayReproduction() {
	why, err := c.desk.fileReproduction(c.run)
	switch {
	case err != nil:
		c.desk.Log.Warn("file the flow of a run", "run", c.run.ID(), "err", err)
	case why != "":
		c.say("it can't be repeated without a client: %s", engine.OneLine(why))
	}
}
