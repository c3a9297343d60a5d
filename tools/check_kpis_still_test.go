package tools_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// Issue 14, item 5: a figure that never stands still for the window is named and
// never passes, however short its other values are shown; what goes on beside it
// does not matter.
func TestAFigureMustStandStill(t *testing.T) {
	t.Parallel()
	d := online(t)
	for name, tt := range map[string]struct {
		script string
		status qa.KPIStatus
	}{
		"counts":              {`let n = 0; setInterval(() => { v.textContent = ++n % 2 ? '1,078' : '1,079' }, 400)`, qa.KPIUnsettled},
		"flashes for a frame": {`setInterval(() => { v.textContent = '9'; setTimeout(() => { v.textContent = '1,078' }, 17) }, 450)`, qa.KPIUnsettled},
		"flashes as a node":   {`setInterval(() => { v.firstChild.data = '9'; setTimeout(() => { v.firstChild.data = '1,078' }, 1) }, 450)`, qa.KPIUnsettled},
		"clock beside it":     {`setInterval(() => { c.textContent = performance.now() }, 100)`, qa.KPIOk},
		"drawn anew":          {`let n = 0; setInterval(() => { card.innerHTML = '<h3>Orders</h3><p id=v>1,078</p><i>' + ++n + ' s</i>' }, 300)`, qa.KPIOk},
		"same text again":     {`setInterval(() => { v.textContent = '1,078' }, 50)`, qa.KPIOk},
		"counts up, and ends": {`let n = 1000; const id = setInterval(() => { v.textContent = (n += 13).toLocaleString('en-US'); if (n >= 1078) clearInterval(id) }, 100)`, qa.KPIOk},
	} {
		t.Run(name, func(t *testing.T) {
			d := d
			d.t = t
			d.ok("page_navigate", `{"url": %q}`, site(t, map[string]string{"/": `<!doctype html><html lang=en><title>S</title><div id=card><h3>Orders</h3><p id=v>1,078</p></div><p id=c>0</p><script>` + tt.script + `</script>`})+"/")
			a := d.ok("check_kpis", `{"timeout_ms": 800, "spec": {"type": "staticValues", "values": {"Orders": "1078"}}}`)
			if row := rows(a)["Orders/"]; row.Status != tt.status || tt.status == qa.KPIUnsettled && !strings.Contains(a.text, "Orders went on changing") {
				t.Errorf("%+v\n%s", row, a.text)
			}
		})
	}
}
