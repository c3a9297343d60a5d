package demo

import (
	"net/http"
	"slices"
)

// The faults of the broken variant, by id.
const (
	DefectWrongKPI       = "wrong-kpi"
	DefectConsoleError   = "console-error"
	DefectFailedRequest  = "failed-request"
	DefectMissingElement = "missing-element"
	DefectBrokenImage    = "broken-image"
)

// Defect describes one deliberate fault of the broken variant.
type Defect struct {
	ID          string `json:"id"`
	Description string `json:"description"`
}

// Defects names every fault of the broken variant, and there is no other: a
// check of that variant must find these and nothing else.
func Defects() []Defect {
	return []Defect{
		{DefectWrongKPI, "The Revenue card shows the right value times 1.1; /api/kpi, the chart and its legend have the right one."},
		{DefectConsoleError, "The dashboard throws an uncaught TypeError while it loads."},
		{DefectFailedRequest, "GET /api/alerts answers 500, so the page says that alerts are unavailable; the browser adds a console line."},
		{DefectMissingElement, "The Refunds card is not on the page."},
		{DefectBrokenImage, "The avatar points to a file that does not exist (404); the browser adds a console line."},
	}
}

// defectsScript names the script with the two faults in the browser: the wrong
// KPI and the uncaught exception.
const defectsScript = "defects.js"

// addDefects applies the faults in the page: DefectMissingElement,
// DefectBrokenImage, and the script with DefectWrongKPI and
// DefectConsoleError.
func (p *dashboardPage) addDefects() {
	p.Cards = slices.DeleteFunc(p.Cards, func(c card) bool { return c.Label == KPIRefunds })
	p.Avatar = "/assets/avatar-missing.svg"
	p.Script = defectsScript
}

// alerts answers the (always empty) list of alerts, or 500: DefectFailedRequest.
func (s *site) alerts(w http.ResponseWriter, _ *http.Request) {
	if s.opts.Broken {
		s.writeJSON(w, http.StatusInternalServerError, apiError{"The alert service is down."})
		return
	}
	s.writeJSON(w, http.StatusOK, []struct{}{})
}
