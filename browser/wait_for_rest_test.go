package browser

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/wait"
)

// htmlPage answers a document.
func htmlPage(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>Test</title>"+body)
	}
}

// An element is at rest when it has stood still itself; a page that goes on
// elsewhere is no reason to wait.
func TestRestIsThatOfTheSubject(t *testing.T) {
	t.Parallel()
	s, _ := showIn(t, patientPool(t), `<p id=still>42</p><p id=ticker>0</p><div id=host></div><iframe id=inner srcdoc="<p id=deep>0</p>"></iframe>
		<script>let n = 0; setInterval(() => ticker.textContent = ++n, 30);
		const root = host.attachShadow({mode: 'open'}); root.innerHTML = '<p id=shadow>0</p>'; setInterval(() => root.firstChild.textContent = n, 30);
		setInterval(() => inner.contentDocument.getElementById('deep').textContent = n, 30)</script>`)
	r, err := s.Rest(within30s(t), RestOptions{Selector: "css=#still"})
	if err != nil || !r.Still {
		t.Fatalf("what stands still: %+v, %v", r, err)
	}
	moving := fmt.Sprint(r.Moving)
	for _, want := range []string{"#ticker (text", "#shadow (text", "frame: #deep (text"} {
		if !strings.Contains(moving, want) {
			t.Errorf("%s is not named: %s", want, moving)
		}
	}
	for _, subject := range []string{"css=#ticker", "css=#shadow"} {
		_, err = s.Rest(within30s(t), RestOptions{Selector: subject, Limit: 1500 * time.Millisecond})
		e := wantCode(t, err, explain.TimedOut, subject, "does not stand still", "text")
		var moves *MotionError
		if !e.Retriable || !errors.As(err, &moves) || len(moves.Moving) == 0 {
			t.Errorf("%s: %+v", subject, e)
		}
	}
	if r, err = s.Rest(within30s(t), RestOptions{}); err != nil || r.Still || !strings.Contains(fmt.Sprint(r.Moving), "#ticker (text") {
		t.Errorf("the page: %+v, %v", r, err)
	}
}

// What is waited for: requests that were caused, animations that end, what
// comes in a shadow root or a frame. Each puts its mark on the page when it is
// over, and rest must not come before.
func TestRestWaitsFor(t *testing.T) {
	t.Parallel()
	s, web := showIn(t, patientPool(t), "")
	web.handle("/slow", after(1200*time.Millisecond, text("ok")))
	web.handle("/quick", after(100*time.Millisecond, text("ok")))
	web.handle("/next", htmlPage("<p id=out>done"))
	for name, body := range map[string]string{
		"a fetch":           `<script>fetch('/slow').then(r => r.text()).then(() => out.textContent = 'done')</script>`,
		"one after another": `<script>fetch('/quick').then(() => fetch('/slow')).then(() => out.textContent = 'done')</script>`,
		"an animation":      `<style>@keyframes k { to { opacity: .5 } } #a { animation: k 1.2s }</style><p id=a onanimationend="out.textContent = 'done'">a</p>`,
		"one in a shadow": `<div id=h></div><script>const r = h.attachShadow({mode: 'open'}); r.innerHTML = '<p>x</p>';
			r.firstChild.animate([{opacity: 1}, {opacity: .5}], 1200).finished.then(() => out.textContent = 'done')</script>`,
		"changes in a shadow": `<div id=h></div><script>const r = h.attachShadow({mode: 'open'}); let n = 0;
			const i = setInterval(() => { r.innerHTML = ++n; if (n > 10) { clearInterval(i); out.textContent = 'done' } }, 120)</script>`,
		"changes in a frame": `<iframe id=f srcdoc="<p>x"></iframe><script>let n = 0;
			const i = setInterval(() => { f.contentDocument.body.innerHTML = ++n; if (n > 10) { clearInterval(i); out.textContent = 'done' } }, 120)</script>`,
		"changes in a frame that comes late to a large page": `<iframe id=f></iframe><div hidden id=d></div><script>
			d.innerHTML = '<i></i>'.repeat(60000);
			setTimeout(() => { f.srcdoc = '<p>x' }, 300); let n = 0;
			f.onload = () => { if (!f.srcdoc) return; const i = setInterval(() => {
				f.contentDocument.body.innerHTML = ++n; if (n > 10) { clearInterval(i); out.textContent = 'done' } }, 120) }</script>`,
		"a refresh": `<meta http-equiv=refresh content="1;url=/next">`,
	} {
		t.Run(name, func(t *testing.T) {
			web.turn(t, s, "<p id=out>waiting</p>"+body)
			r, err := s.Rest(within30s(t), RestOptions{})
			if err != nil || !r.Still {
				t.Fatalf("%+v, %v", r, err)
			}
			if got := js(t, s, "out.textContent"); got != `"done"` {
				t.Errorf("at rest after %v, and the page shows %s", r.Waited, got)
			}
		})
	}
}

// What goes on by design is not waited for. It is named.
func TestRestDoesNotWaitFor(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"an event stream":   `<script>new EventSource('/events')</script>`,
		"a fetched stream":  `<script>fetch('/events').then(r => r.text())</script>`,
		"a web socket":      `<script>new WebSocket('ws://' + location.host + '/hang')</script>`,
		"a beacon":          `<script>navigator.sendBeacon('/hang', 'x')</script>`,
		"a video":           `<video src="/hang"></video>`,
		"a prefetch":        `<link rel=prefetch href="/hang">`,
		"an unused preload": `<link rel=preload as=fetch crossorigin href="/hang">`,
		"a poll":            `<script>(function poll() { fetch('/poll').then(poll) })()</script>`,
		"a spinner":         `<style>@keyframes k { to { rotate: 360deg } } #a { animation: k 1s infinite }</style><p id=a>a</p>`,
	} {
		t.Run(name, func(t *testing.T) {
			s, web := showIn(t, patientPool(t), "<p>page")
			web.handle("/hang", func(_ http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body) // that its sender goes is only noticed afterwards
				<-r.Context().Done()
			})
			web.handle("/poll", after(80*time.Millisecond, text("ok")))
			web.handle("/events", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, "data: 1\n\n")
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			})
			web.handle("/page", htmlPage(body+"<p id=page>page"))
			visitCommitted(t, s, web.URL+"/page")
			r, err := s.Rest(within30s(t), RestOptions{})
			if err != nil || !r.Still || r.Waited > 2*time.Second {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
}

// visitCommitted is visit for a page whose load never ends.
func visitCommitted(t *testing.T, s *Session, address string) {
	t.Helper()
	if _, err := s.Navigate(within30s(t), address, "domcontentloaded", 0); err != nil {
		t.Fatal(err)
	}
}

// A long poll is one only after it has been open for 2 s.
func TestRestGivesUpLongPolls(t *testing.T) {
	t.Parallel()
	s, web := showIn(t, patientPool(t), "<p>page")
	web.handle("/hang", slow(nil, nil))
	web.handle("/page", htmlPage("<script>fetch('/hang')</script><p id=page>page"))
	visit(t, s, web.URL+"/page")
	r, err := s.Rest(within30s(t), RestOptions{})
	if err != nil || r.Waited < rest.LongPoll/2 || len(r.Unanswered) != 1 || !strings.HasSuffix(r.Unanswered[0], "/hang") {
		t.Errorf("%+v, %v", r, err)
	}
}

// Whatever a page does, the wait ends, and says what moves (bad input).
func TestRestIsBounded(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"moves for ever":       `<p id=p><script>setInterval(() => p.textContent = Math.random(), 10)</script>`,
		"reloads for ever":     `<p id=p>x<script>setTimeout(() => location.reload(), 20)</script>`,
		"refreshes for ever":   `<meta http-equiv=refresh content=1><p>x`,
		"50,000 nodes":         `<div id=d></div><script>d.innerHTML = '<i>x</i>'.repeat(50000); setInterval(() => d.lastChild.textContent = Math.random(), 10)</script>`,
		"all nodes change":     `<div id=d></div><script>d.innerHTML = '<i>x</i>'.repeat(20000); setInterval(() => { for (const i of d.children) i.title = Math.random() }, 50)</script>`,
		"200 frames":           `<script>for (let i = 0; i < 200; i++) document.write('<iframe srcdoc="<p>x"></iframe>')</script><p id=p><script>setInterval(() => p.textContent = Math.random(), 10)</script>`,
		"animates for minutes": `<p id=p>x<script>p.animate([{opacity: 1}, {opacity: .5}], 100000)</script>`,
		"asks for ever":        `<script>let n = 0; (function ask() { fetch('/quick?' + n++).then(ask) })()</script>`,
	} {
		if common := []string{"moves for ever", "refreshes for ever", "asks for ever"}; !slices.Contains(common, name) && !soak() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			s, web := showIn(t, patientPool(t), "<p>page")
			web.handle("/quick", text("ok"))
			web.handle("/page", htmlPage(body))
			if _, err := s.Navigate(within30s(t), web.URL+"/page", "", 25*time.Second); err != nil { // 200 frames take a busy machine long
				t.Fatal(err)
			}
			r, err := s.Rest(within30s(t), RestOptions{})
			if err != nil || r.Waited > 20*time.Second {
				t.Fatalf("%+v, %v", r, err)
			}
			if still := name == "moves for ever" || name == "animates for minutes"; still && (r.Still || len(r.Moving) == 0) {
				t.Errorf("%+v", r)
			}
		})
	}
}

// A page that freezes answers nothing: that is an error, and no rest.
func TestRestOfAFrozenPage(t *testing.T) {
	t.Parallel()
	s, _ := showIn(t, patientPool(t), `<p id=p>x<script>setTimeout(() => { for (;;) ; }, 1200)</script>`)
	r, err := s.Rest(within30s(t), RestOptions{Window: 2 * time.Second, Limit: 2500 * time.Millisecond})
	wantCode(t, err, explain.TimedOut, "does not answer")
	if r.Still {
		t.Errorf("%+v", r)
	}
}

// The page sees nothing of the observer: no mutation, no global, no changed
// prototype.
func TestRestIsUnseen(t *testing.T) {
	t.Parallel()
	s, _ := showIn(t, patientPool(t), `<p id=p>x</p><script>
		const globals = Object.getOwnPropertyNames(window).length; let seen = 0, made = 0;
		new MutationObserver(all => seen += all.length).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
		const real = MutationObserver; MutationObserver = class extends real { constructor(f) { super(f); made++ } };
		MutationObserver.prototype.observe = function () { made++ };
		const state = () => [seen, made, Object.getOwnPropertyNames(window).length - globals, document.adoptedStyleSheets.length].join()</script>`)
	before := js(t, s, "state()")
	if _, err := s.Watch(within30s(t), wait.Standard().Watch); err != nil {
		t.Fatal(err)
	}
	if got := js(t, s, "state()"); got != before {
		t.Errorf("the page noticed: %s, before %s", got, before)
	}
}
