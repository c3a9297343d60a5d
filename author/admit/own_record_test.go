package admit_test

import (
	"context"
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/qa"
)

// notes serves notes that can be made, searched and deleted. fault says what is wrong.
type notes struct {
	mu    sync.Mutex
	fault string // "keeps": deleting has no effect; "leads elsewhere": making one shows another one
	all   map[int]string
}

func (n *notes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	page := func(title, content string) {
		fmt.Fprintf(w, "<!doctype html><html lang=en><title>%s</title><main><h1>%s</h1>%s</main>", title, title, content)
	}
	number, _ := strconv.Atoi(strings.Split(strings.TrimPrefix(r.URL.Path, "/notes/"), "/")[0])
	switch {
	case r.URL.Path == "/notes/new" && r.Method == http.MethodPost:
		made := len(n.all) + 1
		n.all[made] = r.FormValue("name")
		if n.fault == "leads elsewhere" {
			made = 1
		}
		http.Redirect(w, r, "/notes/"+strconv.Itoa(made), http.StatusSeeOther)
	case r.URL.Path == "/notes/new":
		page("New note", `<form method=post><label>Name <input name=name></label><button>Create</button></form>`)
	case number > 0 && r.Method == http.MethodPost:
		if n.fault != "keeps" {
			delete(n.all, number)
		}
		http.Redirect(w, r, "/notes", http.StatusSeeOther)
	case n.all[number] != "":
		told := ""
		if n.fault == "leads elsewhere" {
			told = "<p role=status>" + html.EscapeString(n.all[len(n.all)]) + " was made.</p>"
		}
		page(html.EscapeString(n.all[number]), told+fmt.Sprintf(`<button onclick="document.querySelector('dialog').showModal()">Delete note</button><dialog aria-label="Delete it?"><form method=post action=/notes/%d/delete><button>Delete</button></form></dialog>`, number))
	default:
		var rows []string
		for _, at := range slices.Sorted(maps.Keys(n.all)) {
			if q := r.URL.Query().Get("q"); strings.Contains(n.all[at], q) {
				rows = append(rows, fmt.Sprintf("<li><a href=/notes/%d>%s</a></li>", at, html.EscapeString(n.all[at])))
			}
		}
		page("Notes", `<form role=search><label>Find <input type=search name=q></label><button>Search</button></form><ul>`+strings.Join(rows, "")+`</ul><p>`+map[bool]string{true: "No note is called so."}[len(rows) == 0]+`</p>`)
	}
}

// Req 0032/2: a test deletes what it made itself, and finds it listed no more where it was
// listed before. It never deletes what was there.
func TestDeletingItsOwnRecord(t *testing.T) {
	g, err := guard.New(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	click := func(part generate.Part, own bool, on string) generate.Step {
		return generate.Step{Name: on, Part: part, Own: own, Act: generate.Act{Action: "click", Target: generate.Target{Locators: []string{on}}}}
	}
	fill := func(on string) generate.Step {
		return generate.Step{Name: on, Part: generate.Way, Act: generate.Act{Action: "fill", Value: "A ${fresh}", Target: generate.Target{Locators: []string{on}}}}
	}
	open := func(path string) generate.Step {
		return generate.Step{Name: path, Part: generate.Way, Act: generate.Act{Action: "navigate", URL: path}}
	}
	search := []generate.Step{open("/notes"), fill(`searchbox "Find"`), click(generate.Listed, false, `button "Search"`)}
	whole := open("/notes")
	whole.Part = generate.Listed
	for fault, want := range map[string][]string{
		"":                {"url_matches /notes", `hidden role=main >> link "A ${fresh}"`, `visible role=main >> text="No note is called so."`},
		"no search":       {"url_matches /notes", `hidden role=main >> link "A ${fresh}"`, "visible role=main >> role=listitem >> nth=1"},
		"keeps":           {"url_matches /notes"},
		"leads elsewhere": nil,
	} {
		desk := &notes{fault: fault, all: map[int]string{1: "Blue lamp", 2: "Red lamp"}}
		server := httptest.NewServer(desk)
		s := live(t, server.URL)
		s.Launch = func(ctx context.Context) (*browser.Session, error) {
			return shared.Launch(ctx, browser.LaunchOptions{Caution: &browser.Caution{Guard: g.ByActs()}})
		}
		p, dropped, err := s.Path(t.Context(), generate.Path{Name: "x", Ask: &plan.Ask{}, Steps: slices.Concat([]generate.Step{
			open("/notes/new"), fill(`textbox "Name"`), click(generate.Way, false, `button "Create"`),
			click(generate.Way, true, `button "Delete note"`), click(generate.Effect, true, `dialog "Delete it?" >> button "Delete"`)}, map[bool][]generate.Step{true: {whole}, false: search}[fault == "no search"])})
		server.Close()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, step := range p.Steps {
			for _, e := range step.Expects {
				if step.Part == generate.Listed || e.Assertion.Type == qa.URLMatches {
					got = append(got, strings.TrimSpace(fmt.Sprint(e.Assertion.Type, " ", strings.Join(e.Target.Locators[:min(1, len(e.Target.Locators))], ""), e.Assertion.Expected)))
				}
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q\nwant %q\ndropped %+v", fault, got, want, dropped)
		}
		if desk.all[1] == "" || desk.all[2] == "" || (fault == "" || fault == "no search") != (len(desk.all) == 2) {
			t.Errorf("%q: there are %v", fault, desk.all)
		}
	}
}
