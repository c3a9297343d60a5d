package evidence

import (
	"encoding/json"

	"github.com/assay-qa/assay/qa"
)

// masked returns data without secrets. It is a copy where there was one.
func (s *Store) masked(mime string, data []byte) []byte {
	if s.Mask == nil {
		return data
	}
	return s.Mask(mime, data)
}

// maskedReport masks a report before views are made of it: in each of them a
// secret would be spelt differently. The verdict is computed by then, and
// stays.
func (s *Store) maskedReport(report qa.QAReport) qa.QAReport {
	doc, err := json.Marshal(report)
	if s.Mask == nil || err != nil { // the caller marshals it again, and reports why that fails
		return report
	}
	var out qa.QAReport
	if err := json.Unmarshal(s.Mask("application/json", doc), &out); err != nil {
		return report // its documents are masked one by one all the same
	}
	out.Status = report.Status
	return out
}
