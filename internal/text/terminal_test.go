package text_test

import (
	"testing"

	"github.com/assay-qa/assay/internal/text"
)

func TestSize(t *testing.T) {
	t.Parallel()
	for bytes, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 1536000: "1.5 MB", 7e15: "7000.0 TB"} {
		if got := text.Size(bytes); got != want {
			t.Errorf("%d: %q, want %q", bytes, got, want)
		}
	}
}

// What a page said stays a part of its line, and moves no cursor.
func TestTerminal(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ got, want string }{
		{text.Line("a\nb\tc\u2028d"), "a b c d"},
		{text.Line("a\x1b[2Kb\u202e"), "a\ufffd[2Kb\ufffd"},
		{text.Printable("größer \"a\" \\ b"), "größer \"a\" \\ b"},
		{text.Printable("a\nb\x1b"), `a\nb\x1b`},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
