package terminal

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"github.com/assay-qa/assay/internal/pattern"
)

// What is written to a terminal, in whatever pieces, is ours or does nothing: colours of
// our set, line breaks and tabs. Plain texts come through as they are.
func FuzzOnlyOurs(f *testing.F) {
	ours := pattern.New(`\x1b\[((0|1|2|22|31|32|33|91|92|93)?;?)*m|\r\n`)
	style := Style{Terminal: true, Colour: true, Unicode: true}
	f.Add("plain größe 日本\tx\n", 3)
	f.Add(style.Mark(Passed)+style.Dim("dim")+"\r\n", 1)
	for _, s := range []string{"\x1b[2J", "\x1b]0;title\x07", "\x1b[1A\r\x1b[J", "\x1b", "\x1b[", "\x1b[31", "\x1b[8mhidden", "\x1b[38;5;0m", "\u009b2J", "\x9b2J", "a\u202eb", "\u2028", "a\rb", "\x1b\x1b[31mx", "\x1b[31;8m"} {
		f.Add(s, 2)
		f.Add("ok "+s+" more text that follows\n", 5)
	}
	f.Fuzz(func(t *testing.T, s string, piece int) {
		var out bytes.Buffer
		w := &filter{out: &out}
		piece = max(1, piece%7)
		for rest := s; rest != ""; {
			n := min(piece, len(rest))
			if wrote, err := w.Write([]byte(rest[:n])); err != nil || wrote != n {
				t.Fatalf("wrote %d of %d: %v", wrote, n, err)
			}
			rest = rest[n:]
		}
		for _, r := range ours.ReplaceAllString(out.String(), "") {
			if r != '\n' && r != '\t' && r != unicode.ReplacementChar && acts(r) {
				t.Errorf("%q comes through as %q", s, out.String())
			}
		}
		plain := strings.IndexFunc(s, acts) < 0
		if plain && out.String() != s {
			t.Errorf("%q became %q", s, out.String())
		}
	})
}

// acts reports whether a character is not shown as what it is.
func acts(r rune) bool {
	return r == unicode.ReplacementChar || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// Our own marks and colours come through, and what is no terminal is left alone.
func TestOnlyOurs(t *testing.T) {
	var out bytes.Buffer
	w := &filter{out: &out}
	style := Style{Terminal: true, Colour: true, Unicode: true}
	said := style.Mark(Passed) + style.Paint(Failed, "x") + style.Dim("y") + "\n"
	if _, err := w.Write([]byte(said)); err != nil || out.String() != said {
		t.Errorf("%q: %v", out.String(), err)
	}
	if got := OnlyOurs(&out); got != &out {
		t.Errorf("a buffer became %T", got)
	}
}
