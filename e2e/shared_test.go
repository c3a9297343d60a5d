package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// shared is a server that tests use one after the other: a process, a driver and a
// browser cost more than most tests do with them. Whoever kills, starves or configures a
// server, or tests how it starts and ends, has one of his own.
type shared struct {
	mu sync.Mutex // held by the test that uses it
	w  *wire      // nil before its first use, and after a test that failed
}

// sharing holds the shared servers, one for each revision: a server speaks one with its
// client. They end after the last test.
var sharing = sync.OnceValue(func() map[revision]*shared {
	all := map[revision]*shared{}
	for _, r := range revisions() {
		all[r] = &shared{}
	}
	return all
})

// attach lends the test the shared server of a revision. The test has the conversation
// to itself, which is audited when it ends; what it opened is closed then. A test that
// needs two revisions asks for the older one first.
func attach(t *testing.T, r revision) *wire {
	t.Helper()
	needsBinary(t)
	s := sharing()[r]
	s.mu.Lock()
	t.Cleanup(s.mu.Unlock)
	if s.w == nil {
		w, err := newShared(r)
		if err != nil {
			t.Fatal(err)
		}
		s.w, w.t = w, t
		t.Cleanup(func() { s.returned(t) })
		w.greet()
		return w
	}
	s.w.t = t
	s.w.forget()
	t.Cleanup(func() { s.returned(t) })
	return s.w
}

// sharedIDs is what the requests of a shared server are counted from: tests that choose
// ids by themselves take smaller ones.
const sharedIDs = 1000

// uploadRoots is the folder of a shared server from which pages may be given files.
func (w *wire) uploadRoots() string { return filepath.Join(filepath.Dir(w.data), "uploads") }

// newShared starts a server that asks before it destroys, and whose client can answer.
func newShared(r revision) (*wire, error) {
	home, err := os.MkdirTemp("", "e2e-shared-")
	if err != nil {
		return nil, err
	}
	w := newWire(r, filepath.Join(home, "temp"), filepath.Join(home, "data"))
	w.stderr, w.attended, w.lastID = filepath.Join(home, "stderr"), true, sharedIDs
	dir := filepath.Join(home, "dir")
	for _, folder := range []string{w.temp, w.data, dir, w.uploadRoots()} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			return nil, err
		}
	}
	path, err := filepath.Abs(os.Getenv(binaryEnv))
	if err != nil {
		return nil, err
	}
	err = w.start(dir, []string{path, "serve", "--data-dir", w.data, "--guard-destructive", "ask", "--network-upload-roots", w.uploadRoots()}, nil)
	return w, err
}

// forget begins a new conversation with a server that others have talked to.
func (w *wire) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.conversation = newConversation(w.revision, w.outputs)
	w.before = folders(filepath.Join(w.data, "runs"))
}

// returned audits a test's conversation and leaves the server as it was found. A test
// that fails, or damages its server, leaves it to nobody.
func (s *shared) returned(t *testing.T) {
	t.Helper()
	w := s.w
	if !t.Failed() && !w.damaged {
		w.t = t
		w.tidy()
	}
	w.audit()
	if t.Failed() || w.damaged {
		s.w = nil
		_ = w.cmd.Process.Kill() // it may be gone
		w.falls(killLimit)
		_ = w.cmd.Wait() // it was killed
		_ = os.RemoveAll(filepath.Dir(w.data))
	}
}

// tidy ends the run and the sessions that a test has left open.
func (w *wire) tidy() {
	w.t.Helper()
	w.mu.Lock()
	ids := slices.Clone(w.launched())
	w.mu.Unlock()
	w.call("run_finish", nil) // an error where none is open
	for _, id := range ids {
		w.call("browser_close", map[string]any{"session_id": id}) // an error where it is closed
	}
	if a := w.call("browser_close", nil); !a.envelope.OK {
		w.fails(a, "SESSION_NOT_FOUND")
	}
}

// launched lists the sessions of this conversation.
func (c *conversation) launched() (ids []string) {
	for _, m := range c.heard {
		var a struct {
			StructuredContent struct {
				Data struct {
					SessionID string `json:"session_id"`
				}
			}
		}
		if c.asked[key(m.ID)].tool == "browser_launch" && json.Unmarshal(m.Result, &a) == nil && a.StructuredContent.Data.SessionID != "" {
			ids = append(ids, a.StructuredContent.Data.SessionID)
		}
	}
	return ids
}

// endShared ends the shared servers, and says what is wrong with how they end.
func endShared() error {
	var all []error
	for r, s := range sharing() {
		if s.w == nil {
			continue
		}
		if err := s.w.ends(); err != nil {
			log, _ := os.ReadFile(s.w.stderr) // what there is of it
			all = append(all, fmt.Errorf("the shared server of %s: %w\n%s", r, err, tail(log, 4000)))
		}
		all = append(all, os.RemoveAll(filepath.Dir(s.w.data)))
	}
	return errors.Join(all...)
}

// ends hangs up and waits until nothing is left of a server.
func (w *wire) ends() error {
	if err := w.stdin.Close(); err != nil {
		return err
	}
	if !w.falls(patience) {
		return errors.Join(fmt.Errorf("it is still there %s after its input ended", patience), w.cmd.Process.Kill())
	}
	if err := w.cmd.Wait(); err != nil {
		return err
	}
	tick, limit := time.NewTicker(5*time.Millisecond), time.After(killLimit)
	defer tick.Stop()
	for {
		left, err := inside(w.temp)
		if err != nil || len(left) == 0 {
			return err
		}
		select {
		case <-tick.C:
		case <-limit:
			return fmt.Errorf("it has left %s", strings.Join(left, " "))
		}
	}
}

// folders are the names in a folder, none where it is not there.
func folders(path string) map[string]bool {
	entries, _ := os.ReadDir(path) // there is none before the first run
	all := map[string]bool{}
	for _, e := range entries {
		all[e.Name()] = true
	}
	return all
}
