package tools_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// noise is what differs and nobody would call a difference.
func noise() []edit {
	const shapes = `<div id="ground">`
	return []edit{
		{"nothing", "<h1>", "<h1>", ""},
		{"a comment", "<main>", "<main><!-- build 7 -->", ""},
		{"white space", "<h1>Sales today</h1>", "<h1>\n  Sales   today\n</h1>", ""},
		{"a class that no rule knows", `class="card" id="rate"`, `class="card css-1x9" id="rate"`, ""},
		{"a data attribute", `id="rate"`, `id="rate" data-build="8812"`, ""},
		{"a label for readers only", `<button id="export">`, `<button id="export" title="Export all" aria-description="as CSV">`, ""},
		{"a wrapper", `<canvas id="chart" width="300" height="60"></canvas>`, `<div style="height:60px;line-height:0"><canvas id="chart" width="300" height="60"></canvas></div>`, ""},
		{"an empty element", `<div id="ground">`, `<i style="position:absolute"></i><div id="ground">`, ""},
		{"a pixel of a tracker", `</main>`, `<img alt="" width="1" height="1" style="position:absolute" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"></main>`, ""},
		{"a text for readers only", "updated 10:01", "updated 10:02", ""},
		{"a text off the screen", "build 1", "build 2", ""},
		{"a text under a sheet", "v 1.0", "v 2.0", ""},
		{"a transparent text", "veil 1", "veil 2", ""},
		{"a text of the ground's colour", `<p id="note">`, `<p style="position:absolute;left:900px;top:300px;color:#fff">changed</p><p id="note">`, ""},
		{"a third of a pixel to the right", `id="rate"`, `id="rate" style="position:relative;left:0.33px"`, ""},
		{"half a pixel down", `<p id="note">`, `<p id="note" style="position:relative;top:0.5px">`, ""},
		{"half a pixel, transformed", `<h1>`, `<h1 style="transform:translateX(0.5px)">`, ""},
		{"a layer of its own", `<h1>`, `<h1 style="will-change:transform">`, ""},
		{"a pixel to the right", `id="rate"`, `id="rate" style="position:relative;left:1px"`, ""},
		{"a pixel of margin", `<button id="export">`, `<button id="export" style="margin-left:1px">`, ""},
		{"a pixel wider", `id="rate"`, `id="rate" style="width:201px"`, ""},
		{"letters a hundredth apart", `<h1>`, `<h1 style="letter-spacing:0.01px">`, ""},
		{"a caret", `<input id="q" value="mugs">`, `<input id="q" value="mugs" style="outline:0" autofocus>`, ""},
		{"another colour of the caret", `<input id="q" value="mugs">`, `<input id="q" value="mugs" style="outline:0;caret-color:#c00" autofocus>`, ""},
		{"a cursor that blinks out of step", "blink 1s step-end", "blink 1.3s step-end", ""},
		{"a dithered gradient", "#eef2ff, #e0e7ff)", "#eef2ff, #e0e7fe)", ""},
		{"one level of a colour", ".ok { background: #dcfce7", ".ok { background: #dcfde7", ""},
		{"one level of a shadow", `id="rate"`, `id="rate" style="box-shadow:0 0 2px rgba(0,0,0,.004)"`, ""},
		{"an edge smoothed otherwise", `<i id="sprite">`, `<i id="sprite" style="transform:rotate(0.02deg)">`, ""},
		{"geometry before speed", `<p id="note">`, `<p id="note" style="text-rendering:geometricPrecision">`, ""},
		{"a chart drawn a tenth of a pixel on", "10 + i * 60", "10.1 + i * 60", ""},
		{"an image of other bytes", `height='60' fill='%23cde'`, `height='60.0' fill='%23cdE'`, ""},
		{"pixels of a frame", shapes, `<iframe title="f" style="position:absolute;left:900px;width:30px;height:20px;border:0" srcdoc=""></iframe>` + shapes, ""},
	}
}

// B17: the threshold is for what nobody can name: it passes, and what differs
// in pixels is told.
func TestVisualNoisePasses(t *testing.T) {
	t.Parallel()
	d, b := dashboard(t)
	for i, e := range noise() {
		if !sampled(i, 8) {
			continue
		}
		a := d.compared(b, e, "")
		regions, _ := a.Data["regions"].([]any)
		within, _ := a.Data["within_threshold"].(bool)
		if a.Data["status"] != string(qa.Passed) || a.Data["passed"] != true || within && len(regions) == 0 {
			t.Errorf("%s: %v\n%s", e.name, a.Data["status"], a.text)
		}
		for _, r := range regions {
			if r.(map[string]any)["named"] == true {
				t.Errorf("%s: %v is taken for a change that has a name", e.name, r)
			}
		}
		if within != strings.Contains(a.text, "WITHIN THE THRESHOLD") {
			t.Errorf("%s: within %v: %s", e.name, within, a.text)
		}
	}
}
