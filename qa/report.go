package qa

import "time"

// QAReport is the whole outcome of a run: the one document every view
// (JSON, HTML, Markdown, JUnit) is made from.
type QAReport struct {
	ID           string      `json:"id"`
	RunID        string      `json:"runId"`
	TaskID       string      `json:"taskId,omitempty"`
	Task         TaskSpec    `json:"task"`
	StartedAt    time.Time   `json:"startedAt"`
	FinishedAt   time.Time   `json:"finishedAt"`
	Summary      string      `json:"summary"`
	Status       Status      `json:"status"`
	StatusReason string      `json:"statusReason"`
	Findings     []Finding   `json:"findings"`
	Checks       []Check     `json:"checks"`
	KPITable     []KPIRow    `json:"kpiTable"`
	Artifacts    []Artifact  `json:"artifacts"`
	Links        Links       `json:"links"`
	Costs        Costs       `json:"costs"`
	Environment  Environment `json:"environment"`
}

// KPIRow is one value on screen beside its expected value.
type KPIRow struct {
	Label      string `json:"label"`
	Range      string `json:"range"`
	Expected   string `json:"expected"`
	Observed   string `json:"observed"`
	Difference string `json:"difference"`
	Status     string `json:"status"` // ok, mismatch or missing
	Selector   string `json:"selector,omitempty"`
}

// Artifact is a stored file of the run, by name and SHA-256 of its bytes.
type Artifact struct {
	Name     string    `json:"name"` // path within the run, with slashes
	SHA256   string    `json:"sha256"`
	Size     int64     `json:"size"` // bytes
	MIMEType string    `json:"mimeType"`
	Width    int       `json:"width,omitempty"`  // pixels, of a picture
	Height   int       `json:"height,omitempty"` // pixels, of a picture
	Step     int       `json:"step"`
	Time     time.Time `json:"time"`
}

// Links lead from the report to the run's other documents.
type Links struct {
	TraceURL              string `json:"traceUrl,omitempty"`
	ScreenshotsGalleryURL string `json:"screenshotsGalleryUrl,omitempty"`
	RawTranscriptURL      string `json:"rawTranscriptUrl,omitempty"`
	ReportURL             string `json:"reportUrl,omitempty"`
}

// Costs is what the run took.
type Costs struct {
	TokensInput  int     `json:"tokensInput"`
	TokensOutput int     `json:"tokensOutput"`
	ToolCalls    int     `json:"toolCalls"`
	DurationMS   int64   `json:"durationMs"`
	Screenshots  int     `json:"screenshots"`
	USD          float64 `json:"usd,omitempty"`
}

// Environment is what the run was made with, so that it can be repeated.
type Environment struct {
	AssayVersion   string `json:"assayVersion"`
	Browser        string `json:"browser,omitempty"`
	BrowserVersion string `json:"browserVersion,omitempty"`
	DriverVersion  string `json:"driverVersion,omitempty"`
	OS             string `json:"os"`
	Arch           string `json:"arch"`
}
