package admit_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/qa"
)

// Req 0032/2: what a form says when it is refused is asserted though it is an item of a list;
// what a list has come to hold else is data. A field that says that its entry is wrong is asserted too.
func TestRefusalsAreSaidByLists(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		said, wrong := "", ""
		if r.Method == http.MethodPost {
			wrong = " aria-invalid=true"
			said = "<ul><li>Subject cannot be blank</li><li>Place is too far</li></ul>"
		}
		fmt.Fprint(w, "<!doctype html><html lang=en><title>New issue</title><h1>New issue</h1>"+said+"<form method=post><label>Subject <input name=s"+wrong+"></label><button>Create</button></form>")
	}))
	t.Cleanup(server.Close)
	g, err := guard.New(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	said := []string{`text="Place is too far"`, `text="Subject cannot be blank"`, `textbox "Subject" [aria-invalid]`}
	for name, one := range map[string]struct {
		ask  plan.Ask
		want []string
	}{
		"refused": {plan.Ask{Control: "Create", Rule: "empty"}, said},
		"taken":   {plan.Ask{Control: "Create"}, nil},
	} {
		s := live(t, server.URL)
		s.Launch = func(ctx context.Context) (*browser.Session, error) {
			return shared.Launch(ctx, browser.LaunchOptions{Caution: &browser.Caution{Guard: g.ByActs()}})
		}
		p, dropped, err := s.Path(t.Context(), generate.Path{Name: "x", Ask: &one.ask, Steps: []generate.Step{
			{Name: "open", Part: generate.Way, Act: generate.Act{Action: "navigate", URL: "/"}},
			{Name: "send", Part: generate.Effect, Act: generate.Act{Action: "click", Target: on(`button "Create"`)}}}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, step := range p.Steps {
			for _, e := range step.Expects {
				switch e.Assertion.Type {
				case qa.Visible:
					got = append(got, e.Target.Locators[0])
				case qa.AttributeEquals:
					got = append(got, e.Target.Locators[0]+" ["+e.Assertion.Attribute+"]")
				}
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, one.want) {
			t.Errorf("%s: sees %q, want %q; dropped %+v", name, got, one.want, dropped)
		}
	}
}
