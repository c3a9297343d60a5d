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
