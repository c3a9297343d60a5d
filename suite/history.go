package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/assay-qa/assay/qa/summary"
)

// Bounds of what is looked up of earlier runs.
const (
	maxPast     = 10 // runs of a case
	maxPastRead = 40 // suites
)

// Past holds what became of a case in an earlier suite.
type Past = summary.Past

// WithHistory returns a suite whose cases have their last outcomes in the suites of the same
// command that were stored before it, oldest first. A stored suite that can't be read has
// none.
func (st Store) WithHistory(s Suite) (Suite, error) {
	entries, err := os.ReadDir(st.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s, fmt.Errorf("earlier suites: %w", err)
	}
	s.Entries = slices.Clone(s.Entries)
	slices.Reverse(entries) // ids sort by time
	read := 0
	for _, e := range entries {
		if e.Name() >= s.ID || read == maxPastRead {
			continue
		}
		old, err := st.read(e.Name())
		if read++; err != nil || old.Command != s.Command {
			continue
		}
		for i := range s.Entries {
			s.Entries[i].addPast(old)
		}
	}
	for i := range s.Entries {
		slices.Reverse(s.Entries[i].Past)
	}
	return s, nil
}

// addPast adds what became of the case in an earlier suite. What was kept from one before
// that did not run in it.
func (e *Entry) addPast(old Suite) {
	at := slices.IndexFunc(old.Entries, e.same)
	if at < 0 || old.Entries[at].State == Kept || old.Entries[at].Result == nil || len(e.Past) == maxPast {
		return
	}
	r := old.Entries[at].Result
	e.Past = append(e.Past, Past{At: old.StartedAt, Status: r.Status.Verdict(), DurationMS: r.DurationMS})
}

// same reports whether an entry of another suite is the same case.
func (e *Entry) same(o Entry) bool {
	return o.File == e.File && o.Row == e.Row && o.Cell == e.Cell && (e.File != "" || o.Path == e.Path) && (e.Hash != "" || o.Name == e.Name)
}
