package seen_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/assay-qa/assay/browser/seen"
)

func compose(pieces ...seen.Piece) seen.Text {
	return seen.Compose(pieces, func(int) bool { return true })
}

func TestFindWords(t *testing.T) {
	for _, tt := range []struct {
		text, wanted string
		found        bool
	}{
		{"Paid", "Paid", true}, {"Unpaid Paid", "Paid", true}, {"Status: Paid.", "Paid", true}, {"(Paid)", "Paid", true}, {"Paid/Open", "Paid", true}, {"pre-Paid", "Paid", true},
		{"UnPaid", "Paid", false}, {"Paids", "Paid", false}, {"Paid2", "Paid", false}, {"_Paid", "Paid", false}, {"xPaid", "Paid", false}, {"Paidé", "Paid", false},
		{"Paid\u0301x", "Paid", false}, {"the user's", "user", false}, {"the users'", "users", true}, {"can’t", "can", false}, {"don't", "t", false}, {"'Paid'", "Paid", true},
		{"5", "5", true}, {"5 orders", "5", true}, {"(5)", "5", true}, {"$5", "5", true}, {"5%", "5", true}, {"5.", "5", true}, {"No.5", "5", true}, {"5, 6", "5", true}, {"page-5", "5", true}, {"7-5", "5", true},
		{"15", "5", false}, {"50", "5", false}, {"1.5", "5", false}, {"5.0", "5", false}, {"5,000", "5", false}, {"1,005", "005", false}, {"-5", "5", false}, {"−5", "5", false}, {"-$5", "5", false}, {"-$5", "$5", false}, {"(-5)", "5", false}, {".5", "5", false}, {"5'000", "5", false},
		{"-5", "-5", true}, {"7-5", "-5", false}, {"$5", "$5", true}, {"5px", "5", false}, {"1.5", "1.5", true}, {"11.5", "1.5", false}, {"1.55", "1.5", false},
		{"已付款", "付款", true}, {"未付款", "付款", true}, {"共5件", "5", true}, {"共15件", "5", false}, {"お支払い済み", "支払い", true}, {"결제완료", "결제", true}, {"ชำระแล้ว", "แล้ว", true},
		{"unbezahlt", "bezahlt", false}, {"größe", "große", false}, {"не оплачено", "оплачено", true}, {"неоплачено", "оплачено", false}, {"غير مدفوع", "مدفوع", true},
		{"Total 12 items", "Total 12", true}, {"Total 120 items", "Total 12", false}, {"Subtotal 12", "total 12", false},
	} {
		if got := len(compose(seen.Piece{Text: tt.text}).FindWords(tt.wanted)) > 0; got != tt.found {
			t.Errorf("%q in %q: %v", tt.wanted, tt.text, got)
		}
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
