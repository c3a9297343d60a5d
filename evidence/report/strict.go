package report

import (
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// strictReport holds the report with the keys of the dashboard specification
// (A7), and no other one but extensions: a reader with a closed schema accepts
// it.
type strictReport struct {
	ID         string            `json:"id"`
	RunID      string            `json:"runId"`
	TaskID     string            `json:"taskId"`
	StartedAt  time.Time         `json:"startedAt"`
	FinishedAt time.Time         `json:"finishedAt"`
	Summary    string            `json:"summary"`
	Status     qa.Status         `json:"status"`
	Findings   []strictFinding   `json:"findings"`
	KPITable   []strictKPI       `json:"kpiTable"`
	Links      strictLinks       `json:"links"`
	Costs      strictCosts       `json:"costs"`
	Extensions *strictExtensions `json:"extensions"`
}

type strictFinding struct {
	ID           string           `json:"id"`
	Severity     qa.Severity      `json:"severity"`
	Category     qa.Category      `json:"category"`
	Assertion    pagetext.Text    `json:"assertion"`
	Expected     pagetext.Text    `json:"expected"`
	Observed     pagetext.Text    `json:"observed"`
	Tolerance    *string          `json:"tolerance"`
	Evidence     []strictEvidence `json:"evidence"`
	SuggestedFix pagetext.Text    `json:"suggested_fix"`
	Confidence   float64          `json:"confidence"`
}

type strictEvidence struct {
	ScreenshotRef    string    `json:"screenshotRef"`
	Selector         *string   `json:"selector"`
	Time             time.Time `json:"time"`
	NetworkRequestID *string   `json:"networkRequestId"`
}

type strictKPI struct {
	Label    string `json:"label"`
	Expected string `json:"expected"`
	Observed string `json:"observed"`
	Status   string `json:"status"`
}

type strictLinks struct {
	TraceURL              *string `json:"traceUrl"`
	ScreenshotsGalleryURL *string `json:"screenshotsGalleryUrl"`
	RawTranscriptURL      *string `json:"rawTranscriptUrl"`
}

type strictCosts struct {
	TokensInput  int   `json:"tokensInput"`
	TokensOutput int   `json:"tokensOutput"`
	ToolCalls    int   `json:"toolCalls"`
	DurationMS   int64 `json:"durationMs"`
}

// strictExtensions holds what report.json has beyond the specification, under its
// own keys: all but those that are whole in the specification. Lists that repeat one of
// the specification's are in its order.
type strictExtensions struct {
	qa.QAReport
	ID         *none `json:"id,omitempty"`
	RunID      *none `json:"runId,omitempty"`
	TaskID     *none `json:"taskId,omitempty"`
	StartedAt  *none `json:"startedAt,omitempty"`
	FinishedAt *none `json:"finishedAt,omitempty"`
	Summary    *none `json:"summary,omitempty"`
	Status     *none `json:"status,omitempty"`
}

// none stands for a key that is left out.
type none struct{}

// Strict returns the strict view of the report (A7, A19): the keys of the dashboard
// specification, null for what is missing, all else under extensions.
func Strict(r qa.QAReport) ([]byte, error) {
	doc := strictReport{ID: r.ID, RunID: r.RunID, TaskID: r.TaskID, StartedAt: r.StartedAt, FinishedAt: r.FinishedAt,
		Summary: r.Summary, Status: r.Status, Findings: []strictFinding{}, KPITable: strictKPIs(r.KPITable),
		Links:      strictLinks{TraceURL: orNull(r.Links.TraceURL), ScreenshotsGalleryURL: orNull(r.Links.ScreenshotsGalleryURL), RawTranscriptURL: orNull(r.Links.RawTranscriptURL)},
		Costs:      strictCosts{TokensInput: r.Costs.TokensInput, TokensOutput: r.Costs.TokensOutput, ToolCalls: r.Costs.ToolCalls, DurationMS: r.Costs.DurationMS},
		Extensions: &strictExtensions{QAReport: r}}
	for _, f := range r.Findings {
		own := strictFinding{ID: f.ID, Severity: f.Severity, Category: f.Category, Assertion: f.Assertion, Expected: f.Expected, Observed: f.Observed,
			Tolerance: orNull(toleranceText(f.Tolerance)), Evidence: []strictEvidence{}, SuggestedFix: f.SuggestedFix, Confidence: f.Confidence}
		for _, e := range f.Evidence {
			at := r.FinishedAt
			if e.Time != nil {
				at = *e.Time
			}
			own.Evidence = append(own.Evidence, strictEvidence{ScreenshotRef: e.ScreenshotRef, Selector: orNull(e.Selector), Time: at, NetworkRequestID: orNull(e.NetworkRequestID)})
		}
		doc.Findings = append(doc.Findings, own)
	}
	return indented(doc)
}

// strictKPIs returns the rows with the specification's statuses. A value that
// reads as two numbers, or that did not settle, could not be compared: it is
// missing. A label that several ranges share has its range added.
func strictKPIs(rows []qa.KPIRow) []strictKPI {
	times := map[string]int{}
	for _, row := range rows {
		times[row.Label]++
	}
	out := make([]strictKPI, len(rows))
	for i, row := range rows {
		out[i] = strictKPI{Label: row.Label, Expected: row.Expected, Observed: row.Observed, Status: string(qa.KPIMissing)}
		if row.Status == qa.KPIOk || row.Status == qa.KPIMismatch {
			out[i].Status = string(row.Status)
		}
		if times[row.Label] > 1 && row.Range != "" {
			out[i].Label += " (" + row.Range + ")"
		}
	}
	return out
}

// toleranceText writes a tolerance as people do, such as ±1%.
func toleranceText(t *qa.Tolerance) string {
	if t == nil {
		return ""
	}
	var parts []string
	if t.Percent != 0 {
		parts = append(parts, "±"+strconv.FormatFloat(t.Percent, 'g', -1, 64)+"%")
	}
	if t.Absolute != 0 || len(parts) == 0 {
		parts = append(parts, "±"+strconv.FormatFloat(t.Absolute, 'g', -1, 64))
	}
	return strings.Join(parts, " or ")
}

// orNull returns nil for what is empty: null in JSON.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
