package engine

import (
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// Record holds one entry that an engine has for its run. One field is set, but for
// a check that failed with the finding about it.
type Record struct {
	Check       *qa.Check // without its step
	Finding     *qa.Finding
	KPI         *qa.KPIRow
	Visual      *qa.VisualRow
	NotExecuted *NotExecuted
}

// NotExecuted says that something was to be checked and was not: the run cannot
// pass by it.
type NotExecuted struct {
	Kind, Subject, Expected string
	Code                    string
	Detail                  pagetext.Sentence // why
}

// Records holds entries for a run, in the order in which they are filed.
type Records []Record

// AddCheck appends a check.
func (r *Records) AddCheck(c qa.Check) { *r = append(*r, Record{Check: &c}) }

// AddFinding appends a finding.
func (r *Records) AddFinding(f qa.Finding) { *r = append(*r, Record{Finding: &f}) }

// AddFailed appends a failed check with the finding about it.
func (r *Records) AddFailed(c qa.Check, f qa.Finding) {
	*r = append(*r, Record{Check: &c, Finding: &f})
}

// AddKPI appends a row of the table of KPIs.
func (r *Records) AddKPI(row qa.KPIRow) { *r = append(*r, Record{KPI: &row}) }

// AddVisual appends a row of the comparison of pictures.
func (r *Records) AddVisual(row qa.VisualRow) { *r = append(*r, Record{Visual: &row}) }

// AddNotExecuted appends what was not checked.
func (r *Records) AddNotExecuted(n NotExecuted) { *r = append(*r, Record{NotExecuted: &n}) }
