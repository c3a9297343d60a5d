package admit_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/qa"
)

// Req 0032/2: a form that leads from /orders/new to the new order is expected to, in an application
// by hash routes: "new" is no number.
func TestWhatIsMadeHasANumber(t *testing.T) {
	var made atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			fmt.Fprint(w, 6+made.Add(1))
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><html lang=en><title>Orders</title><main><h1>Order</h1><form onsubmit="event.preventDefault();fetch('/api',{method:'POST'}).then(r=>r.text()).then(n=>{location.hash='/orders/'+n})">
			<label>Name <input name=s></label><button>Save</button></form></main>`)
	}))
	t.Cleanup(server.Close)
	g, err := guard.New(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := live(t, server.URL)
	s.Rounds = 1
	s.Launch = func(ctx context.Context) (*browser.Session, error) {
		return shared.Launch(ctx, browser.LaunchOptions{Caution: &browser.Caution{Guard: g.ByActs()}})
	}
	p, dropped, err := s.Path(t.Context(), generate.Path{Name: "x", Ask: &plan.Ask{Control: "Save"}, Steps: []generate.Step{
		{Name: "open", Part: generate.Way, Act: generate.Act{Action: "navigate", URL: "/#/orders/new"}},
		{Name: "send", Part: generate.Effect, Act: generate.Act{Action: "click", Target: on(`button "Save"`)}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range p.Steps {
		for _, e := range step.Expects {
			if e.Assertion.Type == qa.URLMatches && e.Assertion.Expected == `re:/#/orders/\d+$` {
				return
			}
		}
	}
	t.Errorf("the address of the order is not expected: %+v, dropped %+v", p.Steps, dropped)
}
