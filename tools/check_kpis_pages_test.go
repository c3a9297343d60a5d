package tools_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

const cardStyle = `<style>h3,small{font-size:12px;margin:2px} .v{font-size:28px;margin:2px} .card{border:1px solid;width:200px;float:left}</style>`

// A5: the value of a label is found in whatever shape a dashboard gives it, and
// what stands near it is not taken for it.
func TestCheckKPIsFindsTheValue(t *testing.T) {
	t.Parallel()
	d := patient(t)
	base := site(t, map[string]string{
		"/cards": cardStyle + `<div class=card><h3>Revenue</h3><p class=v>$12,345.00</p><small>▲ 12 % vs $11,000 last week</small></div>
			<div class=card><h3>Orders</h3><p class=v>321</p><small>from 20 shops, 14 % more</small></div>`,
		"/under":   cardStyle + `<div class=card><p class=v>$12,345.00</p><small>Revenue</small></div><div class=card><p class=v>321</p><small>Orders</small></div>`,
		"/flat":    `<style>div{display:grid;grid-template-columns:200px 200px}</style><div><b>Revenue</b><b>Orders</b><b>$12,345.00</b><b>321</b></div>`,
		"/dl":      `<dl><dt>Revenue</dt><dd>$12,345.00</dd><dt>Orders</dt><dd>321</dd></dl>`,
		"/dldivs":  `<dl><div><dt>Orders:</dt><dd>321</dd></div><div><dt>Revenue:</dt><dd>$12,345.00</dd></div></dl>`,
		"/rows":    `<table><thead><tr><th>KPI<th>Previous<th>Current<th>Change<tbody><tr><td>Revenue<td>$11,000.00<td>$12,345.00<td>12 %<tr><td>Orders<td>300<td>321<td>7 %</table>`,
		"/columns": `<table><tr><th>Revenue<th>Orders<tr><td>$12,345.00<td>321</table>`,
		"/totals":  `<table><thead><tr><th>Shop<th>Revenue<th>Orders<tbody><tr><td>A<td>$12,000.00<td>300<tr><td>B<td>$345.00<td>21<tfoot><tr><th>Total<td>$12,345.00<td>321</table>`,
		"/legend":  `<ul><li><span>▪</span> Revenue <b>$12,345.00</b></li><li><span>▪</span> Orders <b>321</b></li></ul>`,
		"/aria":    `<div role=img aria-label="Revenue: $12,345.00"><b aria-hidden=true>$12,345.00</b></div><div role=group aria-label="Orders"><p>321</p></div>`,
		"/by":      `<span id=l1>Revenue</span><span id=l2>Orders</span><hr><output aria-labelledby=l1>$12,345.00</output><output aria-labelledby=l2>321</output>`,
		"/testid":  `<div data-testid="kpi-revenue-card"><i>Umsatz</i><p>$12,345.00</p></div><div data-kpi="Orders"><p>321</p></div>`,
		"/split":   cardStyle + `<div class=card><h3>Revenue</h3><p class=v><span>$</span><span>12</span><sup>,345</sup>.<small>00</small></p></div><div class=card><h3>Orders</h3><p class=v><b>3</b>21</p></div>`,
		"/text":    `<p>Revenue: $12,345.00</p><p>Orders 321</p>`,
		"/shadow":  `<kpi-card></kpi-card><script>document.querySelector('kpi-card').attachShadow({mode:'open'}).innerHTML='<h3>Revenue</h3><p>$12,345.00</p><section><h3>Orders</h3><p>321</p></section>'</script>`,
		"/frame":   `<h3>Dashboard</h3><iframe title=figures srcdoc="<h3>Revenue</h3><p>$12,345.00</p><div><h3>Orders</h3><p>321</p></div>"></iframe>`,
		"/german":  `<html lang=de><div><h3>Revenue</h3><p>12.345,00 $</p></div><div><h3>Orders</h3><p>321</p></div>`,
		"/short":   `<div><h3>Revenue</h3><p>$12.3K</p></div><div><h3>Orders</h3><p>321</p></div>`,
		"/twice":   `<div><h3>Revenue</h3><p>$12,345.00</p></div><div><h3>Orders</h3><p>321</p></div><div><h3>Revenue</h3><p>$12.3K</p></div>`,
		"/svg":     `<svg width=400 height=100><text x=10 y=20>Revenue</text><text x=10 y=50>$12,345.00</text></svg><div><h3>Orders</h3><p>321</p></div>`,
		"/longer":  `<div><h3>REVENUE (USD):</h3><p>$12,345.00</p></div><div><h3>Orders (today)</h3><p>321</p></div>`,
		"/nav":     `<nav><a href=#>Orders <b>3</b></a><a href=#>Revenue</a></nav><div><h3>Revenue</h3><p>$12,345.00</p></div><div><h3>Orders</h3><p>321</p></div>`,
		"/input":   `<label>Revenue <input readonly value="$12,345.00"></label><br><label>Orders <input readonly value="321"></label>`,
	})
	var record recording
	defer record.write(t, "found.jsonl")
	for i, path := range []string{"/cards", "/under", "/flat", "/dl", "/dldivs", "/rows", "/columns", "/totals", "/legend", "/aria", "/by", "/testid", "/split", "/text", "/shadow", "/frame", "/german", "/short", "/twice", "/svg", "/longer", "/nav", "/input"} {
		if !sampled(i, 12) { // tools/kpicheck judges all of them as they were read
			continue
		}
		t.Run(path[1:], func(t *testing.T) {
			d := d
			d.t = t
			d.ok("page_navigate", `{"url": %q}`, base+path)
			record.add(d, "found"+path, recordedFigure{Label: "Revenue", Want: "12345", Unit: "USD", Status: qa.KPIOk}, recordedFigure{Label: "Orders", Want: "321", Status: qa.KPIOk})
			a := d.ok("check_kpis", `{"timeout_ms": 700, "spec": {"type": "staticValues", "values": {"Revenue": "12345", "Orders": "321"}, "units": {"Revenue": "USD"}}}`)
			if a.Data["passed"] != true {
				t.Errorf("%s", a.text)
			}
			for key, row := range rows(a) {
				if row.Status == qa.KPIOk && row.Selector == "" {
					t.Errorf("%s has no selector", key)
				}
			}
		})
	}
}

// Issue 4: what is wrong is found, with the status and the cause that it has,
// and what can't be told is said to be so.
func TestCheckKPIsTellsWhatIsWrong(t *testing.T) {
	t.Parallel()
	d, next := patient(t), turns(t)
	var record recording
	defer record.write(t, "wrong.jsonl")
	card := func(label, value string) string { return "<div><h3>" + label + "</h3><p>" + value + "</p></div>" }
	for i, tt := range []struct {
		name, page     string
		status         qa.KPIStatus // of Revenue
		cause          qa.KPICause
		verdict, words string
	}{
		{"wrong", card("Revenue", "$13,000.00") + card("Orders", "321"), qa.KPIMismatch, qa.CauseWrongValue, "failed", "+655 (+5.3 %)"},
		{"times 1000", card("Revenue", "$12.35") + card("Orders", "321"), qa.KPIMismatch, qa.CauseUnitSlip, "failed", "1,000 times too small"},
		{"times 100", card("Revenue", "$1,234,500.00") + card("Orders", "321"), qa.KPIMismatch, qa.CauseUnitSlip, "failed", "100 times too large"},
		{"sign", card("Revenue", "-$12,345.00") + card("Orders", "321"), qa.KPIMismatch, qa.CauseSign, "failed", "wrong sign"},
		{"brackets", card("Revenue", "($12,345.00)") + card("Orders", "321"), qa.KPIMismatch, qa.CauseSign, "failed", "wrong sign"},
		{"currency", card("Revenue", "€12,345.00") + card("Orders", "321"), qa.KPIMismatch, qa.CauseCurrency, "failed", "another currency"},
		{"swapped", card("Revenue", "321") + card("Orders", "12,345"), qa.KPIMismatch, qa.CauseSwapped, "failed", "shows the value of Orders"},
		{"missing", card("Orders", "321"), qa.KPIMissing, qa.CauseNotShown, "failed", "is not on the page"},
		{"missing value", `<section>` + card("Revenue", "") + card("Orders", "321") + `</section>`, qa.KPIMissing, qa.CauseNotShown, "failed", "is not on the page"},
		{"no value", card("Revenue", "—") + card("Orders", "321"), qa.KPIMismatch, qa.CauseNotANumber, "failed", "shows — instead"},
		{"error text", card("Revenue", "NaN") + card("Orders", "321"), qa.KPIMismatch, qa.CauseNotANumber, "failed", "shows NaN"},
		{"duplicate", card("Revenue", "$12,345.00") + card("Orders", "321") + card("Revenue", "$12,000.00"), qa.KPIMismatch, qa.CauseDuplicate, "failed", "more than once"},
		{"chart", card("Revenue", "$12,345.00") + card("Orders", "321") + `<svg role=img aria-label="Chart of revenue: $12,000.00 in total"><rect width=9 height=9 /></svg>`, qa.KPIMismatch, qa.CauseDuplicate, "failed", "between its card and its chart"},
		{"two labels", card("Net revenue", "$12,345.00") + card("Orders", "321") + card("Gross revenue", "$12,000.00"), qa.KPIAmbiguous, "", "inconclusive", "of which Revenue is a part"},
		{"two figures", `<div><h3>Revenue</h3><p>$12,345.00</p></div>`, qa.KPIOk, "", "", ""},
		{"locale", card("Revenue", "12.345") + card("Orders", "321"), qa.KPIAmbiguous, "", "inconclusive", "declare number_locale"},
		{"ticking", card("Revenue", "<span id=r>1</span>") + card("Orders", "321") + `<script>let n=0;setInterval(()=>{r.textContent=(++n%3==0)?'$12,345.00':'$'+n+',000.00'},60)</script>`, qa.KPIUnsettled, "", "inconclusive", "went on changing"},
	} {
		if !sampled(i, 8) { // tools/kpicheck judges all of them as they were read
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			d := d
			d.t = t
			d.ok("page_navigate", `{"url": %q}`, next("<!doctype html>"+tt.page))
			if tt.status != qa.KPIUnsettled { // that is told by several looks
				record.add(d, tt.name, recordedFigure{Label: "Revenue", Want: "12345", Unit: "USD", Status: tt.status, Cause: tt.cause}, recordedFigure{Label: "Orders", Want: "321"})
			}
			d.ok("run_start", `{"goal": "g", "kpiSpec": {"type": "staticValues", "values": {"Revenue": "12345", "Orders": "321"}, "units": {"Revenue": "USD"}}}`)
			a := d.ok("check_kpis", `{"timeout_ms": 600}`)
			row := rows(a)["Revenue/"]
			if row.Status != tt.status || row.Cause != tt.cause || !strings.Contains(a.text, tt.words) {
				t.Errorf("%+v, want %s %s\n%s", row, tt.status, tt.cause, a.text)
			}
			f := d.ok("run_finish", `{}`)
			if tt.verdict != "" && f.Data["status"] != tt.verdict {
				t.Errorf("verdict %v, want %s: %v", f.Data["status"], tt.verdict, f.Data["statusReason"])
			}
		})
	}
}
