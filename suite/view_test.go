package suite_test

import (
	"testing"
	"time"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
)

// Promise 1, A15: whatever reads a suite sees the same of a case. Only a result that
// passed is a pass; what has begun and left no result is inconclusive at the end.
func TestView(t *testing.T) {
	result := func(s qa.TestStatus) *suite.Result {
		return &suite.Result{TestCase: qa.TestCase{Status: s, FailureReason: "why"}}
	}
	for name, c := range map[string]struct {
		entry   suite.Entry
		ended   bool
		status  qa.Status
		running bool
		reason  string
	}{
		"queued":                 {suite.Entry{State: suite.Queued}, false, "", false, ""},
		"queued, run again":      {suite.Entry{State: suite.Queued, Note: "it is new"}, false, "", false, "it is new"},
		"running":                {suite.Entry{State: suite.Running}, false, "", true, ""},
		"passed":                 {suite.Entry{State: suite.Done, Result: result(qa.TestPassed)}, true, qa.Passed, false, "why"},
		"failed":                 {suite.Entry{State: suite.Done, Result: result(qa.TestFailed)}, true, qa.Failed, false, "why"},
		"could not be judged":    {suite.Entry{State: suite.Done, Result: result(qa.TestError)}, true, qa.Inconclusive, false, "why"},
		"kept":                   {suite.Entry{State: suite.Kept, Result: result(qa.TestPassed)}, true, qa.Passed, false, "why"},
		"interrupted before":     {suite.Entry{State: suite.Skipped}, true, qa.Inconclusive, false, "interrupted before it began"},
		"begun, without any end": {suite.Entry{State: suite.Running, Note: "the disk is full"}, true, qa.Inconclusive, false, "the disk is full"},
	} {
		s := suite.Suite{Entries: []suite.Entry{c.entry}}
		if c.ended {
			s.FinishedAt = s.StartedAt.Add(time.Second)
		}
		v := s.View("")
		got := v.Cases[0]
		if got.State != c.entry.State || got.Status != c.status || got.Running != c.running || !got.Reason.Equal(c.reason) {
			t.Errorf("%s: %+v", name, got)
		}
		if r := c.entry.Result; r != nil && got.Outcome != r.Status || r == nil && got.Outcome != "" {
			t.Errorf("%s: the outcome is %q", name, got.Outcome)
		}
		if passed := v.Status() == qa.Passed; passed != (c.ended && c.status == qa.Passed) {
			t.Errorf("%s: the suite is %q", name, v.Status())
		}
	}
}
