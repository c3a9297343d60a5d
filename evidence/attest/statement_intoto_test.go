package attest_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	testresult "github.com/in-toto/attestation/go/predicates/test_result/v0"
	intoto "github.com/in-toto/attestation/go/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/assay-qa/assay/evidence/attest"
)

// A statement is, byte for byte, what in-toto's own types write, and they read it: runs that
// were sealed with them are still read.
func TestStatementIsInToto(t *testing.T) {
	sum := strings.Repeat("ab", 32)
	odd := "a \"b\" \\ <&> \t\n\r\b\f\x01\x7f é 漢 \U0001F600"
	for name, c := range map[string]struct {
		subjects []attest.Subject
		result   attest.Result
	}{
		"one file": {[]attest.Subject{{Name: "report.json", SHA256: sum}}, attest.Result{Status: "WARNED"}},
		"every list": {[]attest.Subject{{Name: "b", SHA256: sum}, {Name: "a/c.png", SHA256: sum}},
			attest.Result{Status: "FAILED", Passed: []string{"C2", "C1"}, Failed: []string{"C3"}, Warned: []string{"C4"}, Settings: []attest.Subject{{Name: "task", SHA256: sum}, {Name: "env", SHA256: sum}}}},
		"odd letters": {[]attest.Subject{{Name: strings.ReplaceAll(odd, "\\", ""), SHA256: sum}}, attest.Result{Status: "PASSED", Passed: []string{odd}}},
	} {
		ours, err := attest.NewStatement(c.subjects, c.result)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if theirs := inToto(t, c.subjects, c.result); !bytes.Equal(ours, theirs) {
			t.Errorf("%s: ours is %s\nand theirs %s", name, ours, theirs)
		}
		var read intoto.Statement
		if err := protojson.Unmarshal(ours, &read); err != nil {
			t.Errorf("%s: they can't read it: %v", name, err)
		} else if err := read.Validate(); err != nil {
			t.Errorf("%s: they refuse it: %v", name, err)
		}
	}
	for name, change := range map[string][2]string{
		"another case":     {`"_type"`, `"_Type"`},
		"a field twice":    {`{"_type"`, `{"_type":"https://in-toto.io/Statement/v1","_type"`},
		"a result twice":   {`"result":"PASSED"`, `"result":"FAILED","result":"PASSED"`},
		"a field in it":    {`"result":`, `"url":"x","result":`},
		"a space":          {`,"subject"`, `, "subject"`},
		"an older version": {"Statement/v1", "Statement/v0.1"},
		"nothing":          {`"result":"PASSED"`, `"result":null`},
	} {
		good, err := attest.NewStatement([]attest.Subject{{Name: "a", SHA256: sum}}, attest.Result{Status: "PASSED"})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := attest.ParseStatement(bytes.Replace(good, []byte(change[0]), []byte(change[1]), 1)); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

// inToto writes a statement with in-toto's own types.
func inToto(t *testing.T, subjects []attest.Subject, result attest.Result) []byte {
	t.Helper()
	descriptors := func(subjects []attest.Subject) []*intoto.ResourceDescriptor {
		var list []*intoto.ResourceDescriptor
		for _, s := range slices.SortedFunc(slices.Values(subjects), func(a, b attest.Subject) int { return strings.Compare(a.Name, b.Name) }) {
			list = append(list, &intoto.ResourceDescriptor{Name: s.Name, Digest: map[string]string{"sha256": s.SHA256}})
		}
		return list
	}
	predicate, err := protojson.Marshal(&testresult.TestResult{Result: result.Status, Configuration: descriptors(result.Settings),
		PassedTests: result.Passed, FailedTests: result.Failed, WarnedTests: result.Warned})
	if err != nil {
		t.Fatal(err)
	}
	fields := new(structpb.Struct)
	if err := protojson.Unmarshal(predicate, fields); err != nil {
		t.Fatal(err)
	}
	spaced, err := protojson.Marshal(&intoto.Statement{Type: intoto.StatementTypeUri, Subject: descriptors(subjects), PredicateType: attest.PredicateType, Predicate: fields})
	if err != nil {
		t.Fatal(err)
	}
	var line bytes.Buffer // protojson puts in spaces at random
	if err := json.Compact(&line, spaced); err != nil {
		t.Fatal(err)
	}
	return line.Bytes()
}
