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
	"unicode/utf8"
)

// statementType names version 1 of in-toto's statements
// (https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md).
const statementType = "https://in-toto.io/Statement/v1"

// PredicateType names the predicate type of a test result
// (https://github.com/in-toto/attestation/blob/main/spec/predicates/test-result.md).
const PredicateType = "https://in-toto.io/attestation/test-result/v0.1"

// statement is an in-toto statement of a test result. Its fields stand in the order in which
// in-toto's own types write them.
type statement struct {
	Type          string       `json:"_type"`
	Subject       []descriptor `json:"subject"`
	PredicateType string       `json:"predicateType"`
	Predicate     testResult   `json:"predicate"`
}

// descriptor names a file, or a setting, by its digest.
type descriptor struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

// setting is a descriptor in a predicate, whose fields are sorted by name.
type setting struct {
	Digest map[string]string `json:"digest"`
	Name   string            `json:"name"`
}

// testResult is the predicate; see [PredicateType].
type testResult struct {
	Configuration []setting `json:"configuration,omitempty"`
	FailedTests   []string  `json:"failedTests,omitempty"`
	PassedTests   []string  `json:"passedTests,omitempty"`
	Result        string    `json:"result"`
	WarnedTests   []string  `json:"warnedTests,omitempty"`
}

func descriptors(subjects []Subject) []descriptor {
	sorted := slices.SortedFunc(slices.Values(subjects), func(a, b Subject) int { return strings.Compare(a.Name, b.Name) })
	list := make([]descriptor, len(sorted))
	for i, s := range sorted {
		list[i] = descriptor{s.Name, map[string]string{"sha256": s.SHA256}}
	}
	return list
}

// settings are descriptors as a predicate has them.
func settings(of []Subject) []setting {
	var list []setting
	for _, d := range descriptors(of) {
		list = append(list, setting{d.Digest, d.Name})
	}
	return list
}

// NewStatement returns an in-toto statement, in one line of JSON, that the
// subjects came out as result says. A subject is named by its path in the run's
// folder; no two have the same.
func NewStatement(subjects []Subject, result Result) (_ []byte, err error) {
	defer explain(&err, "state the result")
	statement, err := marshalStatement(subjects, result)
	if err != nil {
		return nil, err
	}
	// What can't be read again must not be signed.
	if _, _, err := ParseStatement(statement); err != nil {
		return nil, err
	}
	return statement, nil
}

func marshalStatement(subjects []Subject, result Result) ([]byte, error) {
	for _, said := range slices.Concat([]string{result.Status}, result.Passed, result.Failed, result.Warned, names(subjects), names(result.Settings)) {
		if !utf8.ValidString(said) { // it would be written as another name
			return nil, fmt.Errorf("%.100q is no text", said)
		}
	}
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(statement{statementType, descriptors(subjects), PredicateType, testResult{
		Result: result.Status, Configuration: settings(result.Settings),
		PassedTests: result.Passed, FailedTests: result.Failed, WarnedTests: result.Warned,
	}})
	return bytes.TrimSuffix(line.Bytes(), []byte("\n")), err
}

func names(subjects []Subject) []string {
	list := make([]string, len(subjects))
	for i, s := range subjects {
		list[i] = s.Name
	}
	return list
}

// ParseStatement returns what a statement says, its subjects sorted by name. It
// takes what [NewStatement] writes, and no other statements.
func ParseStatement(data []byte) (_ []Subject, _ Result, err error) {
	defer explain(&err, "read statement")
	if len(data) > maxStatement {
		return nil, Result{}, fmt.Errorf("it has %d bytes, and at most %d are read", len(data), maxStatement)
	}
	var said statement
	if err := json.Unmarshal(data, &said); err != nil {
		return nil, Result{}, err
	}
	switch {
	case said.Type != statementType:
		return nil, Result{}, fmt.Errorf("it is a %.100q, not a %s", said.Type, statementType)
	case len(said.Subject) == 0:
		return nil, Result{}, errors.New("it names no file")
	case said.PredicateType != PredicateType:
		return nil, Result{}, fmt.Errorf("it tells of %.100q, not of a test result", said.PredicateType)
	case !slices.Contains([]string{"PASSED", "FAILED", "WARNED"}, said.Predicate.Result):
		return nil, Result{}, fmt.Errorf("its result is %.100q, and not PASSED, FAILED or WARNED", said.Predicate.Result)
	}
	files, err := subjects(said.Subject)
	if err != nil {
		return nil, Result{}, err
	}
	var configured []descriptor
	for _, c := range said.Predicate.Configuration {
		configured = append(configured, descriptor{c.Name, c.Digest})
	}
	known, err := subjects(configured)
	if err != nil {
		return nil, Result{}, fmt.Errorf("configuration: %w", err)
	}
	result := Result{
		Status: said.Predicate.Result, Passed: said.Predicate.PassedTests, Failed: said.Predicate.FailedTests, Warned: said.Predicate.WarnedTests,
		Settings: known,
	}
	// A field twice, one that is unknown, or another case: two readers could read two results.
	if again, err := marshalStatement(files, result); err != nil || !bytes.Equal(again, data) {
		return nil, Result{}, errors.Join(errors.New("it is not written as its writer writes it"), err)
	}
	return files, result, nil
}

// subjects returns the subjects sorted. None may occur twice, and all lie below the folder
// that they are looked for in.
func subjects(list []descriptor) ([]Subject, error) {
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
