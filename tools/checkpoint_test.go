package tools_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/resources"
)

// document reads a stored JSON document of a run, which must be valid against
// its published schema.
func (d desk) document(run, name, schema string, into any) {
	d.t.Helper()
	data, mime, err := d.Store.Artifact(run, name)
	if err != nil || mime != "application/json" {
		d.t.Fatalf("%s: %s %v", name, mime, err)
	}
	resolved, err := resources.Schemas()[schema]().Resolve(&jsonschema.ResolveOptions{})
	if err != nil {
		d.t.Fatal(err)
	}
	var plain any
	if err := json.Unmarshal(data, &plain); err != nil {
		d.t.Fatal(err)
	}
	if err := resolved.Validate(plain); err != nil {
		d.t.Errorf("%s is not valid against assay://schemas/%s.json: %v", name, schema, err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		d.t.Fatal(err)
	}
}

// TestCheckpointOfARun: a finished run leaves what a loop goes on from: where it
// stood, what failed, what was not done, and the same as a test result (B4, B10).
func TestCheckpointOfARun(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.Trace = true
	url := site(t, map[string]string{"/": goodPage})
	id := d.ok("run_start", `{"id": "T7", "goal": "g", "iteration": "4", "checkpoint": "cp-2", "commit": "abc123", "metadata": {"resumes": "earlier", "owner": "qa"},
		"expectations": [{"text": "the footer looks right", "selector": "css=footer", "assertion": {"type": "visible"}}]}`).Data["run_id"].(string)
	d.ok("page_navigate", `{"url": %q}`, url)
	d.ok("verify_element_exists", `{"selector": "css=h1"}`)
	d.ok("verify_assertion", `{"selector": "css=h1", "assertion": {"type": "text_equals", "expected": "another"}, "timeout_ms": 50}`)
	d.ok("run_finish", `{}`)

	var c qa.Checkpoint
	d.document(id, "checkpoint.json", "checkpoint", &c)
	if c.Checkpoint != "cp-2" || c.Iteration != "4" || c.Commit != "abc123" || c.Resumes != "earlier" || c.RunID != id || c.TaskID != "T7" || c.Trace != "trace.zip" {
		t.Errorf("where it stood: %+v", c)
	}
	if c.Status != qa.Failed || c.StatusReason == "" || len(c.Failed) != 1 || c.Failed[0].Expected != "another" || len(c.Screenshots) != 2 {
		t.Errorf("how it ended: %+v", c)
	}
	if len(c.Unproven) != 1 || !strings.HasPrefix(c.Unproven[0].Subject, "E1 ") {
		t.Errorf("what was not found out: %+v", c.Unproven)
	}
	if m := c.Metrics; m.Total != 3 || m.Passed != 1 || m.Failed != 1 || m.Skipped != 1 || m.ToolCalls != 5 || m.Screenshots != 2 {
		t.Errorf("metrics %+v", m)
	}
	report, err := d.Store.Report(id)
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"iteration": "4", "checkpoint": "cp-2", "commit": "abc123", "resumes": "earlier", "owner": "qa"} {
		if report.Task.Metadata[key] != want {
			t.Errorf("the report's metadata %q is %q, want %q", key, report.Task.Metadata[key], want)
		}
	}
	var result qa.TestResult
	d.document(id, "test-result.json", "test-result", &result)
	var statuses []qa.TestStatus
	for _, tc := range result.TestCases {
		statuses = append(statuses, tc.Status)
	}
	if result.TestRunID != id || result.Status != qa.TestFailed || !slices.Equal(statuses, []qa.TestStatus{qa.TestPassed, qa.TestFailed, qa.TestSkipped}) || !slices.Equal(result.Artifacts.Traces, qa.TestFiles([]string{"trace.zip"})) {
		t.Errorf("test result %+v", result)
	}
}

// TestFinishOfNothing: a run in which nothing was done is inconclusive and has
// its documents; it is finished once.
func TestFinishOfNothing(t *testing.T) {
	t.Parallel()
	d := offline(t)
	id := d.ok("run_start", `{"goal": "g"}`).Data["run_id"].(string)
	a := d.ok("run_finish", `{}`)
	if a.Data["status"] != "inconclusive" || a.Data["statusReason"] != "no check was executed" {
		t.Errorf("%v", a.Data)
	}
	var c qa.Checkpoint
	d.document(id, "checkpoint.json", "checkpoint", &c)
	if a := d.call("run_finish", `{}`); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Hint, "run_start") {
		t.Errorf("finished twice: %+v", a.Error)
	}
}

// TestFinishWaitsForCalls: a call that ends soon is in the report; one that does
// not end keeps the run from passing, and run_finish does not wait for it longer
// than 2 s.
func TestFinishWaitsForCalls(t *testing.T) {
	t.Parallel()
	d := online(t)
	held := make(chan struct{})
	entered := make(chan struct{}, 2)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(goodPage))
			return
		}
		entered <- struct{}{}
		select {
		case <-held:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	for name, wait := range map[string]bool{"ends": false, "hangs": true} {
		id := d.ok("run_start", `{"goal": "g"}`).Data["run_id"].(string)
		d.ok("verify_page_loads", `{"url": %q}`, server.URL)
		done := make(chan answer, 1)
		go func() { done <- d.call("verify_page_loads", `{"url": %q, "timeout_ms": 9000}`, server.URL+"/slow") }()
		<-entered
		began := time.Now()
		finished := make(chan answer, 1)
		go func() { finished <- d.call("run_finish", `{}`) }()
		if !wait {
			held <- struct{}{}
		}
		a := <-finished
		took := time.Since(began)
		report, err := d.Store.Report(id)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case !wait && len(report.Checks) < 2:
			t.Errorf("%s: the call in flight is not in the report: %+v", name, report.Checks)
		case wait && (a.Data["status"] != "inconclusive" || !strings.Contains(string(report.StatusReason), "verify_page_loads: still running")):
			t.Errorf("%s: %v", name, a.Data)
		case wait && took > 2*time.Second+finishGrace:
			t.Errorf("%s: run_finish took %v", name, took)
		}
		if wait {
			held <- struct{}{}
		}
		<-done
	}
}

// finishGrace is what storing a report and a trace may take on a busy machine.
const finishGrace = 4 * time.Second
