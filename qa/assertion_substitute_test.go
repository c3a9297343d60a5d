package qa_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// Other words stand in place of what an assertion expects in words; numbers,
// states, methods, schemes and outcomes stay.
func TestAssertionWithOtherWords(t *testing.T) {
	for _, row := range []struct {
		a    qa.Assertion
		want string // of expected, or of url where there is one
	}{
		{qa.Assertion{Type: qa.TextContains, Expected: "Saved"}, "zzz"},
		{qa.Assertion{Type: qa.TextMatches, Expected: `Saved|\d+`}, `zzz|[0-9]+`},
		{qa.Assertion{Type: qa.TextMatches, Expected: `\d+`}, `\d+`},
		{qa.Assertion{Type: qa.URLMatches, Expected: "**/orders/*"}, "**/zzz/*"},
		{qa.Assertion{Type: qa.URLMatches, Expected: "https://**"}, "https://**"},
		{qa.Assertion{Type: qa.URLMatches, Expected: "/"}, "/"},
		{qa.Assertion{Type: qa.URLMatches, Expected: "re:orders|/"}, "re:zzz|/"},
		{qa.Assertion{Type: qa.RequestMade, Expected: "POST /api/orders 201"}, "POST /zzz/zzz 201"},
		{qa.Assertion{Type: qa.ResponseStatus, Expected: "200", URL: "GET /api"}, "GET /zzz"},
		{qa.Assertion{Type: qa.AriaSnapshot, Expected: `heading "A \"b\""`}, `heading "zzz"`},
		{qa.Assertion{Type: qa.CountEquals, Expected: "3"}, "3"},
		{qa.Assertion{Type: qa.Checked, Expected: "true"}, "true"},
		{qa.Assertion{Type: qa.Downloaded}, ""},
		{qa.Assertion{Type: qa.ValueEquals}, ""},
	} {
		b := row.a.WithOtherWords("zzz")
		got := b.Expected
		if b.URL != "" {
			got = b.URL
		}
		if got != row.want {
			t.Errorf("%+v: got %q, want %q", row.a, got, row.want)
		}
	}
}

// A pattern that fits any word, any address or any request can't fail.
func TestIndifferentAssertions(t *testing.T) {
	for _, row := range []struct {
		a   qa.Assertion
		why string
	}{
		{qa.Assertion{Type: qa.TextMatches, Expected: `Saved|.+`}, "any word"},
		{qa.Assertion{Type: qa.TextMatches, Expected: `Saved`}, ""},
		{qa.Assertion{Type: qa.URLMatches, Expected: "**"}, "any address"},
		{qa.Assertion{Type: qa.URLMatches, Expected: "**/orders"}, ""},
		{qa.Assertion{Type: qa.PopupOpened}, ""},
		{qa.Assertion{Type: qa.RequestMade, Expected: "GET **"}, "any request"},
		{qa.Assertion{Type: qa.RequestMade, Expected: "GET **/api/*"}, ""},
	} {
		if got := row.a.Indifferent(qa.Observation{}, "bcdfghjklmnp"); (got == "") != (row.why == "") || !strings.Contains(got, row.why) {
			t.Errorf("%+v: got %q, want %q", row.a, got, row.why)
		}
	}
}

// A run whose only checks prove nothing is inconclusive.
func TestVoidChecksAloneDoNotPass(t *testing.T) {
	c := qa.Check{ID: "C1", Kind: string(qa.TextMatches), Passed: true, Source: qa.SourceTool, Void: []string{"its pattern fits any word"}}
	if v := qa.Judge(qa.Record{Checks: []qa.Check{c}}); v.Status != qa.Inconclusive || !strings.Contains(string(v.Reason), "fits any word") {
		t.Errorf("got %+v", v)
	}
}

// Step 15, point 8: a reading that holds without what its sentence quotes proves nothing of
// it. A sentence that names both of two alternatives is read as it says.
func TestAssertionWithoutTheWordsOfItsSentence(t *testing.T) {
	const shown, at = "Orders 12 Open Refunded", "https://a.test/orders?state=open"
	for _, row := range []struct {
		words []string
		a     qa.Assertion
		holds bool // without the words
	}{
		{[]string{"Paid"}, qa.Assertion{Type: qa.TextMatches, Expected: `Paid|Orders`}, true},
		{[]string{"Paid"}, qa.Assertion{Type: qa.TextMatches, Expected: `Orders \d+( Paid)?`}, true},
		{[]string{"refunded"}, qa.Assertion{Type: qa.TextMatches, Expected: `Open\s*(?:Refunded)*`}, true},
		{[]string{"Bestellt", "12"}, qa.Assertion{Type: qa.TextMatches, Expected: `(Bestellt )?(12 )?Open`}, true},
		{[]string{"$5.00"}, qa.Assertion{Type: qa.TextMatches, Expected: `\$5\.00|Open`}, true},
		{[]string{"open"}, qa.Assertion{Type: qa.URLMatches, Expected: `re:/orders(\?state=open)?`}, true},
		{[]string{"Refunded"}, qa.Assertion{Type: qa.TextMatches, Expected: `Open\s+Refunded`}, false},
		{[]string{"Open", "Paid"}, qa.Assertion{Type: qa.TextMatches, Expected: `Open|Paid`}, false},
		{[]string{"open"}, qa.Assertion{Type: qa.URLMatches, Expected: `re:state=open`}, false},
	} {
		b := row.a.WithoutWords(row.words, "zzz")
		text := shown
		if holds, known := b.HoldsOf(qa.Observation{Count: 1, Text: &text, URL: at}); b == row.a || !known || holds != row.holds {
			t.Errorf("%v %s: %s: holds %v, known %v", row.words, row.a.Expected, b.Expected, holds, known)
		}
	}
	for _, a := range []qa.Assertion{{Type: qa.TextContains, Expected: "Paid"}, {Type: qa.TextMatches, Expected: `P.id`}, {Type: qa.URLMatches, Expected: "/Paid"}} {
		if b := a.WithoutWords([]string{"Paid", ""}, "zzz"); b != a {
			t.Errorf("%+v became %+v", a, b)
		}
	}
}
