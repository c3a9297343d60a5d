package peer

import (
	"fmt"

	"github.com/assay-qa/assay/bench/wire"
	"github.com/assay-qa/assay/internal/demo"
)

// verb names what a step does.
type verb string

const (
	open    verb = "navigate"
	look    verb = "snapshot"
	fill    verb = "fill"
	press   verb = "click"
	choose  verb = "select"
	check   verb = "verify"
	reads   verb = "verify text"
	console verb = "console"
	shoot   verb = "screenshot"
)

// step describes one thing to do, in no server's words.
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

// hands know the tools of one server.
type hands interface {
	// call words a step. It takes elements from page, the last look, and fails
	// when the one it needs isn't there.
	call(s step, page string) (wire.Call, error)
	// passed reads the outcome of a check.
	passed(a wire.Answer) bool
}

// jobSteps returns the job: sign in and check, in single calls.
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

// flowSteps returns a flow of nine steps, which begins on the sign-in page.
func flowSteps() []step {
	revenue := demo.Display(demo.KPIRevenue, demo.KPIs(demo.Range7Days, demo.CategoryAll)[demo.KPIRevenue])
	return []step{
		{verb: fill, role: "textbox", name: "Email", value: demo.Email},
		{verb: fill, role: "textbox", name: "Password", value: demo.Password},
		{verb: press, role: "button", name: "Sign in"},
		{verb: check, role: "heading", name: "Dashboard"},
		{verb: choose, role: "combobox", name: "Range", value: "Last 7 days"},
		{verb: reads, value: revenue},
		{verb: press, role: "button", name: "Refresh"},
		{verb: reads, value: revenue},
		{verb: check, role: "heading", name: "Dashboard"},
	}
}

// flowInSingleCalls returns the same flow for a server without flows: a picture
// after every step, and a look where elements are needed that the last look had
// not.
func flowInSingleCalls(site string) []step {
	steps := []step{{verb: open, value: site + "/login"}, {verb: look}}
	for _, st := range flowSteps() {
		steps = append(steps, st, step{verb: shoot})
		if st.verb == press && st.name == "Sign in" {
			steps = append(steps, step{verb: look})
		}
	}
	return steps
}

// signOut leads back to where a flow can begin.
func signOut(site string) []step {
	return []step{{verb: open, value: site + "/dashboard"}, {verb: look}, {verb: press, role: "button", name: "Sign out"}}
}

// warmStep describes a step that is repeated on a warm session; without a figure
// it only leads to the next one.
type warmStep struct {
	step
	figure string
}

// warmSteps returns what one pair of warm calls consists of. It begins anywhere
// and needs a signed-in session.
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
