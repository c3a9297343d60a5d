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
	"github.com/assay-qa/assay/qa/summary"
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

// CaseID tells the same case in several suites: its file, the row of its data and the cell of its matrix. Where several
// cases of a suite have one file, as Playwright tests do, the name tells them apart.
type CaseID struct {
	File, Cell, Name string
	Row              int
}

// ID returns what tells the case of an entry in other suites.
func (e Entry) ID() CaseID {
	id := CaseID{File: e.File, Cell: e.Cell, Row: e.Row}
	if id.File == "" { // of a page, or of a suite that an early version stored
		id.File = e.Path
	}
	if e.Hash == "" {
		id.Name = e.Name
	}
	return id
}

// History holds how cases ended in stored suites, the newest first.
type History map[CaseID][]Outcome

// Bounds of what is looked up of earlier suites.
const (
	HistoryLimit = 50  // suites that fit
	maxLookedAt  = 500 // suites
	maxPast      = 10  // outcomes of a case that its readers see
)

// History reads the newest suites of files, at most [HistoryLimit]. What a suite kept of an older one counts there alone. A
// suite that can't be read is left out.
func (st Store) History() (History, error) { return st.history(OfFiles) }

// history reads the newest suites that fit.
func (st Store) history(fits func(Suite) bool) (History, error) {
	entries, err := os.ReadDir(st.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("earlier suites: %w", err)
	}
	slices.Reverse(entries) // ids sort by time
	out, fitting := History{}, 0
	for _, e := range entries[:min(len(entries), maxLookedAt)] {
		s, err := st.read(e.Name())
		if err != nil || !fits(s) {
			continue
		}
		if fitting++; fitting > HistoryLimit {
			break
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

// Past holds what became of a case in an earlier suite.
type Past = summary.Past

// WithHistory returns a suite whose cases have their last outcomes in the suites of the same
// command that were stored before it, oldest first.
func (st Store) WithHistory(s Suite) (Suite, error) {
	history, err := st.history(func(old Suite) bool { return old.Command == s.Command && old.ID < s.ID })
	if err != nil {
		return s, err
	}
	s.Entries = slices.Clone(s.Entries)
	for i := range s.Entries {
		e := &s.Entries[i]
		outcomes := history[e.ID()]
		for _, o := range slices.Backward(outcomes[:min(len(outcomes), maxPast)]) {
			e.Past = append(e.Past, Past{At: o.StartedAt, Status: o.Status.Verdict(), DurationMS: o.DurationMS})
		}
	}
	return s, nil
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
