package claim_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/qa/claim"
)

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
