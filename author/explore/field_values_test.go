package explore_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/browser/scan"
)

func field(kind string, f scan.Field) scan.Element {
	return scan.Element{Tag: "input", Type: kind, IsVisible: true, Field: &f}
}

func filler() explore.Filler {
	return explore.Filler{Seed: 42, Day: time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)}
}

func TestValidValues(t *testing.T) { // C1: by type, constraint and label
	for _, c := range []struct {
		name string
		el   scan.Element
		want string // a regular expression
	}{
		{"email", field("email", scan.Field{}), `^\S+@example\.com$`},
		{"email by label", field("text", scan.Field{Label: "Your e-mail"}), `@`},
		{"number", field("number", scan.Field{Min: "5", Max: "6"}), `^[56]$`},
		{"step", field("number", scan.Field{Min: "0", Max: "100", Step: "5"}), `^15$`},
		{"date", field("date", scan.Field{Min: "2027-01-01"}), `^2027-01-01$`},
		{"pattern", field("text", scan.Field{Pattern: `[A-Z]{3}-\d{4}`}), `^[A-Z]{3}-\d{4}$`},
		{"pattern and minlength", field("text", scan.Field{Pattern: `[A-Za-z ]+`, MinLength: 3, MaxLength: 10}), `^[A-Za-z ]{3,10}$`},
		{"postal code", field("text", scan.Field{Pattern: `\d{5}`}), `^\d{5}$`},
		{"maxlength", field("text", scan.Field{MaxLength: 4}), `^.{1,4}$`},
		{"minlength", field("text", scan.Field{MinLength: 30}), `^.{30,}$`},
		{"numeric", field("text", scan.Field{InputMode: "numeric"}), `^\d+$`},
	} {
		got, ok := filler().Valid(c.el)
		if !ok || !regexp.MustCompile(c.want).MatchString(got.Text) {
			t.Errorf("%s: %q, %t; want %s", c.name, got.Text, ok, c.want)
		}
	}
	if _, ok := filler().Valid(field("text", scan.Field{Pattern: `(?=.*\d)(?=.*[a-z]).{9,}`})); ok {
		t.Error("a pattern that can't be read has a value")
	}
	choice := scan.Element{Tag: "select", IsVisible: true, Field: &scan.Field{Value: "a", Options: []scan.Option{{Label: "Choose", Value: ""}, {Label: "A", Value: "a"}, {Label: "B", Value: "b"}}}}
	if got, ok := filler().Valid(choice); !ok || got.Option != "B" {
		t.Errorf("choice: %q, %t; want B", got.Option, ok)
	}
}

func TestEachConstraintIsBroken(t *testing.T) { // C1
	el := field("number", scan.Field{Required: true, Min: "1", Max: "9", Step: "2"})
	var got []string
	for _, c := range filler().Constraints(el) {
		got = append(got, c.Constraint+"="+c.Value.Text)
	}
	want := []string{"required=", "min 1=0", "max 9=10", "step 2=4"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("constraints (-want +got):\n%s", diff)
	}
	if all := filler().Constraints(field("email", scan.Field{MinLength: 8, Pattern: "x"})); len(all) != 3 || strings.Contains(all[0].Value.Text, "@") {
		t.Errorf("constraints of an address: %+v", all)
	}
}

func TestWhatIsNeverFilled(t *testing.T) { // C6: no means of payment, no password
	for _, f := range []scan.Field{{Autocomplete: "cc-number"}, {Label: "Card number"}, {Label: "IBAN"}, {Name: "cvc"}} {
		if !explore.IsPayment(&f) {
			t.Errorf("%+v takes no means of payment", f)
		}
	}
	for _, f := range []scan.Field{{Label: "Discard number of rows"}, {Label: "Name"}, {Autocomplete: "name"}} {
		if explore.IsPayment(&f) {
			t.Errorf("%+v takes a means of payment", f)
		}
	}
	if !explore.IsSecret(field("password", scan.Field{})) || explore.KindOf(field("file", scan.Field{})) != explore.None {
		t.Error("a password or a file is filled")
	}
}
