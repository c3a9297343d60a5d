package qa_test

import (
	"math/big"
	"reflect"
	"testing"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

func rats(numbers ...int64) []*big.Rat {
	var out []*big.Rat
	for _, n := range numbers {
		out = append(out, big.NewRat(n, 1))
	}
	return out
}

// sample is an assertion with an observation for which it holds, and one for
// which it does not.
type sample struct {
	a         qa.Assertion
	good, bad qa.Observation
	nothing   *qa.Observation // there was nothing that it could hold of; nil: that is a fair answer for it
	gone      bool            // it holds because something is not there
	goneNot   bool            // its opposite does
}

func samples() map[qa.AssertionType]sample {
	none := &qa.Observation{}
	on := func(yes bool) qa.Observation { return qa.Observation{Count: 1, On: &yes, Disabled: !yes} }
	value := func(s string) qa.Observation { return qa.Observation{Count: 1, Value: &s} }
	values := func(s ...string) qa.Observation { return qa.Observation{Count: 1, Values: s} }
	seen := func(n int) qa.Observation { return qa.Observation{Count: 5, Seen: n} }
	text := func(fits bool) qa.Observation { return qa.Observation{Count: 1, Text: ptr("a b"), TextFits: fits} }
	came := func(n int) qa.Observation { return qa.Observation{Came: n} }
	status := func(n int) qa.Observation { return qa.Observation{Status: n} }
	ordered := func(numbers ...int64) qa.Observation {
		return qa.Observation{Count: 3, Items: []string{"a", "b", "c"}, Numbers: [][]*big.Rat{rats(numbers...)}}
	}
	state := func(t qa.AssertionType) sample {
		return sample{a: qa.Assertion{Type: t}, good: on(true), bad: on(false), nothing: none}
	}
	event := func(t qa.AssertionType) sample {
		return sample{a: qa.Assertion{Type: t, Expected: "/x"}, good: came(1), bad: came(0), goneNot: true}
	}
	out := map[qa.AssertionType]sample{
		qa.Exists:             {a: qa.Assertion{}, good: seen(0), bad: qa.Observation{}, goneNot: true},
		qa.Visible:            {a: qa.Assertion{}, good: seen(1), bad: seen(0), goneNot: true},
		qa.Hidden:             {a: qa.Assertion{}, good: seen(0), bad: seen(1), gone: true},
		qa.TextContains:       {a: qa.Assertion{Expected: "a"}, good: text(true), bad: text(false), nothing: none, goneNot: true},
		qa.TextEquals:         {a: qa.Assertion{Expected: "a b"}, good: text(true), bad: text(false), nothing: none, goneNot: true},
		qa.TextMatches:        {a: qa.Assertion{Expected: "a.b"}, good: text(true), bad: text(false), nothing: none, goneNot: true},
		qa.ValueEquals:        {a: qa.Assertion{Expected: "1"}, good: value("1"), bad: value("2"), nothing: none, goneNot: true},
		qa.ValuesEqual:        {a: qa.Assertion{Expected: "a\nb"}, good: values("a", "b"), bad: values("b", "a"), nothing: none, goneNot: true},
		qa.SelectedLabel:      {a: qa.Assertion{Expected: "A  b"}, good: values("A b"), bad: values("A b", "c"), nothing: none, goneNot: true},
		qa.CountEquals:        {a: qa.Assertion{Expected: "3"}, good: seen(3), bad: seen(4), goneNot: true},
		qa.CountAtLeast:       {a: qa.Assertion{Expected: "3"}, good: seen(3), bad: seen(2), goneNot: true},
		qa.CountAtMost:        {a: qa.Assertion{Expected: "3"}, good: seen(3), bad: seen(4), gone: true},
		qa.AttributeEquals:    {a: qa.Assertion{Expected: "1", Attribute: "href"}, good: value("1"), bad: qa.Observation{Count: 1}, nothing: none, goneNot: true},
		qa.ClassContains:      {a: qa.Assertion{Expected: "a c"}, good: values("a", "b", "c"), bad: values("a", "cc"), nothing: none, goneNot: true},
		qa.CSSEquals:          {a: qa.Assertion{Expected: "1px", Attribute: "top"}, good: value("1px"), bad: value("2px"), nothing: &qa.Observation{Count: 1}, goneNot: true},
		qa.RoleEquals:         {a: qa.Assertion{Expected: "button"}, good: value("button"), bad: value("link"), nothing: none, goneNot: true},
		qa.NameEquals:         {a: qa.Assertion{Expected: "a b"}, good: value(" a  b"), bad: value("ab"), nothing: none, goneNot: true},
		qa.DescriptionEquals:  {a: qa.Assertion{Expected: "a b"}, good: value("a b"), bad: value(""), nothing: none, goneNot: true},
		qa.ErrorMessageEquals: {a: qa.Assertion{Expected: "a b"}, good: value("a b"), bad: value(""), nothing: none, goneNot: true},
		qa.NumberCompared: {a: qa.Assertion{Op: ">", Value: "5"}, good: qa.Observation{Text: ptr("6"), Numbers: [][]*big.Rat{rats(6)}},
			bad: qa.Observation{Text: ptr("5"), Numbers: [][]*big.Rat{rats(5)}}, nothing: &qa.Observation{Text: ptr("six"), Numbers: [][]*big.Rat{{nil}}}, goneNot: true},
		qa.SortedBy:       {a: qa.Assertion{Order: "desc", As: "number"}, good: ordered(3, 2, 2), bad: ordered(3, 1, 2), nothing: &qa.Observation{Count: 1, Items: []string{"1"}, Numbers: [][]*big.Rat{rats(1)}}, goneNot: true},
		qa.ComesBefore:    {a: qa.Assertion{Other: "#b"}, good: on(true), bad: on(false), nothing: none, goneNot: true},
		qa.AriaSnapshot:   {a: qa.Assertion{Expected: "button \"A\""}, good: qa.Observation{Count: 1, Lines: []string{`button "A" [2]`}}, bad: qa.Observation{Count: 1}, nothing: none, goneNot: true},
		qa.Shown:          {a: qa.Assertion{Expected: "a"}, good: qa.Observation{Text: ptr("b"), TextFits: true}, bad: qa.Observation{Text: ptr("b")}, goneNot: true},
		qa.URLMatches:     {a: qa.Assertion{Expected: "/x"}, good: qa.Observation{URLFits: true}, bad: qa.Observation{}, goneNot: true},
		qa.TitleEquals:    {a: qa.Assertion{Expected: "A"}, good: qa.Observation{Title: "A"}, bad: qa.Observation{Title: "B"}, goneNot: true},
		qa.TitleContains:  {a: qa.Assertion{Expected: "A b", WholeWords: true}, good: qa.Observation{Title: "My A  b – Shop"}, bad: qa.Observation{Title: "A bc"}, goneNot: true},
		qa.ValueContains:  {a: qa.Assertion{Expected: "b"}, good: value("abc"), bad: value("ac"), nothing: none, goneNot: true},
		qa.ConsoleClean:   {a: qa.Assertion{}, good: qa.Observation{}, bad: qa.Observation{Errors: []pagetext.Text{"x"}}, gone: true},
		qa.RequestMade:    event(qa.RequestMade),
		qa.ResponseStatus: {a: qa.Assertion{Expected: "200"}, good: status(200), bad: status(204), nothing: none, goneNot: true},
		qa.ResponseOK:     {a: qa.Assertion{}, good: status(204), bad: status(304), nothing: none, goneNot: true},
		qa.Downloaded:     event(qa.Downloaded), qa.DialogShown: event(qa.DialogShown), qa.PopupOpened: event(qa.PopupOpened),
	}
	for _, t := range []qa.AssertionType{qa.InViewport, qa.Checked, qa.Indeterminate, qa.Enabled, qa.Editable, qa.Focused, qa.Empty, qa.Expanded, qa.Pressed} {
		s := state(t)
		s.gone = t == qa.Empty
		out[t] = s
	}
	for t, s := range out {
		s.a.Type = t
		out[t] = s
	}
	return out
}

// Each type passes where it holds, its opposite where it does not; neither where
// there is nothing that it could hold of, and neither in doubt.
func TestOpposite(t *testing.T) {
	all := samples()
	for _, typ := range qa.AssertionTypes() {
		s, ok := all[typ]
		if !ok {
			t.Errorf("%s: no sample", typ)
			continue
		}
		not := s.a
		not.Not = true
		expect := func(what string, a qa.Assertion, o qa.Observation, passed bool) {
			got := a.Compare(o)
			if got.Passed != passed || got.Expected == "" || passed && got.Doubt != "" {
				t.Errorf("%s: %s: %+v", typ, what, got)
			}
		}
		expect("holds", s.a, s.good, true)
		expect("does not hold", s.a, s.bad, false)
		expect("not, holds", not, s.good, false)
		expect("not, does not hold", not, s.bad, true)
		if s.nothing != nil {
			expect("nothing there", s.a, *s.nothing, false)
			expect("not, nothing there", not, *s.nothing, false)
		}
		if typ != qa.Hidden && not.Compare(s.good).Expected == s.a.Compare(s.good).Expected {
			t.Errorf("%s: both expect %q", typ, s.a.Compare(s.good).Expected)
		}
		o := s.bad
		if o.Doubt = "it moves"; !s.gone && o.On == nil { // a state is never in doubt
			expect("not, in doubt", not, o, false)
			if got := not.Compare(o); got.Doubt != "it moves" {
				t.Errorf("%s: the doubt is lost: %+v", typ, got)
			}
		}
		if s.a.Absent() != s.gone || not.Absent() != s.goneNot {
			t.Errorf("%s: absent %v, and its opposite %v", typ, s.a.Absent(), not.Absent())
		}
		selector := ""
		if typ.NeedsSelector() {
			selector = "#a"
		}
		for _, a := range []qa.Assertion{s.a, not} {
			if err := a.Validate(selector); err != nil {
				t.Errorf("%s: %v", typ, err)
			}
		}
	}
}

// Off is the opposite of on, and the same as expected false.
func TestOppositeOfAState(t *testing.T) {
	covered := qa.Observation{Count: 1, On: ptr(false), Why: "covered by div"}
	for _, typ := range []qa.AssertionType{qa.Enabled, qa.Editable} {
		if got := (qa.Assertion{Type: typ, Not: true}).Compare(covered); got.Passed {
			t.Errorf("%s: what is only covered is not off: %+v", typ, got)
		}
	}
	off, not := qa.Assertion{Type: qa.Checked, Expected: "false"}, qa.Assertion{Type: qa.Checked, Not: true}
	for _, o := range []qa.Observation{{}, {Count: 1, On: ptr(true)}, {Count: 1, On: ptr(false)}} {
		if !reflect.DeepEqual(off.Compare(o), not.Compare(o)) {
			t.Errorf("%+v and %+v", off.Compare(o), not.Compare(o))
		}
	}
	if (qa.Assertion{Type: qa.Empty, Not: true}).Absent() || (qa.Assertion{Type: qa.Empty, Expected: "false"}).Absent() {
		t.Error("what is not empty is there")
	}
	if (qa.Assertion{Type: qa.CountEquals, Expected: "0", Not: true}).Absent() || !(qa.Assertion{Type: qa.CountEquals, Expected: "0"}).Absent() {
		t.Error("no elements are an absence, some are none")
	}
}

// What can be read in two ways proves something only where both agree.
func TestNumbersAndOrders(t *testing.T) {
	number := func(op, value string) qa.Assertion {
		return qa.Assertion{Type: qa.NumberCompared, Op: op, Value: value}
	}
	sorted := func(order, as string) qa.Assertion { return qa.Assertion{Type: qa.SortedBy, Order: order, As: as} }
	shown := func(ways ...int64) qa.Observation {
		o := qa.Observation{Count: 1, Text: ptr("x")}
		for _, n := range ways {
			o.Numbers = append(o.Numbers, rats(n))
		}
		return o
	}
	items := func(texts ...string) qa.Observation {
		return qa.Observation{Count: len(texts), Items: texts, Keys: texts}
	}
	for _, tt := range []struct {
		name   string
		a      qa.Assertion
		o      qa.Observation
		passed bool
		doubt  bool
	}{
		{"<", number("<", "5"), shown(4), true, false}, {"not <", number("<", "5"), shown(5), false, false},
		{"<=", number("<=", "5"), shown(5), true, false}, {"not <=", number("<=", "5"), shown(6), false, false},
		{"==", number("==", "5.0"), shown(5), true, false}, {"not ==", number("==", "5.01"), shown(5), false, false},
		{">=", number(">=", "-5"), shown(-5), true, false}, {"not >=", number(">=", "-5"), shown(-6), false, false},
		{"!=", number("!=", "5"), shown(4), true, false}, {"not !=", number("!=", "5"), shown(5), false, false},
		{"both ways", number(">", "0"), shown(1, 1000), true, false}, {"one way", number(">", "5"), shown(1, 1000), false, true},
		{"texts", sorted("asc", "text"), items("a", "b", "b"), true, false}, {"texts, down", sorted("desc", "text"), items("a", "b"), false, false},
		{"days", sorted("asc", "date"), items("2026-01-31", "2026-02-01 00:00", "2026-02-01T00:01"), true, false},
		{"days, down", sorted("desc", "date"), items("1 March 2026", "Feb 28, 2026", "31.01.2026"), true, false},
		{"days with points", sorted("asc", "date"), items("02.03.2026", "01.04.2026"), true, false},
		{"days or months", sorted("asc", "date"), items("02/03/2026", "01/04/2026"), false, true},
		{"months, as one is above 12", sorted("asc", "date"), items("01/04/2026", "01/31/2026"), true, false},
		{"no day", sorted("asc", "date"), items("2026-02-30", "2026-03-01"), false, false},
		{"alike", sorted("desc", "date"), items("2026", "2026"), false, false},
	} {
		if got := tt.a.Compare(tt.o); got.Passed != tt.passed || (got.Doubt != "") != tt.doubt {
			t.Errorf("%s: %+v", tt.name, got)
		}
		tt.a.Not = true
		if got := tt.a.Compare(tt.o); tt.doubt && got.Passed {
			t.Errorf("not %s: passed in doubt: %+v", tt.name, got)
		}
	}
}

// What is observed of an order says that the document has another one.
func TestOrderOfTheScreenIsSaid(t *testing.T) {
	a := qa.Assertion{Type: qa.SortedBy, Order: "asc", As: "text"}
	for _, moved := range []bool{false, true} {
		got := a.Compare(qa.Observation{Count: 2, Items: []string{"a", "b"}, Keys: []string{"a", "b"}, Moved: moved})
		if !got.Passed || moved != got.Observed.Contains("in the document") {
			t.Errorf("moved %v: %+v", moved, got)
		}
	}
}

// A line is there with its role and name, with each mark that is expected, and
// behind the one before it.
func TestSnapshotLines(t *testing.T) {
	page := []string{`- main`, `  - heading "Orders" [level=1]`, `  - button "Delete" [1]`, `  - button "Delete" [2] [disabled]`, `  - textbox "Name" [required]: Ada`, `  - text "Ghost" [not seen: transparent]`}
	for expected, want := range map[string]bool{
		`heading "Orders"`:                                        true,
		"main\n  heading \"Orders\" [level=1]":                    true,
		`heading "Orders" [level=2]`:                              false,
		`heading "Order"`:                                         false,
		"button \"Delete\"\nbutton \"Delete\" [disabled]":         true,
		"button \"Delete\" [disabled]\nbutton \"Delete\"":         false,
		"\n- textbox \"Name\": Ada\n":                             true,
		`textbox "Name": Bob`:                                     false,
		`textbox "Name"`:                                          true,
		`text "Ghost"`:                                            false,
		"textbox \"Name\"\nheading \"Orders\"":                    false,
		"button \"Delete\"\nbutton \"Delete\"\nbutton \"Delete\"": false,
	} {
		got := (qa.Assertion{Type: qa.AriaSnapshot, Expected: expected}).Compare(qa.Observation{Count: 1, Lines: page})
		if got.Passed != want {
			t.Errorf("%q: %+v", expected, got)
		}
	}
}

// What is missing or wrong is named, with what is accepted.
func TestAssertionFields(t *testing.T) {
	for _, tt := range []struct {
		name     string
		a        qa.Assertion
		selector string
		want     []string
	}{
		{"misspelt", qa.Assertion{Type: "text_contain"}, "a", []string{`did you mean "text_contains"?`, "use one of exists"}},
		{"no op", qa.Assertion{Type: qa.NumberCompared, Value: "5"}, "a", []string{"number_compared needs op: <, <=, ==, >=, >, !="}},
		{"another op", qa.Assertion{Type: qa.NumberCompared, Op: "=", Value: "5"}, "a", []string{`op is "="; accepted: <, <=`}},
		{"no number", qa.Assertion{Type: qa.NumberCompared, Op: "<", Value: "1,000"}, "a", []string{`value is "1,000"; accepted: a plain number`}},
		{"no order", qa.Assertion{Type: qa.SortedBy, As: "text"}, "a", []string{"sorted_by needs order: asc or desc"}},
		{"another order", qa.Assertion{Type: qa.SortedBy, As: "text", Order: "up"}, "a", []string{`order is "up"; accepted: asc or desc`}},
		{"another reading", qa.Assertion{Type: qa.SortedBy, As: "money", Order: "asc"}, "a", []string{`as is "money"; accepted: text, number or date`}},
		{"no other", qa.Assertion{Type: qa.ComesBefore}, "a", []string{"comes_before needs other"}},
		{"op of another type", qa.Assertion{Type: qa.CountEquals, Expected: "1", Op: "<"}, "a", []string{"count_equals takes no op; number_compared does"}},
		{"words of another type", qa.Assertion{Type: qa.TextEquals, Expected: "1", WholeWords: true}, "a", []string{"text_equals takes no whole_words; text_contains, value_contains, title_contains do"}},
		{"style without a name", qa.Assertion{Type: qa.CSSEquals, Expected: "1px"}, "a", []string{"css_equals needs attribute"}},
		{"no expression", qa.Assertion{Type: qa.TextMatches, Expected: "a("}, "", []string{"regular expression (RE2)", "missing closing"}},
		{"fits anything", qa.Assertion{Type: qa.TextMatches, Expected: "a*"}, "", []string{"matches the empty text", "prove nothing"}},
		{"no line", qa.Assertion{Type: qa.AriaSnapshot, Expected: "Save!"}, "", []string{`"Save!" is no line of a snapshot`}},
		{"two denials", qa.Assertion{Type: qa.Checked, Expected: "false", Not: true}, "a", []string{"not and expected false"}},
		{"at least none", qa.Assertion{Type: qa.CountAtLeast, Expected: "0"}, "a", []string{"holds on any page"}},
		{"any dialog", qa.Assertion{Type: qa.DialogShown}, "", nil},
		{"a popup nowhere", qa.Assertion{Type: qa.PopupOpened, Expected: "re:("}, "", []string{"re:("}},
		{"a dialog of an element", qa.Assertion{Type: qa.DialogShown}, "a", []string{"is about the page: leave selector out"}},
		{"a status in the pattern", qa.Assertion{Type: qa.ResponseOK, URL: "GET /a 200"}, "", []string{"takes no status in url"}},
		{"an element compares nothing", qa.Assertion{Type: qa.Visible, Expected: "no"}, "a", []string{"compares nothing", "not: true"}},
	} {
		t.Run(tt.name, func(t *testing.T) { requireProblems(t, tt.a.Validate(tt.selector), tt.want...) })
	}
}
