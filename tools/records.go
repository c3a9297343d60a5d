package tools

import (
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/qa"
)

// fileRecords files what an engine has recorded, in its order, and returns the ids
// of the checks.
func (c *call) fileRecords(records engine.Records) ([]string, error) {
	ids := []string{}
	for _, r := range records {
		var err error
		switch {
		case r.Check != nil:
			check := *r.Check
			check.Step = c.step
			var filed qa.Check
			if filed, err = c.addCheck(check); err == nil {
				ids = append(ids, filed.ID)
			}
		case r.Finding != nil:
			_, err = c.run.AddFinding(*r.Finding)
		case r.KPI != nil:
			err = c.run.AddKPI(*r.KPI)
		case r.Visual != nil:
			err = c.run.AddVisual(*r.Visual)
		case r.NotExecuted != nil:
			n := r.NotExecuted
			c.run.NotExecuted(n.Kind, n.Subject, n.Expected, n.Code, n.Detail)
		}
		if err != nil {
			return ids, err
		}
	}
	return ids, nil
}
