package tools_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// TestFinishTellsOfTheEvidence: the answer says what was re-read, in its text
// and in its data, and a file that was changed meanwhile is no pass (A14, B8).
func TestFinishTellsOfTheEvidence(t *testing.T) {
	t.Parallel()
	d := online(t)
	url := site(t, map[string]string{"/": goodPage})
	run := func(meddle func(dir string)) answer {
		id := d.ok("run_start", `{"goal": "g"}`).Data["run_id"].(string)
		d.ok("page_navigate", `{"url": %q}`, url)
		d.ok("verify_element_exists", `{"selector": "css=h1"}`)
		d.ok("page_screenshot", `{"name": "home"}`)
		meddle(filepath.Join(d.dir, "runs", id))
		return d.ok("run_finish", `{}`)
	}
	a := run(func(string) {})
	evidence, _ := a.Data["evidence"].(map[string]any)
	if a.Data["status"] != "passed" || evidence["checkpoint"] == "" || evidence["logIndex"] != 0.0 {
		t.Errorf("%v: evidence %v", a.Data["status"], evidence)
	}
	if want := "evidence: entry 0 of the log; 6 of 6 files re-read: unchanged when this report was written\n"; !strings.Contains(a.text, want) {
		t.Errorf("the answer lacks %q:\n%s", want, a.text)
	}
	a = run(func(dir string) {
		shots, err := filepath.Glob(filepath.Join(dir, "screenshots", "*.png"))
		if err != nil || len(shots) == 0 {
			t.Fatal(shots, err)
		}
		if err := os.WriteFile(shots[0], []byte("another picture"), 0o600); err != nil {
			t.Fatal(err)
		}
	})
	if a.Data["status"] != "inconclusive" || !strings.Contains(a.text, "evidence: entry 2 of the log; 6 of 6 files re-read, with 1 problem when this report was written\n") {
		t.Errorf("%v:\n%s", a.Data["status"], a.text)
	}
}

// A run that the log does not take in can't pass, and that is said when it
// begins: not after an hour of work (B8).
func TestRefusedRunIsToldAtOnce(t *testing.T) {
	t.Parallel()
	d := online(t)
	key := filepath.Join(d.dir, "log", "key")
	d.ok("run_start", `{"goal": "the first one makes the key"}`)
	d.ok("run_finish", `{}`)
	if err := os.Rename(key, key+".kept"); err != nil {
		t.Fatal(err)
	}
	const warning = "warning: this run can't pass, as the log has not taken it in: "
	if a := d.ok("run_start", `{"goal": "g"}`); !strings.Contains(a.text, warning) || !strings.Contains(a.text, "the signing key is missing: put it back") {
		t.Errorf("%s", a.text)
	}
	if a := d.ok("page_navigate", `{"url": %q}`, site(t, map[string]string{"/": goodPage})); strings.Contains(a.text, warning) {
		t.Errorf("it is told twice:\n%s", a.text)
	}
	if err := os.Rename(key+".kept", key); err != nil {
		t.Fatal(err)
	}
	if a := d.ok("run_finish", `{}`); a.Data["status"] != "inconclusive" {
		t.Errorf("%v", a.Data["status"])
	}
}

// TestRunEndsWithoutItsViews: a report whose views could not be made is an error,
// and keeps nobody from the next run.
func TestRunEndsWithoutItsViews(t *testing.T) {
	t.Parallel()
	d := offline(t)
	d.Views = func(qa.QAReport) (map[string][]byte, error) { return nil, errors.New("no paper") }
	d.ok("run_start", `{"goal": "g"}`)
	for range 2 {
		if a := d.call("run_finish", `{}`); a.OK {
			t.Errorf("%+v", a)
		}
	}
	d.ok("run_start", `{"goal": "the next"}`)
}
