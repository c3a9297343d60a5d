package browser

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
)

// A10: an element that is not there is answered after 2 s on a page that waits for
// nothing, with candidates out of frames and shadow roots that work as they stand.
func TestMissingElement(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<h1>Contact</h1><button id=send-btn class=primary>Send message</button><button>Cancel</button>
		<iframe title="Contact frame" srcdoc="<label>Name <input></label><iframe title=Deep srcdoc='<button>Pay now</button>'></iframe>"></iframe>
		<div id=host></div><p>Questions? Call our hotline.</p>
		<input type=email name=email placeholder="you@example.org">
		<script>host.attachShadow({mode: 'open'}).innerHTML = '<button>Shadow save</button>'</script>`)
	for selector, want := range map[string]string{
		`textbox "Name"`:          `frame "Contact frame" > textbox "Name"`,
		`button "Pay"`:            `frame "Contact frame" > frame "Deep" > button "Pay now"`,
		`button "Shadow saves"`:   `button "Shadow save"`,
		`Send message`:            `button "Send message"`,
		`send message!`:           `button "Send message"`,
		`link "Send message"`:     `button "Send message"`,
		`#send-button`:            `button "Send message"`,
		`#nope`:                   `button "Send message"`,
		`css=.primry`:             `button "Send message"`,
		`css=input[name="mail"]`:  `textbox "you@example.org"`,
		`//button[@id='sendbtn']`: `button "Send message"`,
		`text=our hotlines`:       `paragraph "Questions? Call our hotline."`,
		`label=Name`:              ``, // it is not looked for in frames, and is the nearest there
	} {
		t.Run(selector, func(t *testing.T) {
			_, err := s.Click(within30s(t), selector, 50*time.Millisecond)
			e := wantCode(t, err, explain.ElementNotFound)
			if want == "" {
				want = `frame "Contact frame" > textbox "Name"`
			}
			if !slices.Contains(e.Page, pagetext.Text(want)) || len(e.Page) > 3 {
				t.Fatalf("%s: %q (%s), want %s", selector, e.Page, e.Hint, want)
			}
			for _, line := range e.Page {
				if _, err := s.Hover(within30s(t), string(line), 0); err != nil {
					t.Errorf("%s is no selector: %v", line, err)
				}
			}
		})
	}
	_, err := s.Click(within30s(t), "Send message", 0)
	wantCode(t, err, explain.ElementNotFound, "plain words", `button "Send message"`)
	_, err = s.Click(within30s(t), "#nope", 0)
	if e := wantCode(t, err, explain.ElementNotFound); !strings.Contains(e.Hint, "nothing on the page is like it") {
		t.Errorf("what is not alike is told as near: %s", e.Hint)
	}
}

// An element that a request, a timer or a frame of the page may still bring is
// waited for longer; one on a page at rest is not. Timers that never end, or that
// come too late, and streams are no reason to wait.
func TestMissingElementThatMayCome(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	p, site := patientPool(t), newSite(t, nil)
	site.handle("/slow", slow(gate, text("{}")))
	defer close(gate)
	s := launch(t, p, LaunchOptions{})
	const ticks = `clearTimeout(setTimeout(() => {}, 3000)); setTimeout(() => {}, 8000); setTimeout(() => {}, 60000);
		function tick() { setTimeout(tick, 5) } tick(); setInterval(() => {}, 5)`
	for name, c := range map[string]struct {
		script string
		want   rest.Presence
	}{
		"rest":     {"", rest.Hopeless},
		"ticks":    {ticks, rest.Hopeless},
		"timer":    {`setTimeout(() => {}, 2900)`, rest.Absent},
		"interval": {`setInterval(() => {}, 900)`, rest.Absent},
		"request":  {`fetch('/slow')`, rest.Absent},
		"image":    {`new Image().src = '/slow?image'`, rest.Absent},
		"frame":    {`const f = document.createElement('iframe'); f.srcdoc = '<script>setTimeout(() => {}, 2900)</' + 'script>'; document.body.append(f)`, rest.Absent},
	} {
		site.handle("/"+name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, `<body><p>Here</p><script>window.go = () => { `+c.script+` }</script>`)
		})
		visit(t, s, site.URL+"/"+name)
		// Beyond the moment for which a timer that has run still counts.
		js(t, s, `(go(), new Promise(done => { let n = 40; (function frame() { n-- ? requestAnimationFrame(frame) : done(1) })() }))`)
		of, err := parseSelector(`button "Late"`)
		if err != nil {
			t.Fatal(err)
		}
		look := absentIn(within30s(t), s.livePage, s.current(), of)
		if got := look(s.pool.Waits.AbsentAtRest); got != c.want {
			t.Errorf("%s: %d after 2 s, want %d", name, got, c.want)
		}
		if got := look(s.pool.Waits.AbsentAtRest - 1); got != rest.Absent {
			t.Errorf("%s: %d before 2 s are over", name, got)
		}
		if got := look(s.pool.Waits.Absent); got != rest.Hopeless {
			t.Errorf("%s: %d after the usual bound", name, got)
		}
	}
	// As a caller sees it: no time-out, and a stated one.
	const add = `document.body.insertAdjacentHTML('beforeend', '<button>Late</button>')`
	js(t, s, `void setTimeout(() => { `+add+` }, 2600)`)
	if _, err := s.Click(within30s(t), `button "Late"`, 0); err != nil {
		t.Errorf("a timer brings it: %v", err)
	}
	visit(t, s, site.URL+"/rest")
	_, err := s.WaitFor(within30s(t), `button "Late"`, "visible", 0)
	wantCode(t, err, explain.TimedOut, "0 elements match", "timeout_ms")
	js(t, s, `void (function poll(n) { requestAnimationFrame(() => n > 0 ? poll(n - 1) : `+add+`) })(150)`)
	if _, err := s.Click(within30s(t), `button "Late"`, 25*time.Second); err != nil {
		t.Errorf("a stated time: %v", err)
	}
}

// Timers work as without us, whatever a page hands over.
func TestPageTimersWork(t *testing.T) {
	t.Parallel()
	s, web := show(t, `<p>x</p>`)
	web.handle("/font", text(""))
	got := js(t, s, `new Promise(done => {
		const out = [];
		setTimeout('window.text = 1', 0);
		setTimeout(function (a, b) { out.push(this === window, a + b) }, 0, 1, 2);
		const i = setInterval(() => { out.push('i'); clearInterval(i); clearTimeout(undefined); clearTimeout({}); }, 1);
		const bound = setTimeout.bind(null); bound(() => out.push('b'), 1);
		try { setTimeout() } catch (e) { out.push(e.name) }
		setTimeout(() => done([...out.sort(), window.text, typeof setTimeout(() => {}), setTimeout.name, setTimeout.length, String(setTimeout).includes('native code')]), 50);
	})`)
	if want := `[3,"TypeError","b","i",true,1,"number","setTimeout",1,true]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	tellsWhatMayCome(t, s)
	countsWhatChanges(t, s)
}

// tellsWhatMayCome holds what the script in the page's own world tells of a document in which
// a script did something: "comes" for a timer within 5 s, "goes" for what has no moment,
// "styled" for a style sheet that was changed, and how many timers come once; "silent" where
// nothing is told, so that anything may come.
func tellsWhatMayCome(t *testing.T, s *Session) {
	t.Helper()
	const fights = `for (const c of [Map, WeakMap, Set, Array, String, Number, Event, EventTarget, CustomEvent, Promise, Function, MutationObserver, Performance])
			for (const k of Object.getOwnPropertyNames(c.prototype)) { try { c.prototype[k] = () => { throw new Error('replaced') } } catch {} }
		Object.prototype.get = Object.prototype.detail = () => { throw new Error('polluted') }; Array.prototype[Symbol.iterator] = null;
		delete window.setTimeout; window.Date = window.Proxy = window.Reflect = window.Math = window.Number = window.String = window.CustomEvent = window.Event = null`
	const ask = `const ask = win => {
			let told = 'silent';
			const hear = e => { const [comes, goes, styled, ...timers] = e.detail.split(' ').map(Number); told = [comes && 'comes', goes && 'goes', styled >= 0 && 'styled', timers.length && timers.length / 3].filter(Boolean).join(' ') };
			EventTarget.prototype.addEventListener.call(win, 'assay:told', hear);
			EventTarget.prototype.dispatchEvent.call(win, new CustomEvent('assay:due', {detail: 5000}));
			return told;
		}`
	for _, c := range []struct{ name, script, want string }{
		{"nothing", ``, ""},
		{"a timer", `setTimeout(() => {}, 3000)`, "comes 1"},
		{"one that is taken back", `clearTimeout(setTimeout(() => {}, 3000))`, ""},
		{"one that is far off", `setTimeout(() => {}, 60000)`, "1"},
		{"a delayed task", `void scheduler.postTask(() => {}, {delay: 3000}).catch(() => {})`, "comes 1"},
		{"an interval: its first round", `setInterval(() => {}, 1500)`, "comes goes 1"},
		{"one that is set anew", `const f = () => {}; clearInterval(setInterval(f, 1500)); setInterval(f, 1500)`, "comes goes"},
		{"a worker that was sent something", `new Worker('data:text/javascript,onmessage=()=>{}').postMessage(1)`, "goes 1"},
		{"one that was ended", `const w = new Worker('data:text/javascript,'); w.postMessage(1); w.terminate()`, ""},
		{"one that has answered", `const w = new Worker('data:text/javascript,onmessage=e=>postMessage(1)'); w.postMessage(1); return new Promise(done => { w.onmessage = done })`, ""},
		{"a test's clock that goes", `window.setTimeout = Object.assign(() => {}, {clock: {now: 5, attachedInterval: 1, timers: {1: {createdAt: 5, callAt: 1505}, 2: {createdAt: 0, callAt: 4}}}})`, "1"},
		{"one that stands", `window.setTimeout = Object.assign(() => {}, {clock: {now: 5, timers: {1: {createdAt: 5, callAt: 1505}}}})`, ""},
		{"a rule", `document.querySelector('style').sheet.insertRule('p { color: red }')`, "styled"},
		{"a rule's declaration", `document.querySelector('style').sheet.cssRules[0].style.color = 'red'`, "styled"},
		{"one that is only read", `void document.querySelector('style').sheet.cssRules[0].style.color`, ""},
		{"one that a script has kept", `const kept = document.querySelector('style').sheet.cssRules[0].style; window.later = () => { kept.color = 'red' }`, "|styled"},
		{"a constructed sheet that is replaced", `const s = new CSSStyleSheet(); document.adoptedStyleSheets = [s]; window.later = () => s.replaceSync('p { color: red }')`, "styled|styled"},
		{"one that is added", `const all = document.adoptedStyleSheets; window.later = () => { all.push(new CSSStyleSheet()) }`, "|styled"},
		{"a sheet that is put off", `document.querySelector('style').sheet.disabled = true`, "styled"},
		{"what it is for", `document.querySelector('style').sheet.media.mediaText = 'print'`, "styled"},
		{"a closed root", `document.body.attachShadow({mode: 'closed'})`, "goes"},
		{"a page that replaces all", `setTimeout(() => {}, 3000); ` + fights, "comes 1"},
		{"a document that is written anew", `document.open(); document.write('<p>new'); document.close(); setTimeout(() => {}, 3000)`, "silent"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := js(t, s, `new Promise(done => {
				`+ask+`
				const frame = document.createElement('iframe');
				frame.srcdoc = '<style>p { top: 0 }</style><p>x';
				frame.onload = async () => {
					frame.onload = null;
					const win = frame.contentWindow;
					await win.eval(`+jsonString("(() => {"+c.script+"})()")+`);
					let told = ask(win);
					if (win.later) { win.later(); told += '|' + ask(win) }
					frame.remove();
					done(told);
				};
				document.body.append(frame);
			})`)
			if got != jsonString(c.want) {
				t.Errorf("it tells %s, want %q", got, c.want)
			}
		})
	}
}

// countsWhatChanges holds that what changes how a page is shown counts as a change from when it
// was made, with an event or without one, and that what may change unseen is known to. Where it
// needs a moment the script waits for the page's own event.
func countsWhatChanges(t *testing.T, s *Session) {
	t.Helper()
	js(t, s, `void (document.body.innerHTML = '<style>p { top: 0 } .fades { animation: fades 10ms } @keyframes fades { to { top: 1px } }</style><div id=box style="height: 20px; overflow: auto"><p style="height: 900px">x</div>'
		+ '<input id=name><input id=tick type=checkbox><select id=choice><option>a<option>b</select><details id=more><summary>m</summary>x</details><dialog id=ask>x</dialog><div id=pop popover>x</div><img id=shot><div id=host>')`)
	still := func() time.Duration {
		var a stillAnswer
		if err := askEngine(s.current().page.Locator(engineAsk{Op: "still", Within: int(rest.ChangeTime.Milliseconds())}.query()), rest.LookLimit, &a); err != nil {
			t.Fatal(err)
		}
		return milliseconds(a.Ago)
	}
	for _, c := range []struct {
		name, script string
		is           string // "": it counts as a change; else "unchanged" or "unseen"
	}{
		{"nothing", ``, "unchanged"},
		{"a text", `box.firstChild.textContent = 'y'`, ""},
		{"an attribute", `box.setAttribute('aria-label', 'y')`, ""},
		{"a value", `document.getElementById('name').value = 'y'`, ""},
		{"one that is written in a microtask", `return Promise.resolve().then(() => { document.getElementById('name').value = 'z' })`, ""},
		{"a tick", `tick.checked = true`, ""},
		{"neither on nor off", `tick.indeterminate = true`, ""},
		{"a choice", `choice.selectedIndex = 1`, ""},
		{"a box that is scrolled", `return new Promise(done => { box.addEventListener('scroll', done, {once: true}); box.scrollTop = 30 })`, ""},
		{"details", `more.open = true`, ""},
		{"a dialog", `ask.showModal(); ask.close()`, ""},
		{"a popover", `pop.showPopover()`, ""},
		{"one that is closed", `return new Promise(done => { pop.addEventListener('toggle', done, {once: true}); pop.hidePopover() })`, ""},
		{"focus", `tick.focus()`, ""},
		{"a picture that comes", `return new Promise(done => { shot.onload = done; shot.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=' }).then(() => {})`, ""},
		{"a font that comes", `return new Promise(done => { document.fonts.addEventListener('loadingdone', done, {once: true}); const f = new FontFace('f', 'url(/font)'); document.fonts.add(f); f.load().catch(() => {}) })`, ""},
		{"a rule", `document.querySelector('style').sheet.insertRule('p { color: red }')`, ""},
		{"a rule's declaration", `document.querySelector('style').sheet.cssRules[0].style.color = 'blue'`, ""},
		{"an animation that ends", `return new Promise(done => { box.addEventListener('animationend', done, {once: true}); box.className = 'fades' })`, ""},
		{"a root that comes without a mutation", `host.attachShadow({mode: 'open'}).innerHTML = '<input>'`, ""},
		{"a text in it", `host.shadowRoot.append('y')`, ""},
		{"a value in it", `host.shadowRoot.firstChild.value = 'y'`, ""},
		{"nothing again", ``, "unchanged"},
		{"an animation that is delayed", `box.animate([{opacity: 0}], {delay: 60000, duration: 1}); `, "unseen"},
		{"that is taken back", `box.getAnimations().forEach(a => a.cancel())`, ""},
		{"a picture that moves by its markup", `host.insertAdjacentHTML('afterend', '<svg id=svg><set attributeName="x" to="1"/></svg>')`, "unseen"},
		{"that is gone", `svg.remove()`, ""},
		{"what a player shows", `host.insertAdjacentHTML('afterend', '<video id=film>')`, "unseen"},
		{"a page that replaces what observes it", `film.remove(); window.MutationObserver = window.Date = window.requestAnimationFrame = window.setTimeout = null; EventTarget.prototype.addEventListener = EventTarget.prototype.dispatchEvent = () => true`, ""},
		{"a text of it", `host.append('z')`, ""},
		{"a value of it", `document.getElementById('name').value = 'w'`, ""},
		{"one that changes for ever", `window.ever = setInterval(() => host.setAttribute('n', performance.now()), 1)`, "unseen"},
		{"one with frames", `clearInterval(ever); for (let i = 0; i < 3; i++) document.body.append(document.createElement('iframe'))`, "unseen"},
		{"one that is written anew", `document.open(); document.write('<p>new'); document.close()`, "unseen"},
	} {
		began := s.pool.Now() // by the second last look it is known what goes on
		before := still()
		js(t, s, `(() => { `+c.script+` })()`)
		ago := still()
		passed := s.pool.Now().Sub(began)
		switch again := still(); {
		case c.is == "unseen" && ago+again == 0:
		case c.is == "unchanged" && ago >= before && before > 0:
		case c.is == "" && ago <= passed && again > 0:
		default:
			t.Errorf("%s: changed %v ago, %v after it was done, and then %v ago", c.name, ago, passed, again)
		}
	}
}
