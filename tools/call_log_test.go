package tools_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryCallIsAnEvent: the journal begins and ends with the run, and tells of
// each call, made or refused, its run, step, tool, duration, input without
// passwords, error and picture (E5, A14).
func TestEveryCallIsAnEvent(t *testing.T) {
	t.Parallel()
	d := online(t)
	url := site(t, map[string]string{"/": `<title>t</title><label>Password <input type=password></label>`})
	id := d.ok("run_start", `{"goal": "g", "budgets": {"maxToolCalls": 5}}`).Data["run_id"].(string)
	d.ok("page_navigate", `{"url": %q}`, url)
	d.ok("page_fill", `{"selector": "textbox \"Password\"", "value": "hunter2-canary"}`)
	d.call("page_fill", `{"selectr": "textbox \"Password\"", "value": "hunter2-canary"}`)
	d.call("page_click", `{"selector": "button \"Gone\"", "timeout_ms": 30}`)
	d.ok("page_screenshot", `{}`)
	d.call("page_press", `{"key": "hunter2-canary"}`)
	d.ok("run_finish", `{"summary": "done"}`)

	data, err := os.ReadFile(filepath.Join(d.dir, "runs", id, "events.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(data, []byte("hunter2-canary")) {
		t.Error("a password is in the journal")
	}
	type event struct {
		Event, RunID, Tool, ErrorCode, Screenshot string
		Step                                      int
		DurationMS                                int64
		Input                                     json.RawMessage
	}
	var all []string
	var calls []event
	for line := range bytes.Lines(data) {
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		if all = append(all, e.Event); e.Event == "tool.called" {
			calls = append(calls, e)
		}
		if e.RunID != id {
			t.Errorf("event of run %q: %s", e.RunID, line)
		}
	}
	if all[0] != "run.started" || all[len(all)-1] != "run.finished" {
		t.Errorf("the journal begins with %s and ends with %s", all[0], all[len(all)-1])
	}
	var tools, codes []string
	for i, e := range calls {
		tools, codes = append(tools, e.Tool), append(codes, e.ErrorCode)
		if e.Step != i+1 || e.DurationMS < 1 || len(e.Input) == 0 {
			t.Errorf("call %d lacks something: %+v", i+1, e)
		}
		if taken := e.Tool == "page_screenshot" || e.Tool == "page_click"; taken != (e.Screenshot != "") {
			t.Errorf("%s has screenshot %q", e.Tool, e.Screenshot)
		}
	}
	if want := "run_start page_navigate page_fill page_fill page_click page_screenshot page_press run_finish"; strings.Join(tools, " ") != want {
		t.Errorf("calls %v, want %s", tools, want)
	}
	if want := []string{"", "", "", "INVALID_INPUT", "ELEMENT_NOT_FOUND", "", "BUDGET_EXCEEDED", ""}; !slices.Equal(codes, want) {
		t.Errorf("errors %q, want %q", codes, want)
	}
	if !strings.Contains(string(calls[3].Input), "selectr") {
		t.Errorf("a refused call tells %s", calls[3].Input)
	}
}
