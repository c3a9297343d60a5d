package verify

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"

	"github.com/assay-qa/assay/evidence/ledger"
)

// maxSameFindings bounds the findings of one code in one run: a folder with a million
// strange files is reported on one page.
const maxSameFindings = 100

// findings collects what is found of one run, bundle or folder. It is for one goroutine.
type findings struct {
	report *Report
	run    string // id
	prefix string // of the run's files
	alike  map[string]int
}

func newFindings(subject string) *findings {
	return &findings{report: &Report{Subject: subject, Keys: []Key{}, Findings: []Finding{}}, alike: map[string]int{}}
}

// add keeps a finding, unless there are many of its code already.
func (s *findings) add(f Finding) {
	f.Run = cmp.Or(f.Run, s.run)
	if f.File != "" && f.File != ledger.Keys {
		f.File = s.prefix + f.File
	}
	s.alike[f.Code]++
	switch n := s.alike[f.Code]; {
	case n < maxSameFindings:
		s.report.Findings = append(s.report.Findings, f)
	case n == maxSameFindings:
		f.Problem, f.Next = "there are more findings like this: they are not listed", "fix what is listed, and verify again"
		f.File, f.Line, f.Entry, f.Expected, f.Found = "", 0, nil, "", ""
		s.report.Findings = append(s.report.Findings, f)
	}
}

// fault adds a finding of a file that is not as it was signed.
func (s *findings) fault(code, file, next, problem string, args ...any) {
	s.add(Finding{Code: code, Severity: Fault, File: file, Problem: fmt.Sprintf(problem, args...), Next: next})
}

// same adds a finding of a file of the run that says something else than what is expected.
func (s *findings) same(code, file, expected, found, problem string) {
	if expected != found {
		s.add(Finding{Code: code, Severity: Fault, File: file, Expected: expected, Found: found, Problem: problem, Next: restore})
	}
}

// unseen adds a finding of a file that could not be looked at.
func (s *findings) unseen(code, file, next, problem string, args ...any) {
	s.add(Finding{Code: code, Severity: Unseen, File: file, Problem: fmt.Sprintf(problem, args...), Next: next})
}

// note adds what is worth knowing of a file.
func (s *findings) note(code, file, next, problem string, args ...any) {
	s.add(Finding{Code: code, Severity: Note, File: file, Problem: fmt.Sprintf(problem, args...), Next: next})
}

// unreadable reports a file that the disk does not return.
func (s *findings) unreadable(file string, err error) {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.fault("file-missing", file, restore, "the file is missing")
	case errors.Is(err, errTooLong):
		s.fault("file-changed", file, restore, "the file was not written like this: %v", err)
	default:
		s.unseen("file-unreadable", file, "fix what keeps the file from being read, and verify again", "the file can't be read: %v", err)
	}
}

// entryFault adds a finding of an entry of the log that evidence.json brings.
func (s *findings) entryFault(index int64, code, expected, found, problem string) {
	s.add(Finding{Code: code, Severity: Fault, File: ledger.Evidence, Entry: &index, Expected: expected, Found: found, Problem: problem, Next: restore})
}
