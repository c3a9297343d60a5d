package tools_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/qa"
)

// salesRows are those of the dashboard's table.
const salesRows = `<tr id="r1"><td>Mugs</td><td class="n">1,204</td><td><span class="tag ok">Shipped</span></td><td><button>Edit</button></td></tr>
<tr id="r2"><td>Cups</td><td class="n">873</td><td><span class="tag ok">Shipped</span></td><td><button>Edit</button></td></tr>
<tr id="r3"><td>Plates</td><td class="n">95</td><td><span class="tag late">Late</span></td><td><button>Edit</button></td></tr>
<tr id="r4"><td>Bowls</td><td class="n">2,310</td><td><span class="tag ok">Shipped</span></td><td><button>Edit</button></td></tr>`

const icon = `<svg id="icon" width="16" height="16" viewBox="0 0 16 16" role="img" aria-label="Trend"><path d="M2 12L7 6l3 3 4-6" fill="none" stroke="#333" stroke-width="2"/></svg>`

// picture is an image of so many bands.
func picture(bands string) string {
	return `<img id="photo" alt="Shop" width="120" height="60" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='120' height='60'%3E%3Crect width='120' height='60' fill='%23cde'/%3E` + bands + `%3C/svg%3E">`
}

const (
	hill = `%3Cpath d='M0 60L60 10l60 50z' fill='%23486'/%3E`
	moon = `%3Ccircle cx='60' cy='30' r='20' fill='%23b62'/%3E`
)

// sales is a dashboard as people build them, of about 1280 × 720.
func sales() string {
	return `<style>
* { box-sizing: border-box } main { display: grid; gap: 16px } h1 { font-size: 24px; margin: 0 } #cards { display: flex; gap: 12px }
.card { width: 200px; height: 84px; padding: 12px; background: #fff; border: 1px solid #cbd5e1; border-radius: 6px } .card b { display: block; font-size: 22px }
nav a { margin-right: 14px; color: #1d4ed8 } button { font: 13px sans-serif; padding: 4px 10px; border: 1px solid #94a3b8; border-radius: 4px; background: #f1f5f9; color: #0f172a }
#save { background: #2563eb; color: #fff } table { border-collapse: collapse; width: 620px } td, th { padding: 5px 10px; text-align: left; border-bottom: 1px solid #e2e8f0 } .n { text-align: right }
.tag { padding: 2px 6px; border-radius: 8px; font-size: 12px } .ok { background: #dcfce7; color: #166534 } .late { background: #fee2e2; color: #991b1b } .late::after { content: " !" }
small { font-size: 11px; color: #64748b } #live { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) } #gone { position: absolute; left: -4000px }
#under { position: absolute; top: 8px; right: 20px; width: 90px; height: 22px } #over { position: absolute; top: 4px; right: 10px; width: 130px; height: 30px; background: #0f172a }
#ground { height: 40px; background: linear-gradient(90deg, #eef2ff, #e0e7ff) } #sprite { display: inline-block; width: 16px; height: 16px; background: linear-gradient(90deg, #c00 16px, #080 16px) 0 0 / 32px 16px }
@keyframes blink { 50% { opacity: 0 } } #caret { display: inline-block; width: 1px; height: 14px; background: #000; animation: blink 1s step-end infinite }
</style><main>
<nav><a href="#1">Home</a><a href="#2">Orders</a><a href="#3">Reports</a>` + icon + `<i id="sprite"></i></nav>
<h1>Sales today</h1>
<div id="cards"><div class="card" id="revenue">Revenue<b>$48,250.00</b><small>+4.2% on last week</small></div>
<div class="card" id="orders">Orders<b>318</b><small>of 400 planned</small></div><div class="card" id="rate">Conversion<b>3.1%</b><small>last 30 days</small></div></div>
<div id="tools"><button id="save">Save</button> <button id="export">Export</button> <input id="q" value="mugs"> <label><input type="checkbox" id="paid" checked> Paid only</label> <span id="caret"></span></div>
<table><thead><tr><th>Product</th><th class="n">Sold</th><th>State</th><th></th></tr></thead><tbody>` + salesRows + `</tbody></table>
<p id="note">4 products in stock, none of them sold out.</p>` + picture(hill) + `
<div id="ground"></div><progress id="bar" max="100" value="60"></progress><canvas id="chart" width="300" height="60"></canvas>
<div id="live">updated 10:01</div><div id="gone">build 1</div><div id="under">v 1.0</div><div id="over"></div><div id="veil" style="opacity:0">veil 1</div></main>
<script>const g = document.getElementById('chart').getContext('2d'); for (const [i, h] of [20, 35, 50, 30].entries()) { g.fillStyle = '#3b82f6'; g.fillRect(10 + i * 60, 60 - h, 40, h) }
g.fillStyle = '#000'; g.font = '10px sans-serif'; g.fillText('Q1', 20, 10)</script>`
}

// edit is one change of the dashboard, and a word by which the answer must name
// what changed.
type edit struct{ name, old, now, says string }

// changes are what any person would call a difference.
func changes() []edit {
	r := strings.SplitAfter(salesRows, "</tr>")
	return []edit{
		{"one digit of an amount", "$48,250.00", "$43,250.00", "43,250"},
		{"a digit of the cents", "$48,250.00", "$48,250.01", "48,250.01"},
		{"a point for a comma", "$48,250.00", "$48.250.00", "48.250"},
		{"a sign", "+4.2%", "-4.2%", "-4.2%"},
		{"a changed word", "last week", "last month", "last month"},
		{"a letter", "Reports", "Report5", "Report5"},
		{"i for l in small print", "of 400 planned", "of 400 pianned", "pianned"},
		{"the heading", "Sales today", "Sales Today", "Sales Today"},
		{"a word gone", "none of them sold out", "of them sold out", "sold out"},
		{"a missing button", `<button id="export">Export</button>`, "", "Export"},
		{"a missing button, its place kept", `<button id="export">`, `<button id="export" style="visibility:hidden">`, "Export"},
		{"a transparent button", `<button id="export">`, `<button id="export" style="opacity:0">`, "Export"},
		{"a new button", `<button id="export">`, `<button>Delete</button> <button id="export">`, "Delete"},
		{"the colour of a button", `<button id="save">`, `<button id="save" style="background:#dc2626">`, "Save"},
		{"a paler button", `<button id="export">`, `<button id="export" style="background:#fff">`, "Export"},
		{"the colour of a text", `<b>318</b>`, `<b style="color:#b91c1c">318</b>`, "color"},
		{"a red border", `id="orders"`, `id="orders" style="border-color:#dc2626"`, "border-color"},
		{"no border", `id="orders"`, `id="orders" style="border-color:transparent"`, "border-color"},
		{"round corners", `id="orders"`, `id="orders" style="border-radius:20px"`, "border-radius"},
		{"a shadow", `id="rate"`, `id="rate" style="box-shadow:0 4px 8px #0006"`, "box-shadow"},
		{"an icon swapped", "M2 12L7 6l3 3 4-6", "M2 4L7 10l3-3 4 6", "image of"},
		{"an icon's colour", `stroke="#333"`, `stroke="#c00"`, "image of"},
		{"an icon of a sprite", `<i id="sprite">`, `<i id="sprite" style="background-position:-16px 0">`, "background-position"},
		{"an image swapped", picture(hill), picture(moon), "image of"},
		{"a broken image", picture(hill), `<img id="photo" alt="Shop" width="120" height="60" src="/none.png">`, "Shop"},
		{"a missing row", r[2], "", "Plates"},
		{"a row twice", r[3], r[3] + strings.Replace(r[3], "r4", "r5", 1), "added"},
		{"rows in another order", r[0] + r[1], r[1] + r[0], "moved"},
		{"columns in another order", `<th>State</th><th></th>`, `<th></th><th>State</th>`, "State"},
		{"font weight", `<td>Cups</td>`, `<td style="font-weight:700">Cups</td>`, "font-weight"},
		{"italics", `<td>Cups</td>`, `<td style="font-style:italic">Cups</td>`, "font-style"},
		{"a line through", `<td>Cups</td>`, `<td style="text-decoration:line-through">Cups</td>`, "text-decoration"},
		{"3 px wider", `id="rate"`, `id="rate" style="width:203px"`, "wider by 3 px"},
		{"3 px higher", `id="rate"`, `id="rate" style="height:87px"`, "higher by 3 px"},
		{"moved by 5 px", `id="rate"`, `id="rate" style="position:relative;top:5px"`, "moved down by 5 px"},
		{"another state", `<span class="tag late">Late</span>`, `<span class="tag ok">Shipped</span>`, "Shipped"},
		{"a word of a style sheet", `content: " !"`, `content: " ?"`, "?"},
		{"an unchecked box", ` checked>`, `>`, "not checked"},
		{"a field's value", `value="mugs"`, `value="cups"`, "cups"},
		{"a bar's value", `value="60"`, `value="62"`, "62"},
		{"a chart's bar", "[20, 35, 50, 30]", "[20, 35, 44, 30]", "canvas"},
		{"a chart's label", "'Q1'", "'Q4'", "canvas"},
		{"alignment", `<td class="n">95</td>`, `<td>95</td>`, "text-align"},
		{"a link's underline", `<a href="#2">`, `<a href="#2" style="text-decoration:none">`, "text-decoration"},
		{"capitals", `<td>Bowls</td>`, `<td style="text-transform:uppercase">Bowls</td>`, "text-transform"},
		{"a turned icon", `<svg id="icon"`, `<svg id="icon" style="rotate:180deg"`, "rotate"},
	}
}

// dashboard captures the sales dashboard in a run that is over.
func dashboard(t *testing.T) (desk, *board) {
	t.Helper()
	d, b := patient(t), newBoard(t, sales())
	d.ok("run_start", `{"goal": "keep the dashboard"}`)
	d.at(b.url, "capture_visual_baseline", `{"name": "sales"}`)
	d.finished()
	d.approve(baseline.Unapproved, "sales")
	return d, b
}

// compared looks at the dashboard with one edit.
func (d desk) compared(b *board, e edit, options string) answer {
	d.t.Helper()
	b.body.Store(sales())
	b.change(d.t, e.old, e.now)
	return d.at(b.url, "compare_visual_regression", `{"name": "sales"%s}`, options)
}

// saying are the sentences that name a word, of those of an answer's regions.
func saying(t *testing.T, a answer, word string) (list []string) {
	t.Helper()
	regions, _ := a.Data["regions"].([]any)
	for _, r := range regions {
		if text, _ := r.(map[string]any)["text"].(string); strings.Contains(text, word) {
			list = append(list, text)
		}
	}
	return list
}

// B17: what can be named fails at the default threshold, however small it is,
// and is named.
// differs: B-named-change
func TestVisualNamedChangesFail(t *testing.T) {
	t.Parallel()
	d, b := dashboard(t)
	passed := 0
	for i, e := range changes() {
		if !sampled(i, 9) {
			continue
		}
		a := d.compared(b, e, "")
		if a.Data["status"] != string(qa.Failed) || a.Data["passed"] != false {
			passed++
			t.Errorf("%s: %v\n%s", e.name, a.Data["status"], a.text)
		} else if len(saying(t, a, e.says)) == 0 {
			t.Errorf("%s: %q is not named:\n%s", e.name, e.says, a.text)
		}
	}
	if passed > 0 {
		fmt.Printf("%d of %d visible changes passed\n", passed, len(changes()))
	}
}
