package e2e_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// typesPage is a page on which all holds, and typesBad one on which nothing does.
const (
	typesPage = `<!doctype html><html lang=en><title>Good</title><style>.red{color:rgb(200, 0, 0)} .tall{height:3000px}</style><h1>Orders</h1><p id=v>Paid: 15 items</p><p id=n>$1,234.50</p>
<input id=i aria-label=Name aria-describedby=d value=Ada><p id=d>As in the passport</p><input id=e aria-label=Mail aria-invalid=true aria-errormessage=m><p id=m>No such address</p>
<select id=s aria-label=One><option value=a>Apple</option><option value=b selected>Big pear</option></select><input id=c type=checkbox checked><input id=h type=checkbox><div id=z></div>
<details id=x open><summary>More</summary>inside</details><button id=b aria-pressed=true>Bold</button><a id=l class="btn red" href="/next">Next</a>
<ul style="display:grid"><li style="order:2">Banana<li style="order:1">apple<li style="order:3">Éclair</ul><p style="display:flex;flex-direction:row-reverse;justify-content:flex-end"><span id=two>two</span> <span id=one>one</span></p><main aria-label=Shop><h2>Cart</h2><p>Two pieces</p><button disabled>Delete</button></main>
<button id=act onclick="alert('Saved 3 orders'); window.open('/popup'); document.getElementById('f').click(); fetch('/ok')">Act</button><a id=f href="/file" download="report.csv"></a>
<script>document.getElementById('h').indeterminate = true; document.getElementById('i').focus()</script>`
	typesBad = `<!doctype html><html lang=en><title>Bad</title><div class=tall style="height:3000px"></div><h1 hidden>Order</h1><p id=v>Unpaid: 150 items</p><p id=n>$1,234.40</p>
<input id=i aria-label=Nam aria-describedby=d value=Eve readonly disabled><p id=d>As in the pass</p><input id=e aria-label=Mail aria-errormessage=m><p id=m>No such address</p>
<select id=s aria-label=One><option value=a selected>Apple</option><option value=b>Big pear</option></select><input id=c type=checkbox><input id=h type=checkbox><div id=z>full</div><hr>
<details id=x><summary>More</summary>inside</details><button id=b aria-pressed=false>Bold</button><a id=l class="btn" href="/other">Next</a>
<ul style="display:grid"><li style="order:2">apple<li style="order:1">Banana</ul><p style="display:flex;flex-direction:row-reverse;justify-content:flex-end"><span id=one>one</span> <span id=two>two</span></p><main aria-label=Shop><p>Two pieces</p><h2>Cart</h2><button>Delete</button></main>
<button id=act onclick="fetch('/bad')">Act</button><script>console.error('broken'); history.replaceState(null, '', '/bad')</script>`
)

// typesSite serves one of the pages.
func typesSite(t *testing.T, html string, status int) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(status)
		if r.URL.Path == "/" {
			fmt.Fprint(w, html)
		}
	})
	mux.HandleFunc("/file", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "a,b\n") })
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/ok", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// typesCases are assertions that hold on the good page and not on the bad one. An
// act goes before those that are about one.
func typesCases() map[string]qa.FlowStep {
	out := map[string]qa.FlowStep{}
	add := func(selector string, a qa.Assertion) {
		name := string(a.Type)
		if a.WholeWords {
			name += "_whole"
		}
		out[name] = qa.FlowStep{Action: "assert", Selector: selector, Assertion: &a}
	}
	add(`heading "Orders"`, qa.Assertion{Type: qa.Exists})
	add("#v", qa.Assertion{Type: qa.InViewport})
	add(`heading "Orders"`, qa.Assertion{Type: qa.Visible})
	add("#l:not(.red)", qa.Assertion{Type: qa.Hidden})
	add("", qa.Assertion{Type: qa.TextContains, Expected: "Paid: 15"})
	add("#v", qa.Assertion{Type: qa.TextContains, WholeWords: true, Expected: "15"})
	add("#v", qa.Assertion{Type: qa.TextEquals, Expected: "Paid: 15 items"})
	add("#v", qa.Assertion{Type: qa.TextMatches, Expected: `(?i)^paid: \d+ ITEMS$`})
	add("li", qa.Assertion{Type: qa.CountEquals, Expected: "3"})
	add("li", qa.Assertion{Type: qa.CountAtLeast, Expected: "3"})
	add("#l:not(.red)", qa.Assertion{Type: qa.CountAtMost, Expected: "0"})
	add("#i", qa.Assertion{Type: qa.ValueEquals, Expected: "Ada"})
	add("#i", qa.Assertion{Type: qa.ValueContains, Expected: "da"})
	add("#i", qa.Assertion{Type: qa.ValueContains, WholeWords: true, Expected: "Ada"})
	add("#s", qa.Assertion{Type: qa.ValuesEqual, Expected: "b"})
	add("#s", qa.Assertion{Type: qa.SelectedLabel, Expected: "Big pear"})
	add("#l", qa.Assertion{Type: qa.AttributeEquals, Attribute: "href", Expected: "/next"})
	add("#l", qa.Assertion{Type: qa.ClassContains, Expected: "red btn"})
	add("#l", qa.Assertion{Type: qa.CSSEquals, Attribute: "color", Expected: "rgb(200, 0, 0)"})
	add("#z + *", qa.Assertion{Type: qa.RoleEquals, Expected: "group"})
	add("#i", qa.Assertion{Type: qa.NameEquals, Expected: "Name"})
	add("#i", qa.Assertion{Type: qa.DescriptionEquals, Expected: "As in the passport"})
	add("#e", qa.Assertion{Type: qa.ErrorMessageEquals, Expected: "No such address"})
	add("#c", qa.Assertion{Type: qa.Checked})
	add("#h", qa.Assertion{Type: qa.Indeterminate})
	add("#i", qa.Assertion{Type: qa.Enabled})
	add("#i", qa.Assertion{Type: qa.Editable})
	add("#i", qa.Assertion{Type: qa.Focused})
	add("#z", qa.Assertion{Type: qa.Empty})
	add("#x", qa.Assertion{Type: qa.Expanded})
	add("#b", qa.Assertion{Type: qa.Pressed})
	add("#n", qa.Assertion{Type: qa.NumberCompared, Op: ">=", Value: "1234.5"})
	add("li", qa.Assertion{Type: qa.SortedBy, Order: "asc", As: "text"})
	add("#one", qa.Assertion{Type: qa.ComesBefore, Other: "#two"})
	add("main", qa.Assertion{Type: qa.AriaSnapshot, Expected: "heading \"Cart\" [level=2]\nparagraph \"Two pieces\"\nbutton \"Delete\" [disabled]"})
	add("", qa.Assertion{Type: qa.URLMatches, Expected: "/"})
	add("", qa.Assertion{Type: qa.TitleEquals, Expected: "Good"})
	add("", qa.Assertion{Type: qa.TitleContains, Expected: "Goo"})
	add("", qa.Assertion{Type: qa.ConsoleClean})
	add("", qa.Assertion{Type: qa.RequestMade, Expected: "GET /ok 204"})
	add("", qa.Assertion{Type: qa.ResponseStatus, Expected: "200"})
	add("", qa.Assertion{Type: qa.ResponseOK})
	add("", qa.Assertion{Type: qa.Shown, Expected: "Orders"})
	add("", qa.Assertion{Type: qa.Downloaded, Expected: "report.csv"})
	add("", qa.Assertion{Type: qa.DialogShown, Expected: "3 orders", Attribute: "alert"})
	add("", qa.Assertion{Type: qa.PopupOpened, Expected: "/popup"})
	return out
}

// ofAssertionTypes adds each type of assertion, and its opposite: it passes on the page on
// which it holds, and fails on the other one. A fourteenth of them by make test, all by make
// soak.
func (b *batch) ofAssertionTypes(t *testing.T) {
	t.Helper()
	cases := typesCases()
	for _, typ := range qa.AssertionTypes() {
		if _, ok := cases[string(typ)]; !ok {
			t.Errorf("%s is not tried", typ)
		}
	}
	good, bad := typesSite(t, typesPage, http.StatusOK), typesSite(t, typesBad, http.StatusNotFound)
	for i, name := range slices.Sorted(maps.Keys(cases)) {
		if i%14 != 0 && !soak() {
			continue
		}
		for _, not := range []bool{false, true} {
			for page, site := range map[string]string{"good": good, "bad": bad} {
				status, limit := "failed", 400
				if not == (page == "bad") {
					status, limit = "passed", 20_000
				}
				b.add(t, fmt.Sprintf("%s-%t-%s.spec.ts", name, !not, page), typesTest(t, name, cases[name], not, limit), site, status)
			}
		}
	}
}

// typesTest is the Playwright test of one assertion, or of its opposite. limit is
// how long it is waited for, in milliseconds.
func typesTest(t *testing.T, name string, step qa.FlowStep, not bool, limit int) string {
	t.Helper()
	a := *step.Assertion
	a.Not, step.Assertion, step.TimeoutMS = not, &a, limit
	f := flow.Flow{Name: name, StartURL: "/", Steps: []qa.FlowStep{step}}
	if a.SinceAct() && a.Type != qa.ResponseStatus && a.Type != qa.ResponseOK {
		f.Steps = []qa.FlowStep{{Action: "click", Selector: "#act"}, step}
	}
	text, err := testfile.Of(f, testfile.Options{Source: name})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return text
}
