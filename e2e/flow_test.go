package e2e_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/demo"
)

// B3: a flow signs in to the dashboard over the wire, says its steps as it goes
// along, and tells the password to nobody; cancelled in the middle of a step, it
// ends at once and leaves the server well.
func TestFlowOverTheWire(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	r := revisions()
	w := attach(t, r[len(r)-1]).inRun()
	url := dashboard(t)
	values := demo.KPIs(demo.RangeToday, demo.CategoryAll)
	flow := func(last map[string]any) map[string]any {
		return map[string]any{"name": "sign in", "start_url": url, "success_condition": `heading "Dashboard"`, "steps": []map[string]any{
			{"action": "fill", "selector": `textbox "Email"`, "value": demo.Email, "delay_ms": 60}, // progress comes after 500 ms
			{"action": "fill", "selector": `textbox "Password"`, "value": demo.Password},
			{"action": "click", "selector": `button "Sign in"`}, last,
		}}
	}
	id := w.beginWithProgress("flow", "verify_user_flow", flow(map[string]any{"action": "assert", "selector": `css=[data-kpi="` + demo.KPIRevenue + `"]`,
		"assertion": map[string]any{"type": "text_equals", "expected": demo.Display(demo.KPIRevenue, values[demo.KPIRevenue])}}))
	a := w.result(w.answer(id))
	if field[string](w, a, "status") != "passed" || field[int](w, a, "steps_completed") != 4 {
		t.Errorf("the flow: %s", a.text())
	}
	if strings.Contains(a.text()+string(a.StructuredContent), demo.Password) {
		t.Errorf("the answer tells the password: %s", a.text())
	}
	if said := w.progress(`"flow"`); !slices.ContainsFunc(said, func(m message) bool { return strings.Contains(string(m.line), "step 3 of 4: click") }) {
		t.Errorf("%d progress messages, none of the third step", len(said))
	}
	id = w.beginWithProgress("cut", "verify_user_flow", flow(map[string]any{"action": "wait", "value": 20_000}))
	w.await("the wait", patience, func(m message) bool {
		return isProgress(m, `"cut"`) && strings.Contains(string(m.line), "step 4 of 4: wait")
	})
	w.cancel(id, "verify_user_flow")
	w.notAnswered(id)
	w.do("page_navigate", map[string]any{"url": url})
}
