package claim_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/qa/claim"
)

// Issue 15, class "parts of words and numbers": a text stands as whole words, a
// number as a whole number.
func TestWordBounded(t *testing.T) {
	tests := []struct {
		text, want string
		found      bool
	}{
		{"Paid", "Paid", true}, {"Order: Paid.", "Paid", true}, {"Unpaid", "Paid", false}, {"Prepaid", "paid", false}, {"Paid2", "Paid", false},
		{"Unpaid, then Paid", "Paid", true}, {"paid", "Paid", false}, {"Non-Paid", "Paid", false}, {"Sign-in", "Sign", true}, {"user_name", "user", false},
		{"can't", "can", false}, {"Paul's cart", "Paul", true}, {"l'utente", "utente", true}, {"Status:Paid", "Paid", true}, {"shop.test", "shop", false},
		{"a@shop", "shop", false}, {"Done.", "Done", true}, {"(Paid)", "Paid", true}, {"“Paid”", "Paid", true}, {"Paid!", "Paid!", true}, {"Paid!x", "Paid!", true},
		{"cafe\u0301", "cafe", false}, {"café", "caf", false}, {"Straße", "Stra", false}, {"überall", "all", false},
		{"5", "5", true}, {"15", "5", false}, {"50", "5", false}, {"1.5", "5", false}, {"5.5", "5", false}, {"1,5", "5", false}, {"5,000", "5", false}, {"-5", "5", false}, {"−5", "5", false}, {"+5", "5", false},
		{"-5", "-5", true}, {"3-5", "-5", false}, {"3-5", "5", false}, {"A-5", "5", false}, {"5-", "5", false}, {"5 items", "5", true}, {"5 items", "5 items", true}, {"15 items", "5 items", false}, {"(5)", "5", true}, {"5.", "5", true}, {"5, 6", "5", true},
		{"$5", "5", true}, {"-$5", "5", false}, {"-$5", "$5", false}, {"$5", "$5", true}, {"US$5", "$5", true}, {"5 €", "5", true}, {"5%", "5", true}, {"5px", "5", false}, {"x5", "5", false}, {"12:05", "05", false}, {"12:05", "12", false}, {"2026-11-21", "11", false}, {"11/21", "21", false},
		{"1'234", "234", false}, {"1 234", "234", true}, {"$12.50", "12.50", true}, {"$112.50", "12.50", false}, {"12.505", "12.50", false}, {".5", "5", false}, {"No.5", "5", false}, {"٥", "٥", true}, {"١٥", "٥", false}, {"5٥", "5", false},
		{"已付款", "付款", true}, {"5条", "5", true}, {"15条", "5", false}, {"共Paid页", "Paid", true}, {"ราคาดี", "ราคา", true}, {"저장이", "저장", true}, {"미결제", "결제", false}, {"カート", "カー", true},
		{"שלום", "שלום", true}, {"בשלום", "שלום", false}, {"", "a", false}, {"a", "", false}, {"", "", false}, {"a a", "a a", true}, {"ba ab a", "a", true}, {"😀5", "5", true},
	}
	for _, tt := range tests {
		if got := claim.WordBounded(tt.text, tt.want); got != tt.found {
			t.Errorf("WordBounded(%q, %q) = %v, want %v", tt.text, tt.want, got, tt.found)
		}
	}
}

func FuzzWordBounded(f *testing.F) {
	f.Add("Unpaid 15 1.5", "5")
	f.Add("\u0301", "\u0301")
	f.Add("\xff5", "5")
	f.Fuzz(func(t *testing.T, text, want string) {
		if claim.WordBounded(text, want) && !strings.Contains(text, want) {
			t.Fatalf("%q is found in %q, where it isn't", want, text)
		}
		if want != "" && strings.TrimSpace(want) == want && claim.WordBounded("x"+want+"x", want) && len(want) == 1 && (want[0] >= 'a' && want[0] <= 'z' || want[0] >= '0' && want[0] <= '9') {
			t.Fatalf("%q is a word of x%sx", want, want)
		}
	})
}

// Issue 15: every quotation mark of Unicode opens and closes in its pairs.
func TestQuotes(t *testing.T) {
	tests := map[string][]string{
		`"a" 'b' ` + "`c`":            {"a", "b", "c"},
		`“a” ‘b’ „c“ „d” ‚e‘`:         {"a", "b", "c", "d", "e"},
		`«a» ‹b› »c« ›d‹ »e» ”f”`:     {"a", "b", "c", "d", "e", "f"},
		`「a」『b』《c》〈d〉【e】｢f｣`:          {"a", "b", "c", "d", "e", "f"},
		`﹁a﹂﹃b﹄〝c〞〝d〟＂e＂＇f＇`:          {"a", "b", "c", "d", "e", "f"},
		`❛a❜ ❝b❞ ❮c❯ ‛d’ ‟e” ´f´ 🙶g🙷`: {"a", "b", "c", "d", "e", "f", "g"},
		`the user's cart shows "a"`:   {"a"},
		`the users' cart shows 'a'`:   {"a"},
		`l'"utente"`:                  {"utente"},
		`'the user's cart'`:           {"the user's cart"},
		`‘the user’s cart’`:           {"the user’s cart"},
		`"say 'hi' now"`:              {"say 'hi' now"},
		`“say “hi” now”`:              {"say “hi” now"},
		`„say "hi" now“`:              {`say "hi" now`},
		`„a"`:                         {"a"},
		`「a「b」c」`:                     {"a「b」c"},
		`«a ‹b› c»`:                   {"a ‹b› c"},
		"\"\u202bשלום\u202c\"":        {"\u202bשלום\u202c"},
		`"" "x"`:                      {"", "x"},
		`按钮"保存"可见`:                    {"保存"},
	}
	for sentence, want := range tests {
		if diff := cmp.Diff(want, claim.Quotes(sentence)); diff != "" {
			t.Errorf("Quotes(%s): %s", sentence, diff)
		}
	}
}

// Issue 15: a mark without a partner, or of no known pair, is an error that names
// it, so that callers can tell file and line.
func TestUnpairedQuotations(t *testing.T) {
	for sentence, mark := range map[string]string{`the page shows "Paid`: `"`, `the page shows “Paid"`: "“", `the page shows Paid”`: "”", `the page shows «Paid`: "«", `the page shows Paid»`: "»", `页面显示「已付款`: "「", `页面显示已付款」`: "」",
		`the page shows ⸂Paid⸃`: "⸂", `the page shows ⹂Paid“`: "⹂", `the page shows 'Paid`: "'", "the page shows `Paid": "`", `the page shows „Paid`: "„", `5" screen`: `"`} {
		claims, unread := claim.Parse(sentence)
		if unread == nil || !unread.Quotation || !strings.Contains(unread.Why, "the quotation mark "+mark+" (U+") {
			t.Errorf("%s: %v, %+v", sentence, claims, unread)
		}
	}
}

// Issue 15: digits of all scripts are read; what is no number is none.
func TestNumbers(t *testing.T) {
	tests := map[string]string{
		"3 rows": "3", "1,234 and 1234.5": "1234 1234.5", "1.234,56": "1234.56", "1,234.56": "1234.56", "1'234": "1234", "1,5": "1.5", "-5": "-5", "−5 °": "-5", "+5": "5", "page-2 is 7-5": "",
		"2026-11-21 12:30 2xx 3rd 1.2.3": "", "٣ rows, १२ and ３": "3 12 3", "1٣": "", "12,34,567": "", "$1,234.50": "1234.50", "3.": "3", "(3)": "3", `"3"`: "", "/orders/5": "", "共3行": "3", "1\u202f234": "1234", "0,123": "0.123", "1,234,567": "1234567", "1.234.567": "1234567", "v2": "", "5px": "", "٫5": "5",
	}
	for sentence, want := range tests {
		var got []string
		for _, n := range claim.Numbers(sentence) {
			got = append(got, n.Value)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("Numbers(%q) = %q, want %q", sentence, got, want)
		}
	}
	for sentence, want := range map[string]string{`the table "T" has ٣ rows`: "3", `the table "T" has ３ rows`: "3", `the table "T" has three rows`: "3", `the table "T" has 1,234 rows`: "1234", `表格“T”有两行`: "2"} {
		claims, unread := claim.Parse(sentence)
		if unread != nil || claims[0].Expected != want {
			t.Errorf("%s: %v, %v", sentence, claims, unread)
		}
	}
}

// Issue 15, bad input: names and texts are in claims as they were written.
func TestTextsStayAsTheyAre(t *testing.T) {
	for sentence, want := range map[string]string{
		`the button "say \"hi" is visible`:           "",
		`the button 'say "hi"' is visible`:           `button "say \"hi\""`,
		`the button 'back\slash' is visible`:         `button "back\\slash"`,
		"the button \"two\n  lines\" is visible":     `button "two lines"`,
		"the button \"\u202bשמור\u202c\" is visible": "button \"\u202bשמור\u202c\"",
		`the button " Save " is visible`:             `button "Save"`,
		`the button "a >> b" is visible`:             `button "a >> b"`,
	} {
		claims, unread := claim.Parse(sentence)
		switch {
		case want == "" && unread == nil:
			t.Errorf("%s: read as %s", sentence, spelt(claims))
		case want != "" && (unread != nil || claims[0].Selector != want):
			t.Errorf("%s: %v, %v; want %s", sentence, claims, unread, want)
		}
	}
	claims, unread := claim.Parse(`the page shows "  A  ` + "\u200fB" + `"`)
	if unread != nil || claims[0].Expected != "  A  \u200fB" {
		t.Errorf("%q, %v", claims, unread)
	}
}

// Issue 15, bad input: a sentence of 10,000 characters is refused before it is
// looked at, one of other bytes as well.
func TestTooLong(t *testing.T) {
	for _, sentence := range []string{`the page shows "` + strings.Repeat("a", 10_000) + `"`, strings.Repeat("“", 10_000), "the page shows \"\xff\"", ""} {
		if claims, unread := claim.Parse(sentence); unread == nil || unread.Quotation {
			t.Errorf("%.40s…: %v, %+v", sentence, claims, unread)
		}
	}
}
