package attest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	testresult "github.com/in-toto/attestation/go/predicates/test_result/v0"
	intoto "github.com/in-toto/attestation/go/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"
)

// PredicateType names the predicate type of a test result
// (https://github.com/in-toto/attestation/blob/main/spec/predicates/test-result.md).
const PredicateType = "https://in-toto.io/attestation/test-result/v0.1"

func descriptors(subjects []Subject) []*intoto.ResourceDescriptor {
	sorted := slices.SortedFunc(slices.Values(subjects), func(a, b Subject) int { return strings.Compare(a.Name, b.Name) })
	list := make([]*intoto.ResourceDescriptor, len(sorted))
	for i, s := range sorted {
		list[i] = &intoto.ResourceDescriptor{Name: s.Name, Digest: map[string]string{"sha256": s.SHA256}}
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
	predicate, err := protojson.Marshal(&testresult.TestResult{
		Result: result.Status, Configuration: descriptors(result.Settings),
		PassedTests: result.Passed, FailedTests: result.Failed, WarnedTests: result.Warned,
	})
	if err != nil {
		return nil, err
	}
	fields := new(structpb.Struct)
	if err := protojson.Unmarshal(predicate, fields); err != nil {
		return nil, err
	}
	spaced, err := protojson.Marshal(&intoto.Statement{
		Type: intoto.StatementTypeUri, Subject: descriptors(subjects), PredicateType: PredicateType, Predicate: fields,
	})
	if err != nil {
		return nil, err
	}
	var line bytes.Buffer // protojson puts in spaces at random
	if err := json.Compact(&line, spaced); err != nil {
		return nil, err
	}
	return line.Bytes(), nil
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
	var statement intoto.Statement
	if err := protojson.Unmarshal(data, &statement); err != nil {
		return nil, Result{}, err
	}
	if err := statement.Validate(); err != nil {
		return nil, Result{}, err
	}
	if statement.GetPredicateType() != PredicateType {
		return nil, Result{}, fmt.Errorf("it tells of %.100q, not of a test result", statement.GetPredicateType())
	}
	fields, err := protojson.Marshal(statement.GetPredicate())
	if err != nil {
		return nil, Result{}, err
	}
	var result testresult.TestResult
	if err := protojson.Unmarshal(fields, &result); err != nil {
		return nil, Result{}, err
	}
	if status := result.GetResult(); !slices.Contains([]string{"PASSED", "FAILED", "WARNED"}, status) {
		return nil, Result{}, fmt.Errorf("its result is %.100q, and not PASSED, FAILED or WARNED", status)
	}
	files, err := subjects(statement.GetSubject())
	if err != nil {
		return nil, Result{}, err
	}
	settings, err := subjects(result.GetConfiguration())
	if err != nil {
		return nil, Result{}, fmt.Errorf("configuration: %w", err)
	}
	return files, Result{
		Status: result.GetResult(), Passed: result.GetPassedTests(), Failed: result.GetFailedTests(), Warned: result.GetWarnedTests(),
		Settings: settings,
	}, nil
}

// subjects returns the subjects sorted. None may occur twice, and all lie below the folder
// that they are looked for in.
func subjects(list []*intoto.ResourceDescriptor) ([]Subject, error) {
	out := make([]Subject, len(list))
	for i, d := range list {
		s := Subject{Name: d.GetName(), SHA256: d.GetDigest()["sha256"]}
		if !fs.ValidPath(s.Name) || s.Name == "." || strings.ContainsAny(s.Name, `\:`) {
			return nil, fmt.Errorf("subject %d: %.100q is no path in a run's folder", i+1, s.Name)
		}
		if i > 0 && s.Name <= out[i-1].Name {
			return nil, fmt.Errorf("subject %d: %.100q stands there twice, or out of order", i+1, s.Name)
		}
		if sum, err := hex.DecodeString(s.SHA256); err != nil || len(sum) != sha256.Size || strings.ToLower(s.SHA256) != s.SHA256 || len(d.GetDigest()) != 1 {
			return nil, fmt.Errorf("subject %d: %.100q has another digest than a SHA-256", i+1, s.Name)
		}
		out[i] = s
	}
	return out, nil
}
