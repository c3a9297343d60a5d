package workspace

import (
	"context"
	"errors"

	"github.com/assay-qa/assay/internal/pagetext"
)

// ErrNoSuite says that no suite of that id was started here.
var ErrNoSuite = errors.New("no such suite")

// ErrSuiteRefused says that what a suite was to run is wrong; the error around
// it says what.
var ErrSuiteRefused = errors.New("nothing was run")

// Suites runs tasks, specs and flows from files in the background, for clients
// whose calls must be short.
type Suites interface {
	// Start checks all files and begins to run them.
	Start(ctx context.Context, r SuiteRequest) (SuiteStatus, error)
	// Status returns a suite's state at its end, or when ctx ends, whichever
	// is first.
	Status(ctx context.Context, id string) (SuiteStatus, error)
	// Cancel ends a suite as an interrupted process ends it: what runs is
	// finished and judged, what has not begun is skipped.
	Cancel(ctx context.Context, id string) (SuiteStatus, error)
}

// SuiteRequest says what is run.
type SuiteRequest struct {
	Paths   []string // of files and folders, relative to the server's folder
	BaseURL string   // empty: that of the environment
	Grep    string   // regular expression over the cases' names
	Tags    []string // a case needs one of them
	Shard   string   // i/n
	Resume  string   // id of a suite whose cases that have not passed run again, instead of Paths
}

// SuiteStatus holds where a suite stands.
type SuiteStatus struct {
	SuiteID string      `json:"suite_id"`
	State   string      `json:"state" jsonschema:"running, finished or cancelled"`
	Status  string      `json:"status,omitempty" jsonschema:"of a finished suite: passed, failed, error or skipped"`
	Total   int         `json:"total"`
	Done    int         `json:"done"`
	Passed  int         `json:"passed"`
	Failed  int         `json:"failed"`
	Error   int         `json:"error" jsonschema:"could not be judged"`
	Skipped int         `json:"skipped"`
	Cases   []SuiteCase `json:"cases"`
	Index   string      `json:"index" jsonschema:"path of the suite's page; empty: it could not be written"`
	Problem string      `json:"problem,omitempty" jsonschema:"why the suite could not go on"`
}

// SuiteCase holds one case of a suite.
type SuiteCase struct {
	Path       string        `json:"path"`
	Name       string        `json:"name"`
	State      string        `json:"state" jsonschema:"queued, running, done, kept or skipped"`
	Status     string        `json:"status,omitempty"`
	Flaky      bool          `json:"flaky,omitempty"`
	RunID      string        `json:"run_id,omitempty"`
	Reason     pagetext.Text `json:"reason,omitempty"`
	DurationMS int64         `json:"duration_ms,omitempty"`
}
