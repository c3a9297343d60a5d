package laws_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommitSubjects runs the commit-msg check of CONTRIBUTING.md on subjects.
func TestCommitSubjects(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("needs a POSIX shell, as git's hooks do")
	}
	for name, tt := range map[string]struct{ message, want string }{
		"a subject":             {"qa: judge a run without checks", ""},
		"a body":                {"evidence/verify: name the file\n\nThe report said less than it knew.", ""},
		"several rooms":         {"texts, wait: shorten and wait in one way", ""},
		"a file as room":        {"ARCHITECTURE.md: say what changed", ""},
		"the longest":           {"qa: judge " + strings.Repeat("x", 62), ""},
		"characters, not bytes": {"qa: judge " + strings.Repeat("ü", 62), ""},
		"a comment of git's":    {"# Please enter the message\n\nqa: judge a run", ""},
		"a merge":               {"Merge branch 'w/one'", ""},
		"a revert":              {`Revert "qa: judge a run."`, ""},
		"a fixup":               {"fixup! qa: judge", ""},

		"no room":             {"Judge a run without checks", `not "room: verb what"`},
		"no verb":             {"qa: checks", `not "room: verb what"`},
		"no space":            {"qa:judge a run", `not "room: verb what"`},
		"no subject":          {"# only a comment", `not "room: verb what"`},
		"a trailing dot":      {"qa: judge a run.", "ends with a dot"},
		"too long":            {"qa: judge " + strings.Repeat("x", 63), "73 characters"},
		"a body is no excuse": {"judge\n\nqa: judge a run", `not "room: verb what"`},
	} {
		file := filepath.Join(t.TempDir(), "COMMIT_EDITMSG")
		if err := os.WriteFile(file, []byte(tt.message+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		said, err := exec.CommandContext(t.Context(), sh, ".githooks/commit-msg", file).CombinedOutput()
		if (tt.want == "") != (err == nil) || !strings.Contains(string(said), tt.want) {
			t.Errorf("%s: %q: %v, %q; want %q", name, tt.message, err, said, tt.want)
		}
	}
}
