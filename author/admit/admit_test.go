package admit_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-qa/assay/author/admit"
	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/browsertest"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/qa"
)

// shared is the one browser of this test binary.
var shared *browser.Pool

func TestMain(m *testing.M) {
	os.Exit(browsertest.Main(m, browser.Options{}, func(pool *browser.Pool) { shared = pool }))
}

// shopPage has what must be asserted and what must not: a heading that was there before,
// a text outside of every landmark, one that changes by itself, one that differs from
// one context to the next, and one that only the first contexts see.
const shopPage = `<!doctype html><html lang=en><title>Shop</title>
<nav aria-label=Main><a href=/>Home</a></nav>
<main><h1>Shop</h1><button class=add id=a1>Add</button><button class=add>Add</button><button id=open>Open</button>
<label>Name <input id=name></label><div id=out></div><p id=clock></p></main><div id=outside></div>
<script>
  setInterval(() => { document.getElementById('clock').textContent = 'Tick ' + performance.now() }, 50);
  document.getElementById('a1').onclick = () => {
    document.title = 'Cart';
    document.getElementById('out').innerHTML = '<h2>Cart</h2><p id=n>Two pieces</p><h3>Offer LOAD</h3>' + (LOAD < 4 ? '<h3>Early bird</h3>' : '') + '<section aria-label=Live><h4>Live now</h4></section>';
    document.getElementById('outside').innerHTML = '<p>Welcome back!</p>';
  };
</script>`

// site serves the page, each load with another number.
func site(t *testing.T) string {
	t.Helper()
	var loads atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path != "/" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		fmt.Fprint(w, strings.ReplaceAll(shopPage, "LOAD", fmt.Sprint(loads.Add(1))))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// serve serves one page at all addresses.
func serve(t *testing.T, page string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><html lang=en>"+page)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// asserted names what a path asserts, in order.
func asserted(p generate.Path) (names []string) {
	for _, step := range p.Steps {
		for _, e := range step.Expects {
			names = append(names, e.Name())
		}
	}
	return names
}

func live(t *testing.T, base string) admit.Site {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the browser; -short leaves it out")
	}
	return admit.Site{BaseURL: base, Order: generate.Robust, Now: time.Now,
		Launch: func(ctx context.Context) (*browser.Session, error) {
			return shared.Launch(ctx, browser.LaunchOptions{})
		},
		Reveal: func(_ context.Context, text string) (input.Typing, error) { return input.Typing{Text: text}, nil }}
}

func on(locators ...string) generate.Target { return generate.Target{Locators: locators} }

func sees(selector string) generate.Expect {
	return generate.Expect{Assertion: qa.Assertion{Type: qa.Visible}, Target: on(selector)}
}

// C4: on the live site only those assertions stay that were false just before their step
// and true after it in three fresh contexts, outside of what changes by itself, within a
// landmark; a locator that leads to several elements makes room for the next.
func TestOnlyWhatProvedItselfStays(t *testing.T) {
	base := site(t)
	s := live(t, base)
	path := generate.Path{Name: "Add", Steps: []generate.Step{
		{Name: "open /", Act: generate.Act{Action: "navigate", URL: "/"}, Expects: []generate.Expect{{Assertion: qa.Assertion{Type: qa.TitleEquals, Expected: "Shop"}}}},
		{Name: "add", Volatile: []string{`region "Live"`}, Act: generate.Act{Action: "click", Target: on("css=.add", "css=#a1")}, Expects: []generate.Expect{
			{Assertion: qa.Assertion{Type: qa.TitleEquals, Expected: "Cart"}}, {Assertion: qa.Assertion{Type: qa.URLMatches, Expected: "/"}},
			{Assertion: qa.Assertion{Type: qa.TextContains, Expected: "Two pieces"}, Target: on("css=#n")},
			sees("css=h1"), sees(`text="Welcome back!"`), sees(`heading "Live now"`), sees(`heading "Nowhere"`)}},
		{Name: "name", Act: generate.Act{Action: "fill", Value: "Ada", Target: on("css=#name")}, Expects: []generate.Expect{{Assertion: qa.Assertion{Type: qa.ValueEquals, Expected: "Ada"}, Target: on("css=#name")}}},
		{Name: "missing", Act: generate.Act{Action: "click", Target: on("css=#missing")}},
		{Name: "after it", Act: generate.Act{Action: "click", Target: on("css=#open")}},
	}}
	got, dropped, err := s.Path(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Steps) != 3 {
		t.Fatalf("%d steps are left, want 3: %+v", len(got.Steps), dropped)
	}
	if l := got.Steps[1].Act.Target.Locators; slices.Contains(l, "css=.add") || !slices.Contains(l, "css=#a1") {
		t.Errorf("the button is found by %v", l)
	}
	if l := got.Steps[2].Act.Target.Locators[0]; l != `textbox "Name"` {
		t.Errorf("the field is found by %s first", l)
	}
	var kept []string
	for _, step := range got.Steps {
		for _, e := range step.Expects {
			kept = append(kept, step.Name+": "+e.Name())
		}
	}
	for _, want := range []string{`open /: title_equals "Shop"`, `add: title_equals "Cart"`, `add: visible role=main >> heading "Cart"`, `add: text_contains role=main >> css=#n "Two pieces"`, `name: value_equals textbox "Name" "Ada"`} {
		if !slices.Contains(kept, want) && !slices.Contains(kept, strings.Replace(want, `text_contains role=main >> css=#n "Two pieces"`, `visible role=main >> text="Two pieces"`, 1)) {
			t.Errorf("%s is not asserted: %s", want, strings.Join(kept, "\n"))
		}
	}
	for _, never := range []string{"Welcome back", "Tick", "Offer", "Early bird", "Live now", "add: url_matches", `add: visible role=main >> heading "Shop"`} {
		if strings.Contains(strings.Join(kept, "\n"), never) {
			t.Errorf("%s is asserted: %s", never, strings.Join(kept, "\n"))
		}
	}
	var reasons []string
	for _, d := range dropped {
		reasons = append(reasons, d.Step+": "+d.What+": "+d.Reason)
	}
	all := strings.Join(reasons, "\n")
	for _, want := range []string{`add: url_matches "/": in context 1 of 3: it held before the step already`, "Welcome back!\": it lies in no landmark", `it lies in region "Live", which changes by itself`,
		`heading "Nowhere": no locator leads to exactly one element: heading "Nowhere" to 0`, "missing: step: it can't be done: none of its locators leads to exactly one element: css=#missing to 0", "after it: step: it follows a step that can't be done", "Early bird"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
}

// A site that is not there is told as such: nothing is taken for dropped.
func TestUnreachable(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	base := server.URL
	server.Close()
	s := live(t, base)
	_, _, err := s.Path(t.Context(), generate.Path{Name: "x", Steps: []generate.Step{{Name: "open /", Act: generate.Act{Action: "navigate", URL: "/"}}}})
	var lost *generate.UnreachableError
	if !errors.As(err, &lost) || lost.Base != base {
		t.Errorf("got %v", err)
	}
}

// listPage has a form whose text the page shows, a table that a link filters, and a dialog.
const listPage = `<!doctype html><html lang=en><title>List</title><main><h1>List</h1><p>2 things</p>
<a href="/list?only=Closed">Closed</a>
<table><thead><tr><th>Name</th><th>State</th></tr></thead><tbody>ROWS</tbody></table>
<label>Subject <input id=s></label><label>Size <select id=z><option>Small</option><option>Large</option></select></label><button id=save>Save</button><div id=out></div>
<button id=ask>Ask</button><dialog id=d aria-label="Sure?"><table id=parts></table><button id=no>No</button></dialog></main>
<script>
  const at = (id) => document.getElementById(id), show = () => {
    if (localStorage.subject) at('out').innerHTML = '<h2></h2><dl><dt>Size</dt><dd>' + localStorage.size + '</dd></dl><h3>Kept</h3><h3>Order 17</h3><h3>Ann Lee</h3><h3>Ana Tavamo</h3>';
    if (localStorage.subject) document.querySelector('h2').textContent = localStorage.subject;
  };
  at('save').onclick = () => { Object.assign(localStorage, { subject: at('s').value, size: at('z').value }); show(); };
  at('ask').onclick = () => { at('parts').innerHTML = '<tr><th>Part<tr><td>Shade'; at('d').showModal(); };
  at('no').onclick = () => { at('parts').innerHTML = ''; at('d').close(); };
  show();
</script>`

// Req 0032/2: what a test entered is asserted by its fresh text, and again after the page was
// loaded anew; figures, records and what the exploration entered are not; a filter is asserted by the rows, a question that
// is answered with no by the page below it.
func TestWhatAnActChanged(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		rows := "<tr><td><a href=/list/1>Blue lamp</a></td><td>Closed</td></tr>"
		if r.URL.RawQuery == "" {
			rows = "<tr><td><a href=/list/2>Red lamp</a></td><td>Open</td></tr>" + rows
		}
		fmt.Fprint(w, strings.Replace(listPage, "ROWS", rows, 1))
	}))
	t.Cleanup(server.Close)
	s := live(t, server.URL)
	step := func(part generate.Part, action, value string, locators ...string) generate.Step {
		a := generate.Act{Action: action, Value: value, Target: on(locators...)}
		switch action {
		case "navigate":
			a.URL, a.Value = value, ""
		case "select":
			a.Option, a.Value = value, ""
		}
		return generate.Step{Name: action, Act: a, Part: part}
	}
	open := step(generate.Way, "navigate", "/list")
	for _, c := range []struct {
		steps []generate.Step
		want  []string
	}{
		{[]generate.Step{open, step(generate.Way, "fill", "A Tavamo ${fresh}", `textbox "Subject"`), step(generate.Way, "select", "Large", `combobox "Size"`), step(generate.Effect, "click", "", `button "Save"`), step(generate.Again, "reload", "")},
			[]string{`visible role=main >> heading "A Tavamo ${fresh}"`, `visible role=main >> heading "Kept"`, `visible role=main >> heading "A Tavamo ${fresh}"`, `visible role=main >> heading "Kept"`}},
		{[]generate.Step{open, step(generate.Effect, "click", "", `link "Closed"`)}, []string{`url_matches "/list?only=Closed"`, `hidden ` + generate.RowsWithout("Closed")}},
		{[]generate.Step{open, step(generate.Effect, "click", "", `button "Ask"`)}, []string{`visible dialog "Sure?"`, `visible dialog "Sure?" >> button "No"`}},
		{[]generate.Step{open, step(generate.Way, "click", "", `button "Ask"`), step(generate.Effect, "click", "", `button "No"`)}, []string{`hidden dialog "Sure?"`, `visible role=main >> heading "List"`}},
	} {
		p, dropped, err := s.Path(t.Context(), generate.Path{Name: "x", Steps: c.steps, Records: plan.Records{Texts: map[string]bool{"Ann Lee": true}, Mark: "tavamo"}})
		if err != nil {
			t.Fatal(err)
		}
		got := asserted(p)
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("got %q\nwant %q\ndropped %+v", got, c.want, dropped)
		}
	}
}

// Req 0032/2: a page whose content lies in no landmark, as many older ones are, is asserted by
// what it says; where there is a main landmark, what lies outside of all is by role and name, as
// a drawer at the end of the document is, and no mere text.
func TestContentOutsideOfLandmarks(t *testing.T) {
	for content, want := range map[string][]string{
		"div":   {`visible heading "Change author"`},
		"main":  {`visible role=main >> heading "Change author"`},
		"aside": {`visible heading "Change author"`},
		"words": nil,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			heading := ""
			if r.URL.Path == "/change" {
				heading = "<h1>Change author</h1>"
			}
			page := "<nav aria-label=Places><a href=/change>Change</a></nav><" + content + ">" + heading + "</" + content + ">"
			if content == "words" && heading != "" {
				heading = "<p>Change author</p>"
			}
			if content == "aside" || content == "words" {
				page = "<nav aria-label=Places><a href=/change>Change</a></nav>" + heading + "<main>nothing</main>"
			}
			fmt.Fprint(w, "<!doctype html><html lang=en><title>Admin</title>"+page)
		}))
		expected := `heading "Change author"`
		if content == "words" {
			expected = `text="Change author"`
		}
		p, dropped, err := live(t, server.URL).Path(t.Context(), generate.Path{Name: "x", Steps: []generate.Step{
			{Name: "open /", Act: generate.Act{Action: "navigate", URL: "/"}, Part: generate.Way},
			{Name: "change", Act: generate.Act{Action: "click", Target: on(`link "Change"`)}, Part: generate.Effect, Expects: []generate.Expect{sees(expected)}}}})
		server.Close()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, step := range p.Steps {
			for _, e := range step.Expects {
				if e.Assertion.Type == qa.Visible {
					got = append(got, e.Name())
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q; dropped %+v", content, got, want, dropped)
		}
	}
}

// Req 0032/2: what stands at the place of an element and has another name is not that element,
// unless its name is data.
func TestAnotherElementAtTheSamePlace(t *testing.T) {
	for _, c := range []struct {
		was, is string
		taken   bool
	}{{"Open again", "Close", false}, {"Close", "Close", true}, {"Parts (12)", "Parts (13)", true}, {"Blue lamp", "Close", true}} {
		base := serve(t, `<title>Door</title><main><button id=b onclick="document.querySelector('p').textContent = 'Done'">`+c.is+`</button><p></p></main>`)
		p, dropped, err := live(t, base).Path(t.Context(), generate.Path{Name: "x", Records: plan.Records{Texts: map[string]bool{"Blue lamp": true}}, Steps: []generate.Step{
			{Name: "open /", Act: generate.Act{Action: "navigate", URL: "/"}, Part: generate.Way},
			{Name: "click", Act: generate.Act{Action: "click", Target: on(fmt.Sprintf("button %q", c.was), "css=#b")}, Part: generate.Effect}}})
		if err != nil {
			t.Fatal(err)
		}
		if taken := len(p.Steps) == 2; taken != c.taken || !taken && !strings.Contains(fmt.Sprint(dropped), fmt.Sprintf("it is not there: where it was is %q", c.is)) {
			t.Errorf("%q for %q: taken %t, dropped %+v", c.is, c.was, taken, dropped)
		}
	}
}

// Req 0032/2: a control whose name has a figure is found by what lasts, where there is something.
func TestLocatorsWithoutFigures(t *testing.T) {
	for page, want := range map[string]string{
		`<span id=total><a href="#all">36 total</a></span>`: `css=a[href="#all"]`,
		`<ul><li><a href="#1">Order 36</a></li></ul>`:       `link "Order 36"`,
	} {
		base := serve(t, `<title>Goods</title><main>`+page+`<p></p></main><script>document.querySelector('a').onclick = () => { document.querySelector('p').textContent = 'Done' }</script>`)
		p, dropped, err := live(t, base).Path(t.Context(), generate.Path{Name: "x", Steps: []generate.Step{
			{Name: "open /", Act: generate.Act{Action: "navigate", URL: "/"}, Part: generate.Way},
			{Name: "click", Act: generate.Act{Action: "click", Target: on("css=#total > a", "css=li:nth-child(1) > a")}, Part: generate.Effect}}})
		if err != nil || len(p.Steps) != 2 {
			t.Fatal(err, dropped)
		}
		if got := p.Steps[1].Act.Target.Locators[0]; got != want {
			t.Errorf("%s is found by %s, want %s", page, got, want)
		}
	}
}
