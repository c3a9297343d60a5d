package agent_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/qa"
)

func done(step int) []string { return []string{"step_done", fmt.Sprintf(`{"step": %d}`, step)} }

func turn(pairs ...[]string) agent.Reply {
	var all []string
	for _, p := range pairs {
		all = append(all, p...)
	}
	return calls(all...)
}

const emailShown = `{"selector": "textbox \"Email\"", "expects": ["E2"]}`

// procedural is a task of two steps with an expectation each, and a cleanup.
func procedural(r *rig, cleanup ...string) {
	r.Task.Expectations = []qa.Expectation{{Text: `the title is "Sign in – Assay Demo"`}, {Text: `the field "Email" is shown`}}
	r.Procedure = &agent.Procedure{Preconditions: []string{"the page can be reached"}, Cleanup: cleanup,
		Steps: []agent.Step{{Text: "Open the sign-in page", Expects: []string{"E1"}}, {Text: "Look at the form", Expects: []string{"E2"}}}}
}

// D3: a procedure is worked step by step. What was not done keeps the run from
// passing; what was not tidied up is told, and is no fault.
func TestProcedures(t *testing.T) {
	t.Parallel()
	title, email, finish := []string{"verify_assertion", titleHolds}, []string{"verify_element_exists", emailShown}, []string{"run_finish", last("passed")}
	for name, c := range map[string]struct {
		cleanup []string
		budget  int // of calls
		turns   func(r *rig) []agent.Reply
		status  qa.Status
		why     string
		told    string // to the model
		steps   string // of the calls that were made
	}{
		"step by step": {nil, 0, func(r *rig) []agent.Reply {
			return []agent.Reply{r.opened(), turn(title, done(1)), turn(email, done(2)), turn(finish)}
		}, qa.Passed, "", "now step 2: Look at the form", "[0 0 1]"},
		"a step without its check is told once": {nil, 0, func(r *rig) []agent.Reply {
			return []agent.Reply{r.opened(), turn(done(1)), turn(title, done(1)), turn(email, done(2)), turn(finish)}
		}, qa.Passed, "", `E1 (the title is "Sign in – Assay Demo") is not proved yet: no executed check is bound to it`, "[0 0 1]"},
		"a step that insists is over, and unproven": {nil, 0, func(r *rig) []agent.Reply {
			return []agent.Reply{r.opened(), turn(done(1)), turn(done(1)), turn(email, done(2)), turn(finish)}
		}, qa.Inconclusive, "no executed check is bound to it", "", "[0 1]"},
		"a step is left out": {nil, 0, func(r *rig) []agent.Reply {
			return []agent.Reply{r.opened(), turn(title, email, done(2), finish), turn(finish)}
		}, qa.Inconclusive, "step 1: Open the sign-in page", "step 2 comes later: step 1 (Open the sign-in page) is under way", "[0 0 0]"},
		"it ends before the last step, and is told once": {nil, 0, func(r *rig) []agent.Reply {
			return []agent.Reply{r.opened(), turn(title, email, done(1), finish), turn(done(2)), turn(finish)}
		}, qa.Passed, "", "step 2 is not done yet (Look at the form)", "[0 0 0]"},
		"a precondition does not hold": {nil, 0, func(*rig) []agent.Reply { return []agent.Reply{calls("run_finish", last("inconclusive"))} },
			qa.Inconclusive, "step 1: Open the sign-in page", "", "[]"},
		"a step that there is not": {nil, 0, func(r *rig) []agent.Reply {
			return []agent.Reply{r.opened(), turn(title, done(1), done(7)), turn(email, done(2)), turn(finish)}
		}, qa.Passed, "", "there is no step 7: they count from 1 to 2", "[0 0 1]"},
		"says all steps at once": {nil, 0, func(r *rig) []agent.Reply {
			return []agent.Reply{r.opened(), turn(title, email, done(1), done(2)), turn(finish)}
		}, qa.Passed, "step 2 was worked: Look at the form", "all steps are done", "[0 0 0]"},
		"a step for ever": {nil, 0, func(r *rig) []agent.Reply {
			return []agent.Reply{r.opened(), turn(title, done(1)), turn(done(1))}
		}, qa.Inconclusive, "guardrail", "step 1 is done already", "[0 0]"},
		"cleanup": {[]string{"Close the form"}, 0, func(r *rig) []agent.Reply {
			return []agent.Reply{r.opened(), turn(title, done(1)), turn(email, done(2)), turn(finish),
				calls("page_snapshot", `{}`, "step_done", `{"step": 3}`), turn(finish)}
		}, qa.Passed, "", "3. Close the form", "[0 0 1 2]"},
		"cleanup that is not done": {[]string{"Close the form", "Sign out"}, 0, func(r *rig) []agent.Reply {
			return []agent.Reply{r.opened(), turn(title, done(1)), turn(email, done(2)), turn(finish), turn(done(3)), turn(finish)}
		}, qa.Passed, "cleanup is done: Sign out", "step 4 is not done yet (Sign out)", "[0 0 1]"},
		"cleanup after a budget was spent": {[]string{"Close the form"}, 10, func(r *rig) []agent.Reply {
			return append(append([]agent.Reply{r.opened(), turn(title, done(1))}, sequence(5, func(i int) agent.Reply { return calls("page_snapshot", fmt.Sprintf(`{"depth": %d}`, i+1)) })...),
				calls("page_snapshot", `{"depth": 9}`, "step_done", `{"step": 3}`), turn(finish))
		}, qa.Inconclusive, "maxToolCalls", "Now clean up, whatever came of them", "[0 0 1 1 1 1 2]"},
		"a check that fails while tidying up": {[]string{"See that it is gone"}, 0, func(r *rig) []agent.Reply {
			return []agent.Reply{r.opened(), turn(title, done(1)), turn(email, done(2)), turn(finish),
				calls("verify_element_exists", `{"selector": "css=.gone", "timeout_ms": 50}`, "step_done", `{"step": 3}`), turn(finish)}
		}, qa.Failed, "", "", "[0 0 1 2]"},
	} {
		if again := []string{"a step without its check is told once", "a step that there is not", "says all steps at once", "a check that fails while tidying up"}; slices.Contains(again, name) && !soak() {
			continue // another case shows the same
		}
		t.Run(name, func(t *testing.T) {
			model := &script{}
			r := newRig(t, model)
			procedural(r, c.cleanup...)
			if c.budget > 0 {
				r.Limits.MaxToolCalls = c.budget
				r.Task.Budgets = &r.Limits.Budgets
			}
			model.turns = c.turns(r)
			at := []int{}
			r.AtStep = func(step int) { at = append(at, step) }
			out := r.run()
			r.wants(out, c.status, c.why)
			answeredOnce(t, model.seen)
			told := ""
			for _, turn := range model.seen.Turns {
				for _, result := range turn.Results {
					told += result.Text() + "\n"
				}
				told += fmt.Sprintln(turn.Notes)
			}
			if !has(told, c.told) {
				t.Errorf("the model was not told %q: %s", c.told, told)
			}
			steps := []int{}
			for _, e := range out.Done {
				steps = append(steps, e.Step)
			}
			if got := fmt.Sprint(steps); got != c.steps {
				t.Errorf("calls of steps %s, want %s", got, c.steps)
			}
			if got := fmt.Sprint(at); name == "step by step" && got != c.steps {
				t.Errorf("calls were announced at steps %s, want %s", got, c.steps)
			}
		})
	}
}

// The model reads the steps with their expectations by the ids that checks name.
func TestProcedureIsTold(t *testing.T) {
	t.Parallel()
	model := &script{turns: []agent.Reply{calls("run_finish", last("inconclusive"))}}
	r := newRig(t, model)
	procedural(r)
	r.Task.Metadata = map[string]string{"command": "assay run x"}
	r.run()
	for _, part := range []string{`"id":"E1"`, "- the page can be reached", "1. Open the sign-in page [then verify E1]", "2. Look at the form [then verify E2]"} {
		if !has(model.seen.Task, part) {
			t.Errorf("the task does not say %q: %s", part, model.seen.Task)
		}
	}
	if has(model.seen.Task, "assay run") {
		t.Errorf("the task tells what is the server's alone: %s", model.seen.Task)
	}
}
