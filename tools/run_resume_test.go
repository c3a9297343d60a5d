package tools_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// TestResumedRun: a run whose client went away is resumed with what failed and what was
// never checked; what is finished, unknown or whole is refused with the reason (B10).
func TestResumedRun(t *testing.T) {
	t.Parallel()
	d := online(t)
	url := site(t, map[string]string{"/": goodPage})
	const task = `{"id": "T7", "goal": "g", "expectations": [
		{"text": "the heading looks right", "selector": "css=h1", "assertion": {"type": "visible"}},
		{"text": "the heading says it", "selector": "css=h1", "assertion": {"type": "text_equals", "expected": "Nothing of the kind"}},
		{"text": "the footer looks right", "selector": "css=footer", "assertion": {"type": "visible"}}]}`
	old := d.ok("run_start", "%s", task).Data["run_id"].(string)
	if e := d.call("run_start", `{"resumes": %q}`, old).Error; !strings.Contains(e.Message, "is still open") {
		t.Errorf("an open run: %+v", e)
	}
	d.ok("page_navigate", `{"url": %q}`, url)
	d.ok("verify_assertion", `{"expects": ["E1"]}`)
	d.ok("verify_assertion", `{"expects": ["E2"], "timeout_ms": 50}`)
	if err := d.Close(); err != nil { // the client goes away
		t.Fatal(err)
	}
	next := desk{Workspace: d.Fork(), t: t, dir: d.dir}
	a := next.ok("run_start", `{"resumes": %q, "iteration": "5"}`, old)
	left := a.Data["expectations"].([]any)
	if len(left) != 2 || left[0].(map[string]any)["text"] != "the heading says it" || left[1].(map[string]any)["id"] != "E2" {
		t.Errorf("left: %v", left)
	}
	if !strings.Contains(a.text, "held in run "+old) {
		t.Errorf("what held is not said: %s", a.text)
	}
	run := a.Data["run_id"].(string)
	next.ok("run_finish", `{}`)
	var c qa.Checkpoint
	next.document(run, "checkpoint.json", "checkpoint", &c)
	if c.Resumes != old || c.Iteration != "5" || c.TaskID != "T7" {
		t.Errorf("the record: %+v", c)
	}
	for args, want := range map[string]string{
		`{"resumes": "` + run + `"}`:              "the run is finished",
		`{"resumes": "nothing"}`:                  "is unknown",
		`{"resumes": "../../etc"}`:                "is unknown",
		`{"resumes": "` + old + `", "goal": "x"}`: "a task is given as well",
		`{"expectations": []}`:                    "goal is empty",
	} {
		if e := next.call("run_start", "%s", args).Error; e.Code != "INVALID_INPUT" || !strings.Contains(e.Message, want) {
			t.Errorf("%s: %+v, want %q", args, e, want)
		}
	}
}
