package tools_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/assay-qa/assay/qa"
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

// What goes on after its browser has died, in one driver: what dies is the browser.
func TestWhatSurvivesACrash(t *testing.T) {
	t.Parallel()
	all := newMortal(t)
	freshLookSurvivesACrash(t, all)
	for name, finish := range map[string]func(*testing.T, mortal){"a run that is finished": finishAfterACrash, "a lost trace": lostTraceChangesNoVerdict} {
		t.Run(name, func(t *testing.T) {
			all.t = t
			finish(t, all)
			for _, id := range all.SessionIDs() {
				all.ok("browser_close", `{"session_id": %q}`, id)
			}
		})
	}
}

// B16: a browser that dies while a page is loaded, or while it is looked at, is started
// again, and the page is opened again.
func freshLookSurvivesACrash(t *testing.T, all mortal) {
	t.Helper()
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
			d.Limit, d.HardLimit = 2*time.Minute, 2*time.Minute // a second attempt follows a first one that took less than half
			a := d.ok("verify_page_loads", `{"url": %q, "watch_ms": 2000, "timeout_ms": 120000}`, server.URL)
			if a.Data["success"] != true || a.Data["flaky"] != true || a.Data["attempts"] != 2.0 || !strings.Contains(a.text, "CRASHED") {
				t.Errorf("answer %v\n%s", a.Data, a.text)
			}
		})
	}
}

// finishAfterACrash: a run whose browser died just before it is finished has
// its report, its verdict by the checks, the trace until then, and a note that
// its end may be missing (A2, A8).
func finishAfterACrash(t *testing.T, d mortal) {
	t.Helper()
	web := site(t, map[string]string{"/": goodPage})
	finish := d.traced(`{"goal": "g"}`)
	d.ok("page_navigate", `{"url": %q}`, web)
	d.ok("verify_element_exists", `{"selector": "css=h1"}`)
	s, err := d.Pool.Session("")
	if err != nil {
		t.Fatal(err)
	}
	killBrowser(t, d.temp)
	eventually(t, 5*time.Second, "the session is rebuilt", func() string {
		if _, err := s.State(context.Background()); err != nil {
			return err.Error()
		}
		return ""
	})
	report := finish()
	if report.Status != qa.Passed {
		t.Errorf("%s (%s)", report.Status, report.StatusReason)
	}
	if traces := tracesOf(report); len(traces) != 2 {
		t.Errorf("traces %v, want that until the crash and that after it", traces)
	}
	told := false
	for _, f := range report.Findings {
		told = told || strings.Contains(string(f.Observed), "the browser died while it was traced")
	}
	if !told {
		t.Errorf("nothing tells that the end of a trace may be missing: %+v", report.Findings)
	}
}

// lostTraceChangesNoVerdict: a trace that can't be had is told in the
// report, and the run passes as its checks say.
func lostTraceChangesNoVerdict(t *testing.T, d mortal) {
	t.Helper()
	web := site(t, map[string]string{"/": goodPage})
	finish := d.traced(`{"goal": "g"}`)
	d.ok("page_navigate", `{"url": %q}`, web)
	d.ok("verify_element_exists", `{"selector": "css=h1"}`)
	files, err := filepath.Glob(filepath.Join(d.temp, "*", "t", "traces", "*.trace"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no traces below %s: %v", d.temp, err)
	}
	for _, file := range files {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	report := finish()
	if report.Status != qa.Passed || len(report.Findings) != 1 || report.Findings[0].Severity != qa.Info || !strings.Contains(string(report.Findings[0].Observed), "could not be stored") {
		t.Errorf("%s (%s): %+v", report.Status, report.StatusReason, report.Findings)
	}
	if len(tracesOf(report)) != 0 || report.Links.TraceURL != "" {
		t.Errorf("half a trace is stored: %v", tracesOf(report))
	}
}
