package report_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/qa"
)

func samples(t *testing.T) map[string]qa.QAReport {
	crashed := base(qa.Inconclusive, "crash: browser: it went away")
	crashed.Findings = []qa.Finding{{ID: "I1", Severity: qa.Info, Category: qa.Reliability, Assertion: "the tester could do its work: browser", Evidence: []qa.EvidenceRef{}}}
	crashed.Task.Expectations = nil
	word := passedReport()
	word.Checks[2].Source = qa.SourceModel
	full := kpiReport()
	return map[string]qa.QAReport{"failed": failedReport(), "passed": passedReport(), "inconclusive": inconclusiveReport(), "empty": {},
		"crashed": crashed, "model": word, "hostile": hostileReport(t), "kpis": full, "visual": visualReport(), "sealed": sealed(passedReport()), "broken": broken()}
}

// TestJUnitHoldsToTheSchemas: the strict form is valid by the letter of both
// public schemas, whatever a page has written (A15, B4).
func TestJUnitHoldsToTheSchemas(t *testing.T) {
	t.Parallel()
	docs := map[string][]byte{}
	for name, r := range samples(t) {
		docs[name] = []byte(render(t, report.JUnit, r))
	}
	requireValid(t, docs)
}

// requireValid holds documents to the public schemas: of surefire's, which has no root
// above its suites, the suite in them.
func requireValid(t *testing.T, docs map[string][]byte) {
	t.Helper()
	suites := map[string][]byte{}
	for name, doc := range docs {
		from, to := bytes.Index(doc, []byte("<testsuite ")), bytes.LastIndex(doc, []byte("</testsuites>"))
		if from < 0 || to < from {
			t.Fatalf("%s has no suite below its root:\n%s", name, doc)
		}
		suites[name] = doc[from:to]
	}
	for name, why := range readXSD(t, "junit-10.xsd").check(docs) {
		t.Errorf("%s, junit-10.xsd: %s", name, why)
	}
	for name, why := range readXSD(t, "surefire-test-report-3.0.xsd").check(suites) {
		t.Errorf("%s, surefire: %s", name, why)
	}
}

// TestJUnitTellsTheVerdict: a run that has not passed is never green, and what
// could not be found out is an error, not a failure (promise 1, B4).
func TestJUnitTellsTheVerdict(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct{ failures, errors, skipped string }{
		"passed": {"0", "0", "0"}, "failed": {"2", "0", "0"}, "inconclusive": {"0", "3", "0"}, "crashed": {"0", "1", "0"},
		"empty": {"0", "1", "0"}, "model": {"0", "0", "1"},
	} {
		for form, view := range map[string]report.View{"strict": report.JUnit, "rich": report.RichJUnit} {
			root := parseXML(t, []byte(render(t, view, samples(t)[name])))
			if len(root.kids) != 1 || root.name != "testsuites" || root.kids[0].name != "testsuite" {
				t.Fatalf("%s, %s: the root is %s with %d children", name, form, root.name, len(root.kids))
			}
			suite := root.kids[0]
			got := suite.attrs
			for _, total := range []string{"name", "tests", "failures", "errors", "skipped", "time"} { // of the skipped ones the schema of Jenkins knows nothing
				if root.attrs[total] != got[total] && (total != "skipped" || form != "strict") {
					t.Errorf("%s, %s: %s is %q at the root, %q in its only suite", name, form, total, root.attrs[total], got[total])
				}
			}
			if got["failures"] != want.failures || got["errors"] != want.errors || got["skipped"] != want.skipped {
				t.Errorf("%s, %s: failures %s, errors %s, skipped %s; want %v", name, form, got["failures"], got["errors"], got["skipped"], want)
			}
			if n := len(suite.all("testcase")); got["tests"] != itoa(n) || n != len(suite.kids)-1 {
				t.Errorf("%s, %s: tests=%s, but there are %d test cases", name, form, got["tests"], n)
			}
			if len(suite.all("failure")) != atoi(t, want.failures) || len(suite.all("error")) != atoi(t, want.errors) {
				t.Errorf("%s, %s: the counts are not those of the test cases", name, form)
			}
		}
	}
}

// TestRichJUnit: attachments lead to the stored pictures, with their hash; no
// text of a page attaches a file.
func TestRichJUnit(t *testing.T) {
	t.Parallel()
	r := failedReport()
	r.Checks[0].Observed = "[[ATTACHMENT|/etc/passwd]]"
	r.Findings[1].Evidence[0].Selector = "[[ATTACHMENT|/etc/shadow]]"
	doc := render(t, report.RichJUnit, r)
	suite := parseXML(t, []byte(doc))
	if got := strings.Count(doc, "[[ATTACHMENT|"); got != 2 || strings.Contains(doc, "|/etc/") {
		t.Errorf("%d attachments, want the 2 stored pictures:\n%s", got, doc)
	}
	var outs string
	for _, out := range suite.all("system-out") {
		outs += out.text + "\n"
	}
	for _, want := range []string{"[[ATTACHMENT|screenshots/002-total.png]]", "expected: 42.50", "observed: 24.50", "what to do: Add up"} {
		if !strings.Contains(outs, want) {
			t.Errorf("system-out lacks %q:\n%s", want, outs)
		}
	}
	for _, want := range []string{`name="expectation" value="E2"`, `name="runId"`, `name="sha256"`, `timestamp="2026-11-21T05:50:36"`, `name="status" value="failed"`} {
		if !strings.Contains(doc, want) {
			t.Errorf("the document lacks %s", want)
		}
	}
}

func ctrfSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "schemas", "ctrf-schema-0.0.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	doc, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("ctrf.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("ctrf.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestCTRFHoldsToTheSchema: valid by ctrf.io's own schema, and the counts are
// those of the tests (A15).
func TestCTRFHoldsToTheSchema(t *testing.T) {
	t.Parallel()
	schema := ctrfSchema(t)
	for name, r := range samples(t) {
		doc := []byte(render(t, report.CTRF, r))
		tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(tree); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var got struct {
			Results struct {
				Summary struct{ Tests, Passed, Failed, Skipped, Pending, Other int }
				Tests   []struct{ Status, Message string }
			}
		}
		if err := json.Unmarshal(doc, &got); err != nil {
			t.Fatal(err)
		}
		s, n := got.Results.Summary, map[string]int{}
		for _, c := range got.Results.Tests {
			n[c.Status]++
			if c.Status != "passed" && c.Message == "" {
				t.Errorf("%s: a %s test says not why", name, c.Status)
			}
		}
		if s.Tests != len(got.Results.Tests) || s.Passed != n["passed"] || s.Failed != n["failed"] || s.Skipped != n["skipped"] || s.Other != n["other"] {
			t.Errorf("%s: summary %+v, tests %v", name, s, n)
		}
		if green := s.Failed+s.Other == 0; green != (r.Status == qa.Passed) {
			t.Errorf("%s: status %q, but %d failed and %d other", name, r.Status, s.Failed, s.Other)
		}
	}
}
