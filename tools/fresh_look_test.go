package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/assay-qa/assay/tools"
	"github.com/assay-qa/assay/tools/pagehealth"
	"github.com/assay-qa/assay/tools/tool"
)

// lookRetried is in the event log once for each retry of a fresh look.
const lookRetried = `"event":"look.retried"`

// unsteady serves goodPage, and status 500 at /down. It resets the next connections as
// often as resets says.
type unsteady struct {
	*httptest.Server
	resets   atomic.Int32
	requests atomic.Int32 // for pages, those that were reset among them
}

func newUnsteady(t *testing.T) *unsteady {
	t.Helper()
	u := &unsteady{}
	u.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/favicon.ico" {
			http.NotFound(w, r)
			return
		}
		u.requests.Add(1)
		if u.resets.Add(-1) >= 0 {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_ = conn.(*net.TCPConn).SetLinger(0) // close with a reset
			_ = conn.Close()
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/down" {
			w.WriteHeader(http.StatusInternalServerError)
		}
		_, _ = w.Write([]byte(goodPage))
	}))
	t.Cleanup(u.Close)
	return u
}

// reset makes the server reset the next n connections, and counts requests anew.
func (u *unsteady) reset(n int32) {
	u.resets.Store(n)
	u.requests.Store(0)
}

// forever is more connections than any call opens.
const forever = 1000

// B16: each tool that opens an address itself opens it again after a transient fault,
// records that, and calls the pass flaky.
func TestFreshLooksRetryAConnectionThatIsReset(t *testing.T) {
	t.Parallel()
	d := online(t)
	u := newUnsteady(t)
	d.ok("run_start", `{"goal": "the cart is there"}`)
	for i, look := range []struct{ tool, args, passed string }{
		{"verify_page_loads", `"expected_title": "Shop", "watch_ms": 0`, "success"},
		{"verify_element_exists", `"selector": "css=h1"`, "passed"},
		{"analyze_console_errors", ``, ""},
		{"capture_visual_baseline", `"name": "cart"`, ""},
		{"compare_visual_regression", `"name": "cart"`, ""},
	} {
		resets := int32(1)
		if i == 0 {
			resets = 2
		}
		u.reset(resets)
		before := strings.Count(d.files(), lookRetried)
		a := d.ok(look.tool, `{"url": %q%s}`, u.URL+"/", strings.TrimSuffix(", "+look.args, ", "))
		if look.passed != "" && a.Data[look.passed] != true {
			t.Errorf("%s: %s", look.tool, a.text)
		}
		if a.Data["attempts"] != float64(resets+1) || u.requests.Load() != resets+1 {
			t.Errorf("%s: %v attempts told, %d requests, want %d", look.tool, a.Data["attempts"], u.requests.Load(), resets+1)
		}
		retries, _ := json.Marshal(a.Data["retries"])
		if n := strings.Count(string(retries), "ERR_"); n != int(resets) {
			t.Errorf("%s: %d causes are told, want %d: %s", look.tool, n, resets, retries)
		}
		if n := strings.Count(d.files(), lookRetried) - before; n != int(resets) {
			t.Errorf("%s: %d retries in the event log, want %d", look.tool, n, resets)
		}
		if n := strings.Count(a.text, "started over"); n != int(resets) {
			t.Errorf("%s: the answer tells of %d retries, want %d: %s", look.tool, n, resets, a.text)
		}
		if look.tool == "compare_visual_regression" && a.Data["passed"] != true {
			continue // it was compared with what this very run has captured
		}
		if a.Data["flaky"] != true || !strings.Contains(a.text, "flaky: it passed, but not at once") {
			t.Errorf("%s is not called flaky: %v\n%s", look.tool, a.Data, a.text)
		}
	}
	if files := d.files(); !strings.Contains(files, "flaky: passed at attempt 3; attempt 2: opening "+u.URL) {
		t.Error("no finding tells of the retries")
	}
}

// B16: a site that fails for ever fails as it would at once, and the answer tells the
// attempts; so does the time-out that all of them have together.
func TestFreshLookAtASiteThatStaysDown(t *testing.T) {
	t.Parallel()
	d := online(t)
	u := newUnsteady(t)
	d.ok("run_start", `{"goal": "the cart is there"}`)
	u.reset(forever)
	a := d.ok("verify_page_loads", `{"url": %q}`, u.URL+"/")
	if a.Data["success"] != false || a.Data["attempts"] != 4.0 || a.Data["flaky"] == true || u.requests.Load() != 4 {
		t.Errorf("%d requests: %v\n%s", u.requests.Load(), a.Data, a.text)
	}
	if reason, _ := a.Data["reason"].(string); !strings.Contains(reason, "ERR_") || strings.Count(a.text, "started over") != 3 {
		t.Errorf("answer: %s", a.text)
	}
	u.reset(forever)
	a = d.ok("verify_page_loads", `{"url": %q, "timeout_ms": 900}`, u.URL+"/") // the pauses alone take longer
	if n := a.Data["attempts"].(float64); a.Data["success"] != false || n > 3 {
		t.Errorf("%v attempts in 900 ms: %s", n, a.text)
	}
	u.reset(forever)
	c := d.call("capture_visual_baseline", `{"url": %q, "name": "cart"}`, u.URL+"/")
	if c.Error.Code != "NAVIGATION_FAILED" || strings.Count(c.text, "started over") != 3 {
		t.Errorf("%+v\n%s", c.Error, c.text)
	}
	if status, why := d.finish(); status != "failed" || !strings.Contains(why, "ERR_") {
		t.Errorf("the run is %s (%s)", status, why)
	}
	if files := d.files(); strings.Contains(files, "flaky: passed") {
		t.Error("a finding calls a failure flaky")
	}
}

// B16: what was looked at is never looked at again, and calls that act or only navigate
// are no looks.
func TestFreshLooksLookOnce(t *testing.T) {
	t.Parallel()
	d := online(t)
	u := newUnsteady(t)
	for _, look := range []struct {
		tool, args string
		resets     int32
	}{
		{"verify_page_loads", `{"url": "%s/", "expected_title": "Another shop", "watch_ms": 0}`, 0},
		{"verify_page_loads", `{"url": "%s/down", "watch_ms": 0}`, 0},
		{"verify_element_exists", `{"url": "%s/", "selector": "css=#nobody", "timeout_ms": 100}`, 0},
		{"page_navigate", `{"url": "%s/"}`, 1},
	} {
		u.reset(look.resets)
		a := d.call(look.tool, look.args, u.URL)
		if a.Data["success"] == true || a.Data["passed"] == true || a.Data["flaky"] == true || a.OK == (look.tool == "page_navigate") {
			t.Errorf("%s %s: %s", look.tool, look.args, a.text)
		}
		if n := u.requests.Load(); n != 1 {
			t.Errorf("%s %s: %d requests, want 1", look.tool, look.args, n)
		}
	}
	if files := d.files(); strings.Contains(files, lookRetried) {
		t.Error("the event log tells of a retry")
	}
}

// B16: a call that is cancelled between two attempts ends without another one, and has
// not looked.
func TestFreshLookThatIsCancelled(t *testing.T) {
	t.Parallel()
	d := online(t)
	u := newUnsteady(t)
	u.reset(forever)
	ctx, cancel := context.WithCancel(t.Context())
	retries := 0
	progress := func(message string) {
		if strings.Contains(message, "again") {
			if retries++; retries == 3 { // the pause that follows is 1 s
				cancel()
			}
		}
	}
	for _, offered := range tools.Catalogue(d.Workspace) {
		if offered.Definition.Name != "verify_page_loads" {
			continue
		}
		var request mcp.CallToolRequest
		request.Params.Name = offered.Definition.Name
		request.Params.Arguments = json.RawMessage(fmt.Sprintf(`{"url": %q}`, u.URL))
		result := offered.Handle(ctx, request, progress)
		raw, err := json.Marshal(result.StructuredContent)
		if err != nil || !strings.Contains(string(raw), `"code":"CANCELLED"`) {
			t.Errorf("%s %v", raw, err)
		}
	}
	if retries != 3 || u.requests.Load() != 3 {
		t.Errorf("it was cancelled at retry %d, with %d requests", retries, u.requests.Load())
	}
	if err := (tool.Clock{}).Sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("a pause of a call that was cancelled: %v", err)
	}
}

// B16: assay check opens a page again, too, and its report calls it flaky.
func TestCheckPageRetriesAConnectionThatIsReset(t *testing.T) {
	t.Parallel()
	d := online(t)
	u := newUnsteady(t)
	for resets, want := range map[int32]string{1: "passed", forever: "failed"} {
		u.reset(resets)
		before := strings.Count(d.files(), lookRetried)
		report, _, err := pagehealth.CheckPage(t.Context(), d.Workspace, u.URL+"/", 10*time.Second)
		if err != nil || string(report.Status) != want {
			t.Fatalf("%d resets: %s: %s, %v", resets, report.Status, report.StatusReason, err)
		}
		flaky := 0
		for _, f := range report.Findings {
			if strings.Contains(string(f.Observed), "flaky: passed at attempt 2") {
				flaky++
			}
		}
		retries := strings.Count(d.files(), lookRetried) - before
		if want == "passed" && (flaky != 1 || retries != 1) {
			t.Errorf("%d findings and %d events tell of the retry: %+v", flaky, retries, report.Findings)
		}
		if want == "failed" && (flaky != 0 || retries != 3 || !strings.Contains(string(report.Checks[0].Observed), "(4 attempts)")) {
			t.Errorf("%d events: %+v", retries, report.Checks)
		}
	}
}
