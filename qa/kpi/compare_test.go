package kpi_test

import (
	"testing"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/kpi"
)

func expected(t *testing.T, text, unit string) kpi.Expected {
	t.Helper()
	e, err := kpi.ParseExpected(text, unit, writing(t, "en"))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Issue item 3: rounding of what is shown is no mismatch, tolerance admits what
// it says, and 2.1 % is 0.021 but not 0.00021.
func TestCompare(t *testing.T) {
	for _, tt := range []struct {
		shown, want, unit string
		tol               qa.Tolerance
		status            qa.KPIStatus
		cause             qa.KPICause
	}{
		{"12,345", "12345", "", qa.Tolerance{}, qa.KPIOk, ""},
		{"12,345", "12346", "", qa.Tolerance{}, qa.KPIMismatch, qa.CauseWrongValue},
		{"12.3K", "12345", "", qa.Tolerance{}, qa.KPIOk, ""},
		{"12.3K", "12350", "", qa.Tolerance{}, qa.KPIOk, ""},
		{"12.3K", "12351", "", qa.Tolerance{}, qa.KPIMismatch, qa.CauseWrongValue},
		{"12,345", "12345.49", "", qa.Tolerance{}, qa.KPIOk, ""},
		{"12,345", "12345.99", "", qa.Tolerance{}, qa.KPIMismatch, qa.CauseWrongValue}, // cut off, not rounded
		{"12,345", "12345.99", "", qa.Tolerance{Absolute: 1}, qa.KPIOk, ""},
		{"100", "105", "", qa.Tolerance{Percent: 5}, qa.KPIOk, ""},
		{"99", "105", "", qa.Tolerance{Percent: 5}, qa.KPIMismatch, qa.CauseWrongValue},
		{"99", "105", "", qa.Tolerance{Percent: 5, Absolute: 6}, qa.KPIOk, ""}, // whichever admits more
		{"2.1 %", "0.021", "", qa.Tolerance{}, qa.KPIOk, ""},
		{"2.1 %", "0.021", "ratio", qa.Tolerance{}, qa.KPIOk, ""},
		{"2.1 %", "2.1", "percent", qa.Tolerance{}, qa.KPIOk, ""},
		{"2.1 %", "2.1", "", qa.Tolerance{}, qa.KPIOk, ""},
		{"2.1", "2.1", "percent", qa.Tolerance{}, qa.KPIOk, ""},
		{"210 %", "0.021", "", qa.Tolerance{}, qa.KPIMismatch, qa.CauseWrongValue},
		{"0.021 %", "0.021", "", qa.Tolerance{}, qa.KPIMismatch, qa.CauseWrongValue},
		{"0.021 %", "0.021", "percent", qa.Tolerance{}, qa.KPIOk, ""},
		{"0.02 %", "2.1", "", qa.Tolerance{}, qa.KPIMismatch, qa.CauseWrongValue},
		{"2.1 %", "0.021", "ratio", qa.Tolerance{}, qa.KPIOk, ""},
		{"2.3 %", "0.021", "ratio", qa.Tolerance{Absolute: 0.002}, qa.KPIOk, ""}, // in the expected value's unit
		{"0.021", "2.1", "percent", qa.Tolerance{}, qa.KPIMismatch, qa.CauseWrongValue},
		{"€12", "12", "USD", qa.Tolerance{}, qa.KPIMismatch, qa.CauseCurrency},
		{"$12", "12", "USD", qa.Tolerance{}, qa.KPIOk, ""},
		{"$12", "12", "CAD", qa.Tolerance{}, qa.KPIOk, ""},
		{"US$12", "12", "CAD", qa.Tolerance{}, qa.KPIMismatch, qa.CauseCurrency},
		{"12", "12", "USD", qa.Tolerance{}, qa.KPIOk, ""},
		{"12", "$12.00", "", qa.Tolerance{}, qa.KPIOk, ""},
		{"12.4", "12", "", qa.Tolerance{}, qa.KPIMismatch, qa.CauseWrongValue},
		{"$1,235", "$1,234", "", qa.Tolerance{}, qa.KPIMismatch, qa.CauseWrongValue}, // what is expected has no rounding of its own
		{"12.5%", "12.4%", "", qa.Tolerance{}, qa.KPIMismatch, qa.CauseWrongValue},
		{"12.4%", "12.36%", "", qa.Tolerance{}, qa.KPIOk, ""},
		{"1,234,568", "1,234,567", "", qa.Tolerance{}, qa.KPIMismatch, qa.CauseWrongValue},
		{"1.23M", "1,234,567", "", qa.Tolerance{}, qa.KPIOk, ""},
		{"1.23 Mio. €", "1,234,567", "EUR", qa.Tolerance{}, qa.KPIOk, ""},
		{"$1.3M", "$1.2M", "", qa.Tolerance{}, qa.KPIMismatch, qa.CauseWrongValue},
		{"$1,234,567", "$1.2M", "", qa.Tolerance{}, qa.KPIOk, ""}, // it is shortened itself
		{"$1,250,001", "$1.2M", "", qa.Tolerance{}, qa.KPIMismatch, qa.CauseWrongValue},
		{"$1,235", "$1,234", "", qa.Tolerance{Absolute: 1}, qa.KPIOk, ""},
		{"341 ms", "340 ms", "", qa.Tolerance{}, qa.KPIMismatch, qa.CauseWrongValue},
		{"340ms", "340 ms", "", qa.Tolerance{}, qa.KPIOk, ""},
		{"340", "340 ms", "", qa.Tolerance{}, qa.KPIOk, ""},
		{"340 s", "340 ms", "", qa.Tolerance{}, qa.KPIMismatch, qa.CauseWrongValue},
		{"12 hours", "12h", "", qa.Tolerance{}, qa.KPIOk, ""},
		{"1,234 shops", "1,234 orders", "", qa.Tolerance{}, qa.KPIAmbiguous, ""},
		{"12%", "$12", "", qa.Tolerance{}, qa.KPIMismatch, qa.CauseWrongValue},
		{"$12", "12%", "", qa.Tolerance{}, qa.KPIMismatch, qa.CauseWrongValue},
		{"$12", "12", "count", qa.Tolerance{}, qa.KPIMismatch, qa.CauseWrongValue},
		{"1,000+", "1000", "", qa.Tolerance{}, qa.KPIAmbiguous, ""},
		{"> 1,000", ">1,000", "", qa.Tolerance{}, qa.KPIOk, ""},
		{"—", "12", "", qa.Tolerance{}, qa.KPIMismatch, qa.CauseNotANumber},
		{"—", "n/a", "", qa.Tolerance{}, qa.KPIOk, ""},
		{"Gold", "gold", "", qa.Tolerance{}, qa.KPIOk, ""},
		{"Silver", "gold", "", qa.Tolerance{}, qa.KPIMismatch, qa.CauseWrongValue},
	} {
		o := kpi.Compare(kpi.Parse(tt.shown, writing(t, "en")), expected(t, tt.want, tt.unit), tt.tol)
		if o.Status != tt.status || o.Cause != tt.cause {
			t.Errorf("%q for %q %s %+v: %s %s, want %s %s", tt.shown, tt.want, tt.unit, tt.tol, o.Status, o.Cause, tt.status, tt.cause)
		}
	}
	if o := kpi.Compare(kpi.Parse("1,234", kpi.Writing{}), expected(t, "1234", ""), qa.Tolerance{}); o.Status != qa.KPIAmbiguous || o.Hint == "" {
		t.Errorf("1,234 without a locale: %+v", o)
	}
	if o := kpi.Compare(kpi.Parse("1,234", kpi.Writing{}), expected(t, "99", ""), qa.Tolerance{}); o.Status != qa.KPIMismatch {
		t.Errorf("wrong in both readings: %+v", o)
	}
	if o := kpi.Compare(kpi.Parse("0.021 %", kpi.Writing{}), expected(t, "0.021", ""), qa.Tolerance{}); o.Hint == "" {
		t.Error("a unit that nobody declared decides, and nothing says so")
	}
	if o := kpi.Compare(kpi.Parse("13,579.50", writing(t, "en")), expected(t, "12345", ""), qa.Tolerance{}); o.Difference != "+1,234.5 (+10.0 %)" {
		t.Errorf("difference %q", o.Difference)
	}
	if _, err := kpi.ParseExpected("1", "furlongs"); err == nil {
		t.Error("an unknown unit is accepted")
	}
}

// A mismatch is explained by what it looks like.
func TestExplain(t *testing.T) {
	other := []kpi.Case{
		{KPI: "Revenue", Range: "7d", Want: expected(t, "70000", "")},
		{KPI: "Orders", Range: "today", Want: expected(t, "321", ""), Shown: kpi.Parse("12,345", writing(t, "en"))},
		{KPI: "Users", Range: "today", Want: expected(t, "777", ""), Shown: kpi.Parse("777", writing(t, "en"))},
	}
	for _, tt := range []struct {
		shown string
		cause qa.KPICause
		text  string
	}{
		{"13,000", qa.CauseWrongValue, "Revenue (today) shows a wrong value"},
		{"70,000", qa.CauseStale, "Revenue (today) shows the value of 7d"},
		{"321", qa.CauseSwapped, "Revenue (today) shows the value of Orders: the two are swapped"},
		{"777", qa.CauseWrongValue, "Revenue (today) shows the value of Users"},
		{"12.3", qa.CauseUnitSlip, "Revenue (today) is 1,000 times too small"},
		{"1,234,500", qa.CauseUnitSlip, "Revenue (today) is 100 times too large"},
		{"12.345K%", qa.CauseWrongValue, ""},
		{"-12,345", qa.CauseSign, "Revenue (today) shows the right number with the wrong sign"},
		{"n/a", qa.CauseNotANumber, "Revenue (today) shows no number"},
	} {
		cause, text := kpi.Explain(kpi.Case{KPI: "Revenue", Range: "today", Want: expected(t, "12345", ""), Shown: kpi.Parse(tt.shown, writing(t, "en"))}, other)
		if tt.text != "" && (cause != tt.cause || text != tt.text) {
			t.Errorf("%s: %s %q", tt.shown, cause, text)
		}
	}
	cause, _ := kpi.Explain(kpi.Case{KPI: "Revenue", Want: expected(t, "5", "USD"), Shown: kpi.Parse("€5", writing(t, "en"))}, nil)
	if cause != qa.CauseCurrency {
		t.Errorf("currency: %s", cause)
	}
}
