package flow

import (
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
)

// gapStep is the action of a step that stands for what a flow can't do, such as a sign-in by a
// person. Its description says what that was. A flow with one never passes.
const gapStep = "gap"

// What a gap stands for: what follows an act that is missing can't be judged, and what follows a
// check that is missing can.
const (
	GapOfAct   = "act"
	GapOfCheck = "check"
)

// Gap returns the step that stands for what a flow can't do. Of is [GapOfAct] or [GapOfCheck].
func Gap(of, what string) qa.FlowStep {
	return qa.FlowStep{Action: gapStep, Value: of, Description: what}
}

// Gaps returns what the gaps of a flow stand for.
func (f Flow) Gaps() (out []string) {
	for _, s := range f.Steps {
		if s.Action == gapStep {
			out = append(out, s.Description)
		}
	}
	return out
}

// gapFault says that a step is a gap.
func gapFault(s qa.FlowStep) *Fault {
	why := pagetext.Text(s.Description)
	return &Fault{Code: code.NeedsHuman, Message: pagetext.Sentencef("the flow has a gap: %s", why), GoesOn: s.Value == GapOfCheck,
		Hint: "put the steps that do it in its place, or delete it", Ended: qa.Cause{Ending: qa.NeedsPerson, Facts: qa.Facts{Code: code.NeedsHuman, Why: why}}}
}
