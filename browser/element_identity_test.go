package browser

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/browser/outline"
	"github.com/assay-qa/assay/browser/selectors"
)

const identityPage = `<h1>Orders</h1>
<button data-uid=save data-testid=save-order class="x y"><span>Save</span></button>
<button data-uid=twin1>Twin</button><button data-uid=twin2 class=b>Twin</button>
<table><tr><th>Name<th>Do</tr>
<tr><td>Anna<td><button data-uid=anna>Delete</button></tr>
<tr><td>Bert<td><button data-uid=bert>Delete</button></tr></table>
<label>Email <input data-uid=email type=email id=mail></label>
<label for=pw>Password</label><input data-uid=pw id=pw type=password value=hunter2>
<input data-uid=nameless name=q value=typed><input data-uid=shown aria-label="Find it">
<a data-uid=link href=#x>Go "there" on</a>
<select data-uid=size aria-label=Size><option>S<option>L</select>
<label><input data-uid=gift type=checkbox>Gift</label>
<div data-uid=plain style="width:9px;height:9px"></div>
<button data-uid=icon><svg width=9 height=9></svg></button>
<p data-uid=para>Some text only here</p><p data-uid=dup1>Again</p><p data-uid=dup2>Again</p>
<span id=host></span><iframe title=Pay srcdoc="<button data-testid=go data-uid=inner>Go</button>"></iframe>
<button data-uid=odd data-testid='a >> b'>Odd >> name</button>
<script>host.attachShadow({mode:'open'}).innerHTML = '<button data-uid=deep data-testid=deep>Deep</button><button data-uid=deeper>Twin</button>'</script>` + oddPage

// oddPage has elements whose role or name is not what their tag and text say.
const oddPage = `<style>.c::before{content:"Before "}.s::after{content:"\1F4A9" / "spoken"}.h{cursor:pointer}</style>
<section aria-label=Odd><span id=l1>First</span> <span id=l2 hidden>hidden</span>
<button data-odd aria-labelledby="l1 l2">x</button><button data-odd aria-label="">Empty label</button><button data-odd title="By title"></button>
<label>Wrapped <b>words</b> <input data-odd></label><label for=o1>For</label><label for=o1>twice</label><input data-odd id=o1>
<label style="display:none" for=o2>Hidden label</label><input data-odd id=o2><input data-odd placeholder="Only placeholder"><input data-odd type=password placeholder=Secret>
<input data-odd type=date aria-label=When><input data-odd type=color aria-label=Paint><input data-odd type=file aria-label=Attach><input data-odd type=image alt=Buy src=x:>
<input data-odd type=submit><input data-odd type=reset value=Undo><input data-odd type=search list=dl aria-label=Suggest><datalist id=dl><option>a</datalist>
<a data-odd href=#1><img alt="Alt text" src=x:></a><a data-odd href=#2><svg width=9 height=9><title>Drawn</title></svg></a><a data-odd>No address</a>
<img data-odd role=presentation alt=Nothing src=x: width=9 height=9><img data-odd alt="" src=x: width=9 height=9><img data-odd title="Title of a picture" src=x: width=9 height=9>
<button data-odd role=presentation>Focusable stays</button><ul role=none><li data-odd>No item</ul><div data-odd role="nonsense tab" tabindex=0>Second role</div>
<span data-odd class=h>Clickable</span><div data-odd contenteditable aria-label=Editor>text</div><div data-odd tabindex=0>Stops</div>
<button data-odd class=c>content</button><button data-odd class=s>Pile</button><button data-odd>a<span aria-hidden=true>silent</span><div>block</div>b</button>
<fieldset data-odd><legend>Legend</legend></fieldset><figure data-odd><figcaption>Caption</figcaption></figure><details><summary data-odd>More</summary></details>
<table data-odd><caption>Table</caption><tr data-odd><th data-odd scope=row>Head<td data-odd>Cell <button>In cell</button></table>
<select data-odd multiple title=Many><option data-odd>One</select><output data-odd aria-label=Sum>3</output><progress data-odd aria-label=Going value=.5></progress>
<p data-odd>A <em>paragraph</em></p><header data-odd>Not the page's</header><form data-odd aria-label=Search></form><span data-odd id=deepHost></span></section>
<script>deepHost.attachShadow({mode:'open'}).innerHTML = '<slot></slot><button data-odd aria-labelledby=in><span id=in>In shadow</span></button>'</script>`

// Where others survey a page, as the watch of Playwright's tests does, an element has the
// role, the name and the locators that a snapshot and a recording give it.
func surveyIsTheSnapshots(t *testing.T, s *Session) {
	t.Helper()
	survey, err := outline.Survey()
	if err != nil {
		t.Fatal(err)
	}
	raw, _, err := s.Evaluate(within30s(t), `() => {
		const all = (`+survey+`)([document.documentElement], { all: true }), marked = [], deep = (root) => root.querySelectorAll('*').forEach((e) => {
			if (e.matches('[data-odd],[data-uid]')) marked.push(e);
			if (e.shadowRoot) deep(e.shadowRoot);
		});
		deep(document);
		return marked.map((e) => {
			const [one] = (`+survey+`)([e], {}), same = all.find((o) => o.path === one.path) || { locators: [] };
			return { uid: e.dataset.uid || '', role: one.role, name: one.name, locators: same.locators || [] };
		});
	}`, nil)
	if err != nil {
		t.Fatal(err)
	}
	var surveyed []struct {
		UID, Role, Name string
		Locators        []string
	}
	if err := json.Unmarshal(raw, &surveyed); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	elements, _, err := s.Elements(within30s(t), "css=[data-odd],[data-uid]", true, nil)
	if err != nil || len(elements) != len(surveyed) || len(elements) < 60 {
		t.Fatalf("%d elements, %d surveyed: %v", len(elements), len(surveyed), err)
	}
	for i, e := range elements {
		role, name := e.Role, e.Name
		if line, _, ok, err := selectors.ScanLine(e.Selector); ok && err == nil && line.Role != "text" {
			role, name = line.Role, line.Name
		}
		if surveyed[i].Role != role || surveyed[i].Name != name {
			t.Errorf("%s: surveyed as %s %q", e.Selector, surveyed[i].Role, surveyed[i].Name)
		}
		if surveyed[i].UID == "" || surveyed[i].UID == "plain" { // what neither works nor says anything is not surveyed
			continue
		}
		id, err := s.Identify(within30s(t), "page_click", "css=[data-uid="+surveyed[i].UID+"]", 0)
		if err != nil || !slices.Equal(locatorsIn("", surveyed[i].Locators), id.Locators) {
			t.Errorf("%s: surveyed at %q, recorded at %q: %v", surveyed[i].UID, surveyed[i].Locators, id.Locators, err)
		}
	}
}

// E2: every locator of an identity leads, through Playwright, to that element
// and to no other.
func TestIdentityLocators(t *testing.T) {
	t.Parallel()
	s, _ := show(t, identityPage)
	for uid, want := range map[string]struct{ first, print string }{
		"save": {`button "Save"`, "name=Save role=button tag=button"}, "twin1": {`button "Twin" [1]`, "name=Twin of=1 of 3 role=button tag=button"},
		"twin2": {`button "Twin" [2]`, "name=Twin of=2 of 3 role=button tag=button"},
		"anna":  {`row "Anna" >> button "Delete"`, `name=Delete role=button tag=button within=row "Anna"`},
		"email": {`textbox "Email"`, "name=Email role=textbox tag=input type=email"}, "pw": {`textbox "Password"`, "name=Password role=textbox tag=input type=password"},
		"nameless": {"css=input[name=\"q\"]", "field=q role=textbox tag=input type=text"}, "shown": {`textbox "Find it"`, "name=Find it role=textbox tag=input type=text"},
		"link": {`link "Go \"there\" on"`, `name=Go "there" on role=link tag=a`}, "size": {`combobox "Size"`, "name=Size role=combobox tag=select"},
		"gift": {`checkbox "Gift"`, "name=Gift role=checkbox tag=input type=checkbox"}, "plain": {"", ""}, "icon": {"", "role=button tag=button"},
		"para": {`paragraph "Some text only here"`, "name=Some text only here role=paragraph tag=p"}, "dup2": {"", "name=Again of=2 of 2 role=paragraph tag=p"},
		"deep": {`button "Deep"`, "name=Deep role=button tag=button"}, "deeper": {"", "name=Twin of=3 of 3 role=button tag=button"},
		"odd": {`button "Odd >> name"`, "name=Odd >> name role=button tag=button"}, "bert": {`row "Bert" >> button "Delete"`, ""},
		`frame "Pay" > inner`: {`frame "Pay" > button "Go"`, "name=Go role=button tag=button"},
	} {
		frame, name, inFrame := strings.Cut(uid, " > ")
		if !inFrame {
			frame, name = "", uid
		} else {
			frame += " > "
		}
		id, err := s.Identify(within30s(t), "page_click", frame+"css=[data-uid="+name+"]", 0)
		if err != nil || len(id.Locators) == 0 {
			t.Errorf("%s: %+v, %v", uid, id, err)
			continue
		}
		if want.first != "" && id.Locators[0] != want.first || want.print != "" && printed(id.Fingerprint) != want.print {
			t.Errorf("%s: first %q of %q, fingerprint %q", uid, id.Locators[0], id.Locators, printed(id.Fingerprint))
		}
		if all := slices.Sorted(slices.Values(id.Locators)); len(slices.Compact(all)) != len(id.Locators) {
			t.Errorf("%s: the same locator twice: %q", uid, id.Locators)
		}
		for _, locator := range id.Locators {
			found, n, err := s.Elements(within30s(t), locator, false, []string{"data-uid"})
			if err != nil || n != 1 || found[0].Attributes["data-uid"] == nil || *found[0].Attributes["data-uid"] != name {
				t.Errorf("%s: locator %q leads to %d elements, %+v, %v", uid, locator, n, found, err)
			}
		}
		if (name == "pw") != id.Secret || (name == "email" || name == "shown") != id.Empty || strings.Contains(printed(id.Fingerprint), "hunter2") {
			t.Errorf("%s: %+v", uid, id)
		}
	}
	surveyIsTheSnapshots(t, s)
}

func printed(m map[string]string) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, k+"="+m[k])
	}
	return strings.Join(out, " ")
}

// E2: what is at a place, and what has the focus, is known as the control that
// it belongs to; an element that comes late is waited for, and one that is not
// there, or there twice, is an error with candidates.
func TestIdentitySpots(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<style>body{margin:0}</style><button style="width:200px;height:40px"><span>Save <b>all</b></span></button><input aria-label=Name autofocus>
		<script>setTimeout(() => { let b = document.createElement('button'); b.textContent = 'Late'; document.body.append(b) }, 200)</script><i>x</i><i>x</i>`)
	id, ok, err := s.IdentifyAt(within30s(t), input.Point{X: 100, Y: 20})
	if err != nil || !ok || id.Locators[0] != `button "Save all"` {
		t.Errorf("at a place: %+v, %v, %v", id, ok, err)
	}
	if id, ok, err = s.IdentifyFocus(within30s(t)); err != nil || !ok || id.Locators[0] != `textbox "Name"` || !id.Empty {
		t.Errorf("the focus: %+v, %v, %v", id, ok, err)
	}
	if _, ok, err := s.IdentifyAt(within30s(t), input.Point{X: 1200, Y: 700}); err != nil || ok {
		t.Errorf("where nothing is: %v, %v", ok, err)
	}
	if _, err := s.Identify(within30s(t), "page_click", `button "Late"`, 0); err != nil {
		t.Errorf("one that comes late: %v", err)
	}
	_, err = s.Identify(within30s(t), "page_click", "css=i", 0)
	wantCode(t, err, explain.SelectorAmbiguous)
	_, err = s.Identify(within30s(t), "page_click", `button "Sav"`, 100*time.Millisecond)
	wantCode(t, err, explain.ElementNotFound, "page_click")
}
