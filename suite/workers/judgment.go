package workers

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite/queue"
)

// Judgment is what a worker says of a case. It travels as an in-toto statement that the
// worker's key has signed, so that no verdict of another suite, case or turn counts.
type Judgment struct {
	Suite      string // id
	Case       string // id: a SHA-256
	Generation int
	Status     qa.TestStatus // as far as a statement tells: passed, failed, or neither
	Result     string        // SHA-256 of the case's result as JSON
	Bundle     string        // SHA-256 of its run as a zip; empty: it has no run
}

// Names in the statement.
const (
	resultFile        = "result.json"
	bundleFile        = "run.zip"
	suiteSetting      = "suite"
	caseSetting       = "case"
	generationSetting = "generation"
)

// The results of a statement.
const (
	statedPassed = "PASSED"
	statedFailed = "FAILED"
	statedOpen   = "WARNED"
)

func stated(s qa.TestStatus) string {
	switch s {
	case qa.TestPassed:
		return statedPassed
	case qa.TestFailed:
		return statedFailed
	}
	return statedOpen
}

// Sign returns the judgment as a signed envelope in JSON.
func (j Judgment) Sign(key *attest.Key) ([]byte, error) {
	subjects := []attest.Subject{{Name: resultFile, SHA256: j.Result}}
	if j.Bundle != "" {
		subjects = append(subjects, attest.Subject{Name: bundleFile, SHA256: j.Bundle})
	}
	statement, err := attest.NewStatement(subjects, attest.Result{Status: stated(j.Status), Settings: settings(j.Suite, j.Case, j.Generation)})
	if err != nil {
		return nil, err
	}
	envelope, err := key.Seal(statement)
	if err != nil {
		return nil, err
	}
	return json.Marshal(envelope)
}

// settings are the digests by which a statement names its job.
func settings(suite, id string, generation int) []attest.Subject {
	return []attest.Subject{
		{Name: caseSetting, SHA256: id}, {Name: generationSetting, SHA256: ledger.BlobDigest([]byte(strconv.Itoa(generation)))}, {Name: suiteSetting, SHA256: ledger.BlobDigest([]byte(suite))},
	}
}

// claim is what a signed judgment says of its files.
type claim struct {
	stated         string // one of the results of a statement
	result, bundle string // SHA-256
}

// open reads a judgment that a trusted worker signed about a job. The error says why it
// does not count.
func open(body []byte, trust attest.Trust, job queue.Job) (claim, error) {
	var envelope attest.Envelope
	if err := json.Unmarshal(body, &envelope); err != nil {
		return claim{}, fmt.Errorf("it is no signed envelope: %w", err)
	}
	statement, err := trust.OpenEnvelope(envelope)
	if err != nil {
		return claim{}, err
	}
	subjects, said, err := attest.ParseStatement(statement)
	if err != nil {
		return claim{}, err
	}
	for _, want := range settings(job.Suite, job.Case, job.Generation) {
		if said.Setting(want.Name) != want.SHA256 {
			return claim{}, fmt.Errorf("it was signed for another %s", want.Name)
		}
	}
	c := claim{stated: said.Status}
	for _, s := range subjects {
		switch s.Name {
		case resultFile:
			c.result = s.SHA256
		case bundleFile:
			c.bundle = s.SHA256
		}
	}
	switch {
	case c.result == "":
		return claim{}, fmt.Errorf("it names no %s", resultFile)
	case c.stated == statedPassed && c.bundle == "":
		return claim{}, fmt.Errorf("it says that the case passed, and names no %s", bundleFile)
	}
	return c, nil
}
