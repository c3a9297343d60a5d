package tools_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Item 5 of step 8: an assertion in run_start is the caller's reading, and the
// answer and the reports say so; one of a file is its author's.
func TestReadByTheCaller(t *testing.T) {
	t.Parallel()
	const task = `{"goal": "g", "expectations": [{"text": "nothing odd is logged", "assertion": {"type": "console_clean"}}, {"text": "the button \"Save\" is disabled"}, {"text": "all is well"}]}`
	for _, byCaller := range []bool{true, false} {
		d := offline(t)
		d.FromFile = !byCaller
		d.call("run_start", "%s", task)
		a := d.call("run_finish", `{}`)
		own := `E1 read by the caller as: the console shows no error`
		if !byCaller {
			own = `E1 written as: the console shows no error`
		}
		for _, want := range []string{own, `E2 understood as: button "Save" is disabled`, "E3 not understood: "} {
			if !strings.Contains(a.text, want) {
				t.Errorf("the answer does not say %q: %s", want, a.text)
			}
		}
		id, _ := a.Data["runId"].(string)
		for _, view := range []string{"report.md", "report.json"} {
			text, err := os.ReadFile(filepath.Join(d.dir, "runs", id, view))
			if said := strings.Contains(string(text), "read by the caller as: "); err != nil || said != byCaller {
				t.Errorf("%s says that the caller read it: %v, want %v (%v)", view, said, byCaller, err)
			}
		}
	}
}

// Step 15, point 9: a client says a sentence of its own anew, before the first check; both wordings
// stand in the report and in the record. What a file says, no call changes.
func TestAmendedWordingOfARun(t *testing.T) {
	t.Parallel()
	const task = `{"goal": "g", "expectations": [{"text": "\"Paid\" is where it should be"}, {"text": "the button \"Save\" is disabled"}]}`
	const amend = `{"amends": {"E1": "the page shows \"Paid\""}}`
	d := offline(t)
	if a := d.raw("run_start", amend); a.OK || a.Error.Code != "INVALID_INPUT" {
		t.Errorf("without a run: %+v", a.Error)
	}
	if a := d.ok("run_start", task); !strings.Contains(a.text, `run_start {"amends":{"E1": `) {
		t.Errorf("the answer does not say how to say it anew: %s", a.text)
	}
	for _, wrong := range []string{`{"amends": {"E2": "the page shows \"Save\""}}`, `{"amends": {"E1": "all is well"}}`, `{"amends": {"E1": "the page shows \"Paid\"", "E2": "x"}}`, `{"amends": {"E1": "the page shows \"Paid\""}, "goal": "h"}`} {
		if a := d.raw("run_start", wrong); a.OK || a.Error.Code != "INVALID_INPUT" {
			t.Errorf("%s: %+v", wrong, a.Error)
		}
	}
	if a := d.ok("run_start", amend); !strings.Contains(a.text, `E1 wants: verify_assertion {"expects":["E1"]} (the page shows the text "Paid"`) {
		t.Errorf("the new wording: %s", a.text)
	}
	if a := d.raw("run_start", amend); a.OK {
		t.Error("it is worded anew twice")
	}
	a := d.call("run_finish", `{}`)
	id, _ := a.Data["runId"].(string)
	for _, file := range []string{"report.md", "report.json", "events.jsonl"} {
		text, err := os.ReadFile(filepath.Join(d.dir, "runs", id, file))
		if err != nil || !strings.Contains(string(text), "is where it should be") || !strings.Contains(string(text), "the page shows") {
			t.Errorf("%s does not have both wordings: %v\n%s", file, err, text)
		}
	}
	d.FromFile = true
	d.ok("run_start", task)
	if a := d.raw("run_start", amend); a.OK || !strings.Contains(a.text, "file") {
		t.Errorf("the words of a file: %+v", a.Error)
	}
}
