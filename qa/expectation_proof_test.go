package qa_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// made returns the passed check that a tool makes of an assertion, bound to E1.
func made(a qa.Assertion, selector string) qa.Check {
	c := a.Check(selector)
	c.ID, c.Passed, c.Source, c.Expects = "C1", true, qa.SourceTool, []string{"E1"}
	return c
}

func shows(text, selector string) qa.Check {
	return made(qa.Assertion{Type: qa.TextContains, Expected: text}, selector)
}

// figure returns the check of a figure.
func figure(label, expected string) qa.Check {
	return qa.Check{ID: "C1", Kind: qa.KPIKind, Subject: label, Expected: expected, Passed: true, Source: qa.SourceTool, Expects: []string{"E1"}}
}

func absent(kind qa.AssertionType, selector string) qa.Check {
	return made(qa.Assertion{Type: kind, Expected: map[qa.AssertionType]string{qa.CountEquals: "0", qa.CountAtMost: "0"}[kind]}, selector)
}

func present(selector string) qa.Check { return made(qa.Assertion{Type: qa.Visible}, selector) }

// A sentence is proved by the check that it demands, and by no other, however many
// of its words that one has. None of these checks proves its sentence, alone or
// together (issue: who may prove).
func TestLiesProveNothing(t *testing.T) {
	whole := func(text string, not bool) qa.Assertion {
		return qa.Assertion{Type: qa.TextContains, Expected: text, WholeWords: true, Not: not}
	}
	for sentence, lies := range map[string][]qa.Check{
		`the page shows "Paid"`: {
			shows("Paid", ""), // Unpaid
			shows("Unpaid", ""), made(whole("Unpaid", false), ""), made(whole("Paid", true), ""), made(whole("Paid", false), "css=footer"), made(whole("paid", false), ""),
			present(`css=h1:not([title="Paid"])`), present(`css=h1:not(:has-text("Paid"))`), present(`css=h1, [title="Paid"]`), present(`css=h1/* Paid */`), present(`css=:is(h1, [title="Paid"])`),
			present(`xpath=//h1[not(contains(.,"Paid"))]`), present(`xpath=//h1[true() or contains(.,"Paid")]`), present(`xpath=//h1 | //p[.="Paid"]`), present(`text=/Paid|Orders/`), present(`text=Paid`),
			absent(qa.Hidden, `text="Paid"`), absent(qa.CountEquals, `text="Paid"`), absent(qa.CountAtMost, `css=p[title="Paid"]`),
			made(qa.Assertion{Type: qa.TextMatches, Expected: "Paid|Orders"}, ""), made(qa.Assertion{Type: qa.URLMatches, Expected: "re:Paid|/"}, ""), made(qa.Assertion{Type: qa.TitleEquals, Expected: "Paid"}, ""),
			made(qa.Assertion{Type: qa.ValueEquals, Expected: "Paid"}, "css=#find"), made(qa.Assertion{Type: qa.ConsoleClean}, ""),
			{ID: "C9", Kind: "verify_page_loads", Subject: "/", Expected: `the page shows "Paid"`, Passed: true, Source: qa.SourceTool, Expects: []string{"E1"}},
			{ID: "C9", Kind: qa.VisualKind, Subject: "Paid", Selector: `text="Paid"`, Expected: "Paid", Passed: true, Source: qa.SourceTool, Expects: []string{"E1"}},
		},
		`"Paid" is no longer shown`:           {made(whole("Paid", false), ""), absent(qa.Hidden, `text="Paid"`), made(whole("Unpaid", true), ""), shows("anything but Paid", ""), absent(qa.Hidden, `css=p[title="Paid"]`)},
		`»Paid« ist nicht zu sehen`:           {made(whole("Paid", false), ""), absent(qa.CountEquals, `text="Paid"`)},
		`the button "Save" is disabled`:       {shows("Save", ""), present(`button "Save"`), absent(qa.Hidden, `button "Save"`), made(qa.Assertion{Type: qa.Enabled}, `button "Save"`), made(qa.Assertion{Type: qa.Editable, Not: true}, `button "Save"`), made(qa.Assertion{Type: qa.Enabled, Not: true}, `button "Save all"`), made(qa.Assertion{Type: qa.Enabled, Not: true}, `css=button`)},
		`the button "Save" is enabled`:        {made(qa.Assertion{Type: qa.Enabled, Not: true}, `button "Save"`), made(qa.Assertion{Type: qa.Enabled, Expected: "false"}, `button "Save"`), present(`button "Save"`)},
		`the checkbox "News" is checked`:      {present(`checkbox "News"`), shows("News", ""), made(qa.Assertion{Type: qa.Checked, Not: true}, `checkbox "News"`), made(qa.Assertion{Type: qa.Indeterminate}, `checkbox "News"`)},
		`"Docs" is a link`:                    {shows("Docs", ""), present(`button "Docs"`), present("text=Docs"), made(qa.Assertion{Type: qa.Exists}, `link "Docs"`)},
		`the button "Save" exists in the DOM`: {shows("Save", ""), absent(qa.Hidden, `button "Save"`)},
		`the list "Orders" has 5 items`: {shows("5", ""), shows("15", `list "Orders"`), made(qa.Assertion{Type: qa.CountEquals, Expected: "15"}, `list "Orders" >> listitem`), made(qa.Assertion{Type: qa.CountAtLeast, Expected: "5"}, `list "Orders" >> listitem`),
			made(qa.Assertion{Type: qa.CountEquals, Expected: "5", Not: true}, `list "Orders" >> listitem`), made(qa.Assertion{Type: qa.CountEquals, Expected: "5"}, `css=li`), present(`list "Orders"`)},
		`the number in the status is greater than 5`: {shows("5", "status"), made(qa.Assertion{Type: qa.NumberCompared, Op: ">=", Value: "5"}, "status"), made(qa.Assertion{Type: qa.NumberCompared, Op: "<", Value: "5"}, "status"),
			made(qa.Assertion{Type: qa.NumberCompared, Op: ">", Value: "15"}, "status"), made(qa.Assertion{Type: qa.NumberCompared, Op: ">", Value: "-5"}, "status"), made(qa.Assertion{Type: qa.NumberCompared, Op: ">", Value: "5"}, "css=b")},
		`the page title is "Orders"`:                                         {shows("Orders", ""), present(`heading "Orders"`), made(qa.Assertion{Type: qa.TitleEquals, Expected: "Orders", Not: true}, ""), made(qa.Assertion{Type: qa.TitleEquals, Expected: "My Orders"}, "")},
		`the URL is /orders`:                                                 {shows("/orders", ""), made(qa.Assertion{Type: qa.URLMatches, Expected: "**/orders**"}, ""), made(qa.Assertion{Type: qa.URLMatches, Expected: "/orders", Not: true}, ""), made(qa.Assertion{Type: qa.AttributeEquals, Attribute: "href", Expected: "/orders"}, "css=a")},
		`GET /api/orders returns 200`:                                        {shows("200", ""), made(qa.Assertion{Type: qa.ResponseStatus, Expected: "200"}, ""), made(qa.Assertion{Type: qa.ResponseStatus, Expected: "200", URL: "POST /api/orders"}, ""), made(qa.Assertion{Type: qa.ResponseStatus, Expected: "201", URL: "GET /api/orders"}, ""), made(qa.Assertion{Type: qa.ResponseOK, URL: "GET /api/orders"}, ""), made(qa.Assertion{Type: qa.RequestMade, Expected: "GET /api/orders 200"}, "")},
		`there are no errors in the console`:                                 {shows("no errors", ""), made(qa.Assertion{Type: qa.ConsoleClean, Not: true}, ""), {ID: "C9", Kind: "analyze_console_errors", Expected: "no console error", Passed: true, Source: qa.SourceTool, Expects: []string{"E1"}}},
		`the field "Email" has the value "a@b"`:                              {shows("a@b", ""), made(qa.Assertion{Type: qa.ValueEquals, Expected: "a@b"}, "css=#mail"), made(qa.Assertion{Type: qa.ValueEquals, Expected: "a@b.c"}, `textbox "Email"`), made(qa.Assertion{Type: qa.ValueEquals, Expected: "a@b"}, `textbox "Email again"`), shows("a@b", `textbox "Email"`)},
		`the link "Docs" has the attribute "target" with the value "_blank"`: {made(qa.Assertion{Type: qa.AttributeEquals, Attribute: "rel", Expected: "_blank"}, `link "Docs"`), made(qa.Assertion{Type: qa.AttributeEquals, Attribute: "data-target", Expected: "_blank"}, `link "Docs"`), shows("_blank target", `link "Docs"`)},
		`"Tea" comes before "Coffee"`:                                        {made(qa.Assertion{Type: qa.ComesBefore, Other: `text="Tea"`}, `text="Coffee"`), made(qa.Assertion{Type: qa.ComesBefore, Other: `text="Coffee"`, Not: true}, `text="Tea"`), shows("Tea", ""), shows("Coffee", "")},
		`the figure "Revenue" is 1,234`:                                      {shows("1,234", ""), shows("Revenue", ""), figure("Revenue", "11,234"), figure("Net Revenue", "1,234"), figure("Revenue (7d)", "1,234"), {ID: "C9", Kind: "check_kpis", Expected: "Revenue 1,234", Passed: true, Source: qa.SourceTool, Expects: []string{"E1"}}},
		`a dialog is shown with the title "Gone?"`:                           {shows("Gone?", ""), absent(qa.Hidden, `dialog "Gone?"`), present(`dialog "Gone"`), present("role=dialog")},
	} {
		e := qa.Expectation{ID: "E1", Text: sentence}
		requireUnproven(t, e, lies, "no check bound to it is the one that it demands: ")
		for _, lie := range lies {
			requireUnproven(t, e, []qa.Check{lie}, "no check bound to it is the one that it demands: ")
		}
		demands, err := e.Demands()
		if err != nil {
			t.Errorf("%s: %v", sentence, err)
			continue
		}
		for _, kept := range demands { // every selector of its subject will do
			for _, selector := range kept.Selectors() {
				checks := slices.Clone(lies)
				for _, d := range demands {
					if c := made(d.Assertion, selector); d.Means == kept.Means {
						checks = append(checks, c)
					} else {
						checks = append(checks, made(d.Assertion, d.Selector))
					}
					if d.Figure != "" {
						checks = append(checks, figure(d.Figure, d.Assertion.Expected))
					}
				}
				requireUnproven(t, e, checks, "")
			}
		}
	}
}

// A sentence that asks for several things is proved by all of them; the reason
// names the one that is missing.
func TestEachDemandIsProved(t *testing.T) {
	e := qa.Expectation{ID: "E1", Text: `the button "Save" is disabled and the page shows "Saved"`}
	disabled := made(qa.Assertion{Type: qa.Enabled, Not: true}, `button "Save"`)
	saved := made(qa.Assertion{Type: qa.TextContains, Expected: "Saved", WholeWords: true}, "")
	requireUnproven(t, e, []qa.Check{saved}, `button "Save" is disabled`)
	requireUnproven(t, e, []qa.Check{disabled}, `the page shows the text "Saved"`)
	requireUnproven(t, e, []qa.Check{saved, disabled}, "")

	// What is written in two ways is one.
	off := made(qa.Assertion{Type: qa.Enabled, Expected: "false"}, `button "Save"`)
	requireUnproven(t, e, []qa.Check{saved, off}, "")
	gone := qa.Expectation{ID: "E1", Text: "-", Selector: "css=#a", Assertion: &qa.Assertion{Type: qa.Visible, Not: true}}
	requireUnproven(t, gone, []qa.Check{made(qa.Assertion{Type: qa.Hidden}, "css=#a")}, "")
	requireUnproven(t, gone, []qa.Check{present("css=#a")}, "no check bound to it is the one that it demands: ")
	there := qa.Expectation{ID: "E1", Text: "-", Selector: "css=#a", Assertion: &qa.Assertion{Type: qa.Hidden, Not: true}}
	requireUnproven(t, there, []qa.Check{present("css=#a")}, "")

	// Only a tool's or a rule's check that names it counts.
	for _, c := range []func(*qa.Check){
		func(c *qa.Check) { c.Expects = []string{"E2"} }, func(c *qa.Check) { c.Expects = nil },
		func(c *qa.Check) { c.Source = qa.SourceModel }, func(c *qa.Check) { c.Source = "" },
	} {
		other := disabled
		c(&other)
		requireUnproven(t, qa.Expectation{ID: "E1", Text: `the button "Save" is disabled`}, []qa.Check{other}, `no executed check is bound to it; it wants verify_assertion {"expects":["E1"]}`)
	}
}

// A sentence that no form fits is proved by nothing, and the reason says what to
// write.
func TestUnreadSentenceIsUnproven(t *testing.T) {
	for _, sentence := range []string{"it works", "all is well", `the "Total" looks right`, "2 + 2", "", `the page shows "Paid`, strings.Repeat("the page shows ", 1000)} {
		e := qa.Expectation{ID: "E1", Text: sentence}
		requireUnproven(t, e, []qa.Check{shows("Paid", ""), shows(sentence, ""), present("text=Total"), shows("2", "")}, "its words are not understood: ")
		got := qa.Unproven([]qa.Expectation{e}, nil)
		if len(got) != 1 || !got[0].Unprovable || !strings.Contains(got[0].Reason, "write for example: ") || !strings.Contains(got[0].Reason, "give it an assertion: ") {
			t.Errorf("%.40q: %+v", sentence, got)
		}
		if wants := e.Wants(); !strings.HasPrefix(wants, "E1 can't be proved: its words are not understood") {
			t.Errorf("%.40q: %s", sentence, wants)
		}
	}
}

func TestWants(t *testing.T) {
	e := qa.Expectation{ID: "E3", Text: `the heading "Orders" is shown`}
	if got, want := e.Wants(), `E3 wants: verify_assertion {"expects":["E3"]} (heading "Orders" is visible)`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// An expectation that carries an assertion is proved by that assertion, not by
// a look at something else.
func TestUnprovenAssertions(t *testing.T) {
	check := func(kind qa.AssertionType, selector, expected string) qa.Check {
		return made(qa.Assertion{Type: kind, Expected: expected}, selector)
	}
	rows := qa.Assertion{Type: qa.CountEquals, Expected: "5"}
	link := qa.Assertion{Type: qa.AttributeEquals, Attribute: "href", Expected: "/home"}
	status := qa.Assertion{Type: qa.ResponseStatus, URL: "**/api/kpi", Expected: "200"}
	withSubject := func(c qa.Check, subject string) qa.Check { c.Subject = subject; return c }
	paid := qa.Assertion{Type: qa.TextContains, Expected: "Paid"}
	notPaid := qa.Assertion{Type: qa.TextContains, Expected: "Paid", Not: true}
	const otherwise = "no check bound to it is the one that it demands: "

	tests := []struct {
		name      string
		assertion qa.Assertion
		selector  string
		check     qa.Check
		want      string
	}{
		{"made", rows, ".row", check(qa.CountEquals, ".row", "5"), ""},
		{"of another kind", rows, ".row", check(qa.Exists, ".row", ""), otherwise + `.row is seen exactly 5 times (count_equals ".row" "5")`},
		{"on another element", rows, ".row", check(qa.CountEquals, ".rows", "5"), otherwise},
		{"with another number", rows, ".row", check(qa.CountEquals, ".row", "15"), otherwise},
		{"with the number in the selector only", rows, "li:nth-child(5)", check(qa.CountEquals, "li:nth-child(5)", "3"), otherwise},
		{"of another attribute", link, "a", withSubject(check(qa.AttributeEquals, "a", "/home"), "title"), otherwise},
		{"of the attribute", link, "a", made(link, "a"), ""},
		{"of another response", status, "", withSubject(check(qa.ResponseStatus, "", "200"), "**/logo.png"), otherwise},
		{"of the response", status, "", made(status, ""), ""},
		{"of another response than the page", qa.Assertion{Type: qa.ResponseStatus, Expected: "200"}, "", withSubject(check(qa.ResponseStatus, "", "200"), "**/logo.png"), otherwise},
		{"of an attribute that the selector names", link, "a[href]", withSubject(check(qa.AttributeEquals, "a[href]", "/home"), "a[href] title"), otherwise},
		{"of an attribute that ends alike", link, "a", withSubject(check(qa.AttributeEquals, "a", "/home"), "a data-href"), otherwise},
		{"at another address", qa.Assertion{Type: qa.Visible}, "#a", withSubject(present("#a"), "http://other.test/ #a"), otherwise},
		{"the opposite", paid, "#a", made(notPaid, "#a"), otherwise},
		{"of the opposite", notPaid, "#a", made(notPaid, "#a"), ""},
		{"words for the opposite", notPaid, "#a", check(qa.TextContains, "#a", "anything but Paid"), otherwise},
		{"a part of a word", qa.Assertion{Type: qa.TextContains, WholeWords: true, Expected: "Paid"}, "#a", made(paid, "#a"), otherwise},
		{"on for off", qa.Assertion{Type: qa.Checked, Expected: "false"}, "#a", check(qa.Checked, "#a", ""), otherwise},
		{"off for on", qa.Assertion{Type: qa.Checked}, "#a", check(qa.Checked, "#a", "false"), otherwise},
		{"the other order", qa.Assertion{Type: qa.SortedBy, Order: "asc", As: "number"}, "li", made(qa.Assertion{Type: qa.SortedBy, Order: "desc", As: "number"}, "li"), otherwise},
		{"another reading of the order", qa.Assertion{Type: qa.SortedBy, Order: "asc", As: "number"}, "li", made(qa.Assertion{Type: qa.SortedBy, Order: "asc", As: "text"}, "li"), otherwise},
		{"at least for equal", rows, "li", check(qa.CountAtLeast, "li", "5"), otherwise},
		{"a request for a response", status, "", made(qa.Assertion{Type: qa.RequestMade, Expected: "**/api/kpi 200"}, ""), otherwise},
		{"any file for one", qa.Assertion{Type: qa.Downloaded, Expected: "a.csv"}, "", made(qa.Assertion{Type: qa.Downloaded}, ""), otherwise},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			requireUnproven(t, qa.Expectation{ID: "E1", Assertion: &tt.assertion, Selector: tt.selector}, []qa.Check{tt.check}, tt.want)
		})
	}
}

// Every assertion type is proved by its own check, and no two of them have the
// same record.
func TestEveryAssertionProvesItself(t *testing.T) {
	var all []qa.Assertion
	for _, typ := range qa.AssertionTypes() {
		for _, expected := range []string{"true", "false", "5"} {
			for _, not := range []bool{false, true} {
				all = append(all, qa.Assertion{Type: typ, Expected: expected, Not: not, Attribute: "href", URL: "/api", Op: "<", Value: "5", Order: "asc", As: "text", Other: "#b"})
			}
		}
		all = append(all, qa.Assertion{Type: typ, Expected: "5", WholeWords: true, Attribute: "src", URL: "/b", Op: "<=", Value: "15", Order: "desc", As: "date", Other: "#c"})
	}
	for i, a := range all {
		e := qa.Expectation{ID: "E1", Assertion: &a, Selector: "#a"}
		requireUnproven(t, e, []qa.Check{made(a, "#a")}, "")
		for j, b := range all {
			if i == j || a.Type != b.Type {
				continue
			}
			if c := made(b, "#a"); c.Proves(e) && made(a, "#a").Expected != c.Expected {
				t.Errorf("%+v is proved by %+v", a, b)
			}
		}
	}
}

// An assertion that holds on any page, or leaves out what its sentence quotes,
// proves nothing.
func TestUnprovableAssertions(t *testing.T) {
	for _, c := range []struct {
		text, selector string
		assertion      qa.Assertion
		want           string
	}{
		{"the order is saved", "css=body", qa.Assertion{Type: qa.Visible}, "any page"},
		{"the order is saved", "html", qa.Assertion{Type: qa.Exists}, "any page"},
		{"the order is saved", "body", qa.Assertion{Type: qa.CountEquals, Expected: "1"}, "any page"},
		{"the order is saved", "", qa.Assertion{Type: qa.URLMatches, Expected: "**"}, "any page"},
		{"the order is saved", "", qa.Assertion{Type: qa.URLMatches, Expected: "re:http"}, "any page"},
		{"the order is saved", "", qa.Assertion{Type: qa.TextMatches, Expected: "(saved)?"}, "any page"},
		{"the order is saved", "", qa.Assertion{Type: qa.TextMatches, Expected: "saved|."}, "any page"},
		{"the order is saved", "", qa.Assertion{Type: qa.TextMatches, Expected: "saved|stored"}, ""},
		{"the order is saved", "", qa.Assertion{Type: qa.URLMatches, Expected: "/"}, ""},
		{"the order is saved", "", qa.Assertion{Type: qa.URLMatches, Expected: "**/orders"}, ""},
		{"the order is saved", "css=.saved", qa.Assertion{Type: qa.Visible}, ""},
		{"all is well", `text="Ordered"`, qa.Assertion{Type: qa.Hidden}, ""},
		{`the heading says "Hello"`, "h1", qa.Assertion{Type: qa.Visible}, `"Hello"`},
		{`the heading says "Hello"`, "h1", qa.Assertion{Type: qa.TextEquals, Expected: "hello, you"}, ""},
		{`the heading says «Hello»`, `heading "Hello"`, qa.Assertion{Type: qa.Visible}, ""},
		{`the heading says 「Hello」`, "h1", qa.Assertion{Type: qa.TextEquals, Expected: "Bye"}, `"Hello"`},
		{`the button "Say \"hi\"" is there`, `button "Say \"hi\""`, qa.Assertion{Type: qa.Visible}, ""},
		{"there are 5 orders", "css=li", qa.Assertion{Type: qa.CountEquals, Expected: "5"}, ""},
		{"there are 5 orders", "css=li", qa.Assertion{Type: qa.CountEquals, Expected: "15"}, "look for the number 5"},
		{"there are 5 orders", "css=b", qa.Assertion{Type: qa.TextEquals, Expected: "5.5"}, "look for the number 5"},
		{"the balance is 5", "css=b", qa.Assertion{Type: qa.TextEquals, Expected: "-5"}, "look for the number 5"},
		{"the balance is -5", "css=b", qa.Assertion{Type: qa.TextEquals, Expected: "5"}, "look for the number -5"},
		{"the balance is −5", "css=b", qa.Assertion{Type: qa.TextEquals, Expected: "-5"}, ""},
		{"it is shown on 2026-11-21", "css=b", qa.Assertion{Type: qa.TextEquals, Expected: "2026-11-21"}, ""},
		{"revenue is 1,234.50 here", "css=b", qa.Assertion{Type: qa.TextEquals, Expected: "$1234.50"}, ""},
		{"the rate is 1,5", "css=b", qa.Assertion{Type: qa.TextEquals, Expected: "15"}, "look for the number 1,5"},
		{"there are more than 3 orders", "css=li", qa.Assertion{Type: qa.CountAtLeast, Expected: "4"}, ""},
		{"more than 3 in stock", "css=b", qa.Assertion{Type: qa.NumberCompared, Op: ">", Value: "3"}, ""},
	} {
		e := qa.Expectation{ID: "E1", Text: c.text, Selector: c.selector, Assertion: &c.assertion}
		requireUnproven(t, e, []qa.Check{made(c.assertion, c.selector)}, c.want)
	}
}

// Step 15, point 8: a sentence that a form reads is proved by what it says. A reading of
// the caller's own proves it only where it says as much; else the form's check is what
// proves it. What a person wrote or accepted, and what no form reads, is as it was.
func TestReadSentenceOutweighsTheCallersReading(t *testing.T) {
	one := func(kind qa.AssertionType) qa.Assertion { return qa.Assertion{Type: kind} }
	says := func(kind qa.AssertionType, expected string) qa.Assertion {
		return qa.Assertion{Type: kind, Expected: expected}
	}
	const list, cart = `the list "Cart" has at least 2 items`, `list "Cart" >> listitem`
	for _, c := range []struct {
		text, selector string
		assertion      qa.Assertion
		reads          bool
	}{
		{`the button "Save" is enabled`, `button "Save"`, one(qa.Enabled), true},
		{`the button "Save" is enabled`, `dialog "Edit" >> button "Save"`, one(qa.Enabled), true},
		{`the button "Save" is enabled`, `button "Save"`, one(qa.Visible), false},
		{`the button "Save" is enabled`, `css=button:not(#x):has-text("Save")`, one(qa.Enabled), false},
		{`the button "Save" is shown`, `button "Save"`, one(qa.Exists), false},
		{`the button "Save" is not shown`, `dialog "Edit" >> button "Save"`, one(qa.Hidden), false},
		{`the button "Save" is not shown`, `button "Save"`, says(qa.CountEquals, "0"), true},
		{`the heading "Orders" is shown`, "", says(qa.TextContains, "Orders"), false},
		{`the heading "Orders" is shown`, `heading "Orders"`, says(qa.TextContains, "Orders"), true},
		{`the page shows "Paid"`, "css=#state", says(qa.TextEquals, "Paid"), true},
		{`the page shows "Paid"`, "css=#state", says(qa.TextContains, "Paid"), false}, // Unpaid
		{`the page shows "Paid"`, "", qa.Assertion{Type: qa.TextContains, Expected: "Paid in full", WholeWords: true}, true},
		{`the page shows "Paid"`, "", qa.Assertion{Type: qa.TextContains, Expected: "Prepaid: Paid-up", WholeWords: true}, true},
		{`the page shows "Paid"`, "", qa.Assertion{Type: qa.TextContains, Expected: "Unpaid", WholeWords: true}, false},
		{`the page shows "Paid"`, "", says(qa.TitleEquals, "Paid"), false},
		{`the page shows "Paid"`, "", says(qa.TextMatches, "Paid|x"), false},
		{list, cart, says(qa.CountAtLeast, "2"), true},
		{list, cart, says(qa.CountEquals, "2"), true},
		{list, cart, qa.Assertion{Type: qa.NumberCompared, Op: ">=", Value: "2"}, false},
		{list, `css=#cart li`, says(qa.CountAtLeast, "2"), false},
		{list, `main >> ` + cart, says(qa.CountEquals, "2"), false},
		{`the field "Email" has the value "a@b"`, `textbox "Email"`, says(qa.ValueEquals, "a@b"), true},
		{`the field "Email" has the value "a@b"`, `textbox "Email"`, says(qa.TextContains, "a@b"), false},
		{`the page title is "Orders"`, "", says(qa.TitleEquals, "Orders"), true},
		{`the page title is "Orders"`, "", says(qa.TextContains, "Orders"), false},
		{`the figure "Revenue" is 1,234`, `css=#revenue`, says(qa.TextEquals, "Revenue 1,234"), false},
		{`the button "Save" is disabled and the page shows "Saved"`, `button "Saved"`, qa.Assertion{Type: qa.Enabled, Not: true}, false},
		{`der Button "Speichern" ist deaktiviert`, `button "Speichern"`, one(qa.Visible), false},
		{`le bouton "Enregistrer" est désactivé`, `button "Enregistrer"`, one(qa.Visible), false},
		{`all is well with "Paid"`, "css=#state", says(qa.TextContains, "Paid"), true}, // no form reads it
	} {
		e := qa.Expectation{ID: "E1", Text: c.text, Selector: c.selector, Assertion: &c.assertion}
		own := []qa.Check{made(c.assertion, c.selector)}
		if err := qa.CheckReading(c.text, c.assertion, c.selector); err == nil {
			requireUnproven(t, e, own, "") // a person wrote it
		}
		e.ByCaller = true
		if c.reads {
			requireUnproven(t, e, own, "")
			continue
		}
		requireUnproven(t, e, own, "no check bound to it is the one that it demands: ")
		if !strings.Contains(e.Wants(), "says something else and proves none of it") || !strings.Contains(qa.Understand([]qa.Expectation{e}, nil)[0].As, "says something else and proves none of it") {
			t.Errorf("%s: nothing says that its assertion proves nothing: %s", c.text, e.Wants())
		}
		demands, err := qa.Demands(c.text)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range demands {
			if d.Figure != "" {
				own = append(own, figure(d.Figure, d.Assertion.Expected))
			}
			own = append(own, made(d.Assertion, d.Selector))
		}
		requireUnproven(t, e, own, "")
	}
}

func requireUnproven(t *testing.T, e qa.Expectation, checks []qa.Check, want string) {
	t.Helper()
	got := qa.Unproven([]qa.Expectation{e}, checks)
	switch {
	case want == "" && len(got) > 0:
		t.Errorf("%q is unproven: %s, want proved", e.Text, got[0].Reason)
	case want != "" && len(got) == 0:
		t.Errorf("%q is proved by %+v, want …%s…", e.Text, checks, want)
	case want != "" && !strings.Contains(got[0].Reason, want):
		t.Errorf("%q is unproven: %s, want …%s…", e.Text, got[0].Reason, want)
	}
}

// FuzzUnproven: no text makes the binding panic; the checks that a sentence
// demands always prove it, a text that is found never proves what was not
// understood, and no check at all proves nothing.
func FuzzUnproven(f *testing.F) {
	for _, seed := range []string{"", `"`, `"a`, "the \"Total\" is 1,234.5", "“a„b“", "»a« «b»", "'a' b's 'c'", "-−5", "1,2,3.", "\xff\"\xfe\"", `"\"`, "`` 0", `the page shows "a"`, `der Button "a" ist deaktiviert`} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, text, looked string) {
		e := qa.Expectation{ID: "E1", Text: text}
		checks := []qa.Check{shows(looked, ""), shows(looked, looked), shows(text, "")}
		demands, err := e.Demands()
		for _, u := range qa.Unproven([]qa.Expectation{e}, checks) {
			if u.Reason == "" || u.Unprovable != (err != nil) {
				t.Errorf("%q: %+v", text, u)
			}
		}
		if err != nil && len(qa.Unproven([]qa.Expectation{e}, checks)) != 1 {
			t.Errorf("%q is not understood and proved", text)
		}
		for _, d := range demands {
			checks = append(checks, made(d.Assertion, d.Selector))
			if d.Figure != "" {
				checks = append(checks, figure(d.Figure, d.Assertion.Expected))
			}
		}
		if got := qa.Unproven([]qa.Expectation{e}, checks); err == nil && len(got) > 0 {
			t.Errorf("%q is unproven by its own checks: %s", text, got[0].Reason)
		}
		if len(qa.Unproven([]qa.Expectation{e}, nil)) != 1 {
			t.Errorf("%q is proved by nothing", text)
		}
		e.Assertion = &qa.Assertion{Type: qa.TextContains, Expected: looked}
		qa.Unproven([]qa.Expectation{e}, checks)
	})
}

// A check that passed and is void proves nothing, and the reason is told.
func TestVoidCheckProvesNothing(t *testing.T) {
	e := qa.Expectation{ID: "E1", Text: `the page shows "Saved"`}
	c := made(qa.Assertion{Type: qa.TextContains, Expected: "Saved", WholeWords: true}, "")
	requireUnproven(t, e, []qa.Check{c}, "")
	void := c
	void.Void = []string{"its text was typed in this run"}
	requireUnproven(t, e, []qa.Check{void}, "check C1, which is bound to it, proves nothing: its text was typed in this run")
	requireUnproven(t, e, []qa.Check{void, c}, "")
}
