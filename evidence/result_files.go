package evidence

import (
	"encoding/json"
	"fmt"

	"github.com/assay-qa/assay/qa"
)

// The documents that a run makes of its report, for machines.
const (
	checkpointDoc = "checkpoint.json"  // a qa.Checkpoint: what a loop goes on from (B10)
	resultDoc     = "test-result.json" // a qa.TestResult (B4)
)

// addResultFiles adds them to the documents of a report.
func (r *Run) addResultFiles(report qa.QAReport, files map[string][]byte) error {
	record := r.record()
	for name, doc := range map[string]any{checkpointDoc: qa.NewCheckpoint(report, record), resultDoc: qa.NewTestResult(report, record)} {
		data, err := json.MarshalIndent(doc, "", "  ")
		if err != nil {
			return fmt.Errorf("run %s: encode %s: %w", r.id, name, err)
		}
		files[name] = append(data, '\n')
	}
	return nil
}
