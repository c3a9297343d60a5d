package suite

import (
	"slices"

	"github.com/assay-qa/assay/qa"
)

// New makes a suite of the cases, all of them yet to run.
func New(id, base string, paths []string, cases []Case) Suite {
	s := Suite{ID: id, BaseURL: base, Paths: paths}
	for _, c := range cases {
		s.Entries = append(s.Entries, Entry{Path: c.Path, File: c.File, Name: c.Name, Hash: c.Hash, Row: c.Row, Cell: c.Cell, Tags: c.Tags, Round: c.Round, State: Queued})
	}
	return s
}

// Resume makes a queued suite continue an older one: what passed there, and whose
// file is the same, is kept; everything else runs again, with a note that says
// why. Against another base address nothing is kept.
func Resume(s, old Suite) Suite {
	s.Resumes = old.ID
	for i := range s.Entries {
		e := &s.Entries[i]
		j := slices.IndexFunc(old.Entries, func(o Entry) bool { return o.ID() == e.ID() })
		if bad := slices.IndexFunc(old.Entries, func(o Entry) bool { // in one of its rounds
			return o.ID() == e.ID() && (o.Result == nil || o.Result.Status != qa.TestPassed)
		}); bad >= 0 {
			j = bad
		}
		switch {
		case j < 0:
			e.Note = "it is new"
		case old.BaseURL != s.BaseURL:
			e.Note = "the base address is another one"
		case old.Entries[j].Hash != e.Hash:
			e.Note = "its file was changed"
		case old.Entries[j].Result == nil:
			e.Note = "it was not run"
		case old.Entries[j].Result.Status != qa.TestPassed:
			e.Note = "it had not passed: " + string(old.Entries[j].Result.Status)
		default:
			e.State, e.Result = Kept, old.Entries[j].Result
		}
	}
	return s
}
