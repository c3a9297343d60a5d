package e2e_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// patience bounds every wait that makes no promise of its own.
const patience = 60 * time.Second

// revision is a version of the protocol.
type revision string

const (
	june25     revision = "2025-06-18"
	november25 revision = "2025-11-25"
	july26     revision = "2026-07-28"
)

func revisions() []revision { return []revision{june25, november25, july26} }

// modern reports whether the revision has no handshake.
func (r revision) modern() bool { return r >= july26 }

// wire is a running assay serve and the raw lines between it and us. When the
// test ends, so does the server, and the whole conversation is audited.
type wire struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.Closer // what the server says is read from
	temp   string    // the server's folder for temporary files
	data   string    // its data directory
	stderr string    // file with its log
	hello  message
	exited bool
	exits  int // with what code it ends when its input does

	attended bool            // somebody answers questions
	before   map[string]bool // runs of other tests

	mu sync.Mutex
	conversation
	news   chan struct{} // closed when there is more in heard, or ended
	ended  bool          // the server closed its stdout
	lastID int
}

// asked is what we know of a request when its answer comes.
type asked struct {
	method string
	tool   string
	token  string // progress token, as JSON
	times  int    // how often the id was used
}

// message is one line of the server.
type message struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
	line    []byte
	problem error // it is no JSON object
}

// launch starts a server on its own, before a word is said.
func launch(t *testing.T, r revision) *wire {
	t.Helper()
	return launchIn(t, r, t.TempDir())
}

// launchIn chooses the server's folder for temporary files, and its flags.
func launchIn(t *testing.T, r revision, temp string, flags ...string) *wire {
	t.Helper()
	return launchWith(t, r, temp, flags)
}

// launchWith adds arguments and variables (NAME=value) of the server's.
func launchWith(t *testing.T, r revision, temp string, arguments []string, variables ...string) *wire {
	t.Helper()
	data := t.TempDir()
	return launchAs(t, r, temp, data, append([]string{binary(t), "serve", "--data-dir", data}, arguments...), variables...)
}

// launchAs starts a server by a command of the caller's, whose process becomes
// the server.
func launchAs(t *testing.T, r revision, temp, data string, command []string, variables ...string) *wire {
	t.Helper()
	needsBinary(t)
	w := newWire(r, temp, data)
	w.t, w.stderr = t, filepath.Join(t.TempDir(), "stderr")
	if err := w.start(t.TempDir(), command, variables); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.finish)
	return w
}

// newWire is the wire to a server that has not been started.
func newWire(r revision, temp, data string) *wire {
	return &wire{temp: temp, data: data, news: make(chan struct{}), conversation: newConversation(r, map[string]json.RawMessage{})}
}

// start starts the server in a folder of its own.
func (w *wire) start(dir string, command, variables []string) error {
	stderr, err := os.Create(w.stderr)
	if err != nil {
		return err
	}
	defer stderr.Close()
	w.cmd = exec.Command(command[0], command[1:]...)
	w.cmd.Dir, w.cmd.Env, w.cmd.Stderr = dir, append(environment(w.temp), variables...), stderr
	if w.stdin, err = w.cmd.StdinPipe(); err != nil {
		return err
	}
	stdout, err := w.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := w.cmd.Start(); err != nil {
		return err
	}
	w.stdout = stdout
	go w.listen(stdout)
	return nil
}

// alone starts a server for this test alone, greets it and asks for its tools.
func alone(t *testing.T, r revision, variables ...string) *wire {
	t.Helper()
	w := launchWith(t, r, t.TempDir(), nil, variables...)
	w.greet()
	return w
}

// greet does what the revision wants first, and asks for the tools.
func (w *wire) greet() {
	w.t.Helper()
	if w.revision.modern() {
		w.hello = w.ask("server/discover", nil)
	} else {
		w.hello = w.ask("initialize", map[string]any{"protocolVersion": w.revision, "capabilities": w.capabilities(),
			"clientInfo": map[string]any{"name": "e2e", "version": "1"}})
		w.say("notifications/initialized", nil)
	}
	var list struct {
		Tools []struct {
			Name         string
			OutputSchema json.RawMessage
		}
	}
	decode(w.t, w.ask("tools/list", nil).Result, &list)
	for _, tool := range list.Tools {
		w.outputs[tool.Name] = tool.OutputSchema
	}
}

func (w *wire) listen(stdout io.Reader) {
	lines := bufio.NewReaderSize(stdout, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		w.mu.Lock()
		if len(line) > 0 {
			m := message{line: line}
			m.problem = json.Unmarshal(line, &m)
			w.heard = append(w.heard, m)
		}
		w.ended = err != nil
		close(w.news)
		w.news = make(chan struct{})
		w.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// said is how many messages the server has sent so far.
func (w *wire) said() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.heard)
}

// transcript is all that the server has sent so far.
func (w *wire) transcript() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []byte
	for _, m := range w.heard {
		all = append(all, m.line...)
	}
	return all
}

// await returns the first message that fits, heard or still to come.
func (w *wire) await(what string, limit time.Duration, fits func(message) bool) message {
	w.t.Helper()
	return w.awaitFrom(0, what, limit, fits)
}

// awaitFrom leaves out what was said before.
func (w *wire) awaitFrom(looked int, what string, limit time.Duration, fits func(message) bool) message {
	w.t.Helper()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		w.mu.Lock()
		fresh, news, ended := w.heard[looked:], w.news, w.ended
		w.mu.Unlock()
		for _, m := range fresh {
			if fits(m) {
				return m
			}
		}
		looked += len(fresh)
		if ended {
			w.t.Fatalf("the server ended before %s", what)
		}
		select {
		case <-news:
		case <-timer.C:
			w.t.Fatalf("no %s within %s", what, limit)
		}
	}
}

func decode(t *testing.T, raw json.RawMessage, into any) {
	t.Helper()
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("%v in %s", err, brief(raw))
	}
}

// brief makes a line fit for a failure message.
func brief(raw []byte) string {
	if len(raw) > 600 {
		return fmt.Sprintf("%s… (%d bytes)", raw[:600], len(raw))
	}
	return string(raw)
}

// in makes a subtest the one that fails, until it ends.
func (w *wire) in(t *testing.T) *wire {
	outer := w.t
	w.t = t
	t.Cleanup(func() { w.t = outer })
	return w
}
