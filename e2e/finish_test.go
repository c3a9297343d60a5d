package e2e_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// killLimit is in what time nothing may be left of a server that could not clean up. It
// takes less than three seconds on a free machine.
const killLimit = 10 * time.Second

// hangUp closes the server's input, which is how a client says goodbye.
func (w *wire) hangUp() {
	w.t.Helper()
	if err := w.stdin.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		w.t.Errorf("close the server's input: %v", err)
	}
}

// exit waits for the server's end and returns its exit code, -1 after a
// signal. A server that stays is killed, and that is an error.
func (w *wire) exit(limit time.Duration) int {
	w.t.Helper()
	w.exited = true
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for ended := false; !ended; {
		w.mu.Lock()
		news := w.news
		ended = w.ended
		w.mu.Unlock()
		if ended {
			break
		}
		select {
		case <-news:
		case <-timer.C:
			w.t.Errorf("the server, or who inherited its stdout, is still there after %s", limit)
			w.damaged, ended = true, true
			_ = w.cmd.Process.Kill() // it may be gone, and only its stdout held open
		}
	}
	if err := w.cmd.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		w.t.Errorf("wait for the server: %v", err)
	}
	return w.cmd.ProcessState.ExitCode()
}

// finish ends the server if the test hasn't, and audits the conversation.
func (w *wire) finish() {
	w.t.Helper()
	if !w.exited {
		w.hangUp()
		if code := w.exit(15 * time.Second); code != w.exits {
			w.t.Errorf("exit code %d after its input ended, want %d", code, w.exits)
		}
		// A driver that was still starting ends, and cleans up, by itself.
		eventually(w.t, killLimit, func() string { return strings.Join(entries(w), " ") })
	}
	all, err := officials()
	if err != nil {
		w.t.Error(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, fault := range w.faults(all[w.revision]) {
		w.t.Error(fault)
	}
	if w.t.Failed() {
		log, err := os.ReadFile(w.stderr)
		w.t.Logf("the server's log (%v):\n%s", err, tail(log, 4000))
	}
}

// entries lists what lies in the server's folder for temporary files, at any
// depth: a name deep inside tells who left it.
func entries(w *wire) []string {
	w.t.Helper()
	var paths []string
	err := filepath.WalkDir(w.temp, func(path string, _ fs.DirEntry, err error) error {
		if path != w.temp && !errors.Is(err, fs.ErrNotExist) { // it may go while we look
			paths = append(paths, strings.TrimPrefix(path, w.temp))
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return paths
}

func tail(b []byte, n int) []byte { return b[max(0, len(b)-n):] }
