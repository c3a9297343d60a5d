package text_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/text"
)

func TestWord(t *testing.T) {
	known := []string{"selector", "select", "timeout_ms", "URL"}
	for _, tt := range []struct{ name, want string }{
		{"selectr", "selector"}, // one letter off both: the first
		{"selectro", "selector"},
		{"timeuot_ms", "timeout_ms"}, // neighbours swapped
		{"ulr", "URL"},
		{"colour", ""},
		{"", ""},
		{strings.Repeat("s", 1000), ""},
	} {
		if got := text.Nearest(tt.name, known); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestHint(t *testing.T) {
	if got := text.Hint("clik", []string{"fill", "click"}); got != `; did you mean "click"?` {
		t.Error(got)
	}
	for _, name := range []string{"click", "navigate"} { // known already; like nothing
		if got := text.Hint(name, []string{"fill", "click"}); got != "" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestClosest(t *testing.T) {
	if got := text.Closest("zzzbutton", []string{"link", "button"}); got != "button" {
		t.Error(got)
	}
	if got := text.Closest(strings.Repeat("x", 100_000), []string{"link", "button"}); got == "" {
		t.Error("nothing is closest")
	}
	if got := text.Closest("x", nil); got != "" {
		t.Error(got)
	}
}

// An id is meant by its beginning, however much is missing; a word that stands for one
// by being like it.
func TestHintID(t *testing.T) {
	ids := []string{"20261122T103153.819Z-2bxaju", "20261121T103153.819Z-aaaaaa"}
	for name, want := range map[string]string{"2026": `; did you mean "20261122T103153.819Z-2bxaju"?`, "20261121": `; did you mean "20261121T103153.819Z-aaaaaa"?`,
		"latets": `; did you mean "latest"?`, "": "", "cart": ""} {
		if got := text.HintID(name, ids, "latest"); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
