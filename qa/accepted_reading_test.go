package qa_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// Items 1 and 5 of step 8: an assertion may not contradict what is understood of
// its sentence, and looks for every quoted text and number of it.
func TestCheckReading(t *testing.T) {
	for _, c := range []struct {
		sentence, selector string
		assertion          qa.Assertion
		want               string // "": it is a reading
	}{
		{`the page shows "Paid"`, "", qa.Assertion{Type: qa.TextContains, Expected: "Paid"}, ""},
		{`the page shows "Paid"`, "css=#state", qa.Assertion{Type: qa.TextEquals, Expected: "Paid"}, ""},
		{`the page does not show "Paid"`, "", qa.Assertion{Type: qa.TextContains, Expected: "Paid"}, "contradicts the sentence"},
		{`the page does not show "Paid"`, "body", qa.Assertion{Type: qa.TextContains, Expected: "Not Paid"}, "contradicts the sentence"},
		{`the page does not show "Paid"`, `text="Paid"`, qa.Assertion{Type: qa.Visible}, "contradicts the sentence"},
		{`the page shows "Paid"`, `text="Paid"`, qa.Assertion{Type: qa.Hidden}, "contradicts the sentence"},
		{`die Seite zeigt nicht "Bezahlt"`, "", qa.Assertion{Type: qa.TextContains, Expected: "Bezahlt"}, "contradicts the sentence"},
		{`the button "Save" is disabled`, `button "Save"`, qa.Assertion{Type: qa.Enabled, Expected: "false"}, ""},
		{`the button "Save" is disabled`, `button "Save"`, qa.Assertion{Type: qa.Enabled}, "contradicts the sentence"},
		{`the button "Save" is not visible`, `button "Save"`, qa.Assertion{Type: qa.Visible, Not: true}, ""},
		{`the button "Save" is not visible`, `button "Save"`, qa.Assertion{Type: qa.Visible}, "contradicts the sentence"},
		{`the page title is "Orders"`, "", qa.Assertion{Type: qa.TitleEquals, Expected: "Orders - Shop"}, "contradicts the sentence"},
		{`the list "Cart" has 2 items`, `list "Cart" >> listitem`, qa.Assertion{Type: qa.CountEquals, Expected: "2"}, ""},
		{`the list "Cart" has 2 items`, `list "Cart" >> listitem`, qa.Assertion{Type: qa.CountAtLeast, Expected: "3"}, "contradicts the sentence"},
		{`all is well. The button "Save" is disabled.`, `button "Save"`, qa.Assertion{Type: qa.Enabled}, "contradicts the sentence"}, // one of two sentences is understood

		{`after that "Ordered" is what the kitchen reads`, "css=#s", qa.Assertion{Type: qa.TextContains, Expected: "ordered tea"}, ""},
		{`after that "Ordered" is what the kitchen reads`, "css=#s", qa.Assertion{Type: qa.Visible}, `does not look for "Ordered"`},
		{`„Bestellt“ und «Tee» stehen dann da`, "css=#s", qa.Assertion{Type: qa.TextContains, Expected: "Bestellt"}, `does not look for "Tee"`},
		{`the cart somehow adds up to 1,234.50`, "css=#sum", qa.Assertion{Type: qa.NumberCompared, Op: "==", Value: "1234.50"}, ""},
		{`the cart somehow adds up to 5`, "css=#sum", qa.Assertion{Type: qa.TextContains, Expected: "15"}, "does not look for the number 5"},
		{`one way or another more than 3 orders are there`, "css=.order", qa.Assertion{Type: qa.CountAtLeast, Expected: "4"}, ""},
		{`the row called "A \"B\"" is fine`, `row "A \"B\""`, qa.Assertion{Type: qa.Visible}, ""},
	} {
		err := qa.CheckReading(c.sentence, c.assertion, c.selector)
		if got := err != nil; got != (c.want != "") || got && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s as %s %v: %v, want %q", c.sentence, c.selector, c.assertion.Parts(""), err, c.want)
		}
	}
}

// Each expectation says what it was understood as, and by whom; what is not
// understood lists what checks took it for, unless they prove nothing.
func TestUnderstand(t *testing.T) {
	contains := &qa.Assertion{Type: qa.TextContains, Expected: "Ordered"}
	open := `after that "Ordered" is what the kitchen reads`
	e := qa.Expectation{ID: "E1", Text: open}
	bound := func(a qa.Assertion, change func(*qa.Check)) qa.Check {
		c := a.Check("css=#s")
		c.ID, c.Source, c.Passed, c.Expects = "C1", qa.SourceTool, true, []string{"E1"}
		if change != nil {
			change(&c)
		}
		return c
	}
	with := func(change func(*qa.Expectation)) qa.Expectation {
		out := e
		out.Assertion, out.Selector = contains, "css=#s"
		change(&out)
		return out
	}
	for name, c := range map[string]struct {
		e         qa.Expectation
		checks    []qa.Check
		as        string
		open      bool
		proposals int
	}{
		"a form":               {qa.Expectation{ID: "E1", Text: `the button "Save" is disabled`}, nil, `understood as: button "Save" is disabled (enabled)`, false, 0},
		"written":              {with(func(*qa.Expectation) {}), nil, `written as: css=#s shows the text "Ordered" (text_contains "css=#s" "Ordered")`, false, 0},
		"read by the caller":   {with(func(e *qa.Expectation) { e.ByCaller = true }), nil, `read by the caller as: css=#s shows`, false, 0},
		"accepted":             {with(func(e *qa.Expectation) { e.AcceptedBy = "Ada" }), []qa.Check{bound(*contains, nil)}, `accepted by Ada as: css=#s shows`, false, 0},
		"accepted, and other":  {with(func(e *qa.Expectation) { e.AcceptedBy = "Ada" }), []qa.Check{bound(qa.Assertion{Type: qa.TextEquals, Expected: "Ordered"}, nil)}, `accepted by Ada as`, false, 1},
		"an assertion alone":   {qa.Expectation{ID: "E1", Assertion: &qa.Assertion{Type: qa.ConsoleClean}}, nil, "understood as: the console shows no error", false, 0},
		"not understood":       {e, nil, "not understood: ", true, 0},
		"a proposal":           {e, []qa.Check{bound(*contains, nil), bound(*contains, nil)}, "check C1 took it for: css=#s shows", true, 1},
		"a check that failed":  {e, []qa.Check{bound(*contains, func(c *qa.Check) { c.Passed = false })}, "not understood: ", true, 0},
		"a check that is void": {e, []qa.Check{bound(*contains, func(c *qa.Check) { c.Void = []string{"it held before"} })}, "not understood: ", true, 0},
		"a model's word":       {e, []qa.Check{bound(*contains, func(c *qa.Check) { c.Source = qa.SourceModel })}, "not understood: ", true, 0},
		"of another":           {e, []qa.Check{bound(*contains, func(c *qa.Check) { c.Expects = []string{"E2"} })}, "not understood: ", true, 0},
		"a quote is left out":  {e, []qa.Check{bound(qa.Assertion{Type: qa.Visible}, nil)}, `does not fit: it does not look for "Ordered"`, true, 0},
		"of any page":          {qa.Expectation{ID: "E1", Text: "all is well"}, []qa.Check{bound(qa.Assertion{Type: qa.URLMatches, Expected: "**"}, nil)}, "holds on any page", true, 0},
	} {
		u := qa.Understand([]qa.Expectation{c.e}, c.checks)[0]
		if !strings.Contains(u.As, c.as) || u.Open != c.open || len(u.Proposals) != c.proposals {
			t.Errorf("%s: %q, open %v, %d proposals", name, u.As, u.Open, len(u.Proposals))
		}
	}
}

// Step 15, point 9: a sentence that no form reads can be worded anew, once, as one that is read and
// names all that the first one quotes or counts.
func TestAmendedWording(t *testing.T) {
	paid := &qa.Assertion{Type: qa.TextContains, Expected: "Paid"}
	for name, c := range map[string]struct {
		e       qa.Expectation
		id, new string
		want    string // of the error; "": it is taken
	}{
		"read now":             {qa.Expectation{Text: `"Paid" is where it should be`}, "E1", `the page shows "Paid"`, ""},
		"another language":     {qa.Expectation{Text: `all is well with the button "Speichern"`}, "E1", `der Button "Speichern" ist deaktiviert`, ""},
		"a number":             {qa.Expectation{Text: `one way or another 3 rows of "Orders" are left`}, "E1", `the table "Orders" has 3 rows`, ""},
		"another number":       {qa.Expectation{Text: `one way or another 3 rows of "Orders" are left`}, "E1", `the table "Orders" has 2 rows`, "the number 3"},
		"a quote is left out":  {qa.Expectation{Text: `"Paid" is where it should be`}, "E1", `the page shows "Orders"`, `does not name "Paid"`},
		"a part of the quote":  {qa.Expectation{Text: `"Paid in full" is where it should be`}, "E1", `the page shows "Paid"`, `does not name "Paid in full"`},
		"not read either":      {qa.Expectation{Text: `"Paid" is where it should be`}, "E1", `"Paid" is fine`, "the new wording proves nothing"},
		"nothing":              {qa.Expectation{Text: "all is well"}, "E1", " ", "the new wording proves nothing"},
		"read as it stands":    {qa.Expectation{Text: `the page shows "Paid"`}, "E1", `the page shows "Paid"`, "understood as it stands"},
		"with an assertion":    {qa.Expectation{Text: "all is well", Assertion: paid}, "E1", `the page shows "Paid"`, "its assertion says"},
		"a second time":        {qa.Expectation{Text: `"Paid" is fine`, AmendedFrom: "all is well"}, "E1", `the page shows "Paid"`, "worded anew already"},
		"of no expectation":    {qa.Expectation{Text: "all is well"}, "E7", `the page shows "Paid"`, `no expectation "E7"`},
		"an unpaired quote":    {qa.Expectation{Text: "all is well"}, "E1", `the page shows "Paid`, "the new wording proves nothing"},
		"what was a weak word": {qa.Expectation{Text: "all is well"}, "E1", `the page shows "Paid"`, ""},
	} {
		task := qa.TaskSpec{Goal: "g", Expectations: []qa.Expectation{c.e}}.Number()
		got, err := task.Amended(c.id, c.new)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		now := got.Expectations[0]
		if err == nil && (now.Text != c.new || now.AmendedFrom != c.e.Text) || err != nil && now.Text != c.e.Text || task.Expectations[0].Text != c.e.Text {
			t.Errorf("%s: %+v, the first task %+v", name, now, task.Expectations[0])
		}
		if as := qa.Understand(got.Expectations, nil)[0].As; err == nil && !strings.Contains(as, c.e.Text[:5]) {
			t.Errorf("%s: the first wording is not told: %s", name, as)
		}
	}
}
