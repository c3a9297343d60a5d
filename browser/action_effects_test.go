package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
)

// An action's answer comes after what the action caused: a chain of fetches, a
// navigation after a fetch, an answer that takes a second.
func TestSettleWaitsForWhatWasCaused(t *testing.T) {
	t.Parallel()
	s, web := show(t, `<p id=out></p>
		<button id=chain onclick="step(3)">Chain</button>
		<button id=nav onclick="fetch('/slow').then(() => location.href = '/next')">Nav</button>
		<button id=one onclick="fetch('/slow').then(r => r.text()).then(t => out.textContent = t)">One</button>
		<button id=task onclick="setTimeout(() => fetch('/slow').then(() => out.textContent = 'task'))">Task</button>
		<button id=frame onclick="requestAnimationFrame(() => fetch('/slow').then(() => out.textContent = 'frame'))">Frame</button>
		<button id=xhr onclick="const x = new XMLHttpRequest; x.open('POST', '/slow'); x.onload = () => out.textContent = x.status; x.send('a=b')">XHR</button>
		<form action="/next"><input name=q><input type=submit value=Send></form>
		<script>function step(n) { fetch('/quick?' + n).then(() => n > 1 ? step(n - 1) : out.textContent = 'chained') }</script>`)
	web.handle("/quick", after(100*time.Millisecond, text("ok")))
	web.handle("/slow", after(time.Second, text("answer")))
	web.handle("/next", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Next</title><p id=out><script>fetch('/slow').then(() => out.textContent = 'booted')</script>")
	})
	for _, c := range []struct{ id, want string }{{"chain", "chained"}, {"one", "answer"}, {"task", "task"}, {"frame", "frame"}, {"xhr", "200"}, {"nav", "booted"}} {
		a, err := s.Click(within30s(t), "css=#"+c.id, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := js(t, s, "out.textContent"); got != `"`+c.want+`"` {
			t.Errorf("%s: the page shows %s, %+v", c.id, got, a.Effects)
		}
		if a.Requests == 0 || len(a.Pending) > 0 {
			t.Errorf("%s: %+v", c.id, a.Effects)
		}
		if c.id == "nav" && (a.Page.Title != "Next" || a.Page.Status != 200 || a.URLFrom != web.URL+"/" || a.Page.URL != web.URL+"/next") {
			t.Errorf("nav: %+v", a.Effects)
		}
	}
	visit(t, s, web.URL+"/")
	if a, err := s.Press(within30s(t), "css=input[name=q]", "Enter", 0); err != nil || a.Page.Title != "Next" || !strings.HasSuffix(a.Page.URL, "/next?q=") {
		t.Errorf("a form: %+v, %v", a.Effects, err)
	}
}

// What is slow to come, and what the action did not cause, is not waited for:
// measured against a fetch of half a second that it did cause.
func TestSettleWaitsForNothingElse(t *testing.T) {
	s, web := show(t, `<button id=nothing>N</button><button id=half onclick="fetch('/half')">H</button>
		<button id=events onclick="new EventSource('/events')">E</button><button id=stream onclick="fetch('/events').then(r => r.text())">S</button>
		<button id=socket onclick="new WebSocket('ws://' + location.host + '/socket')">W</button><button id=beacon onclick="navigator.sendBeacon('/hang', 'x')">B</button>
		<script>fetch('/hang')</script>`)
	web.handle("/half", after(500*time.Millisecond, text("ok")))
	web.handle("/hang", slow(nil, nil))
	web.handle("/events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: 1\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	web.handle("/socket", slow(nil, nil))
	fastest := func(id string) time.Duration {
		best := time.Hour
		for range 3 {
			start := time.Now()
			a, err := s.Click(within30s(t), "css=#"+id, 0)
			if err != nil || len(a.Pending) > 0 {
				t.Fatalf("%s: %+v, %v", id, a.Effects, err)
			}
			best = min(best, time.Since(start))
		}
		return best
	}
	half := fastest("half")
	if half < 500*time.Millisecond {
		t.Errorf("half a second was not waited for: %v", half)
	}
	for _, id := range []string{"nothing", "events", "stream", "socket", "beacon"} {
		if took := fastest(id); took > half-200*time.Millisecond {
			t.Errorf("%s took %v, a fetch of 500 ms %v", id, took, half)
		}
	}
}

// A page that never comes to rest: the wait is bounded and the answer says
// what is under way.
func TestSettleIsBounded(t *testing.T) {
	s, web := show(t, `<button id=poll onclick="(function poll() { fetch('/poll').then(poll) })()">P</button><button id=hang onclick="fetch('/hang')">H</button>
		<button id=popup onclick="window.open('/popup')">O</button>`)
	web.handle("/poll", after(30*time.Millisecond, text("ok")))
	web.handle("/hang", slow(nil, nil))
	for _, id := range []string{"hang", "poll"} {
		start := time.Now()
		a, err := s.Click(within30s(t), "css=#"+id, 0)
		took := time.Since(start)
		if err != nil || took > rest.SettleLimit+2*time.Second {
			t.Fatalf("%s took %v: %v", id, took, err)
		}
		if id == "hang" && (len(a.Pending) != 1 || !strings.Contains(string(a.Pending[0]), "/hang")) {
			t.Errorf("pending: %q", a.Pending)
		}
	}
	// Req 0033/B: a sign-in's window that closes itself while it asks for something is not waited for.
	web.handle("/popup", text(`<!doctype html><button id=end onclick="fetch('/hang'); setTimeout(() => window.close(), 200)">E</button>`))
	if _, err := s.Click(within30s(t), "css=#popup", 0); err != nil {
		t.Fatal(err)
	}
	if err := s.SelectPopup(within30s(t), 1, rest.SettleLimit); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	a, err := s.Click(within30s(t), "css=#end", 0)
	if took := time.Since(start); err != nil || took >= rest.SettleLimit || !strings.Contains(string(pagetext.Join(a.Notes, " ")), "it closed") {
		t.Errorf("a window that closed itself took %v: %q, %v", took, a.Notes, err)
	}
}

func TestEffects(t *testing.T) {
	t.Parallel()
	s, web := show(t, `<button onclick="console.error('bad'); console.log('fine'); fetch('/missing'); fetch('/gone').catch(() => {}); history.pushState(1, '', '/pushed'); setTimeout(() => { throw new TypeError('thrown') })">Go</button>
		<button onclick="const c = new AbortController(); fetch('/missing?2', {signal: c.signal}).catch(() => {}); c.abort()">Abort</button>`)
	web.handle("/gone", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	a, err := s.Click(within30s(t), `button "Go"`, 0)
	if err != nil {
		t.Fatal(err)
	}
	failed := string(pagetext.Join(a.Failed, "\n"))
	if a.URLFrom != web.URL+"/" || a.Page.URL != web.URL+"/pushed" || a.Page.Status != 200 || a.Requests != 2 ||
		len(a.Failed) != 2 || !strings.Contains(failed, "/missing: status 404 Not Found") || !strings.Contains(failed, "ERR_EMPTY_RESPONSE") {
		t.Errorf("%+v", a.Effects)
	}
	var texts []string
	for _, e := range a.Console {
		texts = append(texts, e.Level+" "+string(e.Text))
	}
	if all := strings.Join(texts, "\n"); !strings.Contains(all, "error bad") || strings.Contains(all, "fine") || !strings.Contains(all, "exception TypeError: thrown") {
		t.Errorf("console: %s", all)
	}
	if a, err = s.Click(within30s(t), `button "Abort"`, 0); err != nil || len(a.Failed) > 0 {
		t.Errorf("what the page gave up is no failure: %+v, %v", a.Effects, err)
	}
}

// Quiet is about the current document, not about those before it.
func TestQuiet(t *testing.T) {
	t.Parallel()
	s, web := show(t, `<script>fetch('/missing'); console.error('first page')</script>`)
	web.handle("/two", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Two</title><script>fetch('/missing?two'); console.error('second page'); alert('two')</script>")
	})
	visit(t, s, web.URL+"/two")
	e, err := s.Quiet(within30s(t))
	if err != nil || len(e.Failed) != 1 || !strings.Contains(string(e.Failed[0]), "two") || len(e.Notes) != 1 {
		t.Fatalf("%+v, %v", e, err)
	}
	for _, entry := range e.Console {
		if strings.Contains(string(entry.Text), "first") {
			t.Errorf("an earlier page's: %+v", entry)
		}
	}
}

func TestBrokenImages(t *testing.T) {
	t.Parallel()
	s, web := show(t, `<img src="/none.png"><img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="><img src="/svg"><img>
		<img src="/lazy.png" loading=lazy style="margin-top:9000px">`)
	web.handle("/svg", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>`)
	})
	visit(t, s, web.URL+"/")
	got, err := s.BrokenImages(within30s(t))
	if err != nil || len(got) != 1 || got[0] != web.URL+"/none.png" {
		t.Errorf("%q, %v", got, err)
	}
}

// Playwright's own Title makes up "Loading …" while a page is being replaced;
// ours is the document's, also where a page has bent what a script would ask.
func TestTitleIsTheDocuments(t *testing.T) {
	t.Parallel()
	for name, page := range map[string]string{
		"as usual":           `<p>`,
		"a picture in front": `<img name=title>`,
		"a getter that lies": `<script>Object.defineProperty(document, 'title', {get: () => 'lie'})</script>`,
		"no getter":          `<script>delete Document.prototype.title</script>`,
		"nothing to ask by":  `<script>Object.getOwnPropertyDescriptor = () => { throw Error('no') }</script>`,
	} {
		s, _ := show(t, page)
		if state, err := s.State(within30s(t)); err != nil || state.Title != "Test" {
			t.Errorf("%s: %q, %v", name, state.Title, err)
		}
	}
}
