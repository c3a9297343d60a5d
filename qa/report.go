package qa

import (
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
)

// QAReport holds the whole outcome of a run: the document from which every
// view (JSON, HTML, Markdown, JUnit) is made.
type QAReport struct {
	ID           string          `json:"id"`
	RunID        string          `json:"runId"`
	TaskID       string          `json:"taskId,omitempty"`
	Task         TaskSpec        `json:"task"`
	StartedAt    time.Time       `json:"startedAt"`
	FinishedAt   time.Time       `json:"finishedAt"`
	Summary      string          `json:"summary"`
	Status       Status          `json:"status"`
	StatusReason pagetext.Text   `json:"statusReason"`
	Findings     []Finding       `json:"findings"`
	Checks       []Check         `json:"checks"`
	Understood   []Understanding `json:"understood,omitempty"` // what each expectation was taken to ask for
	KPITable     []KPIRow        `json:"kpiTable"`
	Visual       []VisualRow     `json:"visual"`
	Timeline     []TimelineEntry `json:"timeline"`
	Console      []ConsoleEntry  `json:"console"` // warnings and errors; all of it is in console.jsonl
	Network      []NetworkEntry  `json:"network"` // what failed or answered 400 and up; all of it is in network.jsonl
	Omitted      *Omitted        `json:"omitted,omitempty"`
	Artifacts    []Artifact      `json:"artifacts"`
	Links        Links           `json:"links"`
	Costs        Costs           `json:"costs"`
	Evidence     *Evidence       `json:"evidence,omitempty"`
	Environment  Environment     `json:"environment"`
}

// Evidence says how a run's records can be verified: where the log has it, and what
// was found when all its files were read again before the report was made. What
// proves the report itself is in evidence.json.
type Evidence struct {
	LogIndex   int64         `json:"logIndex"`   // of the log's entry that says that the run began, from 0
	TreeSize   int64         `json:"treeSize"`   // entries that the checkpoint covers
	RootHash   string        `json:"rootHash"`   // of their Merkle tree, hexadecimal
	Checkpoint string        `json:"checkpoint"` // C2SP signed note
	Journal    string        `json:"journal"`    // SHA-256 of the last line of events.jsonl before the report
	Check      EvidenceCheck `json:"check"`
}

// EvidenceCheck counts files that were read again and compared with the
// digests that were recorded when they were stored.
type EvidenceCheck struct {
	Time     time.Time `json:"time"`
	Files    int       `json:"files"`
	Bytes    int64     `json:"bytes"`
	Problems []string  `json:"problems"` // none: they are as they were stored
}

// Omitted counts what the lists of a report leave out, for their length.
type Omitted struct {
	Timeline int `json:"timeline,omitempty"` // all of it is in events.jsonl
	Console  int `json:"console,omitempty"`
	Network  int `json:"network,omitempty"`
}

// KPIRow holds one value on screen beside its expected value.
type KPIRow struct {
	Label            string    `json:"label"`
	Range            string    `json:"range"`
	Expected         string    `json:"expected"`
	Observed         string    `json:"observed"`
	Difference       string    `json:"difference"`
	Status           KPIStatus `json:"status"`
	Cause            KPICause  `json:"cause,omitempty"` // what a mismatch looks like
	Selector         string    `json:"selector,omitempty"`
	ScreenshotRef    string    `json:"screenshotRef,omitempty"`    // a stored picture of the value
	NetworkRequestID string    `json:"networkRequestId,omitempty"` // the request whose answer carried the value
}

// KPIStatus names the outcome of comparing one KPI.
type KPIStatus string

// The outcomes of a KPI's comparison. Only ok lets a run pass; ambiguous and
// unsettled are the tester's, so they make it inconclusive.
const (
	KPIOk        KPIStatus = "ok"
	KPIMismatch  KPIStatus = "mismatch"
	KPIMissing   KPIStatus = "missing"   // the page was read and does not show it
	KPIAmbiguous KPIStatus = "ambiguous" // the text reads as two numbers, and only one of them is right
	KPIUnsettled KPIStatus = "unsettled" // the value went on changing until the time-out
)

// KPICause says what a wrong KPI looks like, for the reader who fixes it.
type KPICause string

// The causes that are distinguished.
const (
	CauseWrongValue KPICause = "wrong-value"
	CauseStale      KPICause = "stale"     // it shows the right value of another range or filter
	CauseUnitSlip   KPICause = "unit-slip" // off by 100, 1,000 or 1,000,000
	CauseSign       KPICause = "sign"      // the right number with the other sign
	CauseCurrency   KPICause = "currency"  // another currency than the expected value's
	CauseSwapped    KPICause = "swapped"   // it shows the right value of another KPI
	CauseDuplicate  KPICause = "duplicate" // the page shows it more than once, with different values
	CauseNotShown   KPICause = "not-shown" // label or value is not on the page
	CauseNotANumber KPICause = "not-a-number"
)

// TimelineEntry holds one tool call or flow step of a run.
type TimelineEntry struct {
	Step       int       `json:"step"`
	Name       string    `json:"name"`             // tool, or step of a flow
	Detail     string    `json:"detail,omitempty"` // on what, in short
	StartedAt  time.Time `json:"startedAt"`
	DurationMS int64     `json:"durationMs"`
	ErrorCode  string    `json:"errorCode,omitempty"`
	Screenshot string    `json:"screenshot,omitempty"` // name of the stored picture
}

// NetworkEntry holds one request of a page under test.
type NetworkEntry struct {
	RequestID  string    `json:"requestId"`
	Method     string    `json:"method"`
	URL        string    `json:"url"`
	Status     int       `json:"status"` // 0 when there was no answer
	Type       string    `json:"type,omitempty"`
	Time       time.Time `json:"time"`
	DurationMS int64     `json:"durationMs"`
	Failure    string    `json:"failure,omitempty"`
}

// Artifact identifies a stored file of the run, by name and SHA-256 of its
// bytes.
type Artifact struct {
	Name     string       `json:"name"` // path within the run, with slashes
	SHA256   string       `json:"sha256"`
	Size     int64        `json:"size"` // bytes
	MIMEType string       `json:"mimeType"`
	Width    int          `json:"width,omitempty"`  // pixels, of a picture
	Height   int          `json:"height,omitempty"` // pixels, of a picture
	Boxes    []ElementBox `json:"boxes,omitempty"`  // where elements stood when the picture was taken
	Step     int          `json:"step"`
	Time     time.Time    `json:"time"`
}

// ElementBox holds the place of an element in a picture, in the picture's pixels.
type ElementBox struct {
	Selector string `json:"selector"`
	Name     string `json:"name,omitempty"` // what the page calls it, such as textbox "Coupon"
	X        int    `json:"x"`
	Y        int    `json:"y"`
	Width    int    `json:"width"`
	Height   int    `json:"height"`
}

// Links lead from the report to the run's other documents.
type Links struct {
	TraceURL              string `json:"traceUrl,omitempty"`
	ScreenshotsGalleryURL string `json:"screenshotsGalleryUrl,omitempty"`
	RawTranscriptURL      string `json:"rawTranscriptUrl,omitempty"`
	ReportURL             string `json:"reportUrl,omitempty"`
}

// Costs holds what the run took.
type Costs struct {
	TokensInput  int     `json:"tokensInput"`
	TokensCached int     `json:"tokensCached,omitempty"` // of TokensInput, from the provider's cache
	TokensOutput int     `json:"tokensOutput"`
	ToolCalls    int     `json:"toolCalls"`
	DurationMS   int64   `json:"durationMs"`
	Screenshots  int     `json:"screenshots"`
	USD          float64 `json:"usd,omitempty"`
}

// Environment holds what the run was made with, so that it can be repeated.
type Environment struct {
	AssayVersion   string `json:"assayVersion"`
	Browser        string `json:"browser,omitempty"`
	BrowserVersion string `json:"browserVersion,omitempty"`
	DriverVersion  string `json:"driverVersion,omitempty"`
	OS             string `json:"os"`
	Arch           string `json:"arch"`
	Name           string `json:"name,omitempty"` // of the environment under test, [env.NAME]
	BaseURL        string `json:"baseUrl,omitempty"`
	Viewport       string `json:"viewport,omitempty"` // such as 1280×720
	Locale         string `json:"locale,omitempty"`
	Timezone       string `json:"timezone,omitempty"`
}
