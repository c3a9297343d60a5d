package tools_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/pagehealth"

	"github.com/assay-qa/assay/internal/wait"
)

// latePages are pages that are broken shortly after they have loaded, by path.
func latePages() map[string]string {
	return map[string]string{
		"/throws":    `<title>T</title><h1>Orders</h1><script>setTimeout(() => { throw new Error('late') }, 500)</script>`,
		"/data":      `<title>T</title><h1>Orders</h1><script>fetch('/slow').then(r => r.json()).then(d => d.rows.map(x => x))</script>`,
		"/refresh":   `<title>T</title><meta http-equiv=refresh content="1;url=/gone"><h1>Orders</h1>`,
		"/redirects": `<title>T</title><h1>Orders</h1><script>setTimeout(() => location.href = '/gone', 600)</script>`,
	}
}

func lateSite(t *testing.T) string {
	pages := latePages()
	pages["/fine"] = `<title>T</title><h1>Orders</h1><p id=clock>0</p><script>setInterval(() => clock.textContent++, 100)</script>`
	pages["/still"] = `<title>T</title><h1>Orders</h1>`
	pages["/awaits"] = `<title>T</title><h1>Orders</h1><script>setInterval(() => {}, 100)</script>`
	pages["/optimistic"] = `<title>T</title><button onclick="out.textContent = 'Saved'; setTimeout(() => out.textContent = 'Could not save', 700)">Save</button><p id=out></p>`
	pages["/alert"] = `<title>T</title><h1>Orders</h1><div id=box></div><script>setTimeout(() => box.innerHTML = '<p class=error>Sorry</p>', 600)</script>`
	pages["/spins"] = `<title>T</title><p id=n>0</p><script>setInterval(() => n.textContent = Math.random(), 30)</script>`
	mux := http.NewServeMux()
	for path, body := range pages {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html>"+body)
		})
	}
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(900 * time.Millisecond):
			fmt.Fprint(w, `{}`)
		case <-r.Context().Done():
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// Issue 14, item 2: what comes shortly after a page has loaded counts in each
// check that ends there, and nowhere where the watch is off.
func TestLatePagesFail(t *testing.T) {
	t.Parallel()
	all := patient(t)
	all.Watch = wait.Standard().Watch
	for i, path := range slices.Sorted(maps.Keys(latePages())) {
		t.Run(path[1:], func(t *testing.T) { // make test has each page, and each way to look
			d := all
			d.t = t
			site := lateSite(t)
			if sampled(i, 3) {
				if a := d.ok("verify_page_loads", `{"url": %q}`, site+path); a.Data["success"] != false {
					t.Errorf("verify_page_loads: %s", a.text)
				}
			}
			if sampled(i+2, 3) {
				if a := d.ok("verify_user_flow", `{"start_url": %q, "steps": [], "success_condition": "Orders"}`, site+path); a.Data["status"] != "failed" {
					t.Errorf("verify_user_flow: %s", a.text)
				}
			}
			if sampled(i+1, 3) {
				if r, _, err := pagehealth.CheckPage(t.Context(), d.Workspace, site+path, 10*time.Second); err != nil || r.Status != qa.Failed {
					t.Errorf("check: %s %s, %v", r.Status, r.StatusReason, err)
				}
			}
		})
	}
}

// A page that goes on for ever is judged all the same, and what moves is named.
func TestMovingPagesAreJudged(t *testing.T) {
	t.Parallel()
	d := patient(t)
	d.Watch = wait.Standard().Watch
	site := lateSite(t)
	if a := d.ok("verify_page_loads", `{"url": %q}`, site+"/fine"); a.Data["success"] != true || !strings.Contains(a.text, "#clock (text") {
		t.Errorf("verify_page_loads: %s", a.text)
	}
	if a := d.ok("verify_user_flow", `{"start_url": %q, "steps": [], "success_condition": "Orders"}`, site+"/fine"); a.Data["status"] != "passed" || !strings.Contains(a.text, "#clock (text") {
		t.Errorf("verify_user_flow: %s", a.text)
	}
	if a := d.ok("verify_user_flow", `{"start_url": %q, "steps": [], "success_condition": "Orders", "watch_ms": 0}`, site+"/still"); a.Data["status"] != "passed" || !strings.Contains(a.text, "not watched") {
		t.Errorf("watch_ms 0: %s", a.text)
	}
	r, _, err := pagehealth.CheckPage(t.Context(), d.Workspace, site+"/fine", 10*time.Second)
	if err != nil || r.Status != qa.Passed || !strings.Contains(fmt.Sprint(r.Checks), "#clock (text") {
		t.Errorf("check: %s %s %v", r.Status, r.StatusReason, err)
	}
}

// What a page takes back a moment later has not held: in a flow, and at the end
// of a run.
func TestWhatIsTakenBackFails(t *testing.T) {
	t.Parallel()
	d := patient(t)
	d.Watch = wait.Standard().Watch
	site := lateSite(t)
	flow := `{"start_url": %q, "steps": [{"action": "click", "selector": "button \"Save\""}, {"action": "assert", "selector": "#out", "assertion": {"type": "text_equals", "expected": "Saved"}}]}`
	if a := d.ok("verify_user_flow", flow, site+"/optimistic"); a.Data["status"] != "failed" || !strings.Contains(a.text, "Could not save") {
		t.Errorf("a flow: %s", a.text)
	}
	two := `{"start_url": %q, "steps": [{"action": "click", "selector": "button \"Save\""}, {"action": "assert", "selector": "#out", "assertion": {"type": "text_equals", "expected": "Saved"}}, {"action": "assert", "selector": "button", "assertion": {"type": "visible"}}]}`
	if a := d.ok("verify_user_flow", two, site+"/optimistic"); a.Data["status"] != "failed" || !strings.Contains(a.text, "Could not save") {
		t.Errorf("a flow that looks at something else after it: %s", a.text)
	}
	answer := make(chan struct{}) // closed when the server refuses what the page has called saved
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/save" {
			select {
			case <-answer:
			case <-r.Context().Done():
			}
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>T</title><button onclick="out.textContent = 'Saved'; new EventSource('/save').onerror = () => out.textContent = 'Could not save'">Save</button><p id=out></p>`)
	}))
	t.Cleanup(server.Close)
	d.ok("run_start", `{"goal": "an order can be saved"}`)
	d.ok("page_navigate", `{"url": %q}`, server.URL)
	d.ok("page_click", `{"selector": "button \"Save\""}`)
	if a := d.ok("verify_assertion", `{"selector": "#out", "assertion": {"type": "text_equals", "expected": "Saved"}}`); a.Data["passed"] != true {
		t.Fatalf("%s", a.text)
	}
	d.ok("verify_assertion", `{"selector": "button", "assertion": {"type": "visible"}}`)
	close(answer)
	d.ok("page_wait_for_selector", `{"selector": "text=Could not save"}`)
	if a := d.ok("run_finish", `{}`); a.Data["status"] != "failed" || !strings.Contains(a.text, "took it back") {
		t.Errorf("a run: %s", a.text)
	}
}

// Nothing is absent before the page has come to rest.
func TestAbsenceWaitsForRest(t *testing.T) {
	t.Parallel()
	d := patient(t)
	d.Watch = wait.Standard().Watch
	site := lateSite(t)
	for _, assertion := range []string{`{"type": "hidden"}`, `{"type": "count_equals", "expected": "0"}`} {
		d.ok("page_navigate", `{"url": %q}`, site+"/alert")
		if a := d.ok("verify_assertion", `{"selector": ".error", "assertion": %s, "timeout_ms": 300}`, assertion); a.Data["passed"] != false {
			t.Errorf("%s: %s", assertion, a.text)
		}
	}
	d.ok("page_navigate", `{"url": %q}`, site+"/throws")
	if a := d.ok("verify_assertion", `{"assertion": {"type": "console_clean"}, "timeout_ms": 300}`); a.Data["passed"] != false {
		t.Errorf("console_clean: %s", a.text)
	}
	d.ok("page_navigate", `{"url": %q}`, site+"/throws")
	if a := d.ok("analyze_console_errors", `{}`); a.Data["has_errors"] != true {
		t.Errorf("analyze_console_errors: %s", a.text)
	}
}

// What moves proves nothing, and is no fault of the page.
func TestWhatMovesIsInconclusive(t *testing.T) {
	t.Parallel()
	d := patient(t)
	d.Watch = wait.Standard().Watch
	site := lateSite(t)
	d.ok("page_navigate", `{"url": %q}`, site+"/spins")
	a := d.call("verify_assertion", `{"selector": "#n", "assertion": {"type": "text_contains", "expected": "0."}}`)
	if a.OK || a.Error.Code != "TIMEOUT" || !strings.Contains(a.text, "does not stand still") || !strings.Contains(a.text, "#n (text") {
		t.Errorf("%s", a.text)
	}
	b := d.ok("verify_user_flow", `{"start_url": %q, "steps": [{"action": "assert", "selector": "#n", "assertion": {"type": "text_contains", "expected": "0."}}]}`, site+"/spins")
	if b.Data["status"] != "inconclusive" {
		t.Errorf("a flow: %s", b.text)
	}
}

// A text stands still although something beside it in the same element moves.
func TestATextStandsStillBesideWhatMoves(t *testing.T) {
	t.Parallel()
	d := patient(t)
	page := `<title>Orders</title><div id=app><p>Total <b>512</b> orders</p><p>It is <time id=t></time></p></div><script>setInterval(() => { t.textContent = performance.now() }, 50)</script>`
	d.ok("page_navigate", `{"url": %q}`, site(t, map[string]string{"/": page})+"/")
	if a := d.ok("verify_assertion", `{"selector": "#app", "assertion": {"type": "text_contains", "expected": "512"}}`); a.Data["passed"] != true {
		t.Errorf("%s", a.text)
	}
}

// A fade that is about to end is waited for: what it takes away is not there.
func TestFadesAreWaitedFor(t *testing.T) {
	t.Parallel()
	d, next := patient(t), turns(t)
	for name, tt := range map[string]struct {
		from, to string
		passes   bool
	}{"fades out": {"1", "0", false}, "fades in": {"0", "1", true}, "fades, and is seen": {"1", ".6", true}} {
		page := `<title>F</title><style>@keyframes f { from { opacity: ` + tt.from + ` } to { opacity: ` + tt.to + ` } } #v { animation: f .4s forwards }</style><p>Fine</p><p id=v>Paid 42</p>`
		for i, check := range []string{`"selector": "#v", "assertion": {"type": "text_contains", "expected": "Paid"}`, `"assertion": {"type": "text_contains", "expected": "Paid"}`, `"selector": "#v", "assertion": {"type": "text_equals", "expected": "Paid 42"}`, `"selector": "#v", "assertion": {"type": "visible"}`} {
			if !sampled(i, 4) {
				continue
			}
			d.ok("page_navigate", `{"url": %q}`, next(page))
			if a := d.ok("verify_assertion", `{"timeout_ms": 1500, %s}`, check); a.Data["passed"] != tt.passes {
				t.Errorf("%s: %s: %s", name, check, a.text)
			}
		}
	}
}

// Two checks of a page that stands still are watched once.
func TestAbsencesOfOneStateAreWatchedOnce(t *testing.T) {
	t.Parallel()
	d := patient(t)
	d.Watch = wait.Standard().Watch
	site := lateSite(t)
	d.ok("page_navigate", `{"url": %q}`, site+"/awaits") // never at rest for sure, however late it is looked at
	hidden := func() { d.ok("verify_assertion", `{"selector": ".error", "assertion": {"type": "hidden"}}`) }
	hidden()
	s, err := d.Pool.Session(d.Pool.SessionIDs()[0])
	if err != nil {
		t.Fatal(err)
	}
	hidden()
	if w, err := s.Watch(context.Background(), wait.Standard().Watch); err != nil || !w.Known {
		t.Errorf("%+v, %v", w, err)
	}
}
