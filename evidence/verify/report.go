// Package verify checks evidence: a stored run, an exported bundle, or a whole
// data folder with its log. It writes nothing, and finds what it can in spite of
// what it has found.
package verify

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
