package flows

import (
	"slices"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/engine"
)

// LoggedSteps returns the steps as the log may show them: a typed text may be a
// password, unless the page has shown that its field holds none.
func LoggedSteps(steps []qa.FlowStep, plain func(i int) bool) []qa.FlowStep {
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

// BadFlow returns the error for a flow that can't be run as it is written.
func BadFlow(problems flow.Problems) *engine.Error {
	text := problems[:min(maxProblems, len(problems))].Error()
	if more := len(problems) - maxProblems; more > 0 {
		text += "\nand more of the kind"
	}
	return engine.InvalidInput("the whole form: assay://schemas/flow.json", "%s", text)
}
