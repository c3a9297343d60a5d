package browser

import (
	"errors"
	"strings"
	"testing"

	"github.com/assay-qa/assay/browser/explain"
)

// A selector that is none is the caller's to fix: the error says what is wrong,
// and what is accepted.
func TestRefusedSelectorIsInvalidInput(t *testing.T) {
	t.Parallel()
	for in, says := range map[string]string{
		"": "the selector is empty", `button "Sign in`: `selector "button \"Sign in": a closing quote`, strings.Repeat("a", 2001): "longer than 2000",
	} {
		_, err := parseSelector(in)
		var e *explain.Error
		if !errors.As(err, &e) || e.Code != explain.InvalidInput {
			t.Errorf("parseSelector(%q): %v; want %s", in, err, explain.InvalidInput)
			continue
		}
		if !strings.Contains(string(e.Message.Text()), says) || !strings.Contains(e.Hint, `button "Sign in"`) {
			t.Errorf("parseSelector(%q): %s (%s), want it to say %q and what is accepted", in, e.Message, e.Hint, says)
		}
	}
}
