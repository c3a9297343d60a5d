package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/demo"
	"github.com/assay-qa/assay/internal/exampletest"
)

// Issue 34: each tutorial does what it says, from its first block to its last, in a folder of its
// own: files are written, commands run, tools called, and what is shown is what is printed. They
// share the browser of this process; the agent's program alone starts another one.
func TestTutorials(t *testing.T) {
	if testing.Short() {
		t.Skip("needs the browser")
	}
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "tutorials", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal("no tutorials: ", err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(page), ".md"), func(t *testing.T) {
			blocks, err := exampletest.Blocks("docs/tutorials/"+filepath.Base(page), string(text))
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir()) // so it can't run beside others
			s := student{env: map[string]string{"CI": "", "XDG_CONFIG_HOME": t.TempDir()}}
			t.Cleanup(func() { s.leave(t) })
			for i := 0; i < len(blocks); i++ {
				var answer *exampletest.Block
				if i+1 < len(blocks) && blocks[i+1].Language == "text" {
					answer = &blocks[i+1]
				}
				if s.follow(t, blocks[i], answer); blocks[i].Language == "json" && answer != nil {
					i++
				}
				if t.Failed() {
					return // what follows builds on it
				}
			}
		})
	}
}

// student is somebody who works a tutorial.
type student struct {
	env  map[string]string
	site *demo.Server
	code int // how the last command ended
	// The server of a client, from the first call on.
	calls   io.WriteCloser
	answers *bufio.Scanner
	served  chan bool // whether it ended well
	said    printed   // its log
	asked   int
}

// follow does what a block says. After a call the answer is what is shown of it.
func (s *student) follow(t *testing.T, b exampletest.Block, answer *exampletest.Block) {
	t.Helper()
	switch name := b.File(); {
	case b.Declared == exampletest.NotRun:
		for _, c := range b.Commands() {
			if c.Words[0] == "assay" {
				parses(t, (&app{getenv: os.Getenv}).root(), strings.Join(c.Words, " "))
			}
		}
	case b.Language == "console":
		commands := b.Commands()
		for i, c := range commands {
			s.run(t, b, c)
			told := i+1 < len(commands) && slices.Equal(commands[i+1].Words, []string{"echo", "$?"})
			if s.code != exitPassed && !told && c.Words[0] != "echo" {
				t.Errorf("%s: it ends with %d, and the tutorial does not say so: add $ echo $?", b.At(c.Line), s.code)
			}
		}
	case b.Language == "json":
		s.call(t, b, answer)
	case name != "":
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(s.here(b.Text())), 0o600); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s: nothing tries this block of %s: name its file in its first line, or write <!-- example: not run, REASON --> before it", b, b.Language)
	}
}

// here puts the port of the site where a tutorial writes 3000.
func (s *student) here(text string) string {
	if s.site == nil {
		return text
	}
	_, port, _ := strings.Cut(strings.TrimPrefix(s.site.URL(), "http://"), ":")
	return strings.NewReplacer("//localhost:3000", "//localhost:"+port, "//127.0.0.1:3000", "//127.0.0.1:"+port).Replace(text)
}

// commandLimit bounds a command that is not ours: the tutorials promise ten minutes in all.
const commandLimit = 3 * time.Minute

// assigned is a variable that is set before a command, or exported.
var assigned = regexp.MustCompile(`^([A-Z_]+)=(.*)$`)

// run runs a command, and compares what it prints with what is shown.
func (s *student) run(t *testing.T, b exampletest.Block, c exampletest.Command) {
	t.Helper()
	variables, words := map[string]string{}, c.Words
	if words[0] == "export" {
		name, value, _ := strings.Cut(words[1], "=")
		s.env[name], s.code = value, exitPassed
		return
	}
	for assigned.MatchString(words[0]) {
		name, value, _ := strings.Cut(words[0], "=")
		variables[name], words = value, words[1:]
	}
	getenv := func(name string) string {
		if value, is := variables[name]; is {
			return value
		}
		return s.getenv(name)
	}
	var out printed
	switch {
	case words[0] == "echo":
		fmt.Fprintln(&out, s.code)
	case slices.Contains(words, "--serve"):
		s.serve(t, words)
		fmt.Fprintf(&out, "%s  (%s / %s), until interrupted\n", s.site.URL(), demo.Email, demo.Password)
	case words[0] == "assay":
		a := &app{stdin: strings.NewReader(""), stdout: &out, stderr: &out, getenv: getenv, environ: cheaply(), now: time.Now, browsers: shared,
			ownDir: func() (string, error) { return s.env["XDG_CONFIG_HOME"], nil }}
		s.code = a.run(t.Context(), words[1:])
	default:
		ctx, stop := context.WithTimeout(t.Context(), commandLimit)
		defer stop()
		cmd := exec.CommandContext(ctx, words[0], words[1:]...)
		cmd.WaitDelay = time.Second                                                                                           // for what it has started
		environ := slices.DeleteFunc(os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, "ASSAY_BIN=") }) // of make test, and no setting
		cmd.Env, cmd.Stdout, cmd.Stderr = slices.Concat(environ, cheaply("CI="+getenv("CI"))), &out, &out
		err := cmd.Run()
		if err != nil && !errors.As(err, new(*exec.ExitError)) {
			t.Fatalf("%s: %v", b.At(c.Line), err)
		}
		s.code = cmd.ProcessState.ExitCode()
	}
	if !exampletest.Shape(s.here(strings.Join(c.Shown, "\n"))).MatchString(out.String()) && len(c.Shown) > 0 {
		t.Errorf("%s: %s does not print what is shown. It prints\n%s", b.At(c.Line), strings.Join(words, " "), out.String())
	}
}

// serve stops the sample dashboard, and serves the one that is asked for at the same place.
func (s *student) serve(t *testing.T, words []string) {
	t.Helper()
	options := demo.Options{Broken: slices.Contains(words, "--broken")}
	if i := slices.Index(words, "--variant"); i > 0 {
		options.Variant = words[i+1]
	}
	if s.site != nil {
		options.Addr = strings.TrimPrefix(s.site.URL(), "http://")
		if err := s.site.Close(); err != nil {
			t.Fatal(err)
		}
	}
	site, err := demo.Start(context.WithoutCancel(t.Context()), options)
	if err != nil {
		t.Fatal(err)
	}
	s.site, s.code = site, exitPassed
}

func (s *student) getenv(name string) string {
	if value, is := s.env[name]; is {
		return value
	}
	return os.Getenv(name)
}

// call calls a tool of the tutorial's server, and compares the answer with what is shown.
func (s *student) call(t *testing.T, b exampletest.Block, shown *exampletest.Block) {
	t.Helper()
	if s.calls == nil {
		s.attach(t)
	}
	var result struct {
		Content []struct{ Type, Text string }
		IsError bool
	}
	if err := json.Unmarshal(s.ask(t, "tools/call", json.RawMessage(s.here(b.Text()))), &result); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	var said []string
	for _, c := range result.Content {
		if c.Type == "text" {
			said = append(said, strings.TrimSuffix(c.Text, "\n"))
		}
	}
	text := strings.Join(said, "\n") + "\n"
	if result.IsError {
		t.Errorf("%s: the call is an error: %s", b, text)
	}
	if shown != nil && !exampletest.Shape(s.here(strings.TrimSuffix(shown.Text(), "\n"))).MatchString(text) {
		t.Errorf("%s: the answer is not what %s shows. It is\n%s", b, shown, text)
	}
}

// attach starts the server that a client would.
func (s *student) attach(t *testing.T) {
	t.Helper()
	in, calls := io.Pipe()
	answers, out := io.Pipe()
	s.calls, s.answers, s.served = calls, bufio.NewScanner(answers), make(chan bool, 1)
	s.answers.Buffer(nil, 1<<24)
	a := &app{stdin: in, stdout: out, stderr: &s.said, getenv: s.getenv, environ: cheaply(), now: time.Now, browsers: shared,
		ownDir: func() (string, error) { return s.env["XDG_CONFIG_HOME"], nil }}
	ctx := context.WithoutCancel(t.Context())
	go func() {
		code := a.run(ctx, []string{"serve"})
		s.served <- errors.Join(out.Close(), in.Close()) == nil && code == exitPassed
	}()
	s.ask(t, "initialize", json.RawMessage(`{"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "tutorial", "version": "1"}}`))
}

// ask sends a request, and returns the result.
func (s *student) ask(t *testing.T, method string, params json.RawMessage) json.RawMessage {
	t.Helper()
	s.asked++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": s.asked, "method": method, "params": params})
	if err == nil {
		_, err = s.calls.Write(append(line, '\n'))
	}
	if err != nil {
		t.Fatal(err)
	}
	for s.answers.Scan() {
		var m struct {
			ID     int
			Result json.RawMessage
			Error  json.RawMessage
		}
		if err := json.Unmarshal(s.answers.Bytes(), &m); err != nil || m.Error != nil {
			t.Fatalf("%s: %v %s", method, err, s.answers.Bytes())
		}
		if m.ID == s.asked {
			return m.Result
		}
	}
	t.Fatalf("%s: the server has ended: %v", method, s.answers.Err())
	return nil
}

// leave ends the server and the site.
func (s *student) leave(t *testing.T) {
	if s.calls != nil {
		if err := s.calls.Close(); err != nil {
			t.Error(err)
		}
		for s.answers.Scan() { // what it still says
		}
		if well := <-s.served; !well {
			t.Error("the server has not ended well: ", s.said.String())
		}
	}
	if s.site != nil {
		if err := s.site.Close(); err != nil {
			t.Error(err)
		}
	}
}

// printed is what a command prints, on either stream, in its order.
type printed struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (p *printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all.Write(b)
}

func (p *printed) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all.String()
}
