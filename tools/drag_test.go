package tools_test

import (
	"fmt"
	"strings"
	"testing"
)

// Req 0033/B: one element is dragged onto another, by the browser's own drag and drop and by pointer
// events; the guard judges both ends, and what can't be reached is said.
func TestElementsAreDragged(t *testing.T) {
	t.Parallel()
	d, _ := worker(t)
	d.Sets = []string{"full"}
	web := site(t, map[string]string{
		"/": `<!doctype html><title>Board</title><style>div{padding:12px;border:1px solid}</style><p id=out>-</p>
			<div id=card draggable=true ondragstart="event.dataTransfer.setData('text', 'card')">Write tests</div>
			<div id=done ondragover="event.preventDefault()" ondrop="event.preventDefault(); out.textContent = event.dataTransfer.getData('text') + ' is done'">Done</div>
			<div id=knob onpointerdown="held = true; this.setPointerCapture(event.pointerId)">Knob</div><div id=end>End</div>
			<div id=bin role=button aria-label="Delete all orders" ondragover="event.preventDefault()" ondrop="out.textContent = 'deleted'">Bin</div>
			<div style="height:3000px">long</div><div id=far ondragover="event.preventDefault()">Far</div>
			<script>let held = false; onpointermove = e => { if (held) out.dataset.at = Math.round(e.clientY) }; onpointerup = e => { if (!held) return; held = false; const b = end.getBoundingClientRect(); out.textContent = e.clientY >= b.top && e.clientY <= b.bottom ? 'at the end' : 'somewhere' }</script>`,
	})
	d.ok("run_start", `{"goal": "drag", "watch_ms": 0}`)
	d.ok("page_navigate", `{"url": %q}`, web)
	shows := func(text string) {
		t.Helper()
		d.want("", "verify_assertion", fmt.Sprintf(`{"selector": "#out", "assertion": {"type": "text_equals", "expected": %q}}`, text), "PASSED")
	}
	d.want("", "page_drag", `{"selector": "#card", "to": "#done"}`, "dragged", "card is done")
	shows("card is done")
	d.want("", "page_drag", `{"selector": "#knob", "to": "#end"}`)
	shows("at the end")
	d.want("ELEMENT_NOT_FOUND", "page_drag", `{"selector": "#card", "to": "#none", "timeout_ms": 800}`, "#none")
	d.want("NOT_ACTIONABLE", "page_drag", `{"selector": "#card", "to": "#far"}`, "#far is not in view while what is dragged is")
	d.want("INVALID_INPUT", "page_drag", `{"selector": "#card", "to": ""}`, "to is empty")
	if a := d.raw("page_drag", `{"selector": "#card", "to": "#bin"}`); a.OK || !strings.Contains(a.text, "guard") {
		t.Errorf("what deletes is dropped on: %s", a.text)
	}
	shows("at the end")
	made := d.call("run_finish", `{}`)
	if strings.Contains(made.text, "gap") {
		t.Error(made.text)
	}
	step := `{"action": "drag", "selector": "#card", "to": %q}, {"action": "assert", "selector": "#out", "timeout_ms": 1500, "assertion": {"type": "text_equals", "expected": "card is done"}}`
	for to, status := range map[string]string{"#done": "passed", "#end": "failed"} {
		if a := d.raw("verify_user_flow", fmt.Sprintf(`{"start_url": %q, "watch_ms": 0, "steps": [`+step+`]}`, web, to)); a.Data["status"] != status {
			t.Errorf("%s: %s", to, a.text)
		}
	}
}
