package text_test

import (
	"os/exec"
	"testing"

	"github.com/assay-qa/assay/internal/text"
)

// A shell reads the word as the text that it was made of.
func TestShellWord(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no POSIX shell here")
	}
	for _, s := range []string{"", "plain", "two words", "it's", "''", `$HOME "x" \ ` + "`id`", "a\nb", "-n", "*"} {
		out, err := exec.CommandContext(t.Context(), shell, "-c", "printf %s "+text.ShellWord(s)).Output()
		if err != nil || string(out) != s {
			t.Errorf("%q is read as %q (%v)", s, out, err)
		}
	}
}
