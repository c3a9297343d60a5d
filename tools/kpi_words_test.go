package tools_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// A12: findings say what should have held, of which KPI and range, and figures
// stand in one pair of brackets.
func TestKPIFindingsAreWellWorded(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.ok("page_navigate", `{"url": %q}`, site(t, map[string]string{"/": `<html lang=en><div><h3>Revenue</h3><p>$15.00</p></div><div><h3>Orders</h3><p>12</p></div><ul><li>Only $10.00</li></ul>`})+"/")
	d.ok("run_start", `{"goal": "g", "ranges": [{"name": "today"}], "kpiSpec": {"type": "staticValues", "values": {"Revenue": "15", "Orders": "10"}, "units": {"Revenue": "USD"}, "sums": [{"kpi": "Revenue", "selector": "css=ul"}]}}`)
	a := d.ok("check_kpis", `{"timeout_ms": 400}`)
	if !strings.Contains(a.text, "it does not hold that Revenue (today) is the sum of its parts: they add up to 10, shown $15.00") {
		t.Errorf("the answer:\n%s", a.text)
	}
	d.ok("run_finish", `{}`)
	files := d.files()
	for _, want := range []string{`"assertion": "Revenue (today) is the sum of its parts"`, `"expected": "10, the sum of 1 part"`, `"expected": "10 (1 part)"`, `"observed": "$15.00 (+5, +50.0 %)"`, `"observed": "12 (+2, +20.0 %)"`} {
		if !strings.Contains(files, want) {
			t.Errorf("the report has no %s", want)
		}
	}
}

// Issue 29, item 2: a figure that the page's language does not write is open, the
// message names number_locale, and that of the task decides.
func TestTheNumberLocaleOfATaskDecides(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.ok("page_navigate", `{"url": %q}`, site(t, map[string]string{"/": `<html lang=en><title>N</title><div><h3>Orders</h3><p id=o>1.234</p></div><div><h3>Share</h3><p>12,5%</p></div><div><h3>Staff</h3><p id=s>3 Mio.</p></div>`})+"/")
	const oracle = `"kpiSpec": {"type": "staticValues", "values": {"Orders": "1234", "Share": "12.5", "Staff": "3000000"}, "units": {"Share": "percent"}}`
	d.ok("run_start", `{"goal": "g", `+oracle+`}`)
	a := d.ok("check_kpis", `{"timeout_ms": 200}`)
	if row := rows(a)["Orders/"]; row.Status != qa.KPIAmbiguous || !strings.Contains(a.text, "number_locale") {
		t.Errorf("a page that contradicts itself: %+v\n%s", row, a.text)
	}
	const isThousands = `{"selector": "#o", "assertion": {"type": "number_compared", "op": "==", "value": "1234"}, "timeout_ms": 1}`
	if a := d.ok("verify_assertion", isThousands); a.Data["passed"] == true {
		t.Errorf("1.234 of an English page is 1234: %s", a.text)
	}
	d.ok("run_finish", `{}`)
	d.ok("run_start", `{"goal": "g", "number_locale": "de-DE", `+oracle+`}`)
	if a := d.ok("check_kpis", `{"timeout_ms": 200}`); a.Data["passed"] != true {
		t.Errorf("with a number locale: %s", a.text)
	}
	if a := d.ok("verify_assertion", isThousands); a.Data["passed"] != true {
		t.Errorf("an assertion with a number locale: %s", a.text)
	}
	d.ok("run_finish", `{}`)
}
