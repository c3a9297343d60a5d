package verify

import (
	"cmp"
	"crypto/x509"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/evidence/paths"
)

// Options names keys and authorities to trust beyond those that the evidence itself names.
type Options struct {
	Trusted     []string       // verifier keys to pin; none: those of log/keys will do, and the report says that none is pinned
	Checkpoint  []byte         // signed checkpoint of the log that was kept elsewhere
	Authorities *x509.CertPool // that certify time-stamps; nil: any, and a finding says so
}

// maxSameFindings bounds the findings of one code in one run: a folder with a million
// strange files is reported on one page.
const maxSameFindings = 100

// verification holds the trusted keys for one run, bundle or folder, and what
// was found. It is for one goroutine.
type verification struct {
	options  Options
	ring     keyRing
	log      *openedLog    // nil: not at hand
	packed   *bundleProofs // what a bundle has of it; nil: no bundle
	prefix   string        // of the run's files, in findings
	run      string        // id
	report   *Report
	anchored bool                 // a pinned key signed a checkpoint that covers the run
	whole    bool                 // of a whole data folder
	stories  map[string]runEvents // of the whole log, by run; nil: not read
	alike    map[string]int
}

func newVerification(subject string, o Options) *verification {
	return &verification{options: o, report: &Report{Subject: subject, Keys: []Key{}, Findings: []Finding{}}, alike: map[string]int{}}
}

func (v *verification) add(f Finding) {
	f.Run = cmp.Or(f.Run, v.run)
	if f.File != "" && f.File != paths.Keys {
		f.File = v.prefix + f.File
	}
	v.alike[f.Code]++
	switch n := v.alike[f.Code]; {
	case n < maxSameFindings:
		v.report.Findings = append(v.report.Findings, f)
	case n == maxSameFindings:
		f.Problem, f.Next = "there are more findings like this: they are not listed", "fix what is listed, and verify again"
		f.File, f.Line, f.Entry, f.Expected, f.Found = "", 0, nil, "", ""
		v.report.Findings = append(v.report.Findings, f)
	}
}

// fault adds a finding of a file that is not as it was signed.
func (v *verification) fault(code, file, next, problem string, args ...any) {
	v.add(Finding{Code: code, Severity: Fault, File: file, Problem: fmt.Sprintf(problem, args...), Next: next})
}

// unseen adds a finding of a file that could not be looked at.
func (v *verification) unseen(code, file, next, problem string, args ...any) {
	v.add(Finding{Code: code, Severity: Unseen, File: file, Problem: fmt.Sprintf(problem, args...), Next: next})
}

// note adds what is worth knowing of a file.
func (v *verification) note(code, file, next, problem string, args ...any) {
	v.add(Finding{Code: code, Severity: Note, File: file, Problem: fmt.Sprintf(problem, args...), Next: next})
}

// merge takes over what another verification of the same subject came to.
func (r *Report) merge(other *Report) {
	r.Runs += other.Runs
	r.Files += other.Files
	r.Bytes += other.Bytes
	r.Entries += other.Entries
	r.Timestamps = append(r.Timestamps, other.Timestamps...)
	r.Findings = append(r.Findings, other.Findings...)
	for _, k := range other.Keys {
		r.addKey(k)
	}
}

func (r *Report) addKey(k Key) {
	i := slices.IndexFunc(r.Keys, func(old Key) bool { return old.Verifier == k.Verifier })
	if i < 0 {
		r.Keys = append(r.Keys, k)
		return
	}
	r.Keys[i].Pinned = r.Keys[i].Pinned || k.Pinned
}

// conclude sorts the findings, worst first, and sets the verdict.
func (r *Report) conclude() {
	grave := []Severity{Fault, Unseen, Note}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(slices.Index(grave, a.Severity), slices.Index(grave, b.Severity)), strings.Compare(a.Run, b.Run))
	})
	slices.SortFunc(r.Keys, func(a, b Key) int { return strings.Compare(a.Verifier, b.Verifier) })
	slices.Sort(r.Timestamps)
	r.Verdict = Verified
	if len(r.Findings) == 0 {
		return
	}
	switch r.Findings[0].Severity {
	case Fault:
		r.Verdict = Failed
	case Unseen:
		r.Verdict = Incomplete
	case Note:
	}
}
