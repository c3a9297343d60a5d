package browser

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
)

// Strict selection: several matches are an error that lists each as a selector
// that finds one, also in frames; no match lists what comes nearest.
func TestStrictSelection(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<button onclick="got('one')">Delete</button><button onclick="got('two')">Delete</button><button>Save changes</button>
		<section><h2>Bread</h2><a href="#b" onclick="got('bread')">Buy</a></section><section><h2>Milk</h2><a href="#m" onclick="got('milk')">Buy</a></section>
		<table><tr><td>Ada<td><a href="#a" onclick="got('Ada')">Edit</a><tr><td>Bob<td><a href="#e" onclick="got('Bob')">Edit</a></table>
		<iframe title="Box" srcdoc="<button onclick=&quot;parent.got('a')&quot;>Drop</button><button onclick=&quot;parent.got('b')&quot;>Drop</button>"></iframe>
		<script>var log = []; function got(x) { log.push(x) }</script>`)
	for selector, want := range map[string]string{`button "Delete"`: `["two"]`, "css=button:nth-of-type(-n+2)": `["two"]`, `frame "Box" > button "Drop"`: `["b"]`} {
		_, err := s.Click(within30s(t), selector, 0)
		e := wantCode(t, err, explain.SelectorAmbiguous, "2 elements match")
		if len(e.Page) != 2 {
			t.Fatalf("%s: candidates %q", selector, e.Page)
		}
		js(t, s, "log = []")
		if _, err := s.Click(within30s(t), string(e.Page[1]), 0); err != nil {
			t.Fatalf("the candidate %s: %v", e.Page[1], err)
		}
		if got := js(t, s, "log"); got != want {
			t.Errorf("%s: candidate %s is %s", selector, e.Page[1], got)
		}
	}
	for selector, want := range map[string][]string{ // 33: each says where it stands
		`link "Buy"`:  {`under "Bread"`, `under "Milk"`, "milk"},
		`link "Edit"`: {`in row "Ada"`, `in row "Bob"`, "Bob"},
	} {
		_, err := s.Click(within30s(t), selector, 0)
		e := wantCode(t, err, explain.SelectorAmbiguous, "2 elements match")
		if diff := cmp.Diff(pagetext.Of(want[:2]...), e.Places); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", selector, diff)
		}
		js(t, s, "log = []")
		if _, err := s.Click(within30s(t), string(e.Page[1]), 0); err != nil {
			t.Fatalf("the candidate %s: %v", e.Page[1], err)
		}
		if got := js(t, s, "log"); got != `["`+want[2]+`"]` {
			t.Errorf("%s: candidate %s is %s", selector, e.Page[1], got)
		}
	}
	for name, call := range map[string]func() error{
		"fill":   func() error { _, _, err := s.Fill(within30s(t), "css=button", "x", 0); return err },
		"select": func() error { _, err := s.Select(within30s(t), "css=button", "x", 0); return err },
		"hover":  func() error { _, err := s.Hover(within30s(t), "css=button", 0); return err },
		"press":  func() error { _, err := s.Press(within30s(t), "css=button", "a", 0); return err },
		"shot":   func() error { _, err := s.Screenshot(within30s(t), ShotOptions{Selector: "css=button"}); return err },
		"text":   func() error { _, err := s.Read(within30s(t), "css=button", "x", false); return err },
	} {
		t.Run(name, func(t *testing.T) {
			wantCode(t, call(), explain.SelectorAmbiguous, "3 elements match", `button "Save changes"`)
		})
	}
	_, err := s.Click(within30s(t), `button "Save chanegs"`, time.Second)
	wantCode(t, err, explain.ElementNotFound, `button "Save changes"`, "page_click")
	_, err = s.Click(within30s(t), `frame "Bx" > button "Drop"`, time.Second)
	wantCode(t, err, explain.ElementNotFound, `frame "Box"`)
}

// Each obstacle is named.
func TestNotActionable(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<style>@keyframes go { to { transform: translate(300px, 200px) } }</style>
		<div style="position:relative;width:200px;height:40px"><button id=covered>Pay</button>
			<div class=overlay style="position:absolute;inset:0;background:#0008">Please wait</div></div>
		<button id=off disabled>Off</button>
		<button id=none style="display:none">None</button>
		<button id=ghost style="visibility:hidden">Ghost</button>
		<button id=moving style="animation: go .3s linear infinite alternate">Moving</button>
		<button id=aria aria-disabled=true>Aria</button>
		<button id=away style="position:fixed;left:-500px">Away</button>
		<input id=date type=date><input id=time type=time><input id=week type=week><input id=colour type=color><input id=number type=number>
		<input id=fixed readonly value=1><input id=dis disabled value=1>
		<select id=sel><option>One<option disabled>Two</select>
		<iframe title=F srcdoc="<button>In</button>" style="width:200px;height:50px"></iframe>
		<div id=lid style="position:absolute;inset:0;display:none">Cookies!</div>`)
	click := func(selector string) error {
		_, err := s.Click(within30s(t), selector, 700*time.Millisecond)
		return err
	}
	fill := func(selector string) error {
		_, _, err := s.Fill(within30s(t), selector, "2", 700*time.Millisecond)
		return err
	}
	form := func(selector string) error {
		_, _, err := s.Fill(within30s(t), selector, "31.12.", 700*time.Millisecond)
		return err
	}
	for name, c := range map[string]struct {
		err  func() error
		want string
	}{
		"covered":         {func() error { return click("css=#covered") }, `class="overlay"`},
		"disabled":        {func() error { return click("css=#off") }, "not enabled"},
		"display none":    {func() error { return click("css=#none") }, "not visible"},
		"hidden":          {func() error { return click("css=#ghost") }, "not visible"},
		"moving":          {func() error { return click("css=#moving") }, "not stable"},
		"aria-disabled":   {func() error { return click("css=#aria") }, "not enabled"},
		"outside":         {func() error { return click("css=#away") }, "outside of the viewport"},
		"read-only":       {func() error { return fill("css=#fixed") }, "not editable"},
		"disabled input":  {func() error { return fill("css=#dis") }, "not enabled"},
		"hidden hover":    {func() error { _, err := s.Hover(within30s(t), "css=#none", time.Second); return err }, "not visible"},
		"date":            {func() error { return form("css=#date") }, "type date can't hold this value\nwrite it so: 2026-12-31"}, // 33
		"time":            {func() error { return form("css=#time") }, "14:30"},
		"week":            {func() error { return form("css=#week") }, "2026-W53"},
		"colour":          {func() error { return form("css=#colour") }, "#ff8800"},
		"number":          {func() error { return form("css=#number") }, "a number such as 12"},
		"disabled option": {func() error { _, err := s.Select(within30s(t), "css=#sel", "Two", 700*time.Millisecond); return err }, "page_select"},
	} {
		t.Run(name, func(t *testing.T) { wantCode(t, c.err(), explain.NotActionable, c.want) })
	}
	for _, selector := range []string{"css=#date", "css=#time", "css=#week", "css=#colour"} { // the form that is offered is taken
		e := wantCode(t, form(selector), explain.NotActionable)
		example, _, _ := strings.Cut(strings.TrimPrefix(e.Hint, "write it so: "), " ")
		if _, _, err := s.Fill(within30s(t), selector, example, 0); err != nil {
			t.Errorf("%s takes no %s: %v", selector, example, err)
		}
	}
	js(t, s, "lid.style.display = 'block'")
	wantCode(t, click(`frame "F" > button "In"`), explain.NotActionable, "lid", "Cookies!")
}

// What becomes actionable in time is acted on.
func TestActionWaits(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<button id=b disabled onclick="n++">Go</button><select id=sel></select><script>var n = 0;
		setTimeout(() => b.disabled = false, 1300); setTimeout(() => sel.innerHTML = '<option>Later', 400)</script>`)
	if a, err := s.Select(within30s(t), "css=#sel", "Later", 0); err != nil || a.Value != "Later" {
		t.Errorf("an option that comes later: %q, %v", a.Value, err)
	}
	if _, err := s.Click(within30s(t), `button "Go"`, 0); err != nil {
		t.Fatal(err)
	}
	if got := js(t, s, "n"); got != "1" {
		t.Errorf("%s clicks", got)
	}
	clicksMeetTheirElement(t, s)
	clicksGoByTheLabel(t, s)
}

// clicksGoByTheLabel clicks boxes that lie out of sight behind what their labels draw for
// them, as people do; a link that lies there is not clicked for the box.
func clicksGoByTheLabel(t *testing.T, s *Session) {
	t.Helper()
	js(t, s, `() => {
		document.body.innerHTML = '<style>label { position: relative; display: block; height: 30px } input { position: absolute; left: 20px; width: 1px; height: 1px; clip: rect(0 0 0 0) } i, a { position: absolute; left: 0; width: 40px; height: 24px; background: #ccc }</style>' +
			'<label><input id=dark type=checkbox><i></i></label><input id=mail type=checkbox style="left:30px;top:60px;clip:auto;opacity:0"><label for=mail style="top:10px"><i></i></label>' +
			'<label><input id=terms type=checkbox><a href="#gone">x</a></label>' +
			'<div style="height:2000px"></div><input id=none type=checkbox style="width:0;height:0;opacity:0"><label for=none>Drawn by its label</label>' +
			'<input id=red type=radio style="width:0;height:0;opacity:0"><label for=red>Red</label><input id=law type=checkbox style="width:0;height:0"><label for=law><a href="#gone" style="width:100%">The law</a></label>';
	}`)
	for _, id := range []string{"dark", "mail", "none", "red"} {
		if _, err := s.Click(within30s(t), "css=#"+id, 2*time.Second); err != nil || js(t, s, id+".checked") != "true" {
			t.Errorf("%s: %v, checked: %s", id, err, js(t, s, id+".checked"))
		}
	}
	for _, id := range []string{"terms", "law"} {
		if _, err := s.Click(within30s(t), "css=#"+id, time.Second); codeOf(err) != explain.NotActionable || js(t, s, "location.hash") != `""` {
			t.Errorf("a link in the label of %s: %v, at %s", id, err, js(t, s, "location.hash"))
		}
	}
}

// clicksMeetTheirElement clicks what moves, is covered or is put in anew between the look at
// it and the click: the page has no event but those of the element, each once.
func clicksMeetTheirElement(t *testing.T, s *Session) {
	t.Helper()
	js(t, s, `() => {
		document.body.innerHTML = '<style>button { position: absolute; width: 80px; height: 20px; left: 10px }</style><button id=still>Still</button>' +
			'<button id=moves>Moves</button><button id=covered>Covered</button><button id=renewed>Renewed</button><button id=slides>Slides</button><button id=far>Far</button><div id=lid style="position:fixed;inset:0;display:none">';
		[...document.querySelectorAll('button')].forEach((b, i) => b.style.top = 40 + 40 * i + 'px');
		far.style.top = '4000px';
		window.seen = [];
		for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click']) document.body.addEventListener(type, e => seen.push(type + ' ' + e.target.id), true);
		const once = (id, fn) => document.addEventListener('pointermove', function come(e) {
			if (e.target.id !== id) return;
			document.removeEventListener('pointermove', come);
			fn(e.target);
		});
		once('moves', b => b.style.left = '300px');
		once('covered', () => { lid.style.display = 'block'; setTimeout(() => lid.style.display = 'none', 300) });
		once('renewed', b => b.replaceWith(b.cloneNode(true)));
		once('slides', b => { let x = 10; const step = () => { b.style.left = (x += 2) + 'px'; if (x < 80) requestAnimationFrame(step) }; step() });
	}`)
	for _, id := range []string{"still", "moves", "covered", "renewed", "slides", "far"} {
		js(t, s, "seen = []")
		if _, err := s.Click(within30s(t), "css=#"+id, 0); err != nil {
			t.Error(err)
		}
		if got, want := js(t, s, "seen.join()"), fmt.Sprintf(`"pointerdown %[1]s,mousedown %[1]s,mouseup %[1]s,click %[1]s"`, id); got != want {
			t.Errorf("the page has seen %s, want %s", got, want)
		}
	}
}

// A click whose navigation takes longer than its time-out is made once, and
// the answer says what is still loading.
func TestClickIsMadeOnce(t *testing.T) {
	t.Parallel()
	var hits atomic.Int32
	web := newSite(t, map[string]string{"/{$}": `<title>T</title><a href="/slow" onclick="localStorage.n = 1 + +(localStorage.n || 0)">Slow</a>`})
	web.handle("/slow", after(8*time.Second, text("there")))
	counted := web.Config.Handler
	web.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			hits.Add(1)
		}
		counted.ServeHTTP(w, r)
	})
	s := launch(t, poolOf(t), LaunchOptions{})
	visit(t, s, web.URL+"/")
	a, err := s.Click(within30s(t), `link "Slow"`, 2*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Pending) != 1 || !strings.Contains(string(a.Pending[0]), "/slow") {
		t.Errorf("pending: %q", a.Pending)
	}
	if a.Page.Title != "" || !a.Page.TitleUnread { // no title was told, which is another thing than none
		t.Errorf("the title is %q, unread %v", a.Page.Title, a.Page.TitleUnread)
	}
	_, _, err = s.Evaluate(timeLimit(t, time.Second), "1", nil) // Chromium answers nothing now
	wantCode(t, err, explain.TimedOut, "still loading", "/slow")
	if got := js(t, s, "localStorage.n"); got != `"1"` || hits.Load() != 1 {
		t.Errorf("clicked %s times, %d requests", got, hits.Load())
	}
}

func TestClickInFramesAndShadowRoots(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{
		"/{$}":   `<title>T</title><iframe title="Outer" src="/outer"></iframe><x-box></x-box><p id=out></p><script>onmessage = e => out.textContent = e.data; customElements.define('x-box', class extends HTMLElement { connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = '<button onclick="out.textContent = 1">Shady</button>' } })</script>`,
		"/outer": `<iframe title="Inner" src="/inner"></iframe>`,
		"/inner": `<button onclick="top.postMessage('deep', '*')">Deep</button><input aria-label=Card>`,
		"/press": `<p style="height: 90px"></p><input><button onclick="top.postMessage(window.name, '*')">Press</button><p style="height: 900px"></p>`,
		"/around": `<title>A</title><style>iframe { display: block; height: 120px }</style><iframe name=edged style="border: 20px solid; padding: 15px" src="/press?1"></iframe>
			<iframe name=turned style="transform: rotate(180deg)" src="/press?2"></iframe><iframe name=scaled style="transform: scale(0.8)" src="/press?3"></iframe><iframe name=twin src="/press?4"></iframe><iframe name="other twin" src="/press?4"></iframe>
			<iframe name=sandboxed sandbox="allow-scripts" src="/press?5"></iframe><div style="height: 60px; overflow: auto"><p style="height: 300px"></p><iframe name=scrolled src="/press?6"></iframe></div>
			<div style="position: relative"><iframe name=covered src="/press?7"></iframe><i style="position: absolute; inset: 0"></i></div><p style="height: 2000px"></p><iframe name=far src="/press?8"></iframe><iframe name=goes src="/press?9"></iframe>
			<script>pressed = []; onmessage = e => { pressed.push(e.data); if (e.data == 'goes') document.querySelector('[name=goes]').remove() }; for (const f of document.querySelectorAll('iframe')) f.title = f.name</script>`,
	})
	s := launch(t, poolOf(t), LaunchOptions{})
	visit(t, s, web.URL+"/")
	if _, err := s.Click(within30s(t), `frame "Outer" > frame "Inner" > button "Deep"`, 0); err != nil {
		t.Fatal(err)
	}
	if got := js(t, s, "out.textContent"); got != `"deep"` {
		t.Errorf("frames: %s", got)
	}
	if a, masked, err := s.Fill(within30s(t), `frame "Outer" > frame "Inner" > textbox "Card"`, "4711", 0); err != nil || a.Value != "4711" || masked {
		t.Errorf("fill in a frame: %+v, %v", a, err)
	}
	if _, err := s.Click(within30s(t), `button "Shady"`, 0); err != nil {
		t.Fatal(err)
	}
	if got := js(t, s, "out.textContent"); got != `"1"` {
		t.Errorf("shadow root: %s", got)
	}
	visit(t, s, web.URL+"/around")
	for _, name := range []string{"edged", "turned", "scaled", "twin", "other twin", "far", "scrolled", "sandboxed", "goes"} {
		if _, err := s.Click(within30s(t), `frame "`+name+`" > button "Press"`, 0); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := js(t, s, "new Promise(done => { const ask = () => pressed.length ? done(pressed.join()) : setTimeout(ask, 5); ask() })"); got != `"`+name+`"` {
			t.Errorf("%s: pressed in %s", name, got)
		}
		js(t, s, "pressed = []")
		if _, err := s.Hover(within30s(t), `frame "far" > textbox`, 0); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := s.Click(within30s(t), `frame "covered" > button "Press"`, time.Second)
	wantCode(t, err, explain.NotActionable, "covered")
}

func TestFill(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<input id=text value=old><textarea id=area>old</textarea><div id=edit contenteditable>old</div>
		<input id=number type=number><input id=date type=date><input id=pass type=PASSWORD><input id=check type=checkbox>
		<input id=mask oninput="this.value = this.value.replace(/\D/g, '').replace(/(..)(?=.)/g, '$1-')"><p id=p>no</p>
		<input id=vanish oninput="this.remove()"><label>Name <input id=named></label><input id=twin class=twin oninput="document.body.append(this.cloneNode())">
		<input id=leaves oninput="location.href = '?left'">`)
	for selector, c := range map[string]struct{ value, want string }{
		"css=#text":   {"new", "new"},
		"css=#area":   {"a\nb", "a\nb"},
		"css=#edit":   {"new", "new"},
		"css=#number": {"12.5", "12.5"},
		"css=#date":   {"2026-02-28", "2026-02-28"},
		"css=#mask":   {"123456", "12-34-56"},
		"css=#vanish": {"x", ""},
		"css=.twin":   {"x", ""},
		"label=Name":  {"Ada", "Ada"},
		"css=#leaves": {"x", ""},
	} {
		t.Run(selector, func(t *testing.T) {
			if selector == "css=#leaves" {
				t.Cleanup(func() { visit(t, s, strings.TrimSuffix(pageOf(s).URL(), "?left")) })
			}
			a, masked, err := s.Fill(within30s(t), selector, c.value, 0)
			if err != nil || !a.Value.Equal(c.want) || masked {
				t.Errorf("got %q, %v, %v, want %q", a.Value, masked, err, c.want)
			}
		})
	}
	a, masked, err := s.Fill(within30s(t), "css=#pass", "hunter2", 0)
	if err != nil || !masked || strings.Contains(fmt.Sprintf("%+v", a), "hunter2") {
		t.Errorf("password: %+v, %v, %v", a, masked, err)
	}
	if got := js(t, s, "pass.value"); got != `"hunter2"` {
		t.Errorf("the password was not filled: %s", got)
	}
	for selector, value := range map[string]string{"css=#number": "abc", "css=#date": "tomorrow", "css=#check": "x", "css=#p": "x"} {
		_, _, err := s.Fill(within30s(t), selector, value, time.Second)
		wantCode(t, err, explain.NotActionable, selector)
	}
}

func TestSelect(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<select id=one><option value=a>Apple<option value=b>Pear tree</select>
		<select id=many multiple><option>x<option selected>y<option>z</select><div id=fake role=combobox>Pick</div>
		<select id=long></select><script>for (let i = 0; i < 300; i++) long.add(new Option('Option ' + i))</script>`)
	for _, c := range []struct{ selector, option, want string }{
		{"css=#one", "Pear tree", "b"}, {"css=#one", "a", "a"}, {"css=#many", "z", "z"}, {"css=#long", "Option 299", "Option 299"},
	} {
		if a, err := s.Select(within30s(t), c.selector, c.option, 0); err != nil || !a.Value.Equal(c.want) {
			t.Errorf("%s %s: %q, %v", c.selector, c.option, a.Value, err)
		}
	}
	_, err := s.Select(within30s(t), "css=#one", "Plum", 0)
	wantCode(t, err, explain.ElementNotFound, "Plum", `"Apple"`, `"Pear tree"`)
	_, err = s.Select(within30s(t), "css=#long", "None", 0)
	if e := wantCode(t, err, explain.ElementNotFound, "280 more"); len(e.Page) > eventlog.MaxListed+1 {
		t.Errorf("%d options are listed", len(e.Page))
	}
	_, err = s.Select(within30s(t), "css=#fake", "x", 0)
	wantCode(t, err, explain.NotActionable, "page_click")
}

func TestPress(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<form action="/sent" onsubmit="n++; return false"><input id=i></form><script>var n = 0, keys = []; onkeydown = e => keys.push((e.ctrlKey ? 'C-' : '') + e.key)</script>`)
	if _, err := s.Press(within30s(t), "css=#i", "Enter", 0); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a", "Control+A", "ArrowDown"} { // the input has the focus now
		if a, err := s.Press(within30s(t), "", key, 0); err != nil || a.Target != "the focused element" {
			t.Fatalf("%s: %+v, %v", key, a, err)
		}
	}
	if got := js(t, s, "[n, keys.filter(k => !k.includes('Control')).join(), i.value]"); got != `[1,"Enter,a,C-A,ArrowDown","a"]` {
		t.Errorf("got %s", got)
	}
	for _, selector := range []string{"", "css=#i"} {
		for _, key := range []string{"", "Entr", "Hyper+A"} {
			_, err := s.Press(within30s(t), selector, key, 0)
			wantCode(t, err, explain.InvalidInput, "Enter")
		}
	}
	_, err := s.Press(within30s(t), "css=#none", "Enter", time.Second)
	wantCode(t, err, explain.ElementNotFound)
}

// Whatever an element does when the pointer comes, and wherever it stands: it is met. What lies
// under something else is not, and the error says so.
func TestHover(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<style>button { display: block } #grows:hover { transform: scale(2) } #jumps:hover { margin-left: 300px } #glides { transition: margin 60ms } #glides:hover { margin-left: 90px }
		#menu > ul { display: none } #menu:hover > ul { display: block }</style>
		<button id=plain>plain</button><button id=off disabled>off</button><button id=grows>grows</button><button id=jumps>jumps</button><button id=glides>glides</button>
		<button id=veils onpointerenter="this.onpointerenter = null; const v = document.createElement('div'); v.id = 'veil'; v.style = 'position:fixed;inset:0'; document.body.append(v)">veils</button>
		<button id=goes onmouseover="this.remove()">goes</button><button id=says onmouseover="this.textContent = 'said'">says</button><nav id=menu>menu<ul><li id=item>item</ul></nav>
		<p style="height: 2000px"></p><div style="height: 40px; overflow: auto"><p style="height: 500px"></p><button id=within>within</button></div>
		<div style="position: relative"><button id=covered>covered</button><i style="position: absolute; inset: 0"></i></div>
		<script>met = []; onmouseover = e => { if (e.target.id) met.push(e.target.id) }; addEventListener('pointermove', e => e.stopImmediatePropagation(), true)</script>`)
	for _, id := range []string{"plain", "plain", "off", "grows", "jumps", "glides", "veils", "goes", "says", "menu", "item", "within"} {
		if _, err := s.Hover(within30s(t), "css=#"+id, 0); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		if got := js(t, s, "document.getElementById('veil')?.remove(), met.includes('"+id+"')"); got != "true" && id != "off" { // a disabled button has no events
			t.Errorf("%s: the pointer did not meet it", id)
		}
	}
	if _, err := s.Hover(within30s(t), `button "said"`, 0); err != nil {
		t.Error(err)
	}
	_, err := s.Hover(within30s(t), "css=#covered", time.Second)
	wantCode(t, err, explain.NotActionable, "covered")
}

// Selectors that are none, of each kind, are told at once by every call.
func TestInvalidSelectors(t *testing.T) {
	t.Parallel()
	s, _ := show(t, "<p>hello")
	for _, selector := range []string{"", "  ", "css=a[", "css=:nope(", "//[", "xpath=//*[", "text=", "role=", "role=button[name=", "role=nope[checked=5]", "label=", "testid=", "foo=bar",
		`button "Sign`, `button "A" > link "B"`, "css=a >> ", ">> css=a", "nth=x", "css=a\x00", "\xff", strings.Repeat("a", 3000), `frame "x" >`} {
		for name, call := range map[string]func() error{
			"click":  func() error { _, err := s.Click(context.Background(), selector, 0); return err },
			"look":   func() error { _, err := s.Look(context.Background(), cmpOr(selector, " "), FactCount, ""); return err },
			"wait":   func() error { _, err := s.WaitFor(context.Background(), selector, "visible", 0); return err },
			"hidden": func() error { _, err := s.WaitFor(context.Background(), selector, "hidden", 0); return err },
			"mask": func() error {
				_, err := s.Screenshot(context.Background(), ShotOptions{Mask: []string{selector}})
				return err
			},
		} {
			t.Run(fmt.Sprintf("%s %.20q", name, selector), func(t *testing.T) {
				e := wantCode(t, soon(t, 3*time.Second, call), explain.InvalidInput)
				if e.Hint == "" || len(e.Message) > 1000 {
					t.Errorf("message of %d bytes, hint %q", len(e.Message), e.Hint)
				}
			})
		}
	}
}

// cmpOr returns a, or b where an empty selector has a meaning.
func cmpOr(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// Dialogs never block: neither the call that raised them nor the next one.
func TestDialogs(t *testing.T) {
	t.Parallel()
	s, web := show(t, `<button id=alert onclick="alert('Hi')">A</button><button id=confirm onclick="window.r = confirm('Sure?')">C</button>
		<button id=prompt onclick="window.r = prompt('Name?', 'x')">P</button><button id=many onclick="for (let i = 0; i < 100; i++) alert(i)">M</button>
		<button id=leave onclick="onbeforeunload = e => e.preventDefault()">L</button>`)
	web.handle("/other", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Other</title><script>alert('on load')</script>")
	})
	for id, want := range map[string]struct{ note, result string }{
		"alert":   {`dialog: alert "Hi" accepted`, "null"},
		"confirm": {`dialog: confirm "Sure?" dismissed`, "false"},
		"prompt":  {`dialog: prompt "Name?" dismissed`, "null"},
	} {
		js(t, s, "window.r = undefined")
		a, err := s.Click(within30s(t), "css=#"+id, 0)
		if err != nil || len(a.Notes) != 1 || !a.Notes[0].Equal(want.note) {
			t.Errorf("%s: %q, %v", id, a.Notes, err)
		}
		if got := js(t, s, "window.r"); got != want.result {
			t.Errorf("%s brought %s", id, got)
		}
	}
	a, err := s.Click(t.Context(), "css=#many", time.Hour) // as long as the machine takes to answer so many
	if err != nil || len(a.Notes) != eventlog.MaxListed+1 || a.Notes[eventlog.MaxListed] != pagetext.Sprintf("… %d more", 100-eventlog.MaxListed) {
		t.Errorf("100 alerts: %d notes, last %q, %v", len(a.Notes), a.Notes[max(0, len(a.Notes)-1):], err)
	}
	if _, err := s.Click(within30s(t), "css=#leave", 0); err != nil {
		t.Fatal(err)
	}
	nav := visit(t, s, web.URL+"/other")
	if notes := string(pagetext.Join(nav.Effects.Notes, "\n")); nav.Title != "Other" || !strings.Contains(notes, "beforeunload") || !strings.Contains(notes, `alert "on load"`) {
		t.Errorf("notes: %q", notes)
	}
}

func TestPopupsAndDownloadsAreNoted(t *testing.T) {
	t.Parallel()
	s, web := show(t, `<a href="/pop" target=_blank>Pop</a><a href="/file?token=abc">File</a>`)
	web.handle("/pop", text("popped"))
	web.handle("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="report.csv"`)
		fmt.Fprint(w, "a,b")
	})
	noted := func(selector string, words ...string) {
		t.Helper()
		if _, err := s.Click(within30s(t), selector, 0); err != nil {
			t.Fatal(err)
		}
		becomes(t, "noted: "+strings.Join(words, " "), func() error { // the event may follow the answer
			notes := s.log.NotesSince(eventlog.Mark{})
			n := 0
			for _, note := range notes {
				if note.Contains(pagetext.Text(words[0])) && note.Contains(pagetext.Text(words[1])) {
					n++
				}
			}
			if n != 1 || pagetext.Join(notes, "").Contains("abc") {
				return fmt.Errorf("notes: %q", notes)
			}
			return nil
		})
	}
	noted(`link "Pop"`, "popup", "/pop")
	noted(`link "File"`, "download", "report.csv")
	if got := js(t, s, "document.title"); got != `"Test"` {
		t.Errorf("the page is another one: %s", got)
	}
	state, err := s.State(within30s(t))
	if err != nil || state.Status != 200 || !strings.HasPrefix(state.URL, web.URL) {
		t.Errorf("%+v, %v", state, err)
	}
}
