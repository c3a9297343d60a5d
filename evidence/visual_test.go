package evidence_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
)

// A5, B2: a task's picture that nobody compared keeps its run from passing,
// whatever else was checked; the report says which one, and why.
func TestRunWithUncomparedPictures(t *testing.T) {
	row := func(s qa.VisualStatus) qa.VisualRow {
		return qa.VisualRow{Name: "cart", Status: s, Reason: "because", Regions: []qa.VisualRegion{}}
	}
	for name, tt := range map[string]struct {
		rows   []qa.VisualRow
		status qa.Status
		reason string
	}{
		"left out":             {nil, qa.Inconclusive, "visual cart"},
		"captured":             {[]qa.VisualRow{row(qa.VisualCaptured)}, qa.Inconclusive, "because"},
		"compared":             {[]qa.VisualRow{row(qa.VisualSame)}, qa.Passed, ""},
		"captured, then again": {[]qa.VisualRow{row(qa.VisualCaptured), row(qa.VisualSame)}, qa.Inconclusive, "because"},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := openStore(t)
			r, err := s.Start(qa.TaskSpec{Goal: "g", Visual: []qa.VisualCheck{{Name: "cart"}}})
			if err != nil {
				t.Fatal(err)
			}
			must[qa.Check](t)(r.AddCheck(look("exists", "#cart", true)))
			for _, row := range tt.rows {
				if err := r.AddVisual(row); err != nil {
					t.Fatal(err)
				}
			}
			report := must[qa.QAReport](t)(r.Finish("", qa.Environment{}, evidence.Views(nil)))
			if report.Status != tt.status || !strings.Contains(string(report.StatusReason), tt.reason) || len(report.Visual) != len(tt.rows) {
				t.Errorf("%s (%s), %d rows; want %s (%s)", report.Status, report.StatusReason, len(report.Visual), tt.status, tt.reason)
			}
		})
	}
}
