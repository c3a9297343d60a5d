package text_test

import (
	"testing"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/text"
)

// Characters are counted, and no character is cut; what fits stays as it is.
func TestTexts(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{text.Shorten("größer", 6), "größer"},
		{text.Shorten("größer", 3), "grö…"},
		{text.Shorten("", 0), ""},
		{text.Fit("größer", 6), "größer"},
		{text.Fit("größer", 4), "grö…"},
		{text.Bytes("größer", 8), "größer"},
		{text.Bytes("größer", 4), "grö"},
		{text.Bytes("größer", 3), "gr"},
		{text.Bytes("größer", 0), ""},
		{text.Count(0, "file"), "0 files"},
		{text.Count(1, "file"), "1 file"},
		{text.Count(2, "file"), "2 files"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

// What looks the same to a reader is alike: white space, what paints nothing, and how a
// character is composed make no difference, and all else does.
func TestAlike(t *testing.T) {
	for _, same := range [][2]string{{"30", "30 "}, {"30", "30\u00a0"}, {"30", "3\u00ad0"}, {"30", "\u200b30"}, {"30", "\uff13\uff10"}, {"caf\u00e9", "cafe\u0301"}, {"a b", "a\n\tb"}, {"", " "}} {
		if !text.Alike(same[0], same[1]) {
			t.Errorf("%q and %q are told apart", same[0], same[1])
		}
	}
	for _, other := range [][2]string{{"30", "31"}, {"a b", "ab"}, {"Paid", "paid"}, {"-1", "1"}, {"", "0"}} {
		if text.Alike(other[0], other[1]) {
			t.Errorf("%q and %q are alike", other[0], other[1])
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("héllo", 2)
	f.Add("日本", 4)
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = max(0, min(n, 100))
		got := text.Cut(s, n)
		if len(got) > n+len("…") || utf8.ValidString(s) && !utf8.ValidString(got) || len(s) <= n && got != s {
			t.Errorf("Cut(%q, %d) = %q", s, n, got)
		}
	})
}

func TestAround(t *testing.T) {
	for _, c := range []struct {
		s, part string
		limit   int
		want    string
	}{
		{"short", "short", 10, "short"},
		{"one two three four five", "three", 9, "…o three f…"},
		{"one two three four five", "one", 7, "one two…"},
		{"one two three four five", "five", 8, "…our five"},
		{"äöü äöü ß äöü äöü", "ß", 5, "…ü ß ä…"},
		{"one two three four five", "six", 7, "one two three four five"},
		{"one two three four five", "two three four", 5, "one two three four five"},
	} {
		if got := text.Around(c.s, c.part, c.limit); got != c.want {
			t.Errorf("Around(%q, %q, %d) = %q, want %q", c.s, c.part, c.limit, got, c.want)
		}
	}
}
