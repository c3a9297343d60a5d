package runner

import (
	"errors"
	"testing"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/spec"
)

// Promise 1: a case that has passed, and whose evidence could not all be kept,
// is passed nowhere: neither in the exit code, nor in index, summary and JUnit.
func TestNoViewIsGreenerThanTheExitCode(t *testing.T) {
	task := spec.Task{TaskSpec: qa.TaskSpec{ID: "t"}, Path: "t.task.toml"}
	passed := qa.QAReport{RunID: "r", Status: qa.Passed}
	for name, c := range map[string]struct {
		err  error
		want qa.Status
	}{
		"all kept":     {nil, qa.Passed},
		"not all kept": {errors.New("the transcript could not be stored"), qa.Inconclusive},
	} {
		r := taskResult(task.ID, passed, t.TempDir(), c.err)
		s := suite.Suite{Entries: []suite.Entry{{Name: "t", State: suite.Done, Result: &r}}}
		s.FinishedAt = s.StartedAt.AddDate(1, 0, 0)
		views := s.View("")
		exit := qa.SumUp("s", s.StartedAt, s.FinishedAt, s.Cases()).Status
		if views.Status() != c.want || views.Cases[0].Status != c.want || exit != c.want.TestStatus() {
			t.Errorf("%s: the views say %s, the exit code %s; want %s", name, views.Status(), exit, c.want)
		}
	}
}
