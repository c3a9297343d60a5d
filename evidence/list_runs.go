package evidence

import (
	"errors"
	"strings"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/qa"
)

// State says how far a stored run got.
type State string

// The states of a stored run.
const (
	Finished   State = "finished"
	Unfinished State = "unfinished" // still going on, or its process died
	Damaged    State = "damaged"    // its files are not what was stored
)

// RunSummary holds one line of the list of runs.
type RunSummary struct {
	ID         string    `json:"id"`
	State      State     `json:"state"`
	Status     qa.Status `json:"status,omitempty"` // of a finished run
	Goal       string    `json:"goal"`
	StartedAt  time.Time `json:"startedAt"`
	FinishedAt time.Time `json:"finishedAt,omitzero"`
	Checks     int       `json:"checks"`
	Findings   int       `json:"findings"`
	Problem    string    `json:"problem,omitempty"` // what is damaged
}

// Runs lists the stored runs, newest first. Damaged runs are in the list, with
// what is wrong; whatever has no run's name is not. The artefacts' bytes are
// not read: [Store.Artifact] does that.
func (s *Store) Runs() ([]RunSummary, error) {
	ids, err := ledger.Runs(s.dir)
	var runs []RunSummary
	for _, id := range ids {
		runs = append(runs, s.summary(id))
	}
	return runs, err
}

func (s *Store) summary(id string) RunSummary {
	// The id itself holds the start, whatever has happened to the files.
	started, _ := time.Parse(ledger.RunIDTime, id[:strings.LastIndexByte(id, '-')])
	sum := RunSummary{ID: id, State: Damaged, StartedAt: started}
	if err := s.summarise(id, &sum); err != nil {
		sum.State, sum.Problem = Damaged, err.Error()
	}
	return sum
}

func (s *Store) summarise(id string, sum *RunSummary) error {
	root, err := s.openRun(id)
	if err != nil {
		return err
	}
	defer root.Close()
	j, err := readEventLog(root, id)
	if !j.started.Time.IsZero() {
		sum.StartedAt = j.started.Time
	}
	if j.started.Task != nil {
		sum.Goal = j.started.Task.Goal
	}
	sum.Checks, sum.Findings = j.checks, j.findings
	if err != nil {
		return err
	}
	report, err := j.report(root)
	switch {
	case errors.Is(err, ErrNotFound):
		sum.State = Unfinished
		return nil
	case err != nil:
		return err
	}
	sum.State, sum.Status = Finished, report.Status
	sum.FinishedAt, sum.Findings = report.FinishedAt, len(report.Findings)
	return nil
}
