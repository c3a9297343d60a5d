package attest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// PredicateType names the predicate type of a test result
// (https://github.com/in-toto/attestation/blob/main/spec/predicates/test-result.md).
const PredicateType = "https://in-toto.io/attestation/test-result/v0.1"

// statementType is the type of an in-toto statement
// (https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md).
const statementType = "https://in-toto.io/Statement/v1"

// statement is an in-toto statement of a test result, as it is written: the members in this
// order, empty lists left out.
type statement struct {
	Type          string       `json:"_type"`
	Subject       []descriptor `json:"subject,omitempty"`
	PredicateType string       `json:"predicateType"`
	Predicate     testResult   `json:"predicate"`
}

type descriptor struct {
	Name   string            `json:"name,omitempty"`
	Digest map[string]string `json:"digest,omitempty"`
}

// testResult is the predicate. Its members, and those of what it lists, are in the order of
// the alphabet.
type testResult struct {
	Configuration []setting `json:"configuration,omitempty"`
	FailedTests   []string  `json:"failedTests,omitempty"`
	PassedTests   []string  `json:"passedTests,omitempty"`
	Result        string    `json:"result,omitempty"`
	WarnedTests   []string  `json:"warnedTests,omitempty"`
}

type setting struct {
	Digest map[string]string `json:"digest,omitempty"`
	Name   string            `json:"name,omitempty"`
}

func descriptors(subjects []Subject) []descriptor {
	sorted := slices.SortedFunc(slices.Values(subjects), func(a, b Subject) int { return strings.Compare(a.Name, b.Name) })
	list := make([]descriptor, len(sorted))
	for i, s := range sorted {
		list[i] = descriptor{Name: s.Name, Digest: map[string]string{"sha256": s.SHA256}}
	}
	return list
}

func settings(subjects []Subject) []setting {
	var list []setting
	for _, d := range descriptors(subjects) {
		list = append(list, setting{Digest: d.Digest, Name: d.Name})
	}
	return list
}

// NewStatement returns an in-toto statement, in one line of JSON, that the
// subjects came out as result says. A subject is named by its path in the run's
// folder; no two have the same.
func NewStatement(subjects []Subject, result Result) ([]byte, error) {
	statement, err := marshalStatement(subjects, result)
	if err != nil {
		return nil, fmt.Errorf("state the result: %w", err)
	}
	// What can't be read again must not be signed.
	if _, _, err := ParseStatement(statement); err != nil {
		return nil, fmt.Errorf("state the result: %w", err)
	}
	return statement, nil
}

func marshalStatement(subjects []Subject, result Result) ([]byte, error) {
	return statement{Type: statementType, Subject: descriptors(subjects), PredicateType: PredicateType, Predicate: testResult{
		Result: result.Status, Configuration: settings(result.Settings),
		PassedTests: result.Passed, FailedTests: result.Failed, WarnedTests: result.Warned,
	}}.line()
}

// line returns the statement in one line of JSON.
func (s statement) line() ([]byte, error) {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(line.Bytes(), []byte("\n")), nil
}

// ParseStatement returns what a statement says, its subjects sorted by name. It
// takes what [NewStatement] writes, and no other statements.
func ParseStatement(data []byte) ([]Subject, Result, error) {
	subjects, result, err := parseStatement(data)
	if err != nil {
		return nil, Result{}, fmt.Errorf("read statement: %w", err)
	}
	return subjects, result, nil
}

func parseStatement(data []byte) ([]Subject, Result, error) {
	if len(data) > maxStatement {
		return nil, Result{}, fmt.Errorf("it has %d bytes, and at most %d are read", len(data), maxStatement)
	}
	var said statement
	if err := json.Unmarshal(data, &said); err != nil {
		return nil, Result{}, err
	}
	switch {
	case said.Type != statementType:
		return nil, Result{}, fmt.Errorf("it is a %.100q, and no in-toto statement", said.Type)
	case said.PredicateType != PredicateType:
		return nil, Result{}, fmt.Errorf("it tells of %.100q, not of a test result", said.PredicateType)
	case len(said.Subject) == 0:
		return nil, Result{}, errors.New("it has no subject")
	}
	// A member that is unknown, named twice or in other letters could tell another reader
	// something else.
	if line, err := said.line(); err != nil || !bytes.Equal(line, data) {
		return nil, Result{}, errors.New("it has members, or is written in a way, that assay doesn't write")
	}
	result := said.Predicate
	if status := result.Result; !slices.Contains([]string{"PASSED", "FAILED", "WARNED"}, status) {
		return nil, Result{}, fmt.Errorf("its result is %.100q, and not PASSED, FAILED or WARNED", status)
	}
	files, err := subjectsOf(said.Subject)
	if err != nil {
		return nil, Result{}, err
	}
	var configuration []descriptor
	for _, c := range result.Configuration {
		configuration = append(configuration, descriptor{Name: c.Name, Digest: c.Digest})
	}
	settings, err := subjectsOf(configuration)
	if err != nil {
		return nil, Result{}, fmt.Errorf("configuration: %w", err)
	}
	return files, Result{Status: result.Result, Passed: result.PassedTests, Failed: result.FailedTests, Warned: result.WarnedTests, Settings: settings}, nil
}

// subjectsOf returns the subjects sorted. None may occur twice, and all lie below the folder
// that they are looked for in.
func subjectsOf(list []descriptor) ([]Subject, error) {
	out := make([]Subject, len(list))
	for i, d := range list {
		s := Subject{Name: d.Name, SHA256: d.Digest["sha256"]}
		if !fs.ValidPath(s.Name) || s.Name == "." || strings.ContainsAny(s.Name, `\:`) {
			return nil, fmt.Errorf("subject %d: %.100q is no path in a run's folder", i+1, s.Name)
		}
		if i > 0 && s.Name <= out[i-1].Name {
			return nil, fmt.Errorf("subject %d: %.100q stands there twice, or out of order", i+1, s.Name)
		}
		if sum, err := hex.DecodeString(s.SHA256); err != nil || len(sum) != sha256.Size || strings.ToLower(s.SHA256) != s.SHA256 || len(d.Digest) != 1 {
			return nil, fmt.Errorf("subject %d: %.100q has another digest than a SHA-256", i+1, s.Name)
		}
		out[i] = s
	}
	return out, nil
}
