package script

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/assay-qa/assay/browser/driver"
)

//go:embed js/parse.mjs
var program string

// Bounds of a file, and of what parses it.
const (
	MaxBytes    = 512 << 10 // of a file
	readLimit   = time.Minute
	heapMB      = 512
	maxAnswer   = 128 << 20 // bytes of a tree
	maxSaid     = 8 << 10   // bytes of what Node says when it ends
	endingLimit = 5 * time.Second
)

// Reader reads test files as the runner of Playwright tests does: with the parser that it
// bundles. One process of Node reads all of them: the first file starts it, Close ends it.
// It is given no variable, and, where Node can refuse that, no file but the parser's.
type Reader struct {
	Runner func(context.Context) (driver.TestRunner, error) // whose parser it is
	Limit  time.Duration                                    // of one file; 0: a minute

	mu      sync.Mutex
	process *process
}

// Source is a file. The ending of its name says what language it is in.
type Source struct {
	Name string
	Text []byte
}

// Read reads a file of at most 512 KiB, within a minute. Its error is a [Problem] where
// the file does not parse, and a [driver.InstallError] where the parser is not installed.
func (r *Reader) Read(ctx context.Context, s Source) (File, error) {
	f := File{Source: string(s.Text)}
	switch {
	case len(s.Text) > MaxBytes:
		return f, Problem{Line: 1, Column: 1, Message: fmt.Sprintf("the file has %d bytes, more than %d: split it", len(s.Text), MaxBytes)}
	case !utf8.Valid(s.Text):
		return f, Problem{Line: 1, Column: 1, Message: "the file is not UTF-8"}
	}
	answer, err := r.ask(ctx, s)
	if err != nil {
		return f, fmt.Errorf("read the test file %s: %w", filepath.Base(s.Name), err)
	}
	switch {
	case answer.GaveUp != "":
		return f, Problem{Line: 1, Column: 1, Message: "the parser gave up: " + answer.GaveUp}
	case answer.Error != "":
		return f, f.problem(min(max(answer.At, 0), len(f.Source)), "it does not parse: "+strings.TrimSuffix(answer.Error, "."))
	}
	f.Program = answer.Tree
	return f, nil
}

// Close ends the process. The next file starts another.
func (r *Reader) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.end()
}

func (r *Reader) end() (said string) {
	if r.process != nil {
		said = r.process.end()
		r.process = nil
	}
	return said
}

type answer struct {
	Tree   *Node
	At     int
	Error  string
	GaveUp string
}

// ask hands a file to the process. One that does not answer, or is asked when the context ends,
// is ended: the next file starts another.
func (r *Reader) ask(ctx context.Context, s Source) (out answer, err error) {
	asked, err := json.Marshal(map[string]string{"name": s.Name, "text": string(s.Text)})
	if err != nil {
		return out, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := context.Cause(ctx); err != nil {
		return out, err
	}
	if r.process == nil {
		if r.process, err = r.start(ctx); err != nil {
			return out, err
		}
	}
	limit := cmp.Or(r.Limit, readLimit)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("the parser gave no answer within %s", limit))
	defer cancel()
	stop := context.AfterFunc(ctx, r.process.kill)
	told := false
	if _, err = r.process.in.Write(append(asked, '\n')); err == nil {
		told = r.process.out.Scan()
	}
	if !stop() { // it was killed, or will be in a moment
		r.end()
		return out, context.Cause(ctx)
	}
	if told {
		if err = json.Unmarshal(r.process.out.Bytes(), &out); err == nil && (out.Tree != nil || out.Error != "" || out.GaveUp != "") {
			return out, nil
		}
		err = errors.Join(errors.New("the answer of the parser is none"), err)
	}
	err = errors.Join(err, r.process.out.Err())
	said := r.end()
	return out, errors.Join(fmt.Errorf("the parser ended: %s", said), err)
}

// process is a running parser.
type process struct {
	cmd  *exec.Cmd
	kill context.CancelFunc
	in   io.WriteCloser
	out  *bufio.Scanner
	said head
}

func (r *Reader) start(ctx context.Context) (*process, error) {
	runner, err := r.Runner(ctx)
	if err != nil {
		return nil, err
	}
	arguments, err := nodeArguments(runner)
	if err != nil {
		return nil, err
	}
	ctx, kill := context.WithCancel(context.WithoutCancel(ctx))
	p := &process{cmd: exec.CommandContext(ctx, runner.Node, arguments...), kill: kill}
	p.cmd.Dir, p.cmd.Env = runner.Dir, []string{}
	p.cmd.Stderr = &p.said
	p.cmd.WaitDelay = endingLimit
	driver.KillTogether(p.cmd)
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		p.in, err = p.cmd.StdinPipe()
	}
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		kill()
		return nil, fmt.Errorf("start the parser of test files: %w", err)
	}
	p.out = bufio.NewScanner(out)
	p.out.Buffer(nil, maxAnswer)
	return p, nil
}

// nodeArguments says what Node may do: read the parser, and nothing else, from version 20 on.
func nodeArguments(runner driver.TestRunner) ([]string, error) {
	modules, err := filepath.EvalSymlinks(runner.Modules())
	if err != nil {
		return nil, err
	}
	args := []string{fmt.Sprintf("--max-old-space-size=%d", heapMB), "--disallow-code-generation-from-strings", "--no-warnings"}
	var major, minor int
	if _, err := fmt.Sscanf(strings.TrimPrefix(runner.NodeVersion, "v"), "%d.%d", &major, &minor); err != nil {
		return nil, fmt.Errorf("the version %q of Node can't be read: %w", runner.NodeVersion, err)
	}
	if permission := permissionFlag(major, minor); permission != "" {
		args = append(args, permission, "--allow-fs-read="+filepath.Join(modules, "@babel")+string(filepath.Separator)+"*")
	}
	return append(args, "--input-type=module", "--eval", program, "--", modules), nil
}

// permissionFlag returns how a version of Node is told to refuse what is not allowed.
func permissionFlag(major, minor int) string {
	switch {
	case major < 20:
		return ""
	case major < 22 || major == 22 && minor < 13 || major == 23 && minor < 5:
		return "--experimental-permission"
	}
	return "--permission"
}

// end ends the process and returns what it said of that.
func (p *process) end() string {
	p.kill()
	err := p.cmd.Wait()
	return cmp.Or(strings.TrimSpace(p.said.String()), fmt.Sprint(err))
}

// head keeps the beginning of what a program says.
type head struct{ bytes.Buffer }

func (h *head) Write(text []byte) (int, error) {
	if room := maxSaid - h.Len(); room > 0 {
		h.Buffer.Write(text[:min(room, len(text))])
	}
	return len(text), nil
}
