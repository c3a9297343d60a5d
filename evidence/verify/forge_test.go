package verify_test

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/qa"
)

// reseal replaces a failed run's report by a passing one, and signs all of it
// anew with a key.
func (f *folder) reseal(id string, key *attest.Key) {
	f.t.Helper()
	run := "runs/" + id + "/"
	var report qa.QAReport
	var record attest.Record
	for name, into := range map[string]any{"report.json": &report, "evidence.json": &record} {
		if err := json.Unmarshal(f.read(run+name), into); err != nil {
			f.t.Fatal(err)
		}
	}
	report.Status = qa.Passed
	report.Checks[0].Passed = true
	f.write(run+"report.json", indented(f.t, report))
	payload, err := record.Envelope.DecodeB64Payload()
	if err != nil {
		f.t.Fatal(err)
	}
	subjects, result, err := attest.ParseStatement(payload)
	if err != nil {
		f.t.Fatal(err)
	}
	for i := range subjects {
		subjects[i].SHA256 = ledger.BlobDigest(f.read(run + subjects[i].Name))
	}
	result.Status = "PASSED"
	statement, err := attest.NewStatement(subjects, result)
	if err != nil {
		f.t.Fatal(err)
	}
	if key == nil {
		record.Envelope.Payload = base64.StdEncoding.EncodeToString(statement)
	} else if record.Envelope, err = key.Seal(statement); err != nil {
		f.t.Fatal(err)
	}
	f.write(run+"evidence.json", indented(f.t, record))
}

// B8: a failed run that somebody makes pass, with all digests made again: without
// the key the signature gives it away, with another key the key, and with the
// log's own key the log.
func TestMadeToPass(t *testing.T) {
	other, err := attest.NewKey(rand.Reader, "assay/other")
	if err != nil {
		t.Fatal(err)
	}
	f := newFolder(t)
	own, err := f.log.Key()
	if err != nil {
		t.Fatal(err)
	}
	failed := recipe{change: func(r *qa.QAReport) { r.Status, r.Checks[0].Passed = qa.Failed, false }}
	for name, c := range map[string]struct {
		key  *attest.Key
		code string
	}{"no key": {nil, "envelope-signature"}, "another key": {other, "envelope-signature"}, "the log's key": {own, "entry-wrong"}} {
		t.Run(name, func(t *testing.T) {
			id := f.make(failed)
			if r := f.run(id, verify.Options{}); r.Verdict != verify.Verified || r.Status != "failed" {
				t.Fatalf("%+v", r)
			}
			f.reseal(id, c.key)
			r := f.run(id, verify.Options{})
			if got := faults(r); r.Verdict != verify.Failed || !slices.Contains(got, told{c.code, "evidence.json", 0}) || !slices.ContainsFunc(got, func(f told) bool { return f.File == "report.json" }) {
				t.Errorf("%+v", r.Findings)
			}
		})
	}
}

// B8: who has no key of the folder signs nothing that counts, and who pins a key
// takes no other.
func TestKeys(t *testing.T) {
	other, err := attest.NewKey(rand.Reader, "assay/other")
	if err != nil {
		t.Fatal(err)
	}
	f := newFolder(t)
	id := f.make(recipe{})
	f.wants(id, verify.Options{Trusted: []string{other.Verifier()}}, told{"key-not-pinned", "evidence.json", 0})
	if r := f.run(id, verify.Options{Trusted: []string{other.Verifier(), f.verifier()}}); r.Verdict != verify.Verified {
		t.Errorf("one of two pinned keys: %+v", r)
	}
	if _, err := verify.Run(t.Context(), f.dir, id, verify.Options{Trusted: []string{"assay/x"}}); !errors.Is(err, verify.ErrPin) {
		t.Errorf("a pinned key that is none: %v", err)
	}
	signedByMore := "— assay/other " + base64.StdEncoding.EncodeToString(make([]byte, 68)) + "\n"
	note := f.read("log/checkpoint")
	f.write("log/checkpoint", append(slices.Clone(note), signedByMore...))
	f.wants(id, verify.Options{}, told{"checkpoint-signature", "log/checkpoint", 0})
	f.write("log/checkpoint", note)
	f.remove("log/keys")
	if r := f.run(id, verify.Options{}); r.Verdict == verify.Verified {
		t.Errorf("nobody's key is known, and yet: %+v", r)
	}
	signed := f.make2(other)
	f.wants(signed, verify.Options{}, told{"envelope-signature", "evidence.json", 0})
}

// make2 makes a run whose statement another key has signed; the log is right.
func (f *folder) make2(key *attest.Key) string {
	f.t.Helper()
	f.write("log/keys", []byte(f.verifier()+"\n"))
	return f.make(recipe{key: key})
}

// A report that does not follow from its own records is found, whoever signed
// it (B8).
func TestContradiction(t *testing.T) {
	for name, change := range map[string]func(*qa.QAReport){
		"failed check":  func(r *qa.QAReport) { r.Checks[0].Passed = false },
		"no check":      func(r *qa.QAReport) { r.Checks = []qa.Check{} },
		"a model's":     func(r *qa.QAReport) { r.Checks[0].Source = qa.SourceModel },
		"grave finding": func(r *qa.QAReport) { r.Findings = []qa.Finding{{ID: "F1", Severity: qa.Major, Assertion: "it loads"}} },
		"nothing failed": func(r *qa.QAReport) {
			r.Status = qa.Failed
		},
		"unproved":      func(r *qa.QAReport) { r.Task.Expectations = []qa.Expectation{{Text: "the title is shown"}} },
		"files changed": func(r *qa.QAReport) { r.Evidence.Check.Problems = []string{"x.png is missing"} },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolder(t)
			id := f.make(recipe{change: change})
			f.wants(id, verify.Options{}, told{"verdict-contradicted", "report.json", 0})
		})
	}
}

// What the key's holder writes has to fit together as well (B8).
func TestDisagreement(t *testing.T) {
	for name, c := range map[string]struct {
		recipe recipe
		want   []told
	}{
		"another run's entry": {recipe{finished: func(e *ledger.Event) { e.Record = "20260101T000000.000Z-aaaaaa" }}, []told{{"entry-wrong", "evidence.json", 0}}},
		"another outcome in the log": {recipe{finished: func(e *ledger.Event) { e.Reason = "failed" }},
			[]told{{"journal-disagrees", "events.jsonl", 0}, {"report-wrong", "report.json", 0}}},
		"another statement":  {recipe{finished: func(e *ledger.Event) { e.Subject = []string{strings.Repeat("0", 64)} }}, []told{{"entry-wrong", "evidence.json", 0}}},
		"another task":       {recipe{finished: func(e *ledger.Event) { e.Options = "" }}, []told{{"report-wrong", "report.json", 0}}},
		"another first line": {recipe{started: func(e *ledger.Event) { e.Subject = []string{strings.Repeat("0", 64)} }}, []told{{"journal-broken", "events.jsonl", 1}}},
		"a file that the journal has not": {recipe{files: map[string]string{"extra.txt": "x"}},
			[]told{{"journal-disagrees", "events.jsonl", 0}}},
		"another outcome for CI": {recipe{files: map[string]string{"junit.xml": `<testsuites><testsuite><properties><property name="status" value="failed"/></properties></testsuite></testsuites>`}},
			[]told{{"journal-disagrees", "events.jsonl", 0}, {"view-wrong", "junit.xml", 0}}},
		"another checkpoint for CI": {recipe{files: map[string]string{"junit-rich.xml": `<testsuite><properties><property name="assay.evidence.checkpoint" value="x"/></properties></testsuite>`}},
			[]told{{"journal-disagrees", "events.jsonl", 0}, {"view-wrong", "junit-rich.xml", 0}}},
		"another outcome in the statement": {recipe{result: func(r *attest.Result) { r.Status = "FAILED" }}, []told{{"report-wrong", "report.json", 0}}},
		"another report":                   {recipe{change: func(r *qa.QAReport) { r.RunID = "20260101T000000.000Z-aaaaaa" }}, []told{{"report-wrong", "report.json", 0}}},
		"no evidence":                      {recipe{change: func(r *qa.QAReport) { r.Evidence = nil }}, []told{{"report-wrong", "report.json", 0}}},
		"another size":                     {recipe{change: func(r *qa.QAReport) { r.Evidence.TreeSize++ }}, []told{{"report-wrong", "report.json", 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolder(t)
			f.wants(f.make(c.recipe), verify.Options{}, c.want...)
		})
	}
}
