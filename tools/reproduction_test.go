package tools_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/flows"
	"github.com/assay-qa/assay/tools/rules"
)

// Item 7 of step 8: the flow that a report names does what the run's calls did: it
// passes where they passed, and fails where the page fails.
func TestRepeatRun(t *testing.T) {
	t.Parallel()
	d := online(t)
	count := `<!doctype html><title>Count</title><button onclick="s.textContent = 'Counted'">Count</button><p role="status" id="s"></p>`
	web := site(t, map[string]string{"/": count, "/broken": strings.Replace(count, "'Counted'", "'Miscounted'", 1)})
	d.call("run_start", `{"goal": "it counts", "expectations": [{"text": "the status shows \"Counted\""}], "watch_ms": 0}`)
	d.call("page_navigate", `{"url": %q}`, web+"/")
	d.call("page_snapshot", `{}`)
	d.call("page_click", `{"selector": "button \"Count\""}`)
	d.call("verify_assertion", `{"selector": "status", "assertion": {"type": "text_contains", "expected": "Counted", "whole_words": true}, "expects": ["E1"]}`)
	a := d.call("run_finish", `{}`)
	id, _ := a.Data["runId"].(string)
	dir := filepath.Join(d.dir, "runs", id)
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if a.Data["status"] != "passed" || err != nil || !strings.Contains(string(page), "<pre>assay run repeat.flow.json</pre>") || strings.Contains(string(page), "can’t be repeated") {
		t.Fatalf("%v %s, %v", a.Data["status"], a.text, err)
	}
	f, problems := flow.Load(qa.RepeatFlow, func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) }, rules.Flows())
	if len(problems) > 0 || f.StartURL != web+"/" {
		t.Fatal(f.StartURL, problems)
	}
	f.WatchMS = new(int)
	for _, c := range []struct {
		page string
		want qa.TestStatus
	}{{"/", qa.TestPassed}, {"/broken", qa.TestFailed}} {
		f.StartURL = web + c.page
		if result, err := flows.Play(t.Context(), d.Workspace, f, func(string) {}); err != nil || result.Status != c.want {
			t.Errorf("%s: %+v, %v", c.page, result, err)
		}
	}

	d.call("run_start", `{"goal": "it has a script", "watch_ms": 0}`)
	d.call("page_navigate", `{"url": %q}`, web+"/")
	d.call("page_evaluate", `{"script": "a => a", "arg": {"b": 1}}`)
	d.call("verify_assertion", `{"assertion": {"type": "console_clean"}}`)
	a = d.call("run_finish", `{}`)
	id, _ = a.Data["runId"].(string)
	dir = filepath.Join(d.dir, "runs", id)
	const gap = "call 2, page_evaluate: no step of a flow does that"
	if !strings.Contains(a.text, "assay export --flow|--playwright "+id) || !strings.Contains(a.text, "gap in it: "+gap) {
		t.Error(a.text)
	}
	f, problems = flow.Load(qa.RepeatFlow, func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) }, rules.Flows())
	result, err := flows.Play(t.Context(), d.Workspace, f, func(string) {})
	if len(problems) > 0 || err != nil || result.Status == qa.TestPassed || result.Status == qa.TestFailed || !strings.Contains(string(result.FailureReason), "the flow has a gap: "+gap) {
		t.Errorf("a flow with a gap: %+v, %v, %v", result, err, problems)
	}

	d.call("run_start", `{"goal": "it has no page", "watch_ms": 0}`)
	d.call("page_click", `{"selector": "button \"Count\""}`)
	d.call("verify_assertion", `{"assertion": {"type": "console_clean"}}`)
	a = d.call("run_finish", `{}`)
	id, _ = a.Data["runId"].(string)
	page, err = os.ReadFile(filepath.Join(d.dir, "runs", id, "report.html"))
	if err != nil || !strings.Contains(a.text, "it can't be repeated without a client: it opens no address") || !strings.Contains(string(page), "This run can’t be repeated without a client.") {
		t.Errorf("%s, %v", a.text, err)
	}
}
