package tools_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// Issue 14, item 5: a figure that never stands still for the window is named and
// never passes, however short its other values are shown; what goes on beside it
// does not matter.
func TestAFigureMustStandStill(t *testing.T) {
	t.Parallel()
	d := patient(t)
	cases := map[string]struct {
		script string
		status qa.KPIStatus
	}{
		"Counts":   {`let n = 0; setInterval(() => { v.textContent = ++n % 2 ? '1,078' : '9' }, 400)`, qa.KPIUnsettled},
		"Flashes":  {`setInterval(() => { v.textContent = '9'; setTimeout(() => { v.textContent = '1,078' }, 17) }, 450)`, qa.KPIUnsettled}, // for a frame
		"Nodes":    {`setInterval(() => { v.firstChild.data = '9'; setTimeout(() => { v.firstChild.data = '1,078' }, 1) }, 450)`, qa.KPIUnsettled},
		"Clocks":   {`const c = card.appendChild(document.createElement('i')); setInterval(() => { c.textContent = performance.now() }, 100)`, qa.KPIOk}, // beside it
		"Drawings": {`let n = 0; setInterval(() => { card.innerHTML = '<h3>Drawings</h3><p>1,078</p><i>' + ++n + ' s</i>' }, 300)`, qa.KPIOk},            // anew
		"Repeats":  {`setInterval(() => { v.textContent = '1,078' }, 50)`, qa.KPIOk},                                                                     // the same text
		"Ends":     {`let n = 0; const id = setInterval(() => { v.textContent = ++n < 7 ? n : '1,078'; if (n == 7) clearInterval(id) }, 100)`, qa.KPIOk},
	}
	var page strings.Builder // all beside each other: each is followed on its own
	page.WriteString(`<!doctype html><html lang=en><title>S</title>`)
	values := map[string]string{}
	for i, label := range slices.Sorted(maps.Keys(cases)) {
		own := fmt.Sprintf("1,%d78", i) // so that none is found by its place among equal texts, of which some change
		values[label] = own
		card := `<div id=%[1]s><h3>%[1]s</h3><p>1,078</p></div><script>{ const card = document.getElementById('%[1]s'), v = card.querySelector('p'); %[2]s }</script>`
		page.WriteString(strings.ReplaceAll(fmt.Sprintf(card, label, cases[label].script), "1,078", own))
	}
	spec, err := json.Marshal(qa.KPISpec{Type: qa.StaticValues, Values: values})
	if err != nil {
		t.Fatal(err)
	}
	const takenBack = `<!doctype html><html lang=en><title>B</title><h3>Orders</h3><p id=v>7</p><button onclick="v.textContent = '1,078'; setTimeout(() => { v.textContent = '7' }, 1800)">Save</button>`
	address := site(t, map[string]string{"/": page.String(), "/back": takenBack})
	d.ok("page_navigate", `{"url": %q}`, address+"/")
	a := d.ok("check_kpis", `{"timeout_ms": 800, "spec": %s}`, spec)
	for label, tt := range cases {
		if row := rows(a)[label+"/"]; row.Status != tt.status || (tt.status == qa.KPIUnsettled) != strings.Contains(a.text, label+" went on changing") {
			t.Errorf("%+v, want %s\n%s", row, tt.status, a.text)
		}
	}
	// What a timer is to take back that an act has set, is waited for as by any other check.
	d.ok("page_navigate", `{"url": %q}`, address+"/back")
	d.ok("page_click", `{"selector": "button \"Save\""}`)
	a = d.ok("check_kpis", `{"timeout_ms": 800, "spec": {"type": "staticValues", "values": {"Orders": "1,078"}}}`)
	if row := rows(a)["Orders/"]; row.Status != qa.KPIMismatch || row.Observed != "7" {
		t.Errorf("%+v, want a mismatch\n%s", row, a.text)
	}
}
