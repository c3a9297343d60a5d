package qa

import (
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
)

// TestStatus names the outcome of a test case or of a step of one.
type TestStatus string

// The outcomes of a test case. What a run calls inconclusive is an error here:
// the tester could not find out.
const (
	TestPassed  TestStatus = "passed"
	TestFailed  TestStatus = "failed"
	TestError   TestStatus = "error"
	TestSkipped TestStatus = "skipped"
)

// TestStatus returns the status of a run in the words of a test case.
func (s Status) TestStatus() TestStatus {
	switch s {
	case Passed:
		return TestPassed
	case Failed:
		return TestFailed
	default:
		return TestError
	}
}

// TestResult holds the outcome of several test cases, for machines (B4).
type TestResult struct {
	TestRunID  string        `json:"test_run_id"`
	Timestamp  time.Time     `json:"timestamp"` // when the first case began
	DurationMS int64         `json:"duration_ms"`
	Status     TestStatus    `json:"status"`
	TestCases  []TestCase    `json:"test_cases"`
	Summary    TestSummary   `json:"summary"`
	Artifacts  TestArtifacts `json:"artifacts"`
}

// TestCase holds one case of a TestResult.
type TestCase struct {
	Name          pagetext.Text  `json:"name"`
	Status        TestStatus     `json:"status"`
	DurationMS    int64          `json:"duration_ms"`
	Screenshots   []string       `json:"screenshots"` // paths of the pictures, in the order they were taken
	ConsoleLogs   []ConsoleEntry `json:"console_logs"`
	FailureReason pagetext.Text  `json:"failure_reason,omitempty"`
	RunID         string         `json:"run_id,omitempty"`   // the run that holds the evidence
	Report        string         `json:"report,omitempty"`   // path of the run's report.html
	Attempts      int            `json:"attempts,omitempty"` // how often the case was run
	Flaky         bool           `json:"flaky,omitempty"`    // it passed, but not at once
	// Quarantine says why, and until when, it does not count that the case did not pass; empty: it counts.
	Quarantine pagetext.Text `json:"quarantine,omitempty"`
}

// ConsoleEntry holds one console message of a page under test.
type ConsoleEntry struct {
	Level string        `json:"level"`
	Text  pagetext.Text `json:"text"`
	URL   string        `json:"url,omitempty"`
	Line  int           `json:"line,omitempty"`
	Time  time.Time     `json:"time"`
}

// TestSummary counts test cases by outcome.
type TestSummary struct {
	Total   int `json:"total"`
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Error   int `json:"error"`
	Skipped int `json:"skipped"`
}

// TestArtifacts lists the files that the cases left, by path.
type TestArtifacts struct {
	Screenshots []TestFile `json:"screenshots"`
	Videos      []TestFile `json:"videos,omitempty"`
	Traces      []TestFile `json:"traces,omitempty"`
}

// TestFile names a file that a case left.
type TestFile struct {
	Name string `json:"name"` // the last part of its path
	Path string `json:"path"`
}

// TestFiles names files by their paths.
func TestFiles(paths []string) []TestFile {
	out := make([]TestFile, len(paths))
	for i, p := range paths {
		out[i] = TestFile{Name: p[strings.LastIndexAny(p, `/\`)+1:], Path: p}
	}
	return out
}

// SumUp makes the result of its cases: failed if any failed, otherwise error
// if any could not be judged, or was skipped, or there was none that counts. What is
// in quarantine and did not pass counts as skipped, and decides nothing.
func SumUp(id string, started, finished time.Time, cases []TestCase) TestResult {
	r := TestResult{TestRunID: id, Timestamp: started, DurationMS: finished.Sub(started).Milliseconds(),
		TestCases: append([]TestCase{}, cases...), Summary: TestSummary{Total: len(cases)}, Artifacts: TestArtifacts{Screenshots: []TestFile{}}}
	quarantined := 0
	for _, c := range cases {
		status := c.Status
		if c.Quarantine != "" && status != TestPassed {
			status = TestSkipped
			quarantined++
		}
		switch status {
		case TestPassed:
			r.Summary.Passed++
		case TestFailed:
			r.Summary.Failed++
		case TestSkipped:
			r.Summary.Skipped++
		default:
			r.Summary.Error++
		}
		r.Artifacts.Screenshots = append(r.Artifacts.Screenshots, TestFiles(c.Screenshots)...)
	}
	switch {
	case r.Summary.Failed > 0:
		r.Status = TestFailed
	case r.Summary.Passed > 0 && r.Summary.Passed+quarantined == r.Summary.Total:
		r.Status = TestPassed
	default:
		r.Status = TestError
	}
	return r
}

// Verdict returns the status of a run that a test case stands for: what is neither
// passed nor failed could not be judged.
func (s TestStatus) Verdict() Status {
	switch s {
	case TestPassed:
		return Passed
	case TestFailed:
		return Failed
	default:
		return Inconclusive
	}
}
