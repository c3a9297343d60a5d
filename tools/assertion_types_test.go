package tools_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

const kindsPage = `<!doctype html><html lang=en><title>Kinds</title><style>
.veil{opacity:0} .tall{height:3000px} [data-red]{color:rgb(200, 0, 0)} .row span{margin-left:8px}</style>
<h1>Orders</h1><p id=state>Unpaid</p><p id=figure>Total: <b>15</b> items, 1.5 kg, -7 °C</p><p id=parts><mark>Un</mark>paid</p><p id=badge class=row><span>New</span><span>Paid</span></p>
<p id=ghost class=veil>Paid</p><p id=number>$1,234.50</p><p id=several>5 of 10</p><p id=bound>1,000+</p><p id=digits><span>1</span><span>2</span></p><p id=none-number>none</p>
<input id=box type=checkbox><input id=mixed type=checkbox><span id=aria-mixed role=checkbox aria-checked=mixed tabindex=0>x</span>
<input id=name aria-label=Name aria-describedby=hint value=Ada><p id=hint>As in the  passport</p><input id=locked aria-label=Locked readonly value=x><input id=off aria-label=Off disabled><input id=blank aria-label=Blank><textarea id=notes aria-label=Notes>
</textarea><div id=rich contenteditable>rich</div><input id=covered aria-label=Covered style="position:absolute;left:600px;top:300px"><div style="position:absolute;left:590px;top:290px;width:300px;height:60px;background:#888"></div>
<input id=mail aria-label=Mail aria-invalid=true aria-errormessage=err><p id=err>No such address</p><input id=fine aria-label=Fine aria-errormessage=err2><p id=err2>Never</p><input id=told aria-label=Told aria-invalid=true aria-describedby="err gone"><p id=gone hidden>Gone</p><input id=hint aria-label=Hint required aria-describedby=err><input id=need aria-label=Need required aria-errormessage=err>
<select id=one aria-label=One><option value=a>Apple</option><option value=b selected>Big  pear</option></select><select id=many aria-label=Many multiple><option value=a selected>A</option><option value=b>B</option><option value=c selected>C</option></select>
<div id=gap></div><div id=pic><img alt="" width=20 height=20 src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><rect width='20' height='20'/></svg>"></div><div id=veiled><span class=veil>x</span></div>
<details id=more><summary id=sum>More</summary><p>inside</p></details><button id=menu aria-expanded=true>Menu</button><button id=bold aria-pressed=true>Bold</button><button id=italic aria-pressed=mixed>Italic</button><button id=plain>Plain</button>
<a id=link class="btn  primary" data-red href="/next">Next</a><b id=untold></b>
<ul id=fruits><li class=fruit>apple<li class=fruit>Banana<li class="fruit veil">aaa<li class=fruit>Éclair<li class=fruit>fig</ul>
<ol><li class=sum>$900<li class=sum>1,200.50<li class=sum>1,200.5<li class=sum>2K</ol><ol><li class=day>2026-03-01<li class=day>28 Feb 2026<li class=day>Jan 5, 2026</ol><ol><li class=vague>02/03/2026<li class=vague>01/04/2026</ol>
<p><span id=left>left</span> <span id=right>right</span></p><p dir=rtl><span id=first>א</span> <span id=second>ב</span></p>
<main aria-label=Shop><h2>Cart</h2><button>Delete</button><button disabled>Delete</button><p class=veil>Ghost</p></main><div id=deep class=tall></div><p id=below>below</p>
<script>document.getElementById('mixed').indeterminate = true; document.getElementById('name').focus({preventScroll: true});</script>`

// kindsSite serves the page, and what its acts need.
func kindsSite(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	page := func(path, html string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, html)
		})
	}
	page("/", kindsPage)
	page("/acts", `<!doctype html><title>Acts</title><p>ready</p><button onclick="alert('Saved 3 orders')">Alert</button><button onclick="window.open('/popup?x=1')">Open</button>
<a href="/file" download="report 1.csv">Export</a><button onclick="fetch('/ok')">Fetch</button><button onclick="fetch('/bad')">Fail</button><button onclick="void 0">Nothing</button>`)
	page("/popup", "<!doctype html><title>Popup</title>popup")
	mux.HandleFunc("/file", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "a,b\n") })
	mux.HandleFunc("/ok", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/bad", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// The outcomes of an assertion and of its opposite.
const (
	holds   = "passed / failed"
	fails   = "failed / passed"
	neither = "failed / failed" // there is nothing that it could hold of
)

// asserted asks for an assertion and its opposite, and tells both outcomes.
func (d desk) asserted(selector string, a qa.Assertion) string {
	d.t.Helper()
	var out []string
	for _, not := range []bool{false, true} {
		a.Not = not
		raw, err := json.Marshal(map[string]any{"selector": selector, "assertion": a, "timeout_ms": 1})
		if err != nil {
			d.t.Fatal(err)
		}
		args := strings.Replace(string(raw), `"selector":"",`, "", 1)
		switch got := d.raw("verify_assertion", strings.Replace(args, `,"selector":""`, "", 1)); {
		case !got.OK:
			out = append(out, got.Error.Code)
		case got.Data["passed"] == true:
			out = append(out, "passed")
		default:
			out = append(out, "failed")
		}
	}
	return out[0] + " / " + out[1]
}

// Each type on an element for which it holds, on one for which it does not, on
// one that is not there, and on one that nobody sees; by make test each type once,
// each outcome once, and a fourth of the others.
func TestAssertionTypesInChromium(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.ok("browser_launch", `{"options":{"viewport":{"width":320,"height":200}}}`)
	d.call("page_navigate", `{"url":%q}`, kindsSite(t)+"/")
	const wrongKind, doubt = "NOT_ACTIONABLE / NOT_ACTIONABLE", "TIMEOUT / TIMEOUT"
	tried, outcomes := map[qa.AssertionType]bool{}, map[string]bool{}
	for i, c := range []struct {
		a        qa.Assertion
		selector string
		want     string
	}{
		{qa.Assertion{Type: qa.Exists}, "#ghost", holds}, {qa.Assertion{Type: qa.Exists}, "#absent", fails},
		{qa.Assertion{Type: qa.Visible}, "#state", holds}, {qa.Assertion{Type: qa.Visible}, "#ghost", fails}, {qa.Assertion{Type: qa.Visible}, "#absent", fails},
		{qa.Assertion{Type: qa.Hidden}, "#ghost", holds}, {qa.Assertion{Type: qa.Hidden}, "#state", fails},
		{qa.Assertion{Type: qa.InViewport}, "#state", holds}, {qa.Assertion{Type: qa.InViewport}, "#below", fails}, {qa.Assertion{Type: qa.InViewport}, "#ghost", fails}, {qa.Assertion{Type: qa.InViewport}, "#absent", neither},
		{qa.Assertion{Type: qa.TextContains, Expected: "paid"}, "#state", holds}, {qa.Assertion{Type: qa.TextContains, Expected: "Paid"}, "#ghost", fails}, {qa.Assertion{Type: qa.TextContains, Expected: "x"}, "#absent", neither},
		{qa.Assertion{Type: qa.TextContains, Expected: "Shipped"}, "", fails},
		{qa.Assertion{Type: qa.TextContains, WholeWords: true, Expected: "paid"}, "#state", fails}, {qa.Assertion{Type: qa.TextContains, WholeWords: true, Expected: "paid"}, "#parts", fails},
		{qa.Assertion{Type: qa.TextContains, WholeWords: true, Expected: "Paid"}, "#badge", holds}, {qa.Assertion{Type: qa.TextContains, WholeWords: true, Expected: "Paid"}, "#ghost", fails},
		{qa.Assertion{Type: qa.TextContains, WholeWords: true, Expected: "15 items"}, "", holds}, {qa.Assertion{Type: qa.TextContains, WholeWords: true, Expected: "5"}, "#figure", fails},
		{qa.Assertion{Type: qa.TextContains, WholeWords: true, Expected: "7"}, "#figure", fails}, {qa.Assertion{Type: qa.TextContains, WholeWords: true, Expected: "2"}, "#digits", fails},
		{qa.Assertion{Type: qa.TextEquals, Expected: "Unpaid"}, "#state", holds}, {qa.Assertion{Type: qa.TextEquals, Expected: "paid"}, "#state", fails}, {qa.Assertion{Type: qa.TextEquals, Expected: "x"}, "#absent", neither},
		{qa.Assertion{Type: qa.TextMatches, Expected: `^Un.*d$`}, "#state", holds}, {qa.Assertion{Type: qa.TextMatches, Expected: `^paid`}, "#state", fails}, {qa.Assertion{Type: qa.TextMatches, Expected: `Paid`}, "#ghost", fails},
		{qa.Assertion{Type: qa.TextMatches, Expected: `\$\d,\d{3}`}, "", holds}, {qa.Assertion{Type: qa.TextMatches, Expected: `x`}, "#absent", neither},
		{qa.Assertion{Type: qa.ValueEquals, Expected: "Ada"}, "#name", holds}, {qa.Assertion{Type: qa.ValueEquals, Expected: "Eve"}, "#name", fails}, {qa.Assertion{Type: qa.ValueContains, Expected: "Ad"}, "#name", holds}, {qa.Assertion{Type: qa.ValueContains, Expected: "Ad", WholeWords: true}, "#name", fails}, {qa.Assertion{Type: qa.ValueEquals}, "#absent", neither},
		{qa.Assertion{Type: qa.ValuesEqual, Expected: "a\nc"}, "#many", holds}, {qa.Assertion{Type: qa.ValuesEqual, Expected: "a"}, "#many", fails}, {qa.Assertion{Type: qa.ValuesEqual, Expected: "a"}, "#name", wrongKind}, {qa.Assertion{Type: qa.ValuesEqual, Expected: "a"}, "#absent", neither},
		{qa.Assertion{Type: qa.SelectedLabel, Expected: "Big pear"}, "#one", holds}, {qa.Assertion{Type: qa.SelectedLabel, Expected: "Apple"}, "#one", fails}, {qa.Assertion{Type: qa.SelectedLabel, Expected: "a"}, "#plain", wrongKind}, {qa.Assertion{Type: qa.SelectedLabel}, "#absent", neither},
		{qa.Assertion{Type: qa.CountEquals, Expected: "4"}, ".fruit", holds}, {qa.Assertion{Type: qa.CountEquals, Expected: "5"}, ".fruit", fails}, {qa.Assertion{Type: qa.CountEquals, Expected: "0"}, "#absent", holds},
		{qa.Assertion{Type: qa.CountAtLeast, Expected: "4"}, ".fruit", holds}, {qa.Assertion{Type: qa.CountAtLeast, Expected: "5"}, ".fruit", fails},
		{qa.Assertion{Type: qa.CountAtMost, Expected: "4"}, ".fruit", holds}, {qa.Assertion{Type: qa.CountAtMost, Expected: "3"}, ".fruit", fails},
		{qa.Assertion{Type: qa.AttributeEquals, Attribute: "href", Expected: "/next"}, "#link", holds}, {qa.Assertion{Type: qa.AttributeEquals, Attribute: "rel", Expected: "x"}, "#link", fails}, {qa.Assertion{Type: qa.AttributeEquals, Attribute: "rel", Expected: "x"}, "#absent", neither},
		{qa.Assertion{Type: qa.ClassContains, Expected: "primary btn"}, "#link", holds}, {qa.Assertion{Type: qa.ClassContains, Expected: "prim"}, "#link", fails}, {qa.Assertion{Type: qa.ClassContains, Expected: "a"}, "#untold", fails}, {qa.Assertion{Type: qa.ClassContains, Expected: "a"}, "#absent", neither},
		{qa.Assertion{Type: qa.CSSEquals, Attribute: "color", Expected: "rgb(200, 0, 0)"}, "#link", holds}, {qa.Assertion{Type: qa.CSSEquals, Attribute: "color", Expected: "red"}, "#link", fails}, {qa.Assertion{Type: qa.CSSEquals, Attribute: "colour", Expected: "red"}, "#link", neither}, {qa.Assertion{Type: qa.CSSEquals, Attribute: "color", Expected: "red"}, "#absent", neither},
		{qa.Assertion{Type: qa.RoleEquals, Expected: "link"}, "#link", holds}, {qa.Assertion{Type: qa.RoleEquals, Expected: "button"}, "#link", fails}, {qa.Assertion{Type: qa.RoleEquals, Expected: "link"}, "#absent", neither},
		{qa.Assertion{Type: qa.NameEquals, Expected: "Name"}, "#name", holds}, {qa.Assertion{Type: qa.NameEquals, Expected: "Nam"}, "#name", fails}, {qa.Assertion{Type: qa.NameEquals}, "#absent", neither},
		{qa.Assertion{Type: qa.DescriptionEquals, Expected: "As in the passport"}, "#name", holds}, {qa.Assertion{Type: qa.DescriptionEquals, Expected: "x"}, "#mail", fails}, {qa.Assertion{Type: qa.DescriptionEquals}, "#absent", neither},
		{qa.Assertion{Type: qa.ErrorMessageEquals, Expected: "No such address"}, "#mail", holds}, {qa.Assertion{Type: qa.ErrorMessageEquals, Expected: "Never"}, "#fine", fails}, {qa.Assertion{Type: qa.ErrorMessageEquals, Expected: "No such address"}, "#need", holds}, {qa.Assertion{Type: qa.ErrorMessageEquals}, "#absent", neither},
		{qa.Assertion{Type: qa.ErrorMessageEquals, Expected: "No such address"}, "#told", holds}, {qa.Assertion{Type: qa.ErrorMessageEquals, Expected: "No such address"}, "#hint", fails}, // 33
		{qa.Assertion{Type: qa.Checked}, "#box", fails}, {qa.Assertion{Type: qa.Checked}, "#bold", holds}, {qa.Assertion{Type: qa.Checked}, "#absent", neither}, {qa.Assertion{Type: qa.Checked}, "#link", wrongKind},
		{qa.Assertion{Type: qa.Indeterminate}, "#mixed", holds}, {qa.Assertion{Type: qa.Indeterminate}, "#aria-mixed", holds}, {qa.Assertion{Type: qa.Indeterminate}, "#box", fails}, {qa.Assertion{Type: qa.Indeterminate}, "#link", wrongKind}, {qa.Assertion{Type: qa.Indeterminate}, "#absent", neither},
		{qa.Assertion{Type: qa.Enabled}, "#name", holds}, {qa.Assertion{Type: qa.Enabled}, "#off", fails}, {qa.Assertion{Type: qa.Enabled}, "#covered", neither}, {qa.Assertion{Type: qa.Enabled}, "#absent", neither},
		{qa.Assertion{Type: qa.Editable}, "#name", holds}, {qa.Assertion{Type: qa.Editable}, "#rich", holds}, {qa.Assertion{Type: qa.Editable}, "#locked", fails}, {qa.Assertion{Type: qa.Editable}, "#off", fails}, {qa.Assertion{Type: qa.Editable}, "#covered", neither}, {qa.Assertion{Type: qa.Editable}, "#link", wrongKind}, {qa.Assertion{Type: qa.Editable}, "#absent", neither},
		{qa.Assertion{Type: qa.Focused}, "#name", holds}, {qa.Assertion{Type: qa.Focused}, "#blank", fails}, {qa.Assertion{Type: qa.Focused}, "#absent", neither},
		{qa.Assertion{Type: qa.Empty}, "#gap", holds}, {qa.Assertion{Type: qa.Empty}, "#blank", holds}, {qa.Assertion{Type: qa.Empty}, "#notes", holds}, {qa.Assertion{Type: qa.Empty}, "#name", fails}, {qa.Assertion{Type: qa.Empty}, "#pic", fails}, {qa.Assertion{Type: qa.Empty}, "#state", fails}, {qa.Assertion{Type: qa.Empty}, "#veiled", fails}, {qa.Assertion{Type: qa.Empty}, "#absent", neither},
		{qa.Assertion{Type: qa.Expanded}, "#menu", holds}, {qa.Assertion{Type: qa.Expanded}, "#more", fails}, {qa.Assertion{Type: qa.Expanded}, "#sum", fails}, {qa.Assertion{Type: qa.Expanded}, "#plain", wrongKind}, {qa.Assertion{Type: qa.Expanded}, "#absent", neither},
		{qa.Assertion{Type: qa.Pressed}, "#bold", holds}, {qa.Assertion{Type: qa.Pressed}, "#italic", fails}, {qa.Assertion{Type: qa.Pressed}, "#plain", wrongKind}, {qa.Assertion{Type: qa.Pressed}, "#absent", neither},
		{qa.Assertion{Type: qa.NumberCompared, Op: ">", Value: "1234"}, "#number", holds}, {qa.Assertion{Type: qa.NumberCompared, Op: "==", Value: "12"}, "#digits", holds}, {qa.Assertion{Type: qa.NumberCompared, Op: "<", Value: "1234.5"}, "#number", fails},
		{qa.Assertion{Type: qa.NumberCompared, Op: ">", Value: "1"}, "#several", doubt}, {qa.Assertion{Type: qa.NumberCompared, Op: ">", Value: "1"}, "#bound", doubt}, {qa.Assertion{Type: qa.NumberCompared, Op: ">", Value: "1"}, "#none-number", neither}, {qa.Assertion{Type: qa.NumberCompared, Op: ">", Value: "1"}, "#ghost", neither}, {qa.Assertion{Type: qa.NumberCompared, Op: ">", Value: "1"}, "#absent", neither},
		{qa.Assertion{Type: qa.SortedBy, Order: "asc", As: "text"}, ".fruit", holds}, {qa.Assertion{Type: qa.SortedBy, Order: "desc", As: "text"}, ".fruit", fails}, {qa.Assertion{Type: qa.SortedBy, Order: "asc", As: "number"}, ".sum", holds}, {qa.Assertion{Type: qa.SortedBy, Order: "desc", As: "number"}, ".sum", fails},
		{qa.Assertion{Type: qa.SortedBy, Order: "desc", As: "date"}, ".day", holds}, {qa.Assertion{Type: qa.SortedBy, Order: "asc", As: "date"}, ".vague", doubt}, {qa.Assertion{Type: qa.SortedBy, Order: "asc", As: "number"}, ".fruit", neither}, {qa.Assertion{Type: qa.SortedBy, Order: "asc", As: "text"}, "#state", neither}, {qa.Assertion{Type: qa.SortedBy, Order: "asc", As: "text"}, "#absent", neither},
		{qa.Assertion{Type: qa.ComesBefore, Other: "#right"}, "#left", holds}, {qa.Assertion{Type: qa.ComesBefore, Other: "#left"}, "#right", fails}, {qa.Assertion{Type: qa.ComesBefore, Other: "#below"}, "#state", holds}, {qa.Assertion{Type: qa.ComesBefore, Other: "#second"}, "#first", holds},
		{qa.Assertion{Type: qa.ComesBefore, Other: "#fruits"}, "li.fruit:nth-child(2)", neither}, {qa.Assertion{Type: qa.ComesBefore, Other: "#ghost"}, "#state", neither}, {qa.Assertion{Type: qa.ComesBefore, Other: "#state"}, "#absent", neither},
		{qa.Assertion{Type: qa.AriaSnapshot, Expected: "main \"Shop\"\n  heading \"Cart\" [level=2]\n  button \"Delete\"\n  button \"Delete\" [disabled]"}, "", holds}, {qa.Assertion{Type: qa.AriaSnapshot, Expected: "button \"Delete\"\nheading \"Cart\""}, "main", fails},
		{qa.Assertion{Type: qa.AriaSnapshot, Expected: `paragraph "Ghost"`}, "main", fails}, {qa.Assertion{Type: qa.AriaSnapshot, Expected: "main"}, "#absent", neither},
		{qa.Assertion{Type: qa.URLMatches, Expected: "/"}, "", holds}, {qa.Assertion{Type: qa.URLMatches, Expected: "/x"}, "", fails},
		{qa.Assertion{Type: qa.TitleEquals, Expected: "Kinds"}, "", holds}, {qa.Assertion{Type: qa.TitleEquals, Expected: "Kind"}, "", fails}, {qa.Assertion{Type: qa.TitleContains, Expected: "Kind"}, "", holds}, {qa.Assertion{Type: qa.TitleContains, Expected: "Kind", WholeWords: true}, "", fails},
		{qa.Assertion{Type: qa.ConsoleClean}, "", holds},
		{qa.Assertion{Type: qa.RequestMade, Expected: "GET /"}, "", holds}, {qa.Assertion{Type: qa.RequestMade, Expected: "POST /"}, "", fails},
		{qa.Assertion{Type: qa.ResponseStatus, Expected: "200"}, "", holds}, {qa.Assertion{Type: qa.ResponseStatus, Expected: "204"}, "", fails}, {qa.Assertion{Type: qa.ResponseStatus, Expected: "200", URL: "/none"}, "", neither},
		{qa.Assertion{Type: qa.ResponseOK}, "", holds}, {qa.Assertion{Type: qa.ResponseOK, URL: "/none"}, "", neither},
		{qa.Assertion{Type: qa.Shown, Expected: "Banana"}, "", holds}, {qa.Assertion{Type: qa.Shown, Expected: "Ghost"}, "", fails}, {qa.Assertion{Type: qa.Downloaded}, "", fails}, {qa.Assertion{Type: qa.DialogShown}, "", fails}, {qa.Assertion{Type: qa.PopupOpened}, "", fails},
	} {
		if tried[c.a.Type] && outcomes[c.want] && !sampled(i, 12) {
			continue
		}
		tried[c.a.Type], outcomes[c.want] = true, true
		if c.selector != "" && c.selector[0] != '#' && c.selector[0] != '.' {
			c.selector = "css=" + c.selector
		}
		if got := d.asserted(c.selector, c.a); got != c.want {
			t.Errorf("%s %+v: %s, want %s", c.selector, c.a, got, c.want)
		}
	}
	for _, typ := range qa.AssertionTypes() {
		if !tried[typ] {
			t.Errorf("%s: not tried", typ)
		}
	}
}

// What an act brings counts until the next act.
func TestWhatAnActBrings(t *testing.T) {
	t.Parallel()
	d := online(t)
	site := kindsSite(t)
	d.call("page_navigate", `{"url":%q}`, site+"/acts")
	for _, act := range []struct {
		selector string
		want     map[qa.Assertion]string
	}{
		{`button "Alert"`, map[qa.Assertion]string{{Type: qa.DialogShown}: holds, {Type: qa.DialogShown, Expected: "3 orders"}: holds, {Type: qa.DialogShown, Expected: "4 orders"}: fails, {Type: qa.DialogShown, Expected: "3 orders", Attribute: "alert"}: holds, {Type: qa.DialogShown, Expected: "3 orders", Attribute: "confirm"}: fails, {Type: qa.PopupOpened}: fails}},
		{`button "Nothing"`, map[qa.Assertion]string{{Type: qa.DialogShown}: fails, {Type: qa.ResponseOK, URL: "/ok"}: neither}},
		{`link "Export"`, map[qa.Assertion]string{{Type: qa.Downloaded}: holds, {Type: qa.Downloaded, Expected: "report 1.csv"}: holds, {Type: qa.Downloaded, Expected: "report*.csv"}: holds, {Type: qa.Downloaded, Expected: "report"}: fails}},
		{`button "Fetch"`, map[qa.Assertion]string{{Type: qa.ResponseOK, URL: "/ok"}: holds, {Type: qa.Downloaded}: fails}},
		{`button "Fail"`, map[qa.Assertion]string{{Type: qa.ResponseOK, URL: "/bad"}: fails}},
		{`button "Open"`, map[qa.Assertion]string{{Type: qa.PopupOpened}: holds, {Type: qa.PopupOpened, Expected: "/popup"}: holds, {Type: qa.PopupOpened, Expected: "/popup?x=1"}: holds, {Type: qa.PopupOpened, Expected: "/pop"}: fails}},
	} {
		if got := d.call("page_click", `{"selector":%q}`, act.selector); !got.OK {
			t.Fatalf("%s: %+v", act.selector, got.Error)
		}
		for a, want := range act.want {
			if got := d.asserted("", a); got != want {
				t.Errorf("after %s: %+v: %s, want %s", act.selector, a, got, want)
			}
		}
	}
}
