package e2e_test

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// interruptedRun is an assay run of two flows at a time, both of which wait for
// an element that never comes; a third one has not begun. stdout is its answer.
func interruptedRun(t *testing.T) (w *wire, stdout *bytes.Buffer) {
	t.Helper()
	waiting := make(chan struct{}, 2)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/clicked" {
			waiting <- struct{}{}
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>Up</title><button onclick="setTimeout(() => fetch('/clicked'), 500)">Go</button>`))
	}))
	t.Cleanup(site.Close)
	dir := t.TempDir()
	for _, name := range []string{"1", "2", "3"} {
		text := "start_url = \"/\"\nsuccess_condition = \"Up\"\n[[steps]]\naction = \"click\"\nselector = 'button \"Go\"'\n[[steps]]\naction = \"wait\"\nselector = \"css=#never\"\ntimeout_ms = 20000\n"
		if err := os.WriteFile(filepath.Join(dir, name+".flow.toml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	stdout = &bytes.Buffer{}
	w = &wire{t: t, temp: t.TempDir(), data: t.TempDir()}
	w.cmd = exec.Command(binary(t), "run", "--json", "--parallel", "2", "--base-url", site.URL, "--data-dir", w.data, dir)
	w.cmd.Dir, w.cmd.Env, w.cmd.Stdout = t.TempDir(), environment(w.temp), stdout
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // as a shell starts it
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if w.cmd.ProcessState == nil {
			kill(t, w.cmd.Process.Pid)
			_ = w.cmd.Wait() // it was killed
		}
	})
	for range 2 {
		select {
		case <-waiting:
		case <-time.After(patience):
			t.Fatal("the flows did not begin")
		}
	}
	return w, stdout
}

// B6: an assay run that is ended in the middle of its flows leaves no process
// and no temporary file three seconds later. If it was told, it tells what was
// done until then, and calls nothing passed or failed.
func TestRunInterrupted(t *testing.T) {
	needsBrowser(t)
	for i, way := range []struct {
		name   string
		signal syscall.Signal
		group  bool // a terminal's Ctrl+C goes to the browser, too
	}{
		{"SIGINT", syscall.SIGINT, false}, {"Ctrl+C", syscall.SIGINT, true}, {"SIGTERM", syscall.SIGTERM, false}, {"SIGKILL", syscall.SIGKILL, false},
	} {
		if i != 1 && !soak() {
			continue // TestKillServer has SIGKILL, and TestShutdown SIGTERM
		}
		t.Run(way.name, func(t *testing.T) {
			w, stdout := interruptedRun(t)
			then := w.family()
			if len(then) < 3 {
				t.Fatalf("driver, browser and its helpers expected, got %v", then)
			}
			pid := w.cmd.Process.Pid
			if way.group {
				pid = -pid
			}
			if err := syscall.Kill(pid, way.signal); err != nil {
				t.Fatal(err)
			}
			start, done := time.Now(), make(chan error, 1)
			go func() { done <- w.cmd.Wait() }()
			select {
			case err := <-done:
				if err != nil && !errors.As(err, new(*exec.ExitError)) {
					t.Error(err)
				}
			case <-time.After(killLimit):
				t.Fatalf("it is still there after %s", killLimit)
			}
			eventually(t, killLimit-time.Since(start), func() string { return w.left(then) })
			t.Logf("nothing left after %s", time.Since(start).Round(time.Millisecond))
			if way.signal == syscall.SIGKILL {
				return
			}
			var result struct {
				TestCases []struct{ Status string } `json:"test_cases"`
			}
			decode(t, stdout.Bytes(), &result)
			var got []string
			for _, c := range result.TestCases {
				got = append(got, c.Status)
			}
			if code := w.cmd.ProcessState.ExitCode(); code != 130 || len(got) != 3 || got[0] != "error" || got[1] != "error" || got[2] != "skipped" {
				t.Errorf("exit code %d and %v, want 130 with error, error, skipped: %s", code, got, brief(stdout.Bytes()))
			}
		})
	}
}
