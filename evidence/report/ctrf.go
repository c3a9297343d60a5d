package report

import (
	"cmp"
	"time"

	"github.com/assay-qa/assay/qa"
)

// ctrfVersion states the version of the Common Test Report Format that is
// written.
const ctrfVersion = "0.0.0"

type ctrfDocument struct {
	ReportFormat string      `json:"reportFormat"`
	SpecVersion  string      `json:"specVersion"`
	RunID        string      `json:"runId,omitempty"`
	Timestamp    time.Time   `json:"timestamp"`
	GeneratedBy  string      `json:"generatedBy"`
	Results      ctrfResults `json:"results"`
}

type ctrfResults struct {
	Tool        ctrfTool        `json:"tool"`
	Summary     ctrfSummary     `json:"summary"`
	Tests       []ctrfTest      `json:"tests"`
	Environment ctrfEnvironment `json:"environment"`
	Extra       map[string]any  `json:"extra"`
}

type ctrfTool struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

type ctrfSummary struct {
	Tests    int            `json:"tests"`
	Passed   int            `json:"passed"`
	Failed   int            `json:"failed"`
	Skipped  int            `json:"skipped"`
	Pending  int            `json:"pending"`
	Other    int            `json:"other"` // what could not be found out
	Start    int64          `json:"start"`
	Stop     int64          `json:"stop"`
	Duration int64          `json:"duration"`
	Extra    map[string]any `json:"extra,omitempty"`
}

type ctrfTest struct {
	TestID      string           `json:"testId,omitempty"`
	Name        string           `json:"name"`
	Status      string           `json:"status"`
	RawStatus   string           `json:"rawStatus"`
	Duration    int64            `json:"duration"`
	Start       int64            `json:"start,omitempty"`
	Suite       []string         `json:"suite"`
	Message     string           `json:"message,omitempty"`
	Trace       string           `json:"trace,omitempty"`
	FilePath    string           `json:"filePath,omitempty"`
	Retries     int              `json:"retries,omitempty"`
	Attempts    []ctrfAttempt    `json:"retryAttempts,omitempty"`
	Flaky       bool             `json:"flaky,omitempty"`
	Type        string           `json:"type"`
	Browser     string           `json:"browser,omitempty"`
	Tags        []string         `json:"tags,omitempty"`
	Attachments []ctrfAttachment `json:"attachments,omitempty"`
	Extra       map[string]any   `json:"extra,omitempty"`
}

// ctrfAttempt holds an attempt before the last one.
type ctrfAttempt struct {
	Attempt int    `json:"attempt"`
	ID      string `json:"attemptId,omitempty"`
	Status  string `json:"status"`
	Message string `json:"message,omitempty"`
}

type ctrfAttachment struct {
	Name        string         `json:"name"`
	ContentType string         `json:"contentType"`
	Path        string         `json:"path"`
	Extra       map[string]any `json:"extra"`
}

type ctrfEnvironment struct {
	AppName         string         `json:"appName,omitempty"`
	OSPlatform      string         `json:"osPlatform,omitempty"`
	TestEnvironment string         `json:"testEnvironment,omitempty"`
	Commit          string         `json:"commit,omitempty"`
	Extra           map[string]any `json:"extra,omitempty"`
}

// CTRF returns the report in the Common Test Report Format (ctrf.io). What could
// not be found out has the status other.
func CTRF(r qa.QAReport) ([]byte, error) {
	e := r.Environment
	doc := ctrfDocument{ReportFormat: "CTRF", SpecVersion: ctrfVersion, RunID: r.RunID, Timestamp: r.FinishedAt.UTC(), GeneratedBy: "assay",
		Results: ctrfResults{
			Tool:  ctrfTool{Name: "assay", Version: e.AssayVersion},
			Tests: []ctrfTest{},
			Environment: ctrfEnvironment{AppName: e.BaseURL, OSPlatform: e.OS, TestEnvironment: e.Name, Commit: r.Task.Metadata["commit"],
				Extra: map[string]any{"browserVersion": e.BrowserVersion, "viewport": e.Viewport, "locale": e.Locale, "timezone": e.Timezone}},
			Extra: map[string]any{"seal": r.Seal(), "evidence": r.Evidence, "understood": r.Understanding()}, // null: there is none
		}}
	sum := &doc.Results.Summary
	sum.Start, sum.Stop, sum.Duration = millis(r.StartedAt), millis(r.FinishedAt), r.Costs.DurationMS
	sum.Extra = map[string]any{"status": r.Status, "statusReason": visible(r.StatusReason)}
	goal := visible(r.Task.Goal)
	for _, c := range testCases(r) {
		t := ctrfTest{TestID: c.ID, Name: cmp.Or(visible(c.Name), "check"), RawStatus: string(c.Status), Duration: c.Took, Start: millis(c.Start),
			Suite: []string{goal}, Message: visible(c.Reason), Type: "e2e", Browser: e.Browser, Tags: r.Task.Tags}
		if len(c.Detail) > 0 && c.Reason != "" {
			t.Trace = visible(joinLines(c.Detail))
		}
		if len(c.Expects) > 0 {
			t.Extra = map[string]any{"expects": c.Expects}
		}
		for _, f := range c.Files {
			t.Attachments = append(t.Attachments, ctrfAttachment{Name: visible(f.Name), ContentType: f.MIMEType, Path: f.Name, Extra: map[string]any{"sha256": f.SHA256}})
		}
		t.Status = sum.count(c.Status)
		doc.Results.Tests = append(doc.Results.Tests, t)
	}
	return indented(doc)
}

// count counts a test and returns its status in CTRF's words.
func (s *ctrfSummary) count(status qa.TestStatus) string {
	s.Tests++
	switch status {
	case qa.TestPassed:
		s.Passed++
		return "passed"
	case qa.TestFailed:
		s.Failed++
		return "failed"
	case qa.TestSkipped:
		s.Skipped++
		return "skipped"
	default:
		s.Other++
		return "other"
	}
}

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
