package admit_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/qa"
)

// Req 0032/2: what the step before an act brings late is not taken for what the act does: the page
// is looked at once the element of the act is there.
func TestWhatComesLateIsOfItsStep(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><html lang=en><title>Order</title><main id=m><h1>Order</h1><button id=save>Save</button><p id=s></p></main>
			<script>save.onclick = () => setTimeout(() => m.insertAdjacentHTML('beforeend', '<h2>Saved</h2><button onclick="s.textContent=\'Up to date\'">Refresh</button>'), 800)</script>`)
	}))
	t.Cleanup(server.Close)
	s := live(t, server.URL)
	s.Rounds = 1
	p, dropped, err := s.Path(t.Context(), generate.Path{Name: "x", Ask: &plan.Ask{Control: "Refresh"}, Steps: []generate.Step{
		{Name: "open", Part: generate.Way, Act: generate.Act{Action: "navigate", URL: "/"}},
		{Name: "save", Part: generate.Way, Act: generate.Act{Action: "click", Target: on(`button "Save"`)}},
		{Name: "refresh", Part: generate.Effect, Act: generate.Act{Action: "click", Target: on(`button "Refresh"`)}, Expects: []generate.Expect{{Assertion: qa.Assertion{Type: qa.Visible}, Target: on(`heading "Saved"`)}}}}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, step := range p.Steps {
		for _, e := range step.Expects {
			got = append(got, e.Name())
		}
	}
	if len(got) == 0 || slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "Saved") }) {
		t.Errorf("asserted of the refresh: %q; dropped %+v", got, dropped)
	}
}

// Req 0032/3: the step after one that leads to another address begins there, though its element is on
// the page before as well; where the page does not come to that address, the test does not wait for it.
func TestAStepBeginsWhereTheOneBeforeLeads(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><html lang=en><title>Order</title><main id=m><h1>Order</h1><button id=save>Save</button><button id=check>Check</button><p id=s></p></main>
			<script>save.onclick = () => setTimeout(() => { location.hash = '/orders/7' }, 800); check.onclick = () => { s.textContent = location.hash.endsWith('new') ? 'Not made yet' : 'It is made' }</script>`)
	}))
	t.Cleanup(server.Close)
	for leads, want := range map[string]string{`#/orders/\d+$`: `It is made`, `#/elsewhere$`: ``} {
		s := live(t, server.URL)
		s.Rounds = 1
		p, dropped, err := s.Path(t.Context(), generate.Path{Name: "x", Ask: &plan.Ask{Control: "Check"}, Steps: []generate.Step{
			{Name: "open", Part: generate.Way, Act: generate.Act{Action: "navigate", URL: "/#/orders/new"}},
			{Name: "save", Part: generate.Way, Loads: true, Leads: leads, Act: generate.Act{Action: "click", Target: on(`button "Save"`)}},
			{Name: "check", Part: generate.Effect, Act: generate.Act{Action: "click", Target: on(`button "Check"`)}}}})
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case want == "" && (len(p.Steps) != 3 || p.Steps[1].Leads != ""):
			t.Errorf("the test waits for an address that did not come: %+v", p.Steps)
		case want != "" && (len(p.Steps) != 3 || p.Steps[1].Leads != leads || !slices.ContainsFunc(p.Steps[2].Expects, func(e generate.Expect) bool { return strings.Contains(e.Name(), want) })):
			t.Errorf("%q is not seen: %+v, dropped %+v", want, p.Steps, dropped)
		}
	}
}
