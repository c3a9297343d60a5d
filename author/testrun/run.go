package testrun

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
)

//go:embed js/*.cjs
var scripts embed.FS

// Request says which tests run, and how.
type Request struct {
	Project  Project
	Folder   string   // that relative paths belong to; empty: the working one
	Patterns []string // paths, or parts of paths as Playwright takes them; none: all
	Grep     string   // regular expression over titles
	Name     string   // of a project of the configuration; empty: all
	BaseURL  string   // wins over the configuration's; empty: that holds
	Timeout  time.Duration
	Workers  int  // 0: the configuration's
	Beside   bool // Workers is a proposal: a configuration that has one worker keeps it
	Headed   bool

	Browser string            // executable of our browser, for projects whose own is not there
	State   string            // file of the storage state that tests begin with, unless they or the configuration say otherwise; empty: none
	Proxy   *Proxy            // that the browser goes through; nil: none
	Writes  bool              // tell which requests asked a site to change something
	Quiet   bool              // no traces, screenshots and videos
	Slots   []Slot            // the tests run once in each, in this order; none: once, in each project
	Ended   func(Test)        // called with each test when it has ended, one at a time; may be nil
	Hook    map[string][]byte // modules by name, of which hook.cjs has an install that is called in each process; may be nil
	Data    any               // what Hook is given, as request.data
	Scratch string            // an empty folder for what the run writes
	Environ []string
	Grace   time.Duration  // how long an interrupted runner may take to end its browsers and servers; 0: 10 s
	Confine *ConfineLimits // bounds the runner and all that it starts; nil: it runs as any program of the user
}

// Proxy is how a browser reaches the network.
type Proxy struct {
	Server   string `json:"server"`
	Username string `json:"username"`
	Password string `json:"password"`
	Bypass   string `json:"bypass"` // "<-loopback>": nothing, not even loopback
}

// interruptLimit bounds how long an interrupted runner may take, where nothing else is said.
const interruptLimit = 10 * time.Second

// maxSaid bounds what is kept of what the runner prints.
const maxSaid = 64 << 10

// Run runs the tests. Its error says that the runner could not do its work; what is
// wrong with tests is in the result. After an interruption the result has what ended.
func Run(ctx context.Context, r Request) (Result, error) {
	args, err := r.arguments()
	if err != nil {
		return Result{}, fmt.Errorf("prepare the test run: %w", err)
	}
	cmd := exec.CommandContext(ctx, r.Project.Node, args...)
	cmd.Dir = r.Project.Root
	cmd.Env = r.environ()
	var said tail
	cmd.Stdout, cmd.Stderr = &said, &said
	if r.Confine != nil {
		if err := r.Confine.Apply(cmd); err != nil {
			return Result{}, err
		}
	}
	driver.KillTogether(cmd)
	kill := cmd.Cancel
	cmd.Cancel = func() error { // the runner ends its browsers and servers itself
		if cmd.Process.Signal(os.Interrupt) != nil {
			return kill()
		}
		return nil
	}
	cmd.WaitDelay = cmp.Or(r.Grace, interruptLimit)
	if _, err := cmd.StdinPipe(); err != nil { // which ends with us, whatever ends us
		return Result{}, err
	}
	stop := r.follow(ctx)
	err = cmd.Run()
	stop()
	if (ctx.Err() != nil || r.Confine != nil) && cmd.Process != nil {
		_ = kill() // what is left of the group; mostly nothing
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && ctx.Err() == nil && !errors.Is(err, exec.ErrWaitDelay) {
		return Result{}, fmt.Errorf("start the test runner: %w", err)
	}
	result, err := readEvents(filepath.Join(r.Scratch, eventsFile))
	result.Interrupted = ctx.Err() != nil
	if r.Writes && result.Writes == nil {
		result.Writes = []qa.RequestRef{}
	}
	if err == nil && !result.begun && len(result.Errors) == 0 && !result.Interrupted {
		err = fmt.Errorf("the test runner ended before it began: %s", strings.TrimSpace(said.String()))
	}
	return result, err
}

// followEach is how often the runner's events are looked at while it runs.
const followEach = 100 * time.Millisecond

// follow hands each test to Ended as soon as the reporter has written its end. The function that
// it returns does so with the last ones, and returns when all are handed over.
func (r Request) follow(ctx context.Context) (stop func()) {
	if r.Ended == nil {
		return func() {}
	}
	job, following := wait.NewJob(ctx) // also for what ends after an interruption
	at := int64(0)
	look := func() {
		job.Mu.Lock()
		defer job.Mu.Unlock()
		at = eachEvent(filepath.Join(r.Scratch, eventsFile), at, func(e event) {
			if e.Event == "test" {
				r.Ended(e.Test)
			}
		})
	}
	job.Run(func() {
		for wait.For(following, followEach) == nil {
			look()
		}
	})
	return func() {
		job.Stop()
		ending, cancel := wait.CleanUp(ctx, interruptLimit)
		defer cancel()
		job.Await(ending)
		look()
	}
}

// arguments writes what the runner reads, and returns its arguments.
func (r Request) arguments() ([]string, error) {
	slots, again, err := r.writeSlots()
	if err != nil {
		return nil, err
	}
	config, err := r.writeConfig(slots, again)
	if err != nil {
		return nil, err
	}
	args := []string{filepath.Join(r.Project.Modules, "@playwright", "test", "cli.js"), "test", "--config", config}
	if again != "" { // the slots name their tests
		return args, nil
	}
	if r.Grep != "" {
		args = append(args, "--grep="+r.Grep)
	}
	if r.Name != "" && len(r.Slots) == 0 {
		args = append(args, "--project="+r.Name) // apart from it, the patterns would be names of projects, too
	}
	for _, p := range r.Patterns {
		args = append(args, r.pattern(p))
	}
	return args, nil
}

const eventsFile = "events.jsonl"

// pattern returns a path or a part of one as Playwright takes it: a regular
// expression. What exists is taken literally.
func (r Request) pattern(p string) string {
	at := p
	if !filepath.IsAbs(p) {
		at = filepath.Join(r.Folder, p)
	}
	if _, err := os.Stat(at); err == nil {
		if abs, err := filepath.Abs(at); err == nil {
			return regexp.QuoteMeta(filepath.ToSlash(abs))
		}
	}
	return p
}

// environ is the environment without what changes how the runner reports.
func (r Request) environ() []string {
	given := r.Environ
	if r.Confine != nil {
		given = r.Confine.Environ(given)
	}
	var out []string
	for _, entry := range given {
		name, _, _ := strings.Cut(entry, "=")
		if name == "FORCE_COLOR" || name == "PWDEBUG" || name == "NODE_PATH" || strings.HasPrefix(name, "PLAYWRIGHT_") && strings.Contains(name, "REPORTER") {
			continue
		}
		out = append(out, entry)
	}
	out = append(out, "FORCE_COLOR=0", "PLAYWRIGHT_HTML_OPEN=never", "NODE_PATH="+r.Project.Modules)
	if r.BaseURL != "" {
		out = append(out, "BASE_URL="+r.BaseURL)
	}
	return out
}

// writeConfig writes the configuration of the run into the scratch folder.
func (r Request) writeConfig(slots []slotConfig, again string) (string, error) {
	for _, name := range []string{"wrap.cjs", "reporter.cjs", "contexts.cjs", "late.cjs", "writes.cjs"} {
		text, err := scripts.ReadFile("js/" + name)
		if err == nil {
			err = os.WriteFile(filepath.Join(r.Scratch, name), text, 0o600)
		}
		if err != nil {
			return "", err
		}
	}
	hook := ""
	for name, text := range r.Hook {
		if err := os.WriteFile(filepath.Join(r.Scratch, name), text, 0o600); err != nil {
			return "", err
		}
		hook = filepath.Join(r.Scratch, "hook.cjs")
	}
	core, err := corePackage(r.Project.Modules)
	if err != nil {
		return "", err
	}
	asked, err := json.Marshal(map[string]any{
		"config": r.Project.Config, "testDir": r.Project.TestDir, "out": r.Scratch, "reporter": filepath.Join(r.Scratch, "reporter.cjs"),
		"core": core, "runner": filepath.Join(r.Project.Modules, "@playwright", "test"), "browser": r.Browser, "proxy": r.Proxy, "state": r.State, "baseURL": r.BaseURL,
		"timeout": r.Timeout.Milliseconds(), "workers": r.Workers, "beside": r.Beside,
		"headed": r.Headed, "quiet": r.Quiet, "slots": slots, "writes": r.Writes, "again": again, "project": r.Name, "hook": hook, "data": r.Data,
	})
	if err != nil {
		return "", err
	}
	name, text := "assay.config.cjs", "const own = %s;\nmodule.exports = require('./wrap.cjs')(own, %s);\n"
	own := "undefined"
	if r.Project.Config != "" {
		module, err := isModule(r.Project.Config)
		if err != nil {
			return "", err
		}
		own = "require(" + jsString(r.Project.Config) + ")"
		if module {
			name, text = "assay.config.mjs", "import * as own from %s;\nimport wrap from './wrap.cjs';\nexport default wrap(own, %s);\n"
			own = jsString(r.Project.Config)
		}
	}
	path := filepath.Join(r.Scratch, name)
	return path, os.WriteFile(path, fmt.Appendf(nil, text, own, asked), 0o600)
}

// corePackage finds the playwright-core that a runner drives browsers with.
func corePackage(modules string) (string, error) {
	runner, err := filepath.EvalSymlinks(filepath.Join(modules, "@playwright", "test"))
	if err != nil {
		return "", err
	}
	for dir := range above(runner) {
		for _, at := range []string{filepath.Join(dir, "node_modules", "playwright-core"), filepath.Join(dir, "node_modules", "playwright", "node_modules", "playwright-core")} {
			if isFile(filepath.Join(at, "package.json")) {
				return at, nil
			}
		}
	}
	return "", fmt.Errorf("there is no playwright-core beside %s: install the project's packages again", runner)
}

func jsString(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(text)
}

// tail keeps the end of what a program prints.
type tail struct{ kept []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - maxSaid; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string { return string(t.kept) }
