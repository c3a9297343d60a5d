package tools_test

import (
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
)

const spinning = `<h1>Sales</h1><canvas data-testid="spin" width="200" height="100"></canvas><script>
	const c = document.querySelector('canvas').getContext('2d'); let n = 0
	const turn = () => { c.fillStyle = 'hsl(' + (n += 7) % 360 + ' 90% 40%)'; c.fillRect(0, 0, 200, 100); requestAnimationFrame(turn) }
	turn()</script>`

// B9: a page that keeps moving is neither right nor wrong: what moves is named,
// and masking it helps.
func TestVisualUnsettled(t *testing.T) {
	t.Parallel()
	d, b := patient(t), newBoard(t, spinning)
	a := d.call("capture_visual_baseline", `{"url": %q, "name": "spin", "timeout_ms": 1500}`, b.url)
	if a.Error.Code != "TIMEOUT" || !strings.Contains(a.text, "testid=spin") || !strings.Contains(a.Error.Hint, "mask") {
		t.Errorf("capture: %s", a.text)
	}
	for range 2 { // the first must not have become the baseline
		got := d.lookAt(b.url, `{"name": "spin", "timeout_ms": 1500}`)
		if row := got.row(t); row.Status != qa.VisualUnsettled || got.report.Status != qa.Inconclusive || !strings.Contains(got.text, "testid=spin") || !strings.Contains(got.text, "mask") {
			t.Errorf("compare: %s %+v\n%s", got.report.Status, row, got.text)
		}
	}
	d.at(b.url, "capture_visual_baseline", `{"name": "spin", "mask": ["testid=spin"]}`)
	d.approve(baseline.Unapproved, "spin")
	masked := d.lookAt(b.url, `{"name": "spin", "threshold": 0}`)
	if masked.report.Status != qa.Passed {
		t.Errorf("masked: %s\n%s", masked.report.Status, masked.text)
	}
}

const ticking = `<h1 style="width:300px">Sales</h1><p>Updated <span data-testid="clock">0</span> s ago</p><p>Last order: <b id="b">none</b></p><p>Steady</p>
	<script>let n = 0; setInterval(() => document.querySelector('span').textContent = ++n, 2500)</script>`

// B17: what changes by itself soon is offered as a mask when a
// baseline is made, and never applied; accepted, it lets the next run pass.
func TestVisualOffersMasks(t *testing.T) {
	t.Parallel()
	d, b := onlineWith(t, func(o *browser.Options) {
		o.Waits = wait.Standard()
		o.Waits.Lively = 3 * time.Second // longer than what ticks stands still, which two pictures fit into on a busy machine
	}), newBoard(t, ticking)
	a := d.at(b.url, "capture_visual_baseline", `{"name": "ticking"}`)
	masks, _ := a.Data["proposed_masks"].([]any)
	if len(masks) != 1 || masks[0].(map[string]any)["selector"] != "testid=clock" || !strings.Contains(a.text, "testid=clock") {
		t.Fatalf("offered: %v\n%s", masks, a.text)
	}
	v, err := d.Baselines.Get(t.Context(), a.Data["baseline_id"].(string))
	if err != nil || len(v.Options.Mask) > 0 {
		t.Errorf("a mask was applied: %v, %v", v.Options.Mask, err)
	}
	d.at(b.url, "capture_visual_baseline", `{"name": "masked", "mask": ["testid=clock"]}`)
	d.approve(baseline.Unapproved, "masked")
	if got := d.lookAt(b.url, `{"name": "masked"}`); got.report.Status != qa.Passed {
		t.Errorf("masked: %s\n%s", got.report.Status, got.text)
	}
	first := d.lookAt(b.url, `{"name": "first"}`)
	if first.report.Status != qa.Inconclusive || !strings.Contains(first.text, "mask testid=clock") {
		t.Errorf("a first comparison: %s\n%s", first.report.Status, first.text)
	}
	b.body.Store(salesBoard)
	if still := d.at(b.url, "capture_visual_baseline", `{"name": "still"}`); still.Data["proposed_masks"] != nil {
		t.Errorf("a still page: %s", still.text)
	}
}
