package report_test

import (
	"path/filepath"
	"testing"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/qa"
)

// A7: the names of ranges that people use stand in one line of the KPI table.
func TestRangesStandInOneLine(t *testing.T) {
	r := kpiReport()
	const path = `css=[data-testid="kpi-average-order-value"] > div.card-body > span.value`
	r.KPITable = append(r.KPITable, qa.KPIRow{Label: "Average order value", Range: "Hardware", Expected: "122234.19", Observed: "$122,237.19", Difference: "+3,000,123 (+12.5 %)", Status: qa.KPIMismatch, Cause: qa.CauseWrongValue, Selector: path})
	dir := stored(t, r)
	w := open(t, chromium(t), filepath.Join(dir, "report.html"), playwright.BrowserNewPageOptions{})
	for _, width := range []int{1366, 1000, 880} {
		w.as(playwright.ColorSchemeLight, width)
		got := w.eval(`() => [...document.querySelectorAll('.kpis td:nth-child(3)')].filter(td => {
			const range = document.createRange(); range.selectNodeContents(td)
			return new Set([...range.getClientRects()].map(r => r.top)).size > 1 }).map(td => td.textContent)`)
		if broken := got.([]any); len(broken) > 0 {
			t.Errorf("%d pixels wide: broken: %q", width, broken)
		}
	}
}
