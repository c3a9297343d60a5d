package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/eventlog"
)

// said returns the texts of entries, a line each.
func said(entries []LogEntry) string {
	var out []string
	for _, e := range entries {
		out = append(out, e.Level+" "+string(e.Text))
	}
	return strings.Join(out, "\n")
}

// A3: an error is kept, however many ordinary lines and requests follow it, and
// what is beyond the bound is counted.
func TestErrorsOutlastLines(t *testing.T) {
	t.Parallel()
	s, web := showIn(t, briefPool(t), `<script src="/gone.js"></script>`)
	web.handle("/ok", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	web.handle("/drop", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	start := s.Position()
	js(t, s, `console.error('early'); setTimeout(() => { throw new Error('broken') }); fetch('/drop').catch(() => 1)`)
	js(t, s, fmt.Sprintf(`(async () => { for (let i = 0; i < %d; i += 50) await Promise.all([...Array(50).keys()].map(() => fetch('/ok'))) })()`, briefRequests+200))
	js(t, s, fmt.Sprintf(`for (let i = 0; i < %d; i++) console.log(i); 1`, 3*briefLines))

	errs, err := s.Console("error", time.Time{}, 0)
	if text := said(errs.Entries); err != nil || errs.Dropped != 0 || !strings.Contains(text, "error early") || !strings.Contains(text, "exception Error: broken") {
		t.Errorf("%d dropped, %v: %s", errs.Dropped, err, text)
	}
	if all, err := s.Console("", time.Time{}, 0); err != nil || all.Dropped != 2*briefLines || !strings.Contains(said(all.Entries), "error early") {
		t.Errorf("all: %d dropped, %v", all.Dropped, err)
	}
	since := s.ErrorsSince(start)
	if text := said(since.Entries); since.Dropped != 0 || !strings.Contains(text, "early") || !strings.Contains(text, "broken") || strings.Contains(text, "gone.js") {
		t.Errorf("since: %d, %s", since.Dropped, text)
	}
	if got := s.Network("/drop", -1, time.Time{}, 0); got.Matched != 1 {
		t.Errorf("the failed request is gone: %+v", got)
	}
	if got := s.Network("/gone.js", -1, time.Time{}, 0); got.Matched != 1 || got.Events[0].Fault() != "status 404 Not Found" {
		t.Errorf("the missing script: %+v", got)
	}
	if e := exchangeOf(t, s, "/gone.js"); e.Status != 404 {
		t.Errorf("by its id: %+v", e)
	}
	if text := said(s.Traffic(time.Time{}).Console); !strings.Contains(text, "error early") {
		t.Error("the run's record has lost the error")
	}
	if now := s.ErrorsSince(s.Position()); now.Matched != 0 || now.Dropped != 0 {
		t.Errorf("since now: %+v", now)
	}
	before := s.Position()
	js(t, s, fmt.Sprintf(`for (let i = 0; i < %d; i++) console.error('again', i); 1`, eventlog.MaxKept+7))
	if got := s.ErrorsSince(before); len(got.Entries) != eventlog.MaxKept || got.Dropped != 7 {
		t.Errorf("beyond the bound: %d kept, %d counted", len(got.Entries), got.Dropped)
	}
}

// A request that was sent before thousands of others is still known when it fails.
func TestLateFailureIsKept(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s, web := showIn(t, briefPool(t), "")
	web.handle("/late", func(http.ResponseWriter, *http.Request) { <-release; panic(http.ErrAbortHandler) })
	web.handle("/ok", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	js(t, s, "window.late = fetch('/late').catch(() => 'failed'); 1")
	js(t, s, fmt.Sprintf(`(async () => { for (let i = 0; i < %d; i += 50) await Promise.all([...Array(50).keys()].map(() => fetch('/ok'))) })()`, briefRequests+100))
	close(release)
	js(t, s, "late")
	if got := s.Network("/late", -1, time.Time{}, 0); got.Matched != 1 || got.Events[0].Failure == "" {
		t.Errorf("%+v", got)
	}
	if n := s.log.Held().Requests; n > briefRequests {
		t.Errorf("%d requests are looked out for", n)
	}
}

// A benign notice is no error, whoever passes it on; what only quotes it is one.
func TestResizeNotice(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<script>
		addEventListener('error', e => console.error(e.message));
		console.error('ResizeObserver loop completed with undelivered notifications.');
		console.error(new Error('ResizeObserver loop limit exceeded'));
		setTimeout(() => { throw new Error('ResizeObserver loop limit exceeded') });
		console.error('saving failed: ResizeObserver loop limit exceeded');
	</script>`)
	js(t, s, "new Promise(done => setTimeout(done))")
	warnings, err := s.Console("warning", time.Time{}, 0)
	if err != nil || warnings.Matched != 5 || strings.Count(said(warnings.Entries), "warning ") != 4 {
		t.Errorf("%v: %s", err, said(warnings.Entries))
	}
	if errs := said(s.ErrorsSince(Position{}).Entries); errs != "error saving failed: ResizeObserver loop limit exceeded" {
		t.Errorf("%s", errs)
	}
}

// The page line counts the errors of the document that is shown, with its frames,
// and of no other; the entries say whose they are.
func TestErrorsKnowTheirPage(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{
		"/bad":   `<title>Bad</title><script>console.error('of bad')</script><iframe src="/frame"></iframe><button onclick="window.open('/popup')">Open</button>`,
		"/frame": `<script>console.error('of the frame')</script>`,
		"/popup": `<title>Popup</title><script>console.error('of the popup')</script>`,
		"/good":  `<title>Good</title>`,
	})
	other := newSite(t, map[string]string{"/good": `<title>Other</title>`})
	s := launch(t, poolOf(t), LaunchOptions{})
	if nav := visit(t, s, web.URL+"/bad"); nav.Effects.Page.ConsoleErrors != 2 {
		t.Errorf("of the page and its frame: %+v", nav.Effects.Page)
	}
	if _, err := s.Click(within30s(t), `button "Open"`, 0); err != nil {
		t.Fatal(err)
	}
	becomes(t, "the popup's error is told", func() error {
		if text := said(s.ErrorsSince(Position{}).Entries); !strings.Contains(text, "of the popup") {
			return fmt.Errorf("%s", text)
		}
		return nil
	})
	if state, err := s.State(within30s(t)); err != nil || state.ConsoleErrors != 2 {
		t.Errorf("the popup's error is counted as the page's: %+v, %v", state, err)
	}
	for _, e := range s.ErrorsSince(Position{}).Entries {
		want := web.URL + "/bad"
		if strings.Contains(string(e.Text), "popup") {
			want = web.URL + "/popup"
		}
		if e.Page != want {
			t.Errorf("%q is of %s", e.Text, e.Page)
		}
	}
	if nav := visit(t, s, web.URL+"/good"); nav.Effects.Page.ConsoleErrors != 0 {
		t.Errorf("an earlier page's errors are counted: %+v", nav.Effects.Page)
	}
	if text := said(s.SiteErrors().Entries); !strings.Contains(text, "of bad") || !strings.Contains(text, "of the frame") || strings.Contains(text, "popup") {
		t.Errorf("the site's: %s", text)
	}
	if nav := visit(t, s, web.URL+"/none"); nav.Status != 404 || nav.Effects.Page.ConsoleErrors != 1 {
		t.Errorf("the document's own status: %+v", nav.Effects)
	}
	if state, err := s.State(within30s(t)); err != nil || state.ConsoleErrors != 1 {
		t.Errorf("later: %+v, %v", state, err)
	}
	visit(t, s, other.URL+"/good")
	if got := s.SiteErrors(); got.Matched != 0 || got.Dropped != 0 {
		t.Errorf("another site's errors: %+v", got)
	}
	if got := s.ErrorsSince(Position{}); got.Matched != 4 {
		t.Errorf("all: %s", said(got.Entries))
	}
	if nav := visit(t, s, "about:blank"); nav.Effects.Page.ConsoleErrors != 0 {
		t.Errorf("a blank page: %+v", nav.Effects.Page)
	}
}

// The page line says what the page still waits for, and not what goes on by design.
func TestPageSaysWhatLoads(t *testing.T) {
	t.Parallel()
	s, web := show(t, "")
	release := make(chan struct{})
	web.handle("/slow", func(w http.ResponseWriter, _ *http.Request) { <-release; fmt.Fprint(w, "1") })
	web.handle("/stream", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: 1\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	js(t, s, "window.stream = new EventSource('/stream'); window.slow = fetch('/slow').then(r => r.text()); 1")
	if state, err := s.State(within30s(t)); err != nil || len(state.Loading) != 1 || !strings.HasSuffix(string(state.Loading[0]), "/slow") {
		t.Errorf("%+v, %v", state, err)
	}
	close(release)
	js(t, s, "slow")
	becomes(t, "nothing is awaited", func() error {
		if state, err := s.State(within30s(t)); err != nil || len(state.Loading) != 0 {
			return fmt.Errorf("%+v, %w", state, err)
		}
		return nil
	})
}

// Dialogs are kept apart from the notes, and say whether anybody asked for them.
func TestDialogsAreKept(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{
		"/asks":  `<title>T</title><script>alert('at load')</script><button onclick="confirm('sure?')">Ask</button>`,
		"/leave": `<title>T</title><button>Go</button><script>onbeforeunload = e => { e.preventDefault(); return 'stay' }</script>`,
	})
	s := launch(t, poolOf(t), LaunchOptions{})
	visit(t, s, web.URL+"/asks")
	ask := func() {
		t.Helper()
		if _, err := s.Click(within30s(t), `button "Ask"`, 0); err != nil {
			t.Fatal(err)
		}
	}
	ask()
	if err := s.SetDialogPolicy(DialogPolicy{Action: "accept"}); err != nil {
		t.Fatal(err)
	}
	ask()
	page := web.URL + "/asks"
	want := []Dialog{{Kind: "alert", Message: "at load", Page: page, AtLoad: true}, {Kind: "confirm", Message: "sure?", Page: page}, {Kind: "confirm", Message: "sure?", Page: page, Named: true}}
	got, dropped := s.DialogsSince(Position{})
	if fmt.Sprint(got) != fmt.Sprint(want) || dropped != 0 {
		t.Errorf("%+v, %d", got, dropped)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
	before := s.Position()
	visit(t, s, web.URL+"/leave")
	if _, err := s.Click(within30s(t), `button "Go"`, 0); err != nil {
		t.Fatal(err)
	}
	visit(t, s, web.URL+"/asks")
	if got, _ := s.DialogsSince(before); len(got) != 1 || !got[0].AtLoad {
		t.Errorf("after leaving: %+v", got)
	}
	before = s.Position()
	js(t, s, fmt.Sprintf("for (let i = 0; i < %d; i++) console.log(i); 1", eventlog.MaxLines+1))
	if got, _ := s.DialogsSince(Position{}); len(got) != 4 || len(s.ErrorsSince(before).Entries) != 0 {
		t.Errorf("later: %+v", got)
	}
}
