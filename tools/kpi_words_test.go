package tools_test

import (
	"slices"
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
	d.ok("run_start", `{"goal": "g", "ranges": [{"name": "today"}, {"name": "as it stands"}], "kpiSpec": {"type": "staticValues", "values": {"Revenue": "15", "Orders": "10"}, "units": {"Revenue": "USD"}, "sums": [{"kpi": "Revenue", "selector": "css=ul"}]}}`)
	a := d.ok("check_kpis", `{"timeout_ms": 400}`)
	if !strings.Contains(a.text, "it does not hold that Revenue (today) is the sum of its parts: they add up to 10, shown $15.00") {
		t.Errorf("the answer:\n%s", a.text)
	}
	first, second := rows(a)["Orders/today"], rows(a)["Orders/as it stands"]
	if first.Status != qa.KPIMismatch || second.Status != first.Status || second.ScreenshotRef == "" || second.ScreenshotRef == first.ScreenshotRef {
		t.Errorf("one look for two ranges: %+v and %+v", first, second)
	}
	d.ok("run_finish", `{}`)
	files := d.files()
	for _, want := range []string{`"assertion": "Revenue (today) is the sum of its parts"`, `"expected": "10, the sum of 1 part"`, `"expected": "10 (1 part)"`, `"observed": "$15.00 (+5, +50.0 %)"`, `"observed": "12 (+2, +20.0 %)"`} {
		if !strings.Contains(files, want) {
			t.Errorf("the report has no %s", want)
		}
	}
}

// drawnFigures are cards of which a figure is drawn in several ways.
const drawnFigures = `<style>i{display:inline-block;width:11px;height:20px;vertical-align:bottom}
	#pseudo::after{content:"789";display:inline-block;width:14px;overflow:clip}</style>
	<div><h3>Stacked</h3><p>1<sup>1</sup>⁄<sub>2</sub></p></div><div><h3>Formula</h3><p><math><mn>1</mn><mfrac><mn>1</mn><mn>2</mn></mfrac></math></p></div>
	<div><h3>Root</h3><p><math><msqrt><mn>16</mn></msqrt></math></p></div><div><h3>Power</h3><p>10<sup>6</sup></p></div>
	<div><h3>Canvas</h3><p><canvas width=11 height=20 style="vertical-align:bottom"></canvas>348</p></div>
	<div><h3>Path</h3><p>348<svg width=11 height=20 style="vertical-align:bottom"><path d="M5 0V20"/></svg></p></div>
	<div><h3>Sprite</h3><p><i style="background:linear-gradient(#000,#000)"></i>348</p></div>
	<div><h3>Icon</h3><p><svg width=20 height=20><path d="M5 0V20"/></svg>348</p></div>
	<div><h3>Cut</h3><p id=pseudo></p></div>
	<figure><figcaption>Sales</figcaption><p id=said>512 (<b id=sold>56</b> of 900)</p></figure>`

// drawnAsTheyAreSeen checks that the figures of drawnFigures are read as people see them, or
// are open.
func drawnAsTheyAreSeen(d desk) {
	d.t.Helper()
	a := d.ok("check_kpis", `{"spec": {"type": "staticValues", "values": {"Stacked": "1.5", "Formula": "1.5", "Root": "16", "Power": "106", "Canvas": "348", "Path": "348",
		"Sprite": "348", "Icon": "348", "Cut": "789", "Sold": "56", "Said": "512"}, "selectors": {"Sold": "#sold", "Said": "#said"}}}`)
	for label, row := range rows(a) {
		want := qa.KPIAmbiguous
		if slices.Contains([]string{"Stacked/", "Formula/", "Icon/", "Sold/", "Said/"}, label) {
			want = qa.KPIOk
		}
		if row.Status != want {
			d.t.Errorf("%+v, want %s\n%s", row, want, a.text)
		}
	}
}

// Issue 29, item 2: a figure that the page's language does not write is open, the
// message names number_locale, and that of the task decides.
func TestTheNumberLocaleOfATaskDecides(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.ok("page_navigate", `{"url": %q}`, site(t, map[string]string{"/": `<html lang=en><title>N</title><div><h3>Orders</h3><p id=o>1.234</p></div><div><h3>Share</h3><p>12,5%</p></div><div><h3>Staff</h3><p id=s>3 Mio.</p></div>` + drawnFigures})+"/")
	drawnAsTheyAreSeen(d)
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
	if a := d.ok("check_kpis", `{}`); a.Data["passed"] != true {
		t.Errorf("with a number locale: %s", a.text)
	}
	if a := d.ok("verify_assertion", isThousands); a.Data["passed"] != true {
		t.Errorf("an assertion with a number locale: %s", a.text)
	}
	d.ok("run_finish", `{}`)
}
