package tools

import (
	"slices"

	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/qa"
)

// withAcceptedReadings are expectations with who read each as its assertion: the caller,
// unless the task comes from a file. Nobody who calls a tool can accept a reading.
func (d *Desk) withAcceptedReadings(expectations []qa.Expectation) ([]qa.Expectation, error) {
	if d.FromFile {
		return expectations, nil
	}
	out := slices.Clone(expectations)
	for i := range out {
		if out[i].AcceptedBy != "" || out[i].ByCaller {
			return nil, engine.InvalidInput("leave accepted_by and by_caller out; give the assertion alone", "expectations[%d]: only a person accepts a reading, with assay accept", i)
		}
		out[i].ByCaller = out[i].Assertion != nil && out[i].Text != ""
	}
	return out, nil
}

// sayUnderstood tells what each expectation was taken to ask for.
func (c *call) sayUnderstood(all []qa.Understanding) {
	for _, u := range all {
		c.quote("%s %s", u.ID, engine.OneLine(u.As))
	}
}
