// Package verify checks evidence: a stored run, an exported bundle, or a whole
// data folder with its log. It writes nothing, and finds what it can in spite of
// what it has found.
package verify

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// Verdict names the outcome of a verification.
type Verdict string

// Verdicts.
const (
	Verified   Verdict = "verified"   // all was looked at, and is as it was signed
	Failed     Verdict = "failed"     // something is not as it was signed
	Incomplete Verdict = "incomplete" // something could not be looked at; what was is in order
)

// Severity decides what a finding does to the verdict.
type Severity string

// Severities.
const (
	Fault  Severity = "fault"  // failed
	Unseen Severity = "unseen" // incomplete
	Note   Severity = "note"   // nothing: worth knowing
)

// Finding describes one thing that is not as it should be.
type Finding struct {
	Code     string   `json:"code"` // stable, such as "file-changed"
	Severity Severity `json:"severity"`
	Run      string   `json:"run,omitempty"`
	File     string   `json:"file,omitempty"`  // from the run's folder, the bundle or the data folder
	Line     int      `json:"line,omitempty"`  // of events.jsonl, from 1
	Entry    *int64   `json:"entry,omitempty"` // index in the log, from 0
	Expected string   `json:"expected,omitempty"`
	Found    string   `json:"found,omitempty"`
	Problem  string   `json:"problem"` // a sentence
	Next     string   `json:"next"`    // what to do about it
}

// Key describes a key that signed what was checked.
type Key struct {
	Verifier string `json:"verifier"`
	Pinned   bool   `json:"pinned"` // the caller named it, or one that signed it in; otherwise the evidence names it itself
}

// Report holds the outcome of a verification: what was checked, and the findings.
type Report struct {
	Verdict    Verdict   `json:"verdict"`
	Subject    string    `json:"subject"` // run, bundle or folder
	Status     string    `json:"status,omitempty"`
	Runs       int       `json:"runs"`
	Files      int       `json:"files"` // files whose bytes were hashed
	Bytes      int64     `json:"bytes"`
	Entries    int64     `json:"entries"` // of the log, read: each counts once
	Checkpoint string    `json:"checkpoint,omitempty"`
	Keys       []Key     `json:"keys"`
	Timestamps []string  `json:"timestamps,omitempty"` // RFC 3339, of authorities
	Findings   []Finding `json:"findings"`
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
	sort.Slice(r.Keys, func(i, j int) bool { return r.Keys[i].Verifier < r.Keys[j].Verifier })
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
