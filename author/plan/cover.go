package plan

import (
	"fmt"

	"github.com/assay-qa/assay/author/site"
)

// MaxSteps bounds the steps of a flow that a person wrote.
const MaxSteps = 12

// Proves reports whether an edge changed something that a person sees. What changed
// nothing gives a test nothing to expect.
func Proves(e site.Edge) bool {
	c := e.Changes
	return e.From != e.To || c.URL != "" || c.Title != "" || len(c.Appeared) > 0 || len(c.Gone) > 0 || c.Dialog != "" || c.Popup != "" || c.Download != ""
}

// final reports whether an edge is on the way to others only where there is no other way.
func final(e site.Edge) bool { return e.Wrote || e.Action.Invalid != "" }

// longestWay bounds the steps of a flow of the explorer's, which is as long as the way to
// its act.
const longestWay = 100

// CheckLength returns a [*ParseError] for flows that are too long for a test: such a test
// takes minutes, and what fails in it says little. file is the plan's name in messages.
func (p Plan) CheckLength(file string) error {
	most := MaxSteps
	if p.Marked {
		most = longestWay
	}
	var problems []Problem
	for _, f := range p.Flows {
		if len(f.Steps) <= most {
			continue
		}
		first := f.Steps[most]
		problems = append(problems, Problem{File: file, Line: first.Line, Message: fmt.Sprintf(
			"step %d: the flow %q has %d steps, and a test has at most %d: begin a flow of its own, \"## Steps to Reproduce: NAME\", where the start URL or a navigate step leads to what follows",
			first.Number, f.Name, len(f.Steps), most)})
	}
	if len(problems) == 0 {
		return nil
	}
	return &ParseError{problems}
}
