package tools_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/evidence"
)

// E8: a call is logged under the specification's names beside ours: with the spec
// and its step, a bounded answer without secrets, and the whole error.
func TestCallIsLoggedAsTheSpecificationNamesIt(t *testing.T) {
	t.Parallel()
	const pin = "hunter2-48151623"
	url := site(t, map[string]string{"/": `<title>In</title><label>PIN <input></label>` + strings.Repeat("<button>word "+pin+"</button>", 300)})
	d := online(t)
	d.withSecrets(map[string]string{"PIN": pin})
	d.SpecPath = "specs/sign-in.md"
	d.ok("run_start", `{"goal": "g"}`)
	d.ok("page_navigate", `{"url": %q}`, url)
	d.AtSpecStep(2)
	d.ok("page_fill", `{"selector": "textbox \"PIN\"", "value": "${secret:PIN}"}`)
	d.ok("page_snapshot", `{"max_chars": 100000}`)
	d.ok("verify_user_flow", `{"steps": [{"action": "assert", "assertion": {"type": "title_equals", "expected": "In"}}], "watch_ms": 0}`)
	d.AtSpecStep(-1)
	d.raw("page_click", `{"selector": "#none", "timeout_ms": 50}`)
	run, err := d.Run()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(run.Dir(), "events.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), "48151623") {
		t.Error("the secret is logged")
	}
	calls, steps := map[string]evidence.Event{}, 0
	for line := range strings.Lines(string(raw)) {
		var e evidence.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		calls[e.ToolName] = e
		if e.Name == evidence.FlowStepped {
			steps++
			if e.SpecPath != "specs/sign-in.md" || e.StepIndex == nil || *e.StepIndex != 2 {
				t.Errorf("a step of a flow: %s", line)
			}
		}
	}
	if steps != 1 {
		t.Errorf("%d steps of flows are logged", steps)
	}
	fill := calls["page_fill"]
	if fill.SpecPath != "specs/sign-in.md" || fill.StepIndex == nil || *fill.StepIndex != 2 || fill.ToolTookMS < 1 || fill.Tool != "page_fill" || fill.RunID == "" ||
		!strings.Contains(string(fill.ToolInput), "textbox") || !strings.Contains(string(fill.ToolOutput), "PIN") || fill.Error != nil {
		t.Errorf("page_fill: %+v", fill)
	}
	if out := calls["page_snapshot"].ToolOutput; len(out) < 1000 || len(out) > 4<<10+3 {
		t.Errorf("the snapshot is logged with %d bytes", len(out))
	}
	click := calls["page_click"]
	if click.StepIndex != nil || click.Error == nil || click.Error.Code != click.ErrorCode || click.Error.Code != "ELEMENT_NOT_FOUND" || !click.Error.Message.Contains("#none") {
		t.Errorf("page_click: %+v, error %+v", click, click.Error)
	}
}
