package main

import (
	"fmt"

	"github.com/assay-qa/assay/demo"
)

// verb is what a step does.
type verb string

const (
	open    verb = "navigate"
	look    verb = "snapshot"
	fill    verb = "fill"
	press   verb = "click"
	choose  verb = "select"
	check   verb = "verify"
	console verb = "console"
	shoot   verb = "screenshot"
)

// step is one thing to do, in no server's words.
type step struct {
	verb       verb
	role, name string // the element, where there is one
	value      string // the address, text or option
	shows      string // what a look must show if it waited for what the step before caused
}

func (s step) String() string {
	text := string(s.verb)
	if s.role != "" {
		text += fmt.Sprintf(" %s %q", s.role, s.name)
	}
	return text
}

// toolCall is a step in a server's words: the params of tools/call.
type toolCall struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
}

// hands know the tools of one server.
type hands interface {
	// call words a step. It takes elements from page, the last look, and fails
	// when the one it needs isn't there.
	call(s step, page string) (toolCall, error)
	// passed reads the outcome of a check.
	passed(a answer) bool
}

// jobSteps is the job: sign in and check, in single calls.
func jobSteps(site string) []step {
	revenue := func(rangeName string) string {
		return demo.Display(demo.KPIRevenue, demo.KPIs(rangeName, demo.CategoryAll)[demo.KPIRevenue])
	}
	return []step{
		{verb: open, value: site + "/login"},
		{verb: look},
		{verb: fill, role: "textbox", name: "Email", value: demo.Email},
		{verb: fill, role: "textbox", name: "Password", value: demo.Password},
		{verb: press, role: "button", name: "Sign in"},
		{verb: look, shows: revenue(demo.RangeToday)},
		{verb: check, role: "heading", name: "Dashboard"},
		{verb: choose, role: "combobox", name: "Range", value: "Last 7 days"},
		{verb: look, shows: revenue(demo.Range7Days)},
		{verb: console},
		{verb: shoot},
	}
}

// warmStep is a step that is repeated on a warm session; without a figure it
// only leads to the next one.
type warmStep struct {
	step
	figure string
}

// warmSteps are what one pair of warm calls consists of. It begins anywhere and
// needs a signed-in session.
func warmSteps(site string) []warmStep {
	return []warmStep{
		{step{verb: open, value: site + "/dashboard"}, "navigate"},
		{step{verb: look}, "snapshot"},
		{step{verb: press, role: "button", name: "Refresh"}, "click"},
		{step{verb: press, role: "heading", name: "Dashboard"}, "click, nothing follows"},
		{step{verb: shoot}, "screenshot"},
		{step{verb: open, value: site + "/login"}, ""},
		{step{verb: look}, ""},
		{step{verb: fill, role: "textbox", name: "Email", value: demo.Email}, "fill"},
	}
}
