package browser

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/explain"
)

// moment returns when the clock stands in these tests.
func moment() time.Time { return time.Date(2024, 2, 29, 12, 30, 0, 0, time.UTC) }

// clocks is a page that shows the time and chance, as its scripts and a frame's saw
// them when they ran, and again after a timer.
const clocks = `<body><script>
	const read = () => [Date.now(), new Date().toISOString(), Date().slice(0, 15), new Intl.DateTimeFormat('en', { timeZone: 'UTC' }).format(),
		new Intl.DateTimeFormat('en', { timeZone: 'UTC' }).formatToParts()[0].value, new Date(5).getTime(), new Date() instanceof Date, Date.UTC(1970, 0), new Date(2020, 1, 1).constructor === Date,
		window.Temporal ? Temporal.Now.plainDateTimeISO('UTC').toString() : '2024-02-29T12:30:00'].join();
	window.first = read() + Math.random() + Math.random();
	setTimeout(() => { window.later = read() }, 20)</script><iframe srcdoc="<script>window.now = Date.now()</script>"></iframe>`

// B9: with a frozen clock two sessions see the same time and the same chance;
// timers go on. What is loaded later has the real clock again.
func TestStillWithFrozenClock(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{"/{$}": clocks})
	at := moment()
	var want string
	for range 2 {
		s := launch(t, poolOf(t), LaunchOptions{Timezone: "UTC"})
		visit(t, s, web.URL+"/#part")
		still(t, s, StillOptions{Freeze: &at})
		got := js(t, s, `() => new Promise(done => { const step = () => window.later ? done(first + ' ' + later) : setTimeout(step, 5); step() })`)
		if want == "" {
			want = got
		}
		begin := `"1709209800000,2024-02-29T12:30:00.000Z,Thu Feb 29 2024,2/29/2024,2,5,true,0,true,2024-02-29T12:30:00`
		if got != want || len(got) < len(begin) || got[:len(begin)] != begin {
			t.Errorf("the page saw %s, want it to begin with %s and to be like the other's %s", got, begin, want)
		}
		if got := js(t, s, `() => frames[0].now`); got != "1709209800000" {
			t.Errorf("the frame saw %s", got)
		}
		if got := js(t, s, `() => location.hash`); got != `"#part"` {
			t.Errorf("it is at %s now", got)
		}
		visit(t, s, web.URL+"/?again")
		if got := js(t, s, `() => Date.now() > 1709209800000 && (!window.Temporal || Temporal.Now.instant().epochMilliseconds > 1709209800000) && Object.keys(window).filter(k => /assay/i.test(k)).length === 0`); got != "true" {
			t.Error("the next page is still frozen")
		}
	}
}

// A session that is frozen stays so over a crash of its page, until it is told
// otherwise.
func TestFreeze(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{"/{$}": clocks})
	s := launch(t, poolToBreak(t, nil), LaunchOptions{})
	at, other := moment(), moment().Add(time.Hour)
	now := func() string { visit(t, s, web.URL+"/"); return js(t, s, `() => Date.now()`) }
	freeze := func(at *time.Time) {
		t.Helper()
		if err := s.Freeze(within30s(t), at); err != nil {
			t.Fatal(err)
		}
	}
	freeze(&at)
	want := fmt.Sprint(at.UnixMilli())
	if got := now(); got != want {
		t.Errorf("the page sees %s", got)
	}
	still(t, s, StillOptions{Freeze: &other})
	if got := now(); got != want {
		t.Errorf("after a still at another time the page sees %s", got)
	}
	crash(t, s)
	if got := now(); got != want {
		t.Errorf("after a crash the page sees %s", got)
	}
	freeze(nil)
	if got := now(); got <= want {
		t.Errorf("after the end the page sees %s", got)
	}
}

// The clock stands in another browser process, too.
func TestFreezeOutlivesTheBrowser(t *testing.T) {
	t.Parallel()
	p := poolToBreak(t, nil)
	web := newSite(t, map[string]string{"/{$}": clocks})
	s := launch(t, p, LaunchOptions{})
	at := moment()
	if err := s.Freeze(within30s(t), &at); err != nil {
		t.Fatal(err)
	}
	gone := s.current().context.gone
	endProcess(t, browserPID(t, p))
	<-gone
	_, err := s.Navigate(within30s(t), web.URL+"/", "", 0)
	wantCode(t, err, explain.BrowserCrashed)
	visit(t, s, web.URL+"/")
	if got := js(t, s, `() => Date.now()`); got != fmt.Sprint(at.UnixMilli()) {
		t.Errorf("the page sees %s", got)
	}
}

// What a form was sent for is not loaded again: it would be sent again.
func TestStillFreezesNoAnswerToAForm(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{"/{$}": `<form method=post action=/answer><button>Send</button></form>`})
	sent := make(chan bool, 10)
	web.handle("/answer", func(w http.ResponseWriter, _ *http.Request) {
		sent <- true
		fmt.Fprint(w, "<!doctype html>thanks")
	})
	s := launch(t, poolOf(t), LaunchOptions{})
	at := moment()
	_, err := s.Still(within30s(t), StillOptions{Freeze: &at})
	wantCode(t, err, explain.InvalidInput, "no page")
	visit(t, s, web.URL+"/")
	if _, err := s.Click(within30s(t), `button "Send"`, 0); err != nil {
		t.Fatal(err)
	}
	_, err = s.Still(within30s(t), StillOptions{Freeze: &at})
	wantCode(t, err, explain.InvalidInput, "POST")
	if len(sent) != 1 {
		t.Errorf("sent %d times", len(sent))
	}
	if got := js(t, s, `() => document.body.textContent.trim()`); got != `"thanks"` {
		t.Errorf("the page is %s now", got)
	}
}

// B9: two stills of one session at once, each at a moment of its own: each sees
// its own, and afterwards the clock runs.
func TestStillsAtTwoMomentsAtOnce(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{"/{$}": `<body style="margin: 0"><script>document.body.style.background = { 1709209800000: '#f00', 1709213400000: '#00f' }[Date.now()] || '#0f0'</script>`})
	s := launch(t, poolOf(t), LaunchOptions{})
	visit(t, s, web.URL+"/")
	type answer struct {
		got Still
		err error
	}
	answers := [2]chan answer{make(chan answer, 1), make(chan answer, 1)}
	for i, out := range answers {
		go func() {
			at := moment().Add(time.Duration(i) * time.Hour)
			got, err := s.Still(within30s(t), StillOptions{Freeze: &at})
			out <- answer{got, err}
		}()
	}
	for i, want := range []any{red, blue} {
		a := <-answers[i]
		if a.err != nil {
			t.Fatal(a.err)
		}
		if c := at(t, a.got.Data, 5, 5); c != want {
			t.Errorf("still %d is %v, want %v", i, c, want)
		}
	}
	visit(t, s, web.URL+"/")
	if c := at(t, still(t, s, StillOptions{}).Data, 5, 5); c != lime {
		t.Errorf("afterwards it is %v", c)
	}
}
