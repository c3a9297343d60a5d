package workspace

import (
	"context"
	"errors"
)

// ErrTestRunRefused says that no tests were run.
var ErrTestRunRefused = errors.New("no tests are run")

// ErrNoTestRun says that no test run of this server has that id.
var ErrNoTestRun = errors.New("no test run of this server has that id")

// TestRuns runs Playwright tests in the background, for clients whose calls must be short.
type TestRuns interface {
	Start(ctx context.Context, ws *Workspace, r TestRequest) (TestStatus, error)
	// Status returns where a test run stands at its end, or when ctx ends, whichever is
	// first.
	Status(ctx context.Context, id string) (TestStatus, error)
	// Cancel ends a test run; what ended by then is filed.
	Cancel(ctx context.Context, id string) (TestStatus, error)
}

// TestRequest says which tests run.
type TestRequest struct {
	Pattern       string // a file, a folder or a part of a path below the project's folder; empty: all
	ExplorationID string // run the tests that were made of this exploration
	Grep          string // regular expression over titles
	Project       string // of Playwright's configuration
	Role          string // who is signed in
	BaseURL       string
	TimeoutMS     int // bound on one test
}

// TestStatus holds where a test run stands, and what came of its tests.
type TestStatus struct {
	TestRunID string        `json:"test_run_id"`
	State     string        `json:"state" jsonschema:"running, finished or cancelled"`
	Status    string        `json:"status,omitempty" jsonschema:"passed, failed or inconclusive"`
	Passed    int           `json:"passed"`
	Failed    int           `json:"failed"`
	Flaky     int           `json:"flaky" jsonschema:"always 0: nothing is repeated"`
	Tests     []TestOutcome `json:"tests"`
	LeftOut   int           `json:"left_out,omitempty" jsonschema:"tests that passed and are not listed: the report has them"`
	Errors    []string      `json:"errors,omitempty" jsonschema:"beside tests, such as files that can't be read"`
	Suite     string        `json:"suite,omitempty"`
	Report    string        `json:"report,omitempty" jsonschema:"path of the index; junit.xml is beside it"`
	Traces    []string      `json:"traces"`
	Runner    string        `json:"runner,omitempty"`
	Problem   string        `json:"problem,omitempty"`
}

// TestOutcome is what came of one test.
type TestOutcome struct {
	Title      string `json:"title"`
	File       string `json:"file"`
	Line       int    `json:"line"`
	Project    string `json:"project,omitempty"`
	Status     string `json:"status"`
	DurationMS int64  `json:"duration_ms"`
	Error      string `json:"error,omitempty"`
	Locator    string `json:"locator,omitempty"`
}
