package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/spec"
	"github.com/assay-qa/assay/testfile"
)

// hasTest looks for the Playwright test of the order, and takes it away. A
// recording that did not pass as it is written is not written as a test (E7).
func (r *specRun) hasTest(t *testing.T, name string, got suite.Result) {
	t.Helper()
	path := filepath.Join(r.dir, "specs", "order.spec.ts")
	text, err := os.ReadFile(path)
	notes := strings.Join(got.Notes, "; ")
	healed := slices.ContainsFunc(got.Notes, func(n string) bool { return strings.HasPrefix(n, "healed: ") })
	switch {
	case got.Status != qa.TestPassed:
		if err == nil || !strings.Contains(notes, "no test written to") || !strings.Contains(notes, "did not pass") {
			t.Errorf("%s: a test of what did not pass: %v, %q", name, err, notes)
		}
	case healed:
		if err == nil || !strings.Contains(notes, "--update-flows") {
			t.Errorf("%s: a test of what was healed: %v, %q", name, err, notes)
		}
	case err != nil || !strings.Contains(notes, "test written to ") || !bytes.Contains(text, []byte(`variable("PASSWORD")`)) || bytes.Contains(text, []byte("correct-horse")):
		t.Errorf("%s: %v, %q\n%s", name, err, notes, text)
	default:
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// E7: a test that a person wrote is not overwritten; our own is, where it is
// another one.
func TestWriteOwnTest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.spec.ts")
	for _, c := range []struct {
		before, text, after string
		written             bool
		why                 string
	}{
		{"", testfile.Mark + "1", testfile.Mark + "1", true, ""},
		{testfile.Mark + "1", testfile.Mark + "2", testfile.Mark + "2", true, ""},
		{testfile.Mark + "2", testfile.Mark + "2", testfile.Mark + "2", false, ""},
		{"test('mine')", testfile.Mark + "3", "test('mine')", false, "not made by assay"},
	} {
		if c.before != "" {
			if err := os.WriteFile(path, []byte(c.before), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		written, err := writeOwn(path, []byte(c.text))
		said := ""
		if err != nil {
			said = err.Error()
		}
		after, readErr := os.ReadFile(path)
		if written != c.written || (err != nil) != (c.why != "") || !strings.Contains(said, c.why) || readErr != nil || string(after) != c.after {
			t.Errorf("%q over %q: %v, %v; %q, %v", c.text, c.before, written, err, after, readErr)
		}
	}
	if got := testOf(spec.Spec{File: "/s/a.b.md", Row: 2}); got != "/s/a.b.row-2.spec.ts" {
		t.Errorf("the test of a row is %s", got)
	}
}
