package seen_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-qa/assay/browser/seen"
)

func compose(pieces ...seen.Piece) seen.Text {
	return seen.Compose(pieces, func(int) bool { return true })
}

// The rows are those of the room that decides it, so that a page and a sentence
// are read alike.
func TestFindWords(t *testing.T) {
	data, err := os.ReadFile("../../internal/text/testdata/whole.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(data)) {
		var text, wanted string
		var found bool
		if n, _ := fmt.Sscanf(line, "%q\t%q\t%t", &text, &wanted, &found); n != 3 {
			continue
		}
		rows++
		if got := len(compose(seen.Piece{Text: text}).FindWords(wanted)) > 0; got != found {
			t.Errorf("%q in %q: %v", wanted, text, got)
		}
	}
	if rows < 100 {
		t.Errorf("only %d rows were read", rows)
	}
}

// What stands in elements side by side is one word, unless it is painted apart.
func TestFindWordsOverElements(t *testing.T) {
	for _, tt := range []struct {
		gap   seen.Gap
		apart bool
		found bool
	}{{seen.NoGap, false, false}, {seen.SoftGap, false, false}, {seen.SoftGap, true, true}, {seen.Break, false, true}} {
		text := compose(seen.Piece{Text: "Un"}, seen.Piece{Text: "paid", Gap: tt.gap, Apart: tt.apart})
		if got := len(text.FindWords("paid")) > 0; got != tt.found {
			t.Errorf("%+v: found %v", tt, got)
		}
		want := "Unpaid"
		if tt.found {
			want = "Un paid"
		}
		if got := text.Words(); got != want {
			t.Errorf("%+v: reads %q", tt, got)
		}
	}
}

func TestFindExpression(t *testing.T) {
	text := compose(seen.Piece{Text: "Order "}, seen.Piece{Text: "A-10482", Gap: seen.SoftGap}, seen.Piece{Text: "paid", Shown: "PAID", Gap: seen.Break})
	for expression, want := range map[string]int{
		`A-\d{5}`: 1, `^Order A`: 1, `PAID$`: 1, `paid$`: 1, `(?i)PAID`: 1, `\d`: 5, `A-\d{6}`: 0, `^paid`: 0, `\s`: 0, `\s+p`: 1, `OrderA`: 0, `.`: 16,
	} {
		got := text.FindExpression(regexp.MustCompile(expression))
		if len(got) != want {
			t.Errorf("%s: %d places: %v", expression, len(got), got)
		}
	}
	if got := compose(seen.Piece{Text: "12"}, seen.Piece{Text: "34", Gap: seen.SoftGap}).FindExpression(regexp.MustCompile(`^1234$`)); len(got) != 1 || len(got[0]) != 2 {
		t.Errorf("side by side: %v", got)
	}
}

// FuzzFindWords: what is found as whole words is found as a part, and nothing
// panics.
func FuzzFindWords(f *testing.F) {
	for _, seed := range [][2]string{{"Paid", "Unpaid"}, {"5", "-$5.5"}, {"", "a"}, {"́", "a\u0301b"}, {"…", "x…"}, {"\xff", "\xff\xfe"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, wanted, text string) {
		c := compose(seen.Piece{Text: text}, seen.Piece{Text: text, Gap: seen.SoftGap})
		if len(c.FindWords(wanted)) > len(c.Find(wanted, false)) {
			t.Errorf("%q in %q", wanted, text)
		}
		if wanted != "" && len(wanted) < 100 {
			c.FindExpression(regexp.MustCompile(regexp.QuoteMeta(strings.ToValidUTF8(wanted, ""))))
		}
	})
}

// A text is found whatever way its letters are drawn in: ligatures, widths, the shapes of
// Arabic letters, soft hyphens and joiners. What says something else is another text.
func TestLettersDrawnInOtherWays(t *testing.T) {
	for _, tt := range []struct {
		shown, wanted string
		found         bool
	}{
		{"of\ufb01ce and wa\ufb04e", "office and waffle", true}, {"office", "of\ufb01ce", true}, {"ＡＢＣ－１２３：ｏｋ", "ABC-123:ok", true}, {"ｶﾞｽ ﾊﾟﾝ", "ガス パン", true},
		{"ﻣﺮﺣﺒﺎ", "مرحبا", true}, {"\ufb2a", "ש\u05c1", true}, {"co\u00adop\u200der\u2060ate", "cooperate", true}, {"cafe\u0301", "caf\u00e9", true},
		{"10²", "102", false}, {"½", "1/2", false}, {"①", "1", false}, {"™", "TM", false}, {"ﬁ", "f", true}, {"m²", "m2", false},
	} {
		if got := len(compose(seen.Piece{Text: tt.shown}).Find(tt.wanted, false)) > 0; got != tt.found {
			t.Errorf("%q in %q: %v", tt.wanted, tt.shown, got)
		}
		if tt.found && len([]rune(tt.wanted)) > 1 && seen.Normal(tt.shown) != seen.Normal(tt.wanted) {
			t.Errorf("%q reads %q, %q reads %q", tt.shown, seen.Normal(tt.shown), tt.wanted, seen.Normal(tt.wanted))
		}
	}
	place := compose(seen.Piece{Text: "wa\ufb04e"}).Find("fl", false)
	if len(place) != 1 || len(place[0]) != 1 || place[0][0].From != 2 || place[0][0].To != 3 {
		t.Errorf("where it stands: %+v", place)
	}
}
