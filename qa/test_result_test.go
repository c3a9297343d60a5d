package qa_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/assay-qa/assay/qa"
)

// B4: the whole passed only if every case did; what could not be found out is
// an error, and nothing at all is one, too.
func TestSumUp(t *testing.T) {
	at := time.Unix(1e9, 0)
	for name, tt := range map[string]struct {
		cases []qa.TestStatus
		want  qa.TestStatus
		sum   qa.TestSummary
	}{
		"none":    {nil, qa.TestError, qa.TestSummary{}},
		"passed":  {[]qa.TestStatus{"passed", "passed"}, qa.TestPassed, qa.TestSummary{Total: 2, Passed: 2}},
		"failed":  {[]qa.TestStatus{"passed", "error", "failed"}, qa.TestFailed, qa.TestSummary{Total: 3, Passed: 1, Failed: 1, Error: 1}},
		"error":   {[]qa.TestStatus{"passed", "error"}, qa.TestError, qa.TestSummary{Total: 2, Passed: 1, Error: 1}},
		"skipped": {[]qa.TestStatus{"passed", "skipped"}, qa.TestError, qa.TestSummary{Total: 2, Passed: 1, Skipped: 1}},
		"unknown": {[]qa.TestStatus{"great"}, qa.TestError, qa.TestSummary{Total: 1, Error: 1}},
	} {
		var cases []qa.TestCase
		for _, s := range tt.cases {
			cases = append(cases, qa.TestCase{Status: s, Screenshots: []string{"a.png"}})
		}
		r := qa.SumUp("id", at, at.Add(1500*time.Millisecond), cases)
		if diff := cmp.Diff(tt.sum, r.Summary); r.Status != tt.want || diff != "" || r.DurationMS != 1500 || len(r.Artifacts.Screenshots) != len(cases) {
			t.Errorf("%s: %s in %d ms, want %s; summary (-want +got):\n%s", name, r.Status, r.DurationMS, tt.want, diff)
		}
	}
	for status, want := range map[qa.Status]qa.TestStatus{qa.Passed: qa.TestPassed, qa.Failed: qa.TestFailed, qa.Inconclusive: qa.TestError, "": qa.TestError} {
		if got := status.TestStatus(); got != want {
			t.Errorf("%q becomes %s, want %s", status, got, want)
		}
	}
}

// B4: a case has the duration of the step of a flow, or of the call, that made it,
// and what the console said meanwhile; artefacts are named by the last part of
// their path; the document is as the specification has it.
func TestNewTestResult(t *testing.T) {
	at := func(ms int) time.Time { return time.Date(2026, 1, 2, 3, 4, 5, ms*1e6, time.UTC) }
	r := qa.QAReport{RunID: "r", StartedAt: at(0), FinishedAt: at(900), Status: qa.Failed,
		Checks: []qa.Check{
			{ID: "C1", Step: 1, Kind: "page", Passed: true, Source: qa.SourceTool, Time: at(90)},
			{ID: "C2", Step: 2, Kind: "text", Passed: false, Source: qa.SourceTool, Time: at(350), Evidence: []string{"screenshots/001-a.png"}},
			{ID: "C3", Step: 9, Kind: "lost", Passed: true, Source: qa.SourceTool, Time: at(800)},
		},
		Timeline: []qa.TimelineEntry{
			{Step: 1, Name: "verify_page_loads", StartedAt: at(10), DurationMS: 80},
			{Step: 2, Name: "verify_user_flow", StartedAt: at(200), DurationMS: 300},
			{Step: 2, Name: "step 1 click", StartedAt: at(210), DurationMS: 40},
			{Step: 2, Name: "step 2 assert", StartedAt: at(300), DurationMS: 60},
		},
		Console:   []qa.ConsoleEntry{{Level: "error", Text: "first", Time: at(50)}, {Level: "error", Text: "second", Time: at(340)}, {Level: "error", Text: "between", Time: at(150)}},
		Artifacts: []qa.Artifact{{Name: "screenshots/001-a.png", Width: 9}, {Name: "trace.zip", MIMEType: "application/zip"}},
	}
	got := qa.NewTestResult(r, qa.Record{Checks: r.Checks})
	type row struct {
		Took    int64
		Console []string
	}
	var rows []row
	for _, c := range got.TestCases {
		var said []string
		for _, line := range c.ConsoleLogs {
			said = append(said, string(line.Text))
		}
		rows = append(rows, row{c.DurationMS, said})
	}
	if diff := cmp.Diff([]row{{80, []string{"first"}}, {60, []string{"second"}}, {0, nil}}, rows); diff != "" {
		t.Error(diff)
	}
	want := qa.TestArtifacts{Screenshots: []qa.TestFile{{Name: "001-a.png", Path: "screenshots/001-a.png"}}, Traces: []qa.TestFile{{Name: "trace.zip", Path: "trace.zip"}}}
	if diff := cmp.Diff(want, got.Artifacts); diff != "" {
		t.Error(diff)
	}
	schema, err := jsonschema.NewCompiler().Compile("../testdata/specifications/B/test-result.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Error(err)
	}
}
