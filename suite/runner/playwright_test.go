package runner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/suite/spec"
)

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
		written, err := writeGenerated(path, []byte(c.text))
		said := ""
		if err != nil {
			said = err.Error()
		}
		after, readErr := os.ReadFile(path)
		if written != c.written || (err != nil) != (c.why != "") || !strings.Contains(said, c.why) || readErr != nil || string(after) != c.after {
			t.Errorf("%q over %q: %v, %v; %q, %v", c.text, c.before, written, err, after, readErr)
		}
	}
	if got := testPath(spec.Spec{File: "/s/a.b.md", Row: 2}); got != "/s/a.b.row-2.spec.ts" {
		t.Errorf("the test of a row is %s", got)
	}
}
