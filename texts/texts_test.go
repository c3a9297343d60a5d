package texts_test

import (
	"testing"
	"unicode/utf8"

	"github.com/assay-qa/assay/texts"
)

// Characters are counted, and no character is cut; what fits stays as it is.
func TestTexts(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{texts.Shorten("größer", 6), "größer"},
		{texts.Shorten("größer", 3), "grö…"},
		{texts.Shorten("", 0), ""},
		{texts.Fit("größer", 6), "größer"},
		{texts.Fit("größer", 4), "grö…"},
		{texts.Bytes("größer", 8), "größer"},
		{texts.Bytes("größer", 4), "grö"},
		{texts.Bytes("größer", 3), "gr"},
		{texts.Bytes("größer", 0), ""},
		{texts.Count(0, "file"), "0 files"},
		{texts.Count(1, "file"), "1 file"},
		{texts.Count(2, "file"), "2 files"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("héllo", 2)
	f.Add("日本", 4)
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = max(0, min(n, 100))
		got := texts.Cut(s, n)
		if len(got) > n+len("…") || utf8.ValidString(s) && !utf8.ValidString(got) || len(s) <= n && got != s {
			t.Errorf("Cut(%q, %d) = %q", s, n, got)
		}
	})
}
