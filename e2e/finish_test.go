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
	if !w.falls(limit) {
		w.t.Errorf("the server, or who inherited its stdout, is still there after %s", limit)
		w.damaged = true
		_ = w.cmd.Process.Kill() // it may be gone, and only its stdout held open
	}
	if err := w.cmd.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		w.t.Errorf("wait for the server: %v", err)
	}
	return w.cmd.ProcessState.ExitCode()
}

// falls waits until the server's stdout is closed, and reports whether it was in time.
func (w *wire) falls(limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		w.mu.Lock()
		news, ended := w.news, w.ended
		w.mu.Unlock()
		if ended {
			return true
		}
		select {
		case <-news:
		case <-timer.C:
			return false
		}
	}
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
	w.audit()
}

// audit says what is wrong with the conversation, and shows the server's log where the
// test has failed.
func (w *wire) audit() {
	w.t.Helper()
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
	paths, err := inside(w.temp)
	if err != nil {
		w.t.Fatal(err)
	}
	return paths
}

// inside lists what lies in a folder at any depth.
func inside(folder string) (paths []string, err error) {
	err = filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if path != folder && !errors.Is(err, fs.ErrNotExist) { // it may go while we look
			paths = append(paths, strings.TrimPrefix(path, folder))
		}
		return nil
	})
	return paths, err
}

func tail(b []byte, n int) []byte { return b[max(0, len(b)-n):] }
