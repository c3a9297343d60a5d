package attest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// RecordFormat names the layout of evidence.json.
const RecordFormat = "assay-evidence/1"

// Record describes evidence.json of a run: all that is needed to check the run's
// folder without the log that it is in, but for the key to trust.
type Record struct {
	Format     string     `json:"format"`
	RunID      string     `json:"runId"`
	Envelope   Envelope   `json:"envelope"`            // the statement about the run's files
	Started    Entry      `json:"started"`             // of the log: the run began
	Finished   Entry      `json:"finished"`            // of the log: it ended so; names the statement's SHA-256
	Checkpoint string     `json:"checkpoint"`          // signed note that covers both
	Timestamp  *Timestamp `json:"timestamp,omitempty"` // if an authority is configured
}

// maxRecord bounds evidence.json, in bytes.
const maxRecord = 32 << 20

// Encode returns evidence.json, in the one way that it is spelt.
func (r Record) Encode() ([]byte, error) {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the evidence: %w", err)
	}
	return append(data, '\n'), nil
}

// ParseRecord reads evidence.json. What is not spelt as [Record.Encode] spells it
// was changed since.
func ParseRecord(data []byte) (Record, error) {
	if len(data) > maxRecord {
		return Record{}, fmt.Errorf("read the evidence: it has %d bytes, and at most %d are read", len(data), maxRecord)
	}
	var r Record
	if err := json.Unmarshal(data, &r); err != nil {
		return Record{}, fmt.Errorf("read the evidence: %w", err)
	}
	if r.Format != RecordFormat {
		return Record{}, fmt.Errorf("read the evidence: its format is %.100q, and only %q is known here", r.Format, RecordFormat)
	}
	if again, err := r.Encode(); err != nil || !bytes.Equal(again, data) {
		return Record{}, errors.New("read the evidence: it says the same in other bytes than were written")
	}
	return r, nil
}

// Timestamp holds what an authority says of the time (RFC 3161).
type Timestamp struct {
	Authority string `json:"authority"`         // address of the request
	Over      string `json:"over"`              // SHA-256 of what it is about: the signed checkpoint's bytes
	Token     []byte `json:"token,omitempty"`   // DER, as it came
	Problem   string `json:"problem,omitempty"` // why there is no token
}

// Subject describes one file that a statement is about.
type Subject struct {
	Name   string
	SHA256 string // lower-case hexadecimal
}

// Result holds what a statement says of its subjects (in-toto test-result v0.1).
type Result struct {
	Status   string   // PASSED, FAILED or WARNED, as the predicate has it
	Passed   []string // names of checks
	Failed   []string
	Warned   []string  // what could not be looked at
	Settings []Subject // what the run was configured by: task, environment
}

// Settings that a statement names where they were off.
const (
	NoPictures = "screenshot_hashing=false" // it leaves pictures out: the event log has their digests
	NoAudit    = "audit_logging=false"
)

// Setting returns the digest of a setting, or "" if the statement does not name it.
func (r Result) Setting(name string) string {
	for _, s := range r.Settings {
		if s.Name == name {
			return s.SHA256
		}
	}
	return ""
}
