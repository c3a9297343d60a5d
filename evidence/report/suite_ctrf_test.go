package report_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/qa"
)

// A suite as CTRF holds to ctrf.io's own schema, whatever stands in it; its
// counts are those of the index, and a flaky pass tells its attempts (A15, D4).
func TestSuiteCTRF(t *testing.T) {
	t.Parallel()
	schema := ctrfSchema(t)
	late := suite()
	late.Cases[0].Flaky = true
	late.Cases[0].Before = []report.SuiteAttempt{{RunID: "20261121T055036.000Z-before", Status: qa.Failed, Reason: "1 check failed"}}
	for name, s := range map[string]report.Suite{"ended": late, "running": running(), "hostile": hostileSuite(), "empty": {}} {
		doc := showSuite(t, report.SuiteCTRF, s)
		tree, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(tree); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var got struct {
			Results struct {
				Summary struct{ Tests, Passed, Failed, Other int }
				Tests   []struct {
					Name, Status, Message string
					Flaky                 bool
					Retries               int
					RetryAttempts         []struct{ Status, AttemptID string }
				}
			}
		}
		if err := json.Unmarshal([]byte(doc), &got); err != nil {
			t.Fatal(err)
		}
		n, sum := s.Totals(), got.Results.Summary
		if sum.Tests != n.Cases || sum.Passed != n.Passed || sum.Failed != n.Failed || sum.Other != n.Cases-n.Passed-n.Failed {
			t.Errorf("%s: %+v, and the suite has %+v", name, sum, n)
		}
		for _, c := range got.Results.Tests {
			if c.Status != "passed" && c.Message == "" {
				t.Errorf("%s: a case that is %s says not why", name, c.Status)
			}
		}
		if name != "ended" {
			continue
		}
		if c := got.Results.Tests[0]; !c.Flaky || c.Retries != 1 || len(c.RetryAttempts) != 1 || c.RetryAttempts[0].Status != "failed" || c.RetryAttempts[0].AttemptID == "" {
			t.Errorf("the flaky case: %+v", c)
		}
	}
}
