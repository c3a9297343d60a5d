package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// maxRepeated bounds the calls that are kept of a run, to be made again as a flow.
const maxRepeated = 500

// recordedCall is a call of a run, as its log has it.
type recordedCall struct {
	tool   string
	input  json.RawMessage
	failed bool // it ended in an error
}

// recordCall keeps a call of the run that is open.
func (c *call) recordCall(e *engine.Error) {
	if c.inOwn || c.desk.FromFile {
		return
	}
	c.desk.mu.Lock()
	defer c.desk.mu.Unlock()
	if c.desk.started == c.run && len(c.desk.recordedCalls) <= maxRepeated {
		c.desk.recordedCalls = append(c.desk.recordedCalls, recordedCall{c.spec.name, c.redacted(), e != nil})
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

// reproduction is the flow of a run's calls, or why there is none.
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

// reproducibleInput are the arguments of the calls that a flow can make.
type reproducibleInput struct {
	SessionID        string         `json:"session_id"`
	URL              string         `json:"url"`
	Selector         string         `json:"selector"`
	Value            string         `json:"value"`
	Option           string         `json:"option"`
	Key              string         `json:"key"`
	State            string         `json:"state"`
	Mode             string         `json:"mode"`
	Intent           string         `json:"intent"`
	TimeoutMS        int            `json:"timeout_ms"`
	Expects          []string       `json:"expects"`
	ExpectedTitle    string         `json:"expected_title"`
	ShouldBeVisible  *bool          `json:"should_be_visible"`
	Assertion        *qa.Assertion  `json:"assertion"`
	Options          *launchOptions `json:"options"`
	StartURL         string         `json:"start_url"`
	Steps            []qa.FlowStep  `json:"steps"`
	SuccessCondition string         `json:"success_condition"`
}

// looks are the tools that leave nothing to do again.
var looks = strings.Fields("page_snapshot page_screenshot page_get_console_logs page_get_network_logs dom_snapshot assert kpi_oracle run_status run_start run_finish browser_close")

func (r *reproducer) add(c recordedCall) error {
	var in reproducibleInput
	if len(c.input) > 0 {
		if err := json.Unmarshal(c.input, &in); err != nil {
			return fmt.Errorf("a flow does not take its arguments: %w", err)
		}
	}
	switch {
	case slices.Contains(looks, c.tool) || c.failed && c.tool != "page_navigate":
		r.closed = r.closed || c.tool == "browser_close"
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
	return r.step(c.tool, in)
}

// step adds what a call does.
func (r *reproducer) step(tool string, in reproducibleInput) error {
	s := qa.FlowStep{Action: strings.TrimPrefix(tool, "page_"), Selector: in.Selector, Value: in.Value, Option: in.Option, Key: in.Key, Intent: in.Intent, TimeoutMS: in.TimeoutMS}
	switch tool {
	case "browser_launch":
		return r.launch(in.Options)
	case "page_navigate":
		return r.open(in.URL, in.TimeoutMS)
	case "page_click", "page_hover", "page_select", "page_fill", "page_press":
		r.flow.Steps = append(r.flow.Steps, s)
		return nil
	case "page_wait_for_selector":
		return r.wait(s, in.State)
	case "network_intercept":
		if in.Mode == "" || in.Mode == "observe" {
			return nil
		}
	case "verify_assertion":
		return r.assertion(in)
	case "verify_element_exists":
		if in.URL == "" {
			a := qa.Assertion{Type: qa.Visible}
			if in.ShouldBeVisible != nil && !*in.ShouldBeVisible {
				a.Type = qa.Exists
			}
			r.assert(a, in.Selector, in.TimeoutMS)
			return nil
		}
	case "verify_user_flow":
		if in.StartURL != "" {
			if err := r.open(in.StartURL, 0); err != nil {
				return err
			}
		}
		r.flow.Steps, r.flow.SuccessCondition = append(r.flow.Steps, in.Steps...), in.SuccessCondition
		return nil
	}
	return fmt.Errorf("no step of a flow does that")
}

func (r *reproducer) launch(o *launchOptions) error {
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

func (r *reproducer) wait(s qa.FlowStep, state string) error {
	switch state {
	case "", "visible":
		s.Action = "wait"
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
