package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// Outcome is how a case ended in one suite.
type Outcome struct {
	SuiteID    string        `json:"suite_id"`
	StartedAt  time.Time     `json:"started_at"` // of the suite
	Status     qa.TestStatus `json:"status"`
	DurationMS int64         `json:"duration_ms"`
	RunID      string        `json:"run_id,omitempty"`
	Reason     pagetext.Text `json:"reason,omitempty"` // why it did not pass
}

// CaseID tells the same case in several suites: its file, the row of its data and the cell of its matrix.
type CaseID struct {
	File, Cell string
	Row        int
}

// ID returns what tells the case of an entry in other suites.
func (e Entry) ID() CaseID {
	if e.File == "" { // of a suite that an early version stored
		return CaseID{e.Path, e.Cell, e.Row}
	}
	return CaseID{e.File, e.Cell, e.Row}
}

// History holds how cases ended in stored suites, the newest first.
type History map[CaseID][]Outcome

// HistoryLimit is how many of the newest suites a history is made of.
const HistoryLimit = 50

// History reads the newest suites, at most [HistoryLimit]. What a suite kept of an older one counts there alone. A suite
// that can't be read is left out.
func (st Store) History() (History, error) {
	entries, err := os.ReadDir(st.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("suites: %w", err)
	}
	slices.Reverse(entries) // ids sort by time
	out := History{}
	for _, e := range entries[:min(len(entries), HistoryLimit)] {
		s, err := st.read(e.Name())
		if err != nil {
			continue
		}
		for _, c := range slices.Backward(s.Entries) { // later rounds come later
			if c.Result != nil && c.State == Done {
				r := c.Result
				out[c.ID()] = append(out[c.ID()], Outcome{s.ID, s.StartedAt, r.Status, r.DurationMS, r.RunID, r.FailureReason})
			}
		}
	}
	return out, nil
}

// Newest returns the outcomes of a file's row in the newest suite in which it ran, for each cell: several where that
// suite had several rounds.
func (h History) Newest(file string, row int) (newest []Outcome) {
	for id, outcomes := range h {
		if id.File != file || id.Row != row {
			continue
		}
		for _, o := range outcomes {
			if o.SuiteID == outcomes[0].SuiteID {
				newest = append(newest, o)
			}
		}
	}
	return newest
}
