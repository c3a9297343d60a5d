package flows

import "github.com/assay-qa/assay/qa/flow"

// voidSteps returns why a flow proves nothing: none of its assertions does.
func voidSteps(steps []*flow.Step) []string {
	var why []string
	for _, s := range steps {
		if s.Outcome == nil || s.Assertion == nil {
			continue
		}
		if len(s.Outcome.Void) == 0 {
			return nil
		}
		why = s.Outcome.Void
	}
	return why
}
