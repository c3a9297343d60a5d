package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
)

// hasTest looks for the Playwright test of the order, and takes it away. A
// recording that did not pass as it is written is not written as a test (E7).
func (r *specRun) hasTest(t *testing.T, name string, got suite.Result) {
	t.Helper()
	path := filepath.Join(r.dir, "specs", "order.spec.ts")
	text, err := os.ReadFile(path)
	notes := string(pagetext.Join(got.Notes, "; "))
	healed := slices.ContainsFunc(got.Notes, func(n pagetext.Text) bool { return n.HasPrefix("healed: ") })
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
