package qa_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// TestUnprovenTexts: quoted texts and numbers of an expectation must be what a
// bound check looks for (design §7, binding).
func TestUnprovenTexts(t *testing.T) {
	expecting := func(values ...string) []qa.Check {
		var checks []qa.Check
		for _, v := range values {
			checks = append(checks, qa.Check{Kind: "text_contains", Expected: v, Passed: true, Source: qa.SourceTool, Expects: []string{"E1"}})
		}
		return checks
	}
	tests := []struct {
		name   string
		text   string
		checks []qa.Check
		want   string // part of the reason; empty: proved
	}{
		{"the number is looked for", "the total is 42", expecting("42"), ""},
		{"another number is looked for", "the total is 42", expecting("41"), "looks for 42"},
		{"5 is not in 15", "there are 5 orders", expecting("15 orders"), "looks for 5"},
		{"5 is not in 5.5", "there are 5 orders", expecting("5.5"), "looks for 5"},
		{"5 is not -5", "the balance is 5", expecting("-5"), "looks for 5"},
		{"-5 is not 5", "the balance is -5", expecting("5"), "looks for -5"},
		{"typographic minus", "the balance is −5", expecting("-5"), ""},
		{"a dash within a date is no minus", "shown on 2026-11-21", expecting("2026/11/21"), ""},
		{"thousands may be grouped", "revenue is 1,234.50", expecting("$1234.50"), ""},
		{"a decimal comma is no group", "the rate is 1,5", expecting("15"), "looks for 1,5"},
		{"a decimal comma is itself", "the rate is 1,5", expecting("1,5 %"), ""},
		{"a full stop ends the sentence, not the number", "the total is 42.", expecting("42"), ""},
		{"quoted text is looked for", `the heading says "Hello"`, expecting("Hello"), ""},
		{"quoted text is not looked for", `the heading says "Hello"`, expecting("Bye"), `looks for "Hello"`},
		{"case doesn't matter", `the heading says "HELLO"`, expecting("hello, you"), ""},
		{"white space doesn't matter", "it says \"Sign \n in\"", expecting("sign in"), ""},
		{"typographic quotes", "it says “Hello”", expecting("Bye"), `looks for "Hello"`},
		{"German quotes", "it says „Hallo“", expecting("Bye"), `looks for "Hallo"`},
		{"French quotes", "it says « Salut »", expecting("Bye"), `looks for " Salut "`},
		{"inward French quotes", "it says »Hallo«", expecting("Bye"), `looks for "Hallo"`},
		{"backticks", "it says `Hello`", expecting("Bye"), `looks for "Hello"`},
		{"straight single quotes", "the button 'Pay' is there", expecting("Bye"), `looks for "Pay"`},
		{"apostrophes quote nothing", "the user's cart doesn't lose the user's goods", expecting("cart"), ""},
		{"a number within quotes is text", `it says "Order 5"`, expecting("order 5"), ""},
		{"several checks cover together", `"Total" is 42`, expecting("Total", "42"), ""},
		{"several checks that leave one out", `"Total" is 42 of 50`, expecting("Total", "42"), "looks for 50"},
		{"nothing quoted: any bound check will do", "the page loads", expecting("loads"), ""},
		{"no check", "the page loads", nil, "no executed check is bound to it"},
		{
			"the selector counts, its escapes don't", `the button "Say "hi"" is there`,
			[]qa.Check{{Selector: `button "Say \"hi\""`, Passed: true, Source: qa.SourceTool, Expects: []string{"E1"}}}, "",
		},
		{
			"a number in the page's address is not looked for", "there are 42 orders",
			[]qa.Check{{Subject: "http://shop.test/orders/42", Expected: "loads", Passed: true, Source: qa.SourceTool, Expects: []string{"E1"}}}, "looks for 42",
		},
		{
			"what was observed is not looked for", "the total is 42",
			[]qa.Check{{Observed: "42", Passed: true, Source: qa.SourceTool, Expects: []string{"E1"}}}, "looks for 42",
		},
		{
			"a baseline that is called 42", "the total is 42",
			[]qa.Check{{Kind: qa.VisualKind, Expected: "as baseline 42 v42", Passed: true, Source: qa.SourceTool, Expects: []string{"E1"}}}, "looks for 42",
		},
		{
			"the page looks as before", "the page looks as its baseline",
			[]qa.Check{{Kind: qa.VisualKind, Expected: "as baseline a v1", Passed: true, Source: qa.SourceTool, Expects: []string{"E1"}}}, "",
		},
		{
			"bound to another expectation", "the total is 42",
			[]qa.Check{{Expected: "42", Passed: true, Source: qa.SourceTool, Expects: []string{"E2", "E11"}}}, "no executed check",
		},
		{
			"the model's word binds nothing", "the total is 42",
			[]qa.Check{{Expected: "42", Passed: true, Source: qa.SourceModel, Expects: []string{"E1"}}}, "no executed check",
		},
		{
			"the model's word covers nothing", `"Total" is 42`,
			append(expecting("Total"), qa.Check{Expected: "42", Passed: true, Source: qa.SourceModel, Expects: []string{"E1"}}), "looks for 42",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			requireUnproven(t, qa.Expectation{ID: "E1", Text: tt.text}, tt.checks, tt.want)
		})
	}
}

// An expectation that carries an assertion is proved by that assertion, not by
// a look at something else.
func TestUnprovenAssertions(t *testing.T) {
	check := func(kind qa.AssertionType, selector, expected string) qa.Check {
		return qa.Check{Kind: string(kind), Selector: selector, Expected: expected, Passed: true, Source: qa.SourceTool, Expects: []string{"E1"}}
	}
	rows := qa.Assertion{Type: qa.CountEquals, Expected: "5"}
	link := qa.Assertion{Type: qa.AttributeEquals, Attribute: "href", Expected: "/home"}
	status := qa.Assertion{Type: qa.ResponseStatus, URL: "**/api/kpi", Expected: "200"}
	withSubject := func(c qa.Check, subject string) qa.Check { c.Subject = subject; return c }
	opposite := func(c qa.Check) qa.Check { c.Not = true; return c }
	const otherwise = "no check bound to it makes its assertion"

	tests := []struct {
		name      string
		assertion qa.Assertion
		selector  string
		check     qa.Check
		want      string
	}{
		{"made", rows, ".row", check(qa.CountEquals, ".row", "5"), ""},
		{"of another kind", rows, ".row", check(qa.Exists, ".row", "5"), otherwise + `, count_equals ".row" "5"`},
		{"on another element", rows, ".row", check(qa.CountEquals, ".rows", "5"), otherwise},
		{"with another number", rows, ".row", check(qa.CountEquals, ".row", "15"), otherwise},
		{"with the number in the selector only", rows, "li:nth-child(5)", check(qa.CountEquals, "li:nth-child(5)", "3"), otherwise},
		{"of another attribute", link, "a", withSubject(check(qa.AttributeEquals, "a", "/home"), "title"), otherwise},
		{"of the attribute", link, "a", withSubject(check(qa.AttributeEquals, "a", "/home"), "a href"), ""},
		{"of another response", status, "", withSubject(check(qa.ResponseStatus, "", "200"), "**/logo.png"), otherwise},
		{"of the response", status, "", withSubject(check(qa.ResponseStatus, "", "200"), "**/api/kpi"), ""},
		{"of another response than the page", qa.Assertion{Type: qa.ResponseStatus, Expected: "200"}, "", withSubject(check(qa.ResponseStatus, "", "200"), "**/logo.png"), otherwise},
		{"of an attribute that the selector names", link, "a[href]", withSubject(check(qa.AttributeEquals, "a[href]", "/home"), "a[href] title"), otherwise},
		{"of an attribute that ends alike", link, "a", withSubject(check(qa.AttributeEquals, "a", "/home"), "a data-href"), otherwise},
		{"the opposite", qa.Assertion{Type: qa.TextContains, Expected: "Paid"}, "#a", opposite(check(qa.TextContains, "#a", "Paid")), otherwise},
		{"of the opposite", qa.Assertion{Type: qa.TextContains, Not: true, Expected: "Paid"}, "#a", opposite(check(qa.TextContains, "#a", "anything but Paid")), ""},
		{"words for the opposite", qa.Assertion{Type: qa.TextContains, Not: true, Expected: "Paid"}, "#a", check(qa.TextContains, "#a", "anything but Paid"), otherwise},
		{"a part of a word", qa.Assertion{Type: qa.TextContains, WholeWords: true, Expected: "Paid"}, "#a", check(qa.TextContains, "#a", "Paid"), otherwise},
		{"on for off", qa.Assertion{Type: qa.Checked, Expected: "false"}, "#a", check(qa.Checked, "#a", "checked"), otherwise},
		{"off for on", qa.Assertion{Type: qa.Checked}, "#a", check(qa.Checked, "#a", "not checked"), otherwise},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			requireUnproven(t, qa.Expectation{ID: "E1", Assertion: &tt.assertion, Selector: tt.selector}, []qa.Check{tt.check}, tt.want)
		})
	}
}

// Every assertion type is proved by its own check as Compare words it.
func TestEveryAssertionProvesItself(t *testing.T) {
	for _, typ := range qa.AssertionTypes() {
		a := qa.Assertion{Type: typ, Expected: "true", Attribute: "href", URL: "**/api"}
		c := qa.Check{Kind: string(typ), Subject: "#a href", Selector: "#a", Expected: a.Compare(qa.Observation{}).Expected, Passed: true, Source: qa.SourceTool, Expects: []string{"E1"}}
		if typ == qa.ResponseStatus || typ == qa.ResponseOK {
			c.Subject = "**/api"
		}
		requireUnproven(t, qa.Expectation{ID: "E1", Assertion: &a, Selector: "#a"}, []qa.Check{c}, "")
	}
}

func requireUnproven(t *testing.T, e qa.Expectation, checks []qa.Check, want string) {
	t.Helper()
	got := qa.Unproven([]qa.Expectation{e}, checks)
	switch {
	case want == "" && len(got) > 0:
		t.Errorf("unproven: %s, want proved", got[0].Reason)
	case want != "" && len(got) == 0:
		t.Errorf("proved, want …%s…", want)
	case want != "" && !strings.Contains(got[0].Reason, want):
		t.Errorf("unproven: %s, want …%s…", got[0].Reason, want)
	}
}

// FuzzUnproven: no text makes the binding panic; a check that looks for the
// whole expectation always proves it, and no check at all never does.
func FuzzUnproven(f *testing.F) {
	for _, seed := range []string{"", `"`, `"a`, "the \"Total\" is 1,234.5", "“a„b“", "»a« «b»", "'a' b's 'c'", "-−5", "1,2,3.", "\xff\"\xfe\"", `"\"`, "`` 0"} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, text, looked string) {
		expectations := []qa.Expectation{{ID: "E1", Text: text}}
		check := qa.Check{Selector: looked, Expected: looked, Source: qa.SourceTool, Passed: true, Expects: []string{"E1"}}
		for _, u := range qa.Unproven(expectations, []qa.Check{check}) {
			if u.Reason == "" {
				t.Errorf("%q is unproven without a reason", text)
			}
		}
		check.Expected = text
		if got := qa.Unproven(expectations, []qa.Check{check}); len(got) > 0 && !strings.ContainsAny(text, `"'“”„«»‘’`+"`") {
			t.Errorf("%q looked for as it stands: unproven: %s", text, got[0].Reason)
		}
		if len(qa.Unproven(expectations, nil)) != 1 {
			t.Errorf("%q is proved by nothing", text)
		}
	})
}

// Checks that hold on any page, and such that look for something absent where
// something present is expected, prove nothing (promise 1; D6).
func TestUnprovenByIdleChecks(t *testing.T) {
	check := func(kind, selector, expected string) qa.Check {
		return qa.Check{Kind: kind, Selector: selector, Expected: expected, Passed: true, Source: qa.SourceTool, Expects: []string{"E1"}}
	}
	hidden := check("hidden", `text="Ordered"`, "hidden")
	for _, c := range []struct {
		text   string
		checks []qa.Check
		proved bool
	}{
		{"the order is saved", []qa.Check{check("visible", "css=body", "visible")}, false},
		{"the order is saved", []qa.Check{check("exists", "html", "exists"), check("url_matches", "", "**/*")}, false},
		{"the order is saved", []qa.Check{check("url_matches", "", "http")}, false},
		{"the order is saved", []qa.Check{check("url_matches", "", "**/orders")}, true},
		{"the order is saved", []qa.Check{check("visible", "css=.saved", "visible")}, true},
		{"the page speaks of an order", []qa.Check{check("text_contains", "css=body", "order")}, true},
		{"the order is saved", []qa.Check{check("hidden", "css=.never-there", "hidden")}, false},
		{`"Ordered" is shown`, []qa.Check{hidden}, false},
		{`"Ordered" is shown`, []qa.Check{hidden, check("visible", "h1", "visible")}, false},
		{`"Ordered" is shown`, []qa.Check{check("count_equals", `text="Ordered"`, "0")}, false},
		{`"Ordered" is no longer shown`, []qa.Check{hidden}, true},
		{`"Ordered" isn't shown`, []qa.Check{hidden}, true},
		{`"Ordered" disappears`, []qa.Check{check("count_equals", `text="Ordered"`, "0")}, true},
		{`»Ordered« ist nicht zu sehen`, []qa.Check{hidden}, true},
		{"there are 0 orders", []qa.Check{check("count_equals", "li", "0")}, true},
		{"there are 10 orders", []qa.Check{check("count_equals", "li", "10")}, true},
		{`"Paid" is shown instead of "Ordered"`, []qa.Check{hidden, check("text_equals", "p", "Paid")}, true},
	} {
		got := qa.Unproven([]qa.Expectation{{ID: "E1", Text: c.text}}, c.checks)
		if proved := len(got) == 0; proved != c.proved {
			t.Errorf("%s by %+v: %v, want proved %v", c.text, c.checks, got, c.proved)
		}
	}
	// What a person wrote down as the assertion proves it, whatever it is.
	own := qa.Expectation{ID: "E1", Text: "all is well", Selector: `text="Ordered"`, Assertion: &qa.Assertion{Type: qa.Hidden}}
	if got := qa.Unproven([]qa.Expectation{own}, []qa.Check{hidden}); len(got) > 0 {
		t.Errorf("its own assertion: %v", got)
	}
}

// A check that passed and is void proves nothing, and the reason is told.
func TestVoidCheckProvesNothing(t *testing.T) {
	e := qa.Expectation{ID: "E1", Text: `the page shows "Saved"`}
	c := qa.Check{ID: "C1", Kind: string(qa.TextContains), Expected: "Saved", Words: true, Passed: true, Source: qa.SourceTool, Expects: []string{"E1"}}
	if got := qa.Unproven([]qa.Expectation{e}, []qa.Check{c}); len(got) != 0 {
		t.Fatalf("the check itself: %v", got)
	}
	c.Void = []string{"its text was typed in this run"}
	got := qa.Unproven([]qa.Expectation{e}, []qa.Check{c})
	if len(got) != 1 || !strings.Contains(got[0].Reason, "typed in this run") {
		t.Errorf("got %v", got)
	}
}
