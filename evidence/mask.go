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
	out := maskedValue(s, report)
	out.Status = report.Status
	return out
}

// maskedValue masks what a value says as JSON. One that is no JSON, or none any more,
// comes as it is: its documents are masked one by one all the same, and whoever stores it
// reports why that fails.
func maskedValue[T any](s *Store, v T) T {
	var out T
	doc, err := json.Marshal(v)
	if s.Mask == nil || err != nil || json.Unmarshal(s.Mask("application/json", doc), &out) != nil {
		return v
	}
	return out
}
