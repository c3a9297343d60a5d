package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// element holds the element of an acting call, as the call's answer describes
// it.
type element struct {
	Action      int               `json:"action"`
	Locators    []string          `json:"locators"`
	Fingerprint map[string]string `json:"fingerprint"`
	Frame       string            `json:"frame"`
	URL         string            `json:"url"`
	Secret      bool              `json:"secret"`
	Empty       bool              `json:"empty"`
}

// arguments holds those of the tools that a flow can express, as the model
// wrote them.
type arguments struct {
	SessionID       string           `json:"session_id"`
	Paths           []string         `json:"paths"`
	URL             string           `json:"url"`
	Selector        string           `json:"selector"`
	Value           json.RawMessage  `json:"value"` // a text, or a number
	Fields          []field          `json:"fields"`
	Option          string           `json:"option"`
	Key             string           `json:"key"`
	State           string           `json:"state"`
	Mode            string           `json:"mode"`
	Intent          string           `json:"intent"`
	TimeoutMS       int              `json:"timeout_ms"`
	Name            string           `json:"name"`
	Expects         []string         `json:"expects"`
	ExpectedTitle   string           `json:"expected_title"`
	IgnorePatterns  []string         `json:"ignore_patterns"`
	ShouldBeVisible *bool            `json:"should_be_visible"`
	Assertion       *looseAssertion  `json:"assertion"`
	Options         map[string]any   `json:"options"`
	Actions         []computerAction `json:"actions"`
	computerAction
}

// field holds one of several fields that a call fills.
type field struct {
	Selector string          `json:"selector"`
	Value    json.RawMessage `json:"value"`
	Option   string          `json:"option"`
}

// looking lists the tools whose calls a flow need not repeat.
var looking = []string{"page_snapshot", "page_screenshot", "page_get_console_logs", "page_get_network_logs", "dom_snapshot", "assert", "kpi_oracle",
	"step_done", "run_finish"}

// droppedAnswer stands in an answer that says that no dialog used what page_dialog had set.
const droppedAnswer = "was not used and is dropped"

// compile makes steps of one call.
func (c *compiler) compile() error {
	name := c.done.Name
	if slices.Contains(looking, name) {
		return nil
	}
	var in arguments
	if len(c.done.Arguments) > 0 {
		if err := json.Unmarshal(c.done.Arguments, &in); err != nil {
			return c.refuse("its arguments can't be read: %v", err)
		}
	}
	if err := c.oneSession(name, in); err != nil {
		return err
	}
	if bytes.Contains(c.done.Structured, []byte(droppedAnswer)) {
		return c.refuse("the answer of an earlier page_dialog was not used: a flow would keep it for a later dialog")
	}
	switch name {
	case "browser_launch", "browser_close":
		return nil
	case "page_navigate":
		c.navigate(in.URL, in.TimeoutMS)
		return nil
	case "page_fill":
		return c.fill(in)
	case "page_click", "page_hover", "page_select", "page_press", "page_upload":
		return c.act(in, 0)
	case "page_wait_for_selector":
		c.wait(in)
		return nil
	case "page_dialog":
		c.dialog(in)
		return nil
	case "page_tabs":
		if in.Action == "list" {
			return nil
		}
		return c.refuse("a flow works in the tab that it opens: have the spec open the address of the other one")
	case "computer_action":
		return c.operate(in)
	case "network_intercept":
		if in.Mode == "" || in.Mode == "observe" {
			return nil
		}
		return c.refuse("a flow neither blocks nor mocks requests")
	}
	return c.verify(in)
}

// oneSession refuses what needs more than the one fresh session that a flow has.
func (c *compiler) oneSession(name string, in arguments) error {
	switch {
	case name == "browser_launch" && c.acted:
		return c.refuse("a second browser session: a flow has one")
	case name == "browser_launch" && len(in.Options) > 0:
		return c.refuse("a flow's session has the configuration's options, not %s of its own", strings.Join(sortedKeys(in.Options), ", "))
	case name == "browser_close":
		c.closed = true
		return nil
	case c.closed:
		return c.refuse("a call after browser_close: a flow has one session")
	case in.SessionID != "" && c.session != "" && in.SessionID != c.session:
		return c.refuse("a second browser session: a flow has one")
	}
	if in.SessionID != "" {
		c.session = in.SessionID
	}
	c.acted = c.acted || name != "browser_launch" && name != "verify_page_loads"
	return nil
}

// navigate opens an address. The first one is the flow's start.
func (c *compiler) navigate(address string, timeout int) {
	address = c.relative(address)
	if c.flow.StartURL == "" && len(c.flow.Steps) == 0 {
		c.flow.StartURL = address
		return
	}
	c.add(qa.FlowStep{Action: "navigate", URL: address, TimeoutMS: timeout}, nil)
}

// fill adds a step for each field that a call has filled.
func (c *compiler) fill(in arguments) error {
	if in.Fields == nil {
		return c.act(in, 0)
	}
	var answer struct {
		OK   bool `json:"ok"`
		Done int  `json:"done"`
	}
	if err := json.Unmarshal(c.done.Structured, &answer); err != nil {
		return c.refuse("its answer can't be read: %v", err)
	}
	if !answer.OK {
		in.Fields = in.Fields[:min(answer.Done, len(in.Fields))]
	}
	for i, f := range in.Fields {
		in.Selector, in.Value, in.Option = f.Selector, f.Value, f.Option
		if err := c.act(in, i); err != nil {
			return err
		}
	}
	return nil
}

// act adds the n-th act of a call on one element.
func (c *compiler) act(in arguments, n int) error {
	action := strings.TrimPrefix(c.done.Name, "page_")
	if action == "fill" && in.Option != "" { // one of several fields
		action = "select"
	}
	s := qa.FlowStep{Action: action, Selector: in.Selector, Option: in.Option, Key: in.Key, Intent: in.Intent, TimeoutMS: in.TimeoutMS}
	e, err := c.element(n)
	if err != nil {
		return err
	}
	if e == nil && (in.Selector != "" || s.Action != "press") {
		return c.refuse("its answer does not say what the element is known again by")
	}
	if s.Action == "fill" {
		if s.Value, err = textOf(in.Value); err != nil {
			return c.refuse("value: %v", err)
		}
		if err := c.typed(s.Value, e); err != nil {
			return err
		}
	}
	if s.Action == "upload" {
		s.Value = strings.Join(in.Paths, "\n")
	}
	c.add(s, e)
	return nil
}

// dialog adds the answer to the next dialog, in place of one set just before.
func (c *compiler) dialog(in arguments) {
	s := qa.FlowStep{Action: "dialog", Value: in.Action, Option: in.Text}
	if n := len(c.flow.Steps); n > c.from() && c.flow.Steps[n-1].Action == "dialog" {
		c.flow.Steps[n-1] = s
		return
	}
	c.add(s, nil)
}

// typed refuses to record a text that holds a secret.
func (c *compiler) typed(value string, e *element) error {
	switch {
	case flow.HoldsSecret(value):
		return nil
	case e.Secret && value != "":
		return c.refuse("a password was typed as it is: have the spec type it as {{secret:NAME}}")
	case c.Secret != nil && c.Secret(value):
		return c.refuse("a secret was typed as it is: have the spec type it as {{secret:NAME}}")
	}
	return nil
}

// wait adds a wait for an element to appear, or an assertion that it is hidden
// or gone.
func (c *compiler) wait(in arguments) {
	s := qa.FlowStep{Action: "wait", Selector: in.Selector, TimeoutMS: in.TimeoutMS}
	assert := func(a qa.Assertion) { s.Action, s.Assertion = "assert", &a }
	switch in.State {
	case "hidden":
		assert(qa.Assertion{Type: qa.Hidden})
	case "detached":
		assert(qa.Assertion{Type: qa.CountEquals, Expected: "0"})
	case "attached":
		assert(qa.Assertion{Type: qa.Exists})
	}
	c.add(s, nil)
}

// element returns the element of the call's n-th action, or nil.
func (c *compiler) element(n int) (*element, error) {
	var answer struct {
		Elements []element `json:"elements"`
	}
	if len(c.done.Structured) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(c.done.Structured, &answer); err != nil {
		return nil, c.refuse("its answer can't be read: %v", err)
	}
	i := slices.IndexFunc(answer.Elements, func(e element) bool { return e.Action == n && len(e.Locators) > 0 && len(e.Fingerprint) > 0 })
	if i < 0 {
		return nil, nil
	}
	return &answer.Elements[i], nil
}

// textOf reads a text that may be written as a number, as the tools take it.
func textOf(raw json.RawMessage) (string, error) {
	if len(raw) == 0 {
		return "", nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text, nil
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return "", err
	}
	switch v.(type) {
	case float64, bool:
		return string(raw), nil
	}
	return "", fmt.Errorf("%s is no text", raw)
}

func sortedKeys(m map[string]any) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
