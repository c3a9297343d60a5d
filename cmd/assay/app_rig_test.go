package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/assay-qa/assay/author/draft"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/browsertest"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/tools"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

// shared has the driver and the browser of all commands that run in this process. Their
// sessions share nothing but that.
var shared *browser.Pool

// cheap are settings of all tests but those that are about them: no trace of a run, and a
// quarter of the time that a page is watched for what it does late.
func cheap() map[string]string {
	return map[string]string{"ASSAY_BROWSER_TRACE": "false", "ASSAY_BROWSER_WATCH_MS": "250"}
}

// cheaply is the environment of a program with such settings.
func cheaply(environ ...string) []string {
	for name, value := range cheap() {
		environ = append(environ, name+"="+value)
	}
	return environ
}

func TestMain(m *testing.M) {
	testscript.Main(withBrowser{m}, map[string]func(){"assay": withoutToolNames})
}

// withoutToolNames is the program as scripts run it. What a command says to a person names no tool,
// which nobody can call from a command line; a command that does ends with an exit code of no
// command (33).
func withoutToolNames() {
	args := os.Args[1:]
	var said bytes.Buffer
	exit := start(args, func(a *app) {
		a.stdout, a.stderr = io.MultiWriter(a.stdout, &said), io.MultiWriter(a.stderr, &said)
	})
	if name := toolNamed(said.String()); name != "" && !aboutTools(args) {
		fmt.Fprintf(os.Stderr, "assay %s names the tool %s\n", strings.Join(args, " "), name)
		exit = 99
	}
	os.Exit(exit)
}

// aboutTools reports whether a command is for those who call tools, or prints what programs read.
func aboutTools(args []string) bool {
	return len(args) > 0 && slices.Contains([]string{"serve", "tools", "schema"}, args[0]) || slices.Contains(args, "json") || slices.Contains(args, "--json")
}

// toolNamed returns the first tool that a text names, or "". A name without an underscore is
// also a word.
func toolNamed(said string) string {
	all := tools.Catalogue(&workspace.Workspace{Settings: workspace.Settings{
		Sets:   []string{string(tool.Core), string(tool.Full), string(tool.Author)},
		Suites: struct{ workspace.Suites }{}, Explorations: struct{ workspace.Explorations }{}, Generations: struct{ workspace.Generations }{},
		TestRuns: struct{ workspace.TestRuns }{}, Heals: struct{ workspace.Heals }{}, Draft: &draft.Draft{},
	}})
	for _, t := range all {
		name := t.Definition.Name
		if strings.Contains(name, "_") && regexp.MustCompile(`\b`+name+`\b`).MatchString(said) {
			return name
		}
	}
	return ""
}

// withBrowser ends the shared browser when all tests are over.
type withBrowser struct{ *testing.M }

func (m withBrowser) Run() int {
	own, err := os.MkdirTemp("", "assay-own-")
	if err == nil { // programs that tests start don't know what the person at this machine trusts
		err = os.Setenv("XDG_CONFIG_HOME", own)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(own)
	return browsertest.Main(m.M, browser.Options{}, func(p *browser.Pool) { shared = p })
}

// trusting has a person trust what an app's command line would work with, in a configuration of the person's own that
// is the test's alone.
func trusting(t testing.TB, a *app, args ...string) {
	t.Helper()
	own := t.TempDir()
	a.ownDir = func() (string, error) { return own, nil }
	var said bytes.Buffer
	person := &app{stdin: strings.NewReader(""), stdout: &said, stderr: &said, getenv: a.getenv, now: time.Now, ownDir: a.ownDir}
	if code := person.run(t.Context(), append([]string{"trust", "--yes"}, args...)); code != exitPassed {
		t.Fatalf("trust: exit %d: %s", code, &said)
	}
}

// within N assay ARGS… runs a command within this process, which spares it a browser,
// and wants its exit code to be N. It works in the folder of this package: what it
// writes is named in full, and the data lie in $WORK/.assay unless --config or --data-dir
// says so. Names of the script's files are made full here.
func within(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 || args[1] != "assay" {
		ts.Fatalf("usage: within N assay args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	line := slices.Clone(args[2:])
	for i, arg := range line {
		if _, err := os.Stat(ts.MkAbs(arg)); err == nil && i > 0 && arg != "" {
			line[i] = ts.MkAbs(arg)
		}
	}
	if !slices.Contains(line, "--config") && !slices.Contains(line, "--data-dir") {
		line = append(line, "--data-dir", ts.MkAbs(".assay"))
	}
	var stdout, stderr bytes.Buffer
	a := here(strings.NewReader(""), &stdout, &stderr, ts.Getenv)
	a.environ = nil
	for _, key := range config.Keys() {
		if value := ts.Getenv(key.Env); key.Env != "" && value != "" {
			a.environ = append(a.environ, key.Env+"="+value)
		}
	}
	got := a.run(context.Background(), line)
	_, _ = ts.Stdout().Write(stdout.Bytes())
	_, _ = ts.Stderr().Write(stderr.Bytes())
	if got != want {
		ts.Fatalf("%v exited with %d, want %d\n%s%s", line, got, want, &stdout, &stderr)
	}
	if name := toolNamed(stdout.String() + stderr.String()); name != "" && !aboutTools(line) {
		ts.Fatalf("%v names the tool %s", line, name)
	}
}

// here is the program within this process, with the shared browser.
func here(stdin io.Reader, stdout, stderr *bytes.Buffer, getenv func(string) string) *app {
	return &app{stdin: stdin, stdout: stdout, stderr: stderr, getenv: getenv, environ: cheaply(), now: time.Now, browsers: shared,
		ownDir: func() (string, error) { return getenv("XDG_CONFIG_HOME"), nil }}
}
