package evidence

import (
	"encoding/json"
	"fmt"

	"github.com/assay-qa/assay/evidence/paths"
	"github.com/assay-qa/assay/qa"
)

// addResultFiles adds checkpoint.json and test-result.json, which are for
// machines, to the documents of a report.
func (r *Run) addResultFiles(report qa.QAReport, files map[string][]byte) error {
	record := r.record()
	for name, doc := range map[string]any{paths.RunCheckpoint: qa.NewCheckpoint(report, record), paths.TestResult: qa.NewTestResult(report, record)} {
		data, err := json.MarshalIndent(doc, "", "  ")
		if err != nil {
			return fmt.Errorf("run %s: encode %s: %w", r.id, name, err)
		}
		files[name] = append(data, '\n')
	}
	return nil
}
