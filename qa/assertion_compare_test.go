package qa_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

func ptr[T any](v T) *T { return &v }

// Every assertion type, on an observation that fits and on those that nearly
// do. What was not there never fits.
func TestCompare(t *testing.T) {
	for _, tt := range []struct {
		name   string
		a      qa.Assertion
		o      qa.Observation
		passed bool
	}{
		{"exists", qa.Assertion{Type: qa.Exists}, qa.Observation{Count: 1}, true},
		{"exists, none", qa.Assertion{Type: qa.Exists}, qa.Observation{}, false},
		{"visible", qa.Assertion{Type: qa.Visible}, qa.Observation{Count: 2, Seen: 1}, true},
		{"visible, only in the tree", qa.Assertion{Type: qa.Visible}, qa.Observation{Count: 1}, false},
		{"hidden", qa.Assertion{Type: qa.Hidden}, qa.Observation{Count: 1}, true},
		{"hidden, one of two", qa.Assertion{Type: qa.Hidden}, qa.Observation{Count: 2, Seen: 1}, false},
		{"count", qa.Assertion{Type: qa.CountEquals, Expected: "3"}, qa.Observation{Count: 4, Seen: 3}, true},
		{"count, leading zero", qa.Assertion{Type: qa.CountEquals, Expected: "03"}, qa.Observation{Count: 3, Seen: 3}, true},
		{"count 0", qa.Assertion{Type: qa.CountEquals, Expected: "0"}, qa.Observation{}, true},
		{"count 30 is not 3", qa.Assertion{Type: qa.CountEquals, Expected: "3"}, qa.Observation{Count: 3, Seen: 30}, false},
		{"count, some unseen", qa.Assertion{Type: qa.CountEquals, Expected: "3"}, qa.Observation{Count: 3, Seen: 2}, false},
		{"count of scripts", qa.Assertion{Type: qa.CountEquals, Expected: "3"}, qa.Observation{Count: 3, Paintless: 3}, true},
		{"count in doubt", qa.Assertion{Type: qa.CountEquals, Expected: "3"}, qa.Observation{Count: 4, Seen: 3, Doubt: "moves"}, false},
		{"hidden in doubt", qa.Assertion{Type: qa.Hidden}, qa.Observation{Count: 1, Doubt: "moves"}, false},
		{"text contains", qa.Assertion{Type: qa.TextContains, Expected: "a b"}, qa.Observation{Count: 1, Text: ptr("x a b y"), TextFits: true}, true},
		{"text contains, unseen", qa.Assertion{Type: qa.TextContains, Expected: "a"}, qa.Observation{Count: 1, Text: ptr("b"), Why: "transparent"}, false},
		{"text contains, no element", qa.Assertion{Type: qa.TextContains, Expected: "a"}, qa.Observation{}, false},
		{"text equals", qa.Assertion{Type: qa.TextEquals, Expected: " a  b"}, qa.Observation{Count: 1, Text: ptr("a b"), TextFits: true}, true},
		{"text equals, more", qa.Assertion{Type: qa.TextEquals, Expected: "a"}, qa.Observation{Count: 1, Text: ptr("a b")}, false},
		{"empty text is not a missing element", qa.Assertion{Type: qa.TextEquals}, qa.Observation{}, false},
		{"value", qa.Assertion{Type: qa.ValueEquals, Expected: "a "}, qa.Observation{Count: 1, Value: ptr("a ")}, true},
		{"value, white space counts", qa.Assertion{Type: qa.ValueEquals, Expected: "a"}, qa.Observation{Count: 1, Value: ptr("a ")}, false},
		{"value, a part", qa.Assertion{Type: qa.ValueContains, Expected: "b c"}, qa.Observation{Count: 1, Value: ptr("ab  cd")}, true},
		{"value, no whole word", qa.Assertion{Type: qa.ValueContains, WholeWords: true, Expected: "5"}, qa.Observation{Count: 1, Value: ptr("15")}, false},
		{"title, a part of it", qa.Assertion{Type: qa.TitleContains, WholeWords: true, Expected: "Orders"}, qa.Observation{Title: "Orders – Shop"}, true},
		{"title, another word", qa.Assertion{Type: qa.TitleContains, WholeWords: true, Expected: "Order"}, qa.Observation{Title: "Orders – Shop"}, false},
		{"value, no element", qa.Assertion{Type: qa.ValueEquals}, qa.Observation{}, false},
		{"attribute", qa.Assertion{Type: qa.AttributeEquals, Attribute: "rel", Expected: ""}, qa.Observation{Count: 1, Value: ptr("")}, true},
		{"absent is not empty", qa.Assertion{Type: qa.AttributeEquals, Attribute: "rel", Expected: ""}, qa.Observation{Count: 1}, false},
		{"checked", qa.Assertion{Type: qa.Checked}, qa.Observation{Count: 1, On: ptr(true)}, true},
		{"checked is off", qa.Assertion{Type: qa.Checked}, qa.Observation{Count: 1, On: ptr(false)}, false},
		{"not checked", qa.Assertion{Type: qa.Checked, Expected: "false"}, qa.Observation{Count: 1, On: ptr(false)}, true},
		{"not checked, no element", qa.Assertion{Type: qa.Checked, Expected: "false"}, qa.Observation{}, false},
		{"enabled", qa.Assertion{Type: qa.Enabled, Expected: "true"}, qa.Observation{Count: 1, On: ptr(true)}, true},
		{"not enabled, but is", qa.Assertion{Type: qa.Enabled, Expected: "false"}, qa.Observation{Count: 1, On: ptr(true)}, false},
		{"not enabled, only covered", qa.Assertion{Type: qa.Enabled, Expected: "false"}, qa.Observation{Count: 1, On: ptr(false), Why: "covered by div"}, false},
		{"not enabled", qa.Assertion{Type: qa.Enabled, Expected: "false"}, qa.Observation{Count: 1, On: ptr(false), Disabled: true}, true},
		{"url", qa.Assertion{Type: qa.URLMatches, Expected: "**/x"}, qa.Observation{URLFits: true}, true},
		{"url, no", qa.Assertion{Type: qa.URLMatches, Expected: "**/x"}, qa.Observation{}, false},
		{"title", qa.Assertion{Type: qa.TitleEquals, Expected: "A"}, qa.Observation{Title: "A"}, true},
		{"title, a part", qa.Assertion{Type: qa.TitleEquals, Expected: "A"}, qa.Observation{Title: "A b"}, false},
		{"console", qa.Assertion{Type: qa.ConsoleClean}, qa.Observation{}, true},
		{"console, an error", qa.Assertion{Type: qa.ConsoleClean}, qa.Observation{Errors: []pagetext.Text{"x"}}, false},
		{"request", qa.Assertion{Type: qa.RequestMade, Expected: "**"}, qa.Observation{Came: 1}, true},
		{"request, none", qa.Assertion{Type: qa.RequestMade, Expected: "**"}, qa.Observation{}, false},
		{"status", qa.Assertion{Type: qa.ResponseStatus, Expected: "200"}, qa.Observation{Status: 200}, true},
		{"status, another", qa.Assertion{Type: qa.ResponseStatus, Expected: "200"}, qa.Observation{Status: 204}, false},
		{"no response is not status 0", qa.Assertion{Type: qa.ResponseStatus, Expected: "0"}, qa.Observation{}, false},
		{"unknown", qa.Assertion{Type: "looks_nice"}, qa.Observation{Count: 1, Seen: 1}, false},
	} {
		got := tt.a.Compare(tt.o)
		if got.Passed != tt.passed {
			t.Errorf("%s: passed is %v (expected %q, observed %q)", tt.name, got.Passed, got.Expected, got.Observed)
		}
		if got.Observed == "" && tt.a.Type != qa.URLMatches && tt.a.Type != qa.AttributeEquals {
			t.Errorf("%s: the observation says nothing", tt.name)
		}
	}
}

// Req 0033: what is observed of a long page is the place that was asked for, whether that holds or
// must not; of one without it, its beginning.
func TestObservedIsThePlace(t *testing.T) {
	long := strings.Repeat("before ", 200) + "Saved order 7 " + strings.Repeat("after ", 200)
	for _, tt := range []struct {
		a    qa.Assertion
		fits bool
		want string
	}{
		{qa.Assertion{Type: qa.TextContains, Expected: "order  7"}, true, "Saved order 7 after"},
		{qa.Assertion{Type: qa.TextContains, Not: true, Expected: "order 7"}, true, "Saved order 7 after"},
		{qa.Assertion{Type: qa.TextContains, Expected: "order 8"}, false, "before before"},
	} {
		got := tt.a.Compare(qa.Observation{Count: 1, Text: &long, TextFits: tt.fits}).Observed
		if n := utf8.RuneCountInString(string(got)); !got.Contains(pagetext.Text(tt.want)) || n > 301 {
			t.Errorf("%+v: %d characters: %q", tt.a, n, got)
		}
	}
}
