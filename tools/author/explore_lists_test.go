package author_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/author/site"
)

// staff is an application whose form has lists that scripts draw: their options are there once
// they are open. What is to be sent can be once something is entered.
type staff struct {
	mu     sync.Mutex
	made   []map[string]any
	jumped int // forms that were sent from where an option had led
}

const staffForm = `<h1>New person</h1><form novalidate onsubmit="send(event)" oninput="save.disabled=!who.value">
	<label>Name <input id=who></label>
	<span id=cl>Country</span> <span role=combobox tabindex=0 aria-haspopup=listbox aria-expanded=false aria-labelledby=cl id=country onclick="offer(this,['','Austria','Belgium'])">&nbsp;</span>
	<span id=sl>Status</span> <button type=button aria-haspopup=listbox aria-labelledby="sl state" id=state onclick="offer(this,['Active','Sign out','Delete all people','On leave'])">Active</button>
	<label>Owner <input role=combobox aria-autocomplete=list aria-expanded=false readonly id=owner onclick="offer(this,['Anna','Bert'])"></label>
	<label>Town <input role=combobox aria-autocomplete=list aria-expanded=false id=town></label>
	<span id=tl>Tags</span> <span role=combobox tabindex=0 aria-haspopup=listbox aria-expanded=false aria-labelledby=tl id=tags onclick="offer(this,['Red','Blue'],true)">&nbsp;</span>
	<button id=save disabled>Save</button></form><div id=layer hidden style="position:fixed;inset:0;background:#0002"></div>
<style>[role=combobox]{display:inline-block;min-width:60px;border:1px solid}[role=listbox]{position:absolute;top:40px;left:20px;background:#fff;z-index:2}</style>
<script>const held={};
function offer(of,options,several){layer.hidden=false;of.setAttribute('aria-expanded','true');const l=document.createElement('ul');l.setAttribute('role','listbox');l.tabIndex=-1;if(several)l.setAttribute('aria-multiselectable','true');
	const close=()=>{l.remove();layer.hidden=true;of.setAttribute('aria-expanded','false')};
	for(const o of options){const li=document.createElement('li');li.setAttribute('role','option');li.tabIndex=-1;li.textContent=o;if(!o)li.setAttribute('aria-label','Clear');li.setAttribute('aria-selected',String(held[of.id]===o||of.textContent===o));
		li.onclick=()=>{held[of.id]=o;if('value' in of&&of.tagName==='INPUT')of.value=o;else of.textContent=o;li.setAttribute('aria-selected','true');if(!several)close()};l.append(li)}
	l.onkeydown=e=>{if(e.key==='Escape')close()};document.body.append(l);l.focus()}
async function send(e){e.preventDefault();const r=await fetch('/api/people',{method:'POST',body:JSON.stringify({name:who.value,town:town.value,...held})});location.href='/people/'+await r.text()}
</script>`

// Its list leads to a page with the same form, and what its button opens is no list.
const jumpForm = `<h1>Jump</h1><form method=post action=/jumped><span role=combobox tabindex=0 aria-haspopup=listbox aria-label="Go to" onclick="l.hidden=false">&nbsp;</span>
	<ul role=listbox id=l hidden><li role=option tabindex=-1 onclick="location.href='/jump/there'">There</li></ul><label>Why <input name=why></label><button>Send</button></form>
	<button aria-haspopup=listbox aria-expanded=false id=m onclick="p.hidden=false;m.setAttribute('aria-expanded','true')">More</button><section id=p hidden><h2>Opened</h2></section>
	<script>m.onkeydown=e=>{if(e.key==='Escape')p.hidden=true}</script>`

func (a *staff) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	body := "<h1>Home</h1>"
	switch {
	case r.URL.Path == "/jumped":
		a.jumped++
	case r.Method == http.MethodPost:
		var one map[string]any
		_ = json.NewDecoder(r.Body).Decode(&one)
		a.made = append(a.made, one)
		fmt.Fprint(w, len(a.made))
		return
	case r.URL.Path == "/people/new":
		body = staffForm
	case r.URL.Path == "/jump", r.URL.Path == "/jump/there":
		body = jumpForm
	case strings.HasPrefix(r.URL.Path, "/people/"):
		body = "<h1>Person</h1>"
		for i, one := range a.made {
			if r.URL.Path == fmt.Sprintf("/people/%d", i+1) {
				body = fmt.Sprintf("<h1>%s</h1><p>%s</p>", one["name"], one["country"])
			}
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, "<!doctype html><html lang=en><title>Staff</title><nav aria-label=Main><a href=/>Home</a> <a href=/people/new>New person</a> <a href=/jump>Jump</a></nav><main>"+body+"</main>")
}

// A list that a script draws is opened, and its first option taken that is not chosen yet. One
// that takes several is closed; where none opens, a text is entered. What sends a form may be
// disabled until something is entered.
func TestExploringListsThatScriptsDraw(t *testing.T) { // Req 0032/1
	app := &staff{}
	server := httptest.NewServer(app)
	t.Cleanup(server.Close)
	found := run(t, desk(t), options(t, true), server.URL+"/")
	app.mu.Lock()
	defer app.mu.Unlock()
	at := slices.IndexFunc(app.made, func(one map[string]any) bool { return one["name"] != "" })
	if at < 0 {
		t.Fatalf("no person with a name was made of %v", app.made)
	}
	if app.jumped > 0 {
		t.Error("a form was sent from the page that an option of it had led to")
	}
	if !slices.ContainsFunc(found.Edges, func(e site.Edge) bool {
		return e.Action.Kind == site.Click && e.Action.Element.Name == "More" && slices.ContainsFunc(e.Changes.Appeared, func(x site.Element) bool { return x.Name == "Opened" })
	}) {
		t.Error("no click opens what is no list")
	}
	one := app.made[at]
	for field, want := range map[string]string{"country": "Austria", "state": "On leave", "owner": "Anna", "tags": "Red"} {
		if one[field] != want {
			t.Errorf("%s is %v, want %s", field, one[field], want)
		}
	}
	if town, _ := one["town"].(string); town == "" {
		t.Error("nothing was typed into the field whose list does not open")
	}
	made := slices.IndexFunc(found.Edges, func(e site.Edge) bool {
		return e.Action.Kind == site.Submit && e.Action.Invalid == "" && strings.Contains(e.Changes.URL, "/people/")
	})
	if made < 0 || found.Edges[made].Action.Element.Name != "Save" {
		t.Fatalf("no edge makes a person by Save: %d", made)
	}
	var steps []string
	for _, f := range plan.OfSite(found).Flows {
		for _, s := range f.Steps {
			if s.Edge != nil && s.Edge.ID == found.Edges[made].ID && len(steps) == 0 {
				for _, s := range f.Steps {
					steps = append(steps, s.Name())
				}
			}
		}
	}
	for _, want := range []string{"click Country", "click Austria", "click Red", "press Red", "click On leave"} {
		if !slices.ContainsFunc(steps, func(s string) bool { return strings.HasPrefix(s, want) }) {
			t.Errorf("no step of %q is %q", steps, want)
		}
	}
}
