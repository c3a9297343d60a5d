package main

import (
	"testing"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
)

// An error that ends a command says what its page has to say to the hint, each on a line of
// its own, and nothing of that acts on the terminal.
func TestHintsNameWhatThePageSays(t *testing.T) {
	err := withHint(&explain.Error{Code: explain.ElementNotFound, Message: "signing in failed", Hint: "use a name that is there:", Page: []pagetext.Text{`textbox "Username:"`, "two\nlines\x1b[2J"}})
	const want = "signing in failed (use a name that is there:)\n  textbox \"Username:\"\n  two lines\ufffd[2J"
	if err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
}
