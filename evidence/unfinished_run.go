package evidence

import (
	"fmt"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/qa"
)

// Abandoned returns what interrupts a run whose client went away.
func Abandoned() qa.Interruption {
	return qa.Interruption{Kind: qa.NotExecuted, Subject: "run_finish", Detail: "the client went away before it finished the run"}
}

// Unfinished returns the task of a run that its client did not finish, and the checks that
// were executed in it: what another run goes on from. A run that was finished is an
// [ErrFinished], unless the server finished it because its client went away.
func (s *Store) Unfinished(id string) (task qa.TaskSpec, checks []qa.Check, err error) {
	root, err := s.openRun(id)
	if err != nil {
		return task, nil, err
	}
	defer root.Close()
	j, err := readEventLog(root, id)
	switch {
	case err != nil:
		return task, nil, err
	case j.started.Task == nil:
		return task, nil, &CorruptError{Run: id, File: ledger.EventsFile, Why: "does not say which task was run"}
	case j.finished && !j.abandoned:
		return task, nil, fmt.Errorf("%w (run %s is %s)", ErrFinished, id, j.status)
	}
	return *j.started.Task, j.executed, nil
}
