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
	s, _ := show(t, `<p>x</p>`)
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
}
