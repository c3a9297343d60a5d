package tools_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/assay-qa/assay/qa/flow"
)

// killBrowser kills the browser whose profile is below temp.
func killBrowser(t *testing.T, temp string) {
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Error(err)
	}
	killed := 0
	for _, folder := range folders {
		command, err := os.ReadFile(filepath.Join(folder, "cmdline"))
		if err != nil || !bytes.Contains(command, []byte("--user-data-dir="+temp)) || bytes.Contains(command, []byte("--type=")) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(folder))
		if err != nil {
			t.Error(err)
			continue
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Error(err)
		}
		killed++
	}
	if killed != 1 {
		t.Errorf("%d browsers killed, want 1", killed)
	}
}

// B6: a browser that dies in the middle of a flow is started again, and the
// flow with it. One that dies each time proves nothing about the site.
func TestFlowSurvivesACrash(t *testing.T) {
	t.Parallel()
	all := newMortal(t) // one driver for both: what dies is the browser
	all.untimed()
	for _, tt := range []struct {
		name    string
		crashes int32
		status  string
		flaky   bool
		tries   float64
	}{
		{"once", 1, "passed", true, 2},
		{"each time", 100, "inconclusive", false, 1 + flow.MaxRetries},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := all.desk
			d.t = t
			temp := all.temp
			var next atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/next" && next.Add(1) <= tt.crashes {
					killBrowser(t, temp)
					<-r.Context().Done()
					return
				}
				w.Header().Set("Content-Type", "text/html")
				_, _ = w.Write([]byte(`<title>Up</title><h1>At ` + r.URL.Path + `</h1><a href="/next">Next</a>`))
			}))
			t.Cleanup(server.Close)
			d.ok("run_start", `{"goal": "the next page opens"}`)
			a := d.ok("verify_user_flow", `{"start_url": %q, "success_condition": "At /next", "timeout_ms": 300000, "steps": [{"action": "click", "selector": "link \"Next\""}]}`, server.URL)
			if a.Data["status"] != tt.status || a.Data["flaky"] != tt.flaky || a.Data["attempts"] != tt.tries {
				t.Errorf("answer %v\n%s", a.Data, a.text)
			}
			if tt.flaky && !strings.Contains(a.text, "BROWSER_CRASHED") {
				t.Errorf("the crash is not told: %s", a.text)
			}
			if status, why := d.finish(); status != tt.status {
				t.Errorf("the run is %s (%s), want %s", status, why, tt.status)
			}
		})
	}
}

// B16: a browser that dies while a page is loaded, or while it is looked at, is started
// again, and the page is opened again.
func TestFreshLookSurvivesACrash(t *testing.T) {
	t.Parallel()
	all := newMortal(t) // one driver for both: what dies is the browser
	for name, fatal := range map[string]string{"loading": "/", "looking": "/late"} {
		t.Run(name, func(t *testing.T) {
			d := all.desk
			d.t = t
			temp := all.temp
			var requests atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == fatal && requests.Add(1) == 1 {
					killBrowser(t, temp)
					<-r.Context().Done()
					return
				}
				w.Header().Set("Content-Type", "text/html")
				_, _ = w.Write([]byte(`<title>Up</title><h1>Up</h1><script>onload = () => setTimeout(() => fetch("/late"), 200)</script>`))
			}))
			t.Cleanup(server.Close)
			a := d.ok("verify_page_loads", `{"url": %q, "watch_ms": 2000}`, server.URL)
			if a.Data["success"] != true || a.Data["flaky"] != true || a.Data["attempts"] != 2.0 || !strings.Contains(a.text, "CRASHED") {
				t.Errorf("answer %v\n%s", a.Data, a.text)
			}
		})
	}
}
