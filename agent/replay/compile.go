package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// Source holds what a flow is compiled from.
type Source struct {
	Spec   string // id of the spec
	Name   string // of the flow
	Run    string // id of the run that passed
	Base   string // address that those below it are written relative to
	Role   string // that the run was signed in as
	Steps  []Step // of the spec, in their order; none: it has no steps
	Keys   []string
	Done   []agent.Executed       // calls of a step after the last one tidied up
	Secret func(text string) bool // whether a text holds a secret's value; may be nil
	Rules  flow.Rules
}

// UnrecordableError says what a flow can't say.
type UnrecordableError struct {
	Call int    // from 1
	Tool string // empty: it is not about one call
	Why  string
}

func (e *UnrecordableError) Error() string {
	if e.Tool == "" {
		return "can't be recorded: " + e.Why
	}
	return fmt.Sprintf("can't be recorded: call %d, %s: %s", e.Call, e.Tool, e.Why)
}

// Time that a recorded flow gets: as a whole, and for each step.
const (
	wholeMS   = 30_000
	perStepMS = 5_000
)

// Compile makes a flow of the calls of a run that passed. Its acting calls become
// steps with the steadiest locator of their element, its verify calls assertions,
// with the expectations that they are bound to; what only looked is left out.
// What no step can say is an [*UnrecordableError].
func Compile(s Source) (flow.Flow, error) {
	c := compiler{Source: s, flow: flow.Flow{Name: s.Name, Role: s.Role, Recorded: &flow.Recorded{Spec: s.Spec, Run: s.Run}, Steps: []qa.FlowStep{}}}
	for i, step := range s.Steps {
		c.flow.Recorded.Steps = append(c.flow.Recorded.Steps, flow.RecordedStep{Text: step.Text, Key: s.Keys[i]})
	}
	for i, e := range s.Done {
		c.call, c.done = i, e
		c.enter(e.Step)
		if err := c.compile(); err != nil {
			if bad := (*UnrecordableError)(nil); errors.As(err, &bad) {
				bad.Call, bad.Tool = i+1, e.Name
			}
			return flow.Flow{}, err
		}
	}
	c.leave()
	c.flow.TimeoutMS = min(flow.MaxTimeoutMS, wholeMS+perStepMS*len(c.flow.Steps))
	if err := c.check(); err != nil {
		return flow.Flow{}, err
	}
	return c.flow, nil
}

// compiler holds the state of one compilation.
type compiler struct {
	Source
	flow    flow.Flow
	at      int // step of the spec that the calls belong to
	call    int
	done    agent.Executed
	session string // that the calls are about, once one is named
	acted   bool   // the session has been used
	closed  bool
}

func (c *compiler) refuse(format string, args ...any) error {
	return &UnrecordableError{Why: fmt.Sprintf(format, args...)}
}

// enter goes on to a step of the spec. Calls that name no step belong to the one
// that is being worked; nothing goes back.
func (c *compiler) enter(step int) {
	tidying := len(c.Steps) > 0 && step >= len(c.Steps)
	if tidying && c.flow.Recorded.Cleanup == 0 && len(c.flow.Steps) > 0 {
		c.flow.Recorded.Cleanup = len(c.flow.Steps)
	}
	for c.at < min(step, len(c.Steps)-1) {
		c.leave()
		c.at++
	}
	if len(c.Steps) > 0 && !tidying {
		r := &c.flow.Recorded.Steps[c.at]
		r.From = min(max(r.From, c.from()), len(c.flow.Steps))
	}
}

// from returns the index of the flow's first step that belongs to the current
// step of the spec.
func (c *compiler) from() int {
	if c.at == 0 {
		return 0
	}
	return c.flow.Recorded.Steps[c.at-1].To
}

// leave ends the current step of the spec: it notes which steps of the flow
// belong to it.
func (c *compiler) leave() {
	if len(c.Steps) == 0 {
		return
	}
	r := &c.flow.Recorded.Steps[c.at]
	r.From, r.To = c.from(), len(c.flow.Steps)
	if n := c.flow.Recorded.Cleanup; n > 0 {
		r.To = max(r.From, n)
	}
}

// add appends a step of the flow, and what it acts on.
func (c *compiler) add(s qa.FlowStep, e *element) {
	if e != nil {
		s.Selector = e.Locators[0]
		c.flow.Recorded.Elements = append(c.flow.Recorded.Elements, flow.RecordedElement{Step: len(c.flow.Steps), Locators: e.Locators,
			Fingerprint: e.Fingerprint, Frame: e.Frame, URL: c.relative(e.URL)})
	}
	c.flow.Steps = append(c.flow.Steps, s)
}

// prove appends an assertion that proves expectations.
func (c *compiler) prove(s qa.FlowStep, expects []string) {
	if len(expects) > 0 {
		if len(c.flow.Recorded.Steps) == 0 {
			c.flow.Recorded.Steps = []flow.RecordedStep{{}}
		}
		r := &c.flow.Recorded.Steps[c.at]
		if r.Expects == nil {
			r.Expects = map[string][]string{}
		}
		r.Expects[strconv.Itoa(len(c.flow.Steps))] = expects
	}
	c.flow.Steps = append(c.flow.Steps, s)
}

// relative returns an address below the base without the base, so that the
// flow runs on another base, too.
func (c *compiler) relative(address string) string {
	b, err := url.Parse(c.Base)
	u, err2 := url.Parse(address)
	if err != nil || err2 != nil || b.Host == "" || u.Scheme != b.Scheme || u.Host != b.Host {
		return address
	}
	path, below := strings.CutPrefix(u.EscapedPath(), strings.TrimRight(b.EscapedPath(), "/"))
	if !below || path != "" && path[0] != '/' {
		return address
	}
	out := url.URL{RawQuery: u.RawQuery, Fragment: u.Fragment, RawFragment: u.RawFragment}
	return "/" + strings.TrimPrefix(path, "/") + out.String()
}

// check refuses a flow that would not run, proves nothing or gives a secret away.
func (c *compiler) check() error {
	data, err := json.Marshal(c.flow)
	if err != nil {
		return fmt.Errorf("encode the recording: %w", err)
	}
	switch {
	case !c.flow.Asserts():
		return c.refuse("no check of the run can be made again")
	case c.Secret != nil && c.holdsSecret(data):
		return c.refuse("it would hold the value of a secret, or what agent.redact hides: have the spec type it as {{secret:NAME}}")
	}
	if problems := c.flow.Validate(c.Rules); len(problems) > 0 {
		return c.refuse("%s", problems[0].Error())
	}
	return nil
}

// holdsSecret looks in every text of the flow, as it is and as JSON spells it.
func (c *compiler) holdsSecret(data []byte) bool {
	texts := []string{string(data)}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			texts = append(texts, v)
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			for k, item := range v {
				texts = append(texts, k)
				walk(item)
			}
		}
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return true // it can't be decided
	}
	walk(v)
	return slices.ContainsFunc(texts, c.Secret)
}
