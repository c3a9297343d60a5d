package report_test

import (
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/qa"
)

// BenchmarkViews makes all views of a sanity run's report: 40 checks, 40 calls,
// 20 KPIs.
func BenchmarkViews(b *testing.B) {
	r := kpiReport()
	for i := range 40 {
		r.Checks = append(r.Checks, check("C"+itoa(i+4), "text_equals", "#kpi", "42", "42"))
		r.Timeline = append(r.Timeline, qa.TimelineEntry{Step: i, Name: "verify_assertion", Detail: "#kpi", StartedAt: at(1), DurationMS: int64(i) * int64(time.Millisecond)})
		if i < 15 {
			r.KPITable = append(r.KPITable, qa.KPIRow{Label: "Orders", Range: "7d", Expected: "42", Observed: "42", Status: qa.KPIOk})
		}
	}
	for b.Loop() {
		if _, err := report.Views(r); err != nil {
			b.Fatal(err)
		}
	}
}
