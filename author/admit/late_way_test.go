package admit_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/author/plan"
)

// Req 0032/2: what the step before an act brings late is not taken for what the act does: the page
// is looked at once the element of the act is there.
func TestWhatComesLateIsOfItsStep(t *testing.T) {
	s := live(t, serve(t, `<title>Order</title><main id=m><h1>Order</h1><button id=save>Save</button><p id=s></p></main>
		<script>save.onclick = () => setTimeout(() => m.insertAdjacentHTML('beforeend', '<h2>Saved</h2><button onclick="s.textContent=\'Up to date\'">Refresh</button>'), 800)</script>`))
	s.Rounds = 1
	p, dropped, err := s.Path(t.Context(), generate.Path{Name: "x", Ask: &plan.Ask{Control: "Refresh"}, Steps: []generate.Step{
		{Name: "open", Part: generate.Way, Act: generate.Act{Action: "navigate", URL: "/"}},
		{Name: "save", Part: generate.Way, Act: generate.Act{Action: "click", Target: on(`button "Save"`)}},
		{Name: "refresh", Part: generate.Effect, Act: generate.Act{Action: "click", Target: on(`button "Refresh"`)}, Expects: []generate.Expect{sees(`heading "Saved"`)}}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(asserted(p), "\n"); !strings.Contains(got, "Up to date") || strings.Contains(got, "Saved") {
		t.Errorf("asserted of the refresh: %q; dropped %+v", got, dropped)
	}
}

// Req 0032/3: the step after one that leads to another address begins there, though its element is on
// the page before as well; where the page does not come to that address, the test does not wait for it.
func TestAStepBeginsWhereTheOneBeforeLeads(t *testing.T) {
	base := serve(t, `<title>Order</title><main id=m><h1>Order</h1><button id=save>Save</button><button id=check>Check</button><p id=s></p></main>
		<script>save.onclick = () => setTimeout(() => { location.hash = '/orders/7' }, 800); check.onclick = () => { s.textContent = location.hash.endsWith('new') ? 'Not made yet' : 'It is made' }</script>`)
	for leads, want := range map[string]string{`re:#/orders/\d+$`: `It is made`, `re:#/elsewhere$`: ``} {
		s := live(t, base)
		s.Rounds = 1
		p, dropped, err := s.Path(t.Context(), generate.Path{Name: "x", Ask: &plan.Ask{Control: "Check"}, Steps: []generate.Step{
			{Name: "open", Part: generate.Way, Act: generate.Act{Action: "navigate", URL: "/#/orders/new"}},
			{Name: "save", Part: generate.Way, Loads: true, Leads: leads, Act: generate.Act{Action: "click", Target: on(`button "Save"`)}},
			{Name: "check", Part: generate.Effect, Act: generate.Act{Action: "click", Target: on(`button "Check"`)}}}})
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case len(p.Steps) != 3:
			t.Errorf("%d steps are left, dropped %+v", len(p.Steps), dropped)
		case want == "" && p.Steps[1].Leads != "":
			t.Errorf("the test waits for %s, which did not come", p.Steps[1].Leads)
		case want != "" && (p.Steps[1].Leads != leads || !slices.ContainsFunc(asserted(p), func(name string) bool { return strings.Contains(name, want) })):
			t.Errorf("%q is not seen: %q, dropped %+v", want, asserted(p), dropped)
		}
	}
}
