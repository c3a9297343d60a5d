package browser

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/redact"
)

// A3: the console is kept across navigations, with levels and places.
func TestConsole(t *testing.T) {
	t.Parallel()
	s, web := show(t, `<script>
		console.debug('d'); console.log('l', 1, {a: 2}); console.info('i'); console.warn('w'); console.error('e'); console.table([1]); console.assert(1 > 2, 'no'); console.trace('t');
	</script>`)
	visit(t, s, web.URL+"/?second")
	js(t, s, `setTimeout(() => { throw new RangeError('cart.total: off by one') }); Promise.reject(new Error('rejected')); Promise.reject('just text'); 1`)
	js(t, s, "1")
	counts := map[string]int{}
	all, err := s.Console("", time.Time{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	texts := ""
	for _, e := range all.Entries {
		counts[e.Level]++
		texts += e.Level + " " + string(e.Text) + "\n"
		if e.Time.IsZero() || e.Text == "e" && (e.URL != web.URL+"/" && e.URL != web.URL+"/?second" || e.Line == 0) {
			t.Errorf("%+v", e)
		}
	}
	for level, n := range map[string]int{"debug": 2, "info": 2, "warning": 2, "error": 4, "exception": 3} {
		if counts[level] != n {
			t.Errorf("%d of level %s, want %d:\n%s", counts[level], level, n, texts)
		}
	}
	for _, word := range []string{"exception RangeError: cart.total: off by one", "exception Error: rejected", "just text", "error assertion failed: no", "log l 1 {a: 2}"} {
		if !strings.Contains(texts, word) {
			t.Errorf("no %q in\n%s", word, texts)
		}
	}
	errs, err := s.Console("error", time.Time{}, 2)
	if err != nil || len(errs.Entries) != 2 || errs.Matched != 7 || !errs.Entries[1].IsError() {
		t.Errorf("newest errors: %+v, %v", errs, err)
	}
	if got, _ := s.TakeExceptions(); len(got) != 3 {
		t.Errorf("exceptions: %+v", got)
	}
	if got, _ := s.TakeExceptions(); len(got) != 0 {
		t.Errorf("again: %+v", got)
	}
	if now, err := s.Console("", time.Now(), 0); err != nil || len(now.Entries) != 0 {
		t.Errorf("since now: %+v, %v", now, err)
	}
	_, err = s.Console("fatal", time.Time{}, 0)
	wantCode(t, err, explain.InvalidInput, "warning")
	before := time.Now()
	js(t, s, "console.log('marked')")
	if got, err := s.Console("", before, 0); err != nil || len(got.Entries) != 1 || got.Entries[0].Text != "marked" {
		t.Errorf("since before it was logged: %+v, %v", got, err)
	}
}

func TestExceptionPlace(t *testing.T) {
	t.Parallel()
	s, web := show(t, "<script src=/x.js></script>")
	web.handle("/x.js", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "\n\n  nope()\n") })
	visit(t, s, web.URL+"/?again")
	got, _ := s.TakeExceptions()
	if len(got) == 0 || got[len(got)-1].URL != web.URL+"/x.js" || got[len(got)-1].Line != 3 || got[len(got)-1].Column != 3 {
		t.Errorf("%+v", got)
	}
}

// Issue 2: 50 MB of console output, and one message of 50 MB: bounded, counted,
// and the next call works.
func TestConsoleFlood(t *testing.T) {
	t.Parallel()
	s, _ := showIn(t, briefPool(t), "")
	js(t, s, fmt.Sprintf("const line = 'é'.repeat(25 * 1024); for (let i = 0; i < %d; i++) console.log(i + line); 1", briefLines)) // of UTF-8
	js(t, s, "console.error('x'.repeat(50 * 1024 * 1024)); 1")
	logs, err := s.Console("", time.Time{}, 0)
	if err != nil || len(logs.Entries) != briefLines+1 || logs.Dropped != 0 {
		t.Fatalf("%d entries, %d dropped, %v", len(logs.Entries), logs.Dropped, err)
	}
	size := 0
	for _, e := range logs.Entries {
		if size += len(e.Text); !utf8.ValidString(string(e.Text)) {
			t.Fatalf("invalid UTF-8 in %.50q", e.Text)
		}
	}
	if last := logs.Entries[briefLines]; size > (briefLines+1)*(eventlog.MaxLogText+100) || !strings.Contains(string(last.Text), "bytes more") {
		t.Errorf("%d bytes are kept; the last: %.40q…", size, last.Text[len(last.Text)-40:])
	}
	if got := js(t, s, "6 * 7"); got != "42" {
		t.Errorf("afterwards: %s", got)
	}
	js(t, s, "setTimeout(() => { throw new Error('x'.repeat(10 * 1024 * 1024)) }); 1")
	js(t, s, "1")
	if thrown, _ := s.TakeExceptions(); len(thrown) != 1 || len(thrown[0].Text) > eventlog.MaxLogText+100 {
		t.Errorf("%d exceptions", len(thrown))
	}
}

// A3: the network log, kept across navigations.
func TestNetwork(t *testing.T) {
	t.Parallel()
	s, web := show(t, `<img src="/img.png"><script>fetch('/api/kpi?range=7d&token=s3cret'); fetch('/missing'); fetch('/drop').catch(() => {}); fetch('/moved')</script>`)
	web.handle("/api/kpi", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"revenue": 5}`) })
	web.handle("/drop", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	web.handle("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/api/kpi", http.StatusFound) })
	before := time.Now()
	visit(t, s, web.URL+"/?2")
	if _, err := s.Quiet(within30s(t)); err != nil {
		t.Fatal(err)
	}
	if got := s.Network("", 0, before, 0).Events; len(got) != 7 { // page, image, four fetches, one redirect
		t.Errorf("%d requests: %+v", len(got), got)
	}
	one := func(filter string, status int) NetworkEvent {
		t.Helper()
		r := s.Network(filter, status, time.Time{}, 1)
		if len(r.Events) != 1 {
			t.Fatalf("%q %d: %+v", filter, status, r)
		}
		return r.Events[0]
	}
	kpi := one("range=7d", 0)
	if kpi.Status != 200 || kpi.Method != http.MethodGet || kpi.Type != "fetch" || kpi.Pending || kpi.From != web.URL+"/?2" || kpi.Start.IsZero() || strings.Contains(kpi.URL, "s3cret") {
		t.Errorf("%+v", kpi)
	}
	if e := one("/missing", 404); !e.Failed() {
		t.Errorf("%+v", e)
	}
	if e := one("/drop", -1); !e.Failed() || e.Failure == "" || e.Status != 0 {
		t.Errorf("%+v", e)
	}
	if e := one("/moved", 3); e.Status != 302 || e.Failed() {
		t.Errorf("%+v", e)
	}
	if r := s.Network("", 4, time.Time{}, 0); r.Matched < 2 {
		t.Errorf("all 4xx: %+v", r)
	}
	if r := s.Network("", 0, time.Now(), 0); r.Matched != 0 || r.Events == nil {
		t.Errorf("since now: %+v", r)
	}
	if asked, err := s.Requested("GET **/api/kpi", SincePage); asked.Came < 2 || err != nil {
		t.Errorf("GETs: %+v, %v", asked, err)
	}
	if asked, err := s.Requested("POST **/api/kpi", SincePage); asked.Came != 0 || err != nil {
		t.Errorf("POSTs: %+v, %v", asked, err)
	}
	if answer, err := s.Answered("/missing", SincePage); answer.Status != 404 || err != nil {
		t.Errorf("last status: %+v, %v", answer, err)
	}
	if answer, err := s.Answered("/never", SincePage); answer != (Answer{}) || err != nil {
		t.Errorf("of nothing: %+v, %v", answer, err)
	}
}

// One exchange in detail, without credentials.
func TestExchange(t *testing.T) {
	t.Parallel()
	s, web := show(t, "")
	web.handle("/login", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Set-Cookie", "sid=c00kie")
		w.Header().Set("X-Auth-Token", "t0ken")
		w.Header().Set("X-Kind", "plain")
		fmt.Fprint(w, `{"user": "ada", "access_token": "t0ken", "pin": 1234}`)
	})
	js(t, s, `fetch('/login?api_key=k3y', {method: 'POST', headers: {Authorization: 'Bearer b3arer', 'X-Api-Key': 'k3y', 'Content-Type': 'application/json'},
		body: JSON.stringify({user: 'ada', password: 'hunt\\"er2', nested: {clientSecret: 'h1dden'}})}).then(r => r.text())`)
	x := exchangeOf(t, s, "/login")
	if x.RequestHeaders["authorization"] != redact.NotShown || x.ResponseHeaders["x-kind"] != "plain" || !strings.Contains(x.RequestBody, `"user":"ada"`) || !strings.Contains(x.Body, `"user": "ada"`) || x.BodyNote != "" {
		t.Errorf("%+v", x)
	}
	if all := fmt.Sprintf("%+v", x); strings.Contains(all, "k3y") || strings.Contains(all, "b3arer") || strings.Contains(all, "hunt") || strings.Contains(all, "er2") || strings.Contains(all, "h1dden") ||
		strings.Contains(all, "c00kie") || strings.Contains(all, "t0ken") || strings.Contains(all, "1234") {
		t.Errorf("credentials: %s", all)
	}
	_, err := s.Exchange(within30s(t), "r99999")
	wantCode(t, err, explain.InvalidInput, "r99999")
}

func exchangeOf(tb testing.TB, s *Session, filter string) Exchange {
	tb.Helper()
	r := s.Network(filter, 0, time.Time{}, 1)
	if len(r.Events) != 1 {
		tb.Fatalf("no request for %s", filter)
	}
	var x Exchange
	err := soon(tb, 10*time.Second, func() (err error) { x, err = s.Exchange(within30s(tb), r.Events[0].RequestID); return err })
	if err != nil {
		tb.Fatal(err)
	}
	return x
}

// Issue 2: a response of 100 MB; also one that never ends, one that failed, a
// redirect, one without a body, and one with bytes that are no text.
func TestOddExchanges(t *testing.T) {
	t.Parallel()
	s, web := show(t, "")
	web.handle("/big", func(w http.ResponseWriter, _ *http.Request) {
		chunk := []byte(strings.Repeat("x", 1<<20))
		for range 100 {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	})
	web.handle("/stream", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: 1\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	web.handle("/hang", slow(nil, nil))
	web.handle("/drop", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	web.handle("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/bytes", http.StatusFound) })
	web.handle("/bytes", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte{0xff, 0, 'a'}) })
	web.handle("/long", text(strings.Repeat("é", maxBodyShown)))
	web.handle("/none", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	js(t, s, `fetch('/big').then(async r => { for (const reader = r.body.getReader(); !(await reader.read()).done; ); })`)
	js(t, s, `new EventSource('/stream'); fetch('/hang').catch(() => {}); fetch('/drop').catch(() => {}); fetch('/moved'); fetch('/long').then(r => r.text()); fetch('/none').then(r => r.text())`)
	for filter, word := range map[string]string{"/big": "not fetched", "/stream": "under way", "/hang": "under way", "/drop": "no response", "/moved": "redirect", "/long": fmt.Sprintf("first %d of", maxBodyShown)} {
		if x := exchangeOf(t, s, filter); !strings.Contains(string(x.BodyNote), word) || len(x.Body) > maxBodyShown+10 || len(x.RequestHeaders) == 0 {
			t.Errorf("%s: note %q, %d bytes, %+v", filter, x.BodyNote, len(x.Body), x.NetworkEvent)
		}
	}
	if x := exchangeOf(t, s, "/big"); x.Size < 100<<20 || x.Status != 200 || x.Pending {
		t.Errorf("%+v", x.NetworkEvent)
	}
	if x := exchangeOf(t, s, "/bytes"); !utf8.ValidString(x.Body) || !strings.HasSuffix(x.Body, "a") {
		t.Errorf("%q", x.Body)
	}
	if x := exchangeOf(t, s, "/stream"); x.Status != 200 || x.ResponseHeaders["content-type"] != "text/event-stream" {
		t.Errorf("%+v", x)
	}
	exchangeOf(t, s, "/none")
}

// The log of requests is bounded, and so is what stands behind it.
func TestNetworkIsBounded(t *testing.T) {
	t.Parallel()
	s, web := showIn(t, briefPool(t), "")
	web.handle("/r", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	js(t, s, fmt.Sprintf("(async () => { for (let i = 0; i < %d; i += 50) await Promise.all([...Array(50).keys()].map(j => fetch('/r?' + (i + j)))) })()", briefRequests+500))
	js(t, s, "fetch('/r?' + 'x'.repeat(100000)).catch(() => {}).then(() => 1)")
	r := s.Network("", 0, time.Time{}, 0)
	behind := s.log.Held().Requests
	if len(r.Events) != briefRequests || r.Dropped < 500 || behind != briefRequests || len(r.Events[briefRequests-1].URL) > maxURL+10 {
		t.Errorf("%d events, %d dropped, %d behind", len(r.Events), r.Dropped, behind)
	}
}

// Requests of service workers have no frame; they are logged like others.
func TestServiceWorker(t *testing.T) {
	t.Parallel()
	s, web := show(t, "")
	web.handle("/sw.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, `oninstall = e => e.waitUntil(fetch('/from-worker').then(() => skipWaiting())); onactivate = e => e.waitUntil(clients.claim()); onfetch = e => e.respondWith(fetch(e.request.url + '&via'))`)
	})
	web.handle("/from-worker", text("ok"))
	web.handle("/through", text("through"))
	got := js(t, s, `navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => new Promise(done => navigator.serviceWorker.controller ? done() : navigator.serviceWorker.oncontrollerchange = done)).then(() => fetch('/through?a')).then(r => r.text())`)
	if got != `"through"` {
		t.Fatalf("the worker does not serve: %s", got)
	}
	if asked, err := s.Requested("/through", SincePage); asked.Came == 0 {
		t.Errorf("requests through a worker are not logged: %+v, %v", asked, err)
	}
	if what := s.Made().Written.What; !slices.Contains(what, "a service worker") {
		t.Errorf("the script has written %q: not the worker", what)
	}
}
