package e2e_test

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// B8: what happens to the log, or to a file of the run, between the last look and
// the report keeps the run from passing, and the answer says what it was. Where
// it can be fixed, the same run can be finished then.
func (k keeping) sabotaged(t *testing.T) {
	for i, c := range []struct {
		name   string
		do     func(t *testing.T, run string) (undo func()) // nil: it can't be fixed
		word   string                                       // of the answer
		status string                                       // in the end
	}{
		{"the outside checkpoint garbled", func(t *testing.T, _ string) func() { return k.replaced(t, "log/checkpoint", []byte("noise")) }, "log/checkpoint", "passed"},
		{"the key gone", func(t *testing.T, _ string) func() {
			must(t, os.Rename(k.path("log/key"), k.path("log/key.aside")))
			return func() { must(t, os.Rename(k.path("log/key.aside"), k.path("log/key"))) }
		}, "log/key", "passed"},
		{"the database held", func(t *testing.T, _ string) func() {
			db, err := os.Open(k.path("assay.db"))
			must(t, err)
			must(t, syscall.Flock(int(db.Fd()), syscall.LOCK_EX))
			return func() { must(t, db.Close()) }
		}, "another process holds the store", "passed"},
		{"a picture changed", func(t *testing.T, run string) func() {
			pictures := filesIn(t, k.path("runs/"+run+"/screenshots"))
			k.replaced(t, "runs/"+run+"/screenshots/"+pictures[0], []byte("another picture"))
			return nil
		}, ".png", "inconclusive"},
		{"a line of the journal changed", func(t *testing.T, run string) func() {
			name := "runs/" + run + "/events.jsonl"
			k.replaced(t, name, []byte(strings.Replace(string(readFile(t, k.path(name))), "page_screenshot", "page_screenshop", 1)))
			return nil
		}, "events.jsonl", "inconclusive"},
	} {
		if i%4 != 0 && !soak() {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			w := k.in(t)
			run := field[string](w, w.do("run_start", map[string]any{"goal": "be sabotaged"}), "run_id")
			w.do("verify_page_loads", map[string]any{"url": k.page})
			w.do("page_screenshot", map[string]any{"name": "page"})
			undo := c.do(t, run)
			f := w.finishes()
			if f.status == "passed" || !strings.Contains(f.text, c.word) {
				t.Errorf("%s, and %q is not told: %s", f.status, c.word, f.text)
			}
			if undo != nil {
				undo()
				f = w.finishes()
				verified(t, k.data, run)
			}
			if f.status != c.status {
				t.Errorf("in the end it is %s, want %s: %s", f.status, c.status, f.text)
			}
			w.passes(k.page)
		})
	}
}

// replaced puts other bytes in the place of a file, and returns what undoes it.
func (k keeping) replaced(t *testing.T, name string, data []byte) (undo func()) {
	t.Helper()
	old := readFile(t, k.path(name))
	if len(old) == 0 {
		t.Fatalf("%s is empty", name)
	}
	writeFile(t, k.path(name), data)
	return func() { writeFile(t, k.path(name), old) }
}
