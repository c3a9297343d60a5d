package driver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
)

// Options sets where to look for the Playwright driver and a browser, and what may be fetched.
// Only HomeDir, CacheDir and Getenv have no useful zero value: without them the caches and the
// environment are not looked at.
type Options struct {
	Program        string              // the command by which a person calls this program; empty = assay
	CacheDir       string              // assay's own cache: holds the driver and its compiled code
	HomeDir        string              // the user's home, under which Playwright keeps its browsers
	ExecutablePath string              // the configured browser; empty = find one
	Browser        string              // chromium (default), firefox or webkit
	Headed         bool                // a window is wanted: full Chrome or Chromium, never the headless shell
	WithDeps       bool                // Install may install OS packages (Debian and Ubuntu, as root)
	NoDownload     bool                // Install may not fetch anything: the same as Locate
	DataDir        string              // looked at by Diagnose only; empty = not looked at
	TempDir        string              // looked at by Diagnose only
	Getenv         func(string) string // the environment; nil = empty
	Environ        []string            // what npm and apt get of it, whose settings are the person's; nil = as little as the driver
	Report         func(Step)          // called with every step; slow ones also before they start (OutcomeTrying)
	Log            *slog.Logger        // nil = silent
}

// Outcome names how one step of an installation ended.
type Outcome string

// The outcomes of a Step.
const (
	OutcomeTrying    Outcome = "trying" // reported before a slow step; the step's end follows
	OutcomeFound     Outcome = "found"
	OutcomeMissing   Outcome = "missing"
	OutcomeFailed    Outcome = "failed"
	OutcomeInstalled Outcome = "installed"
	OutcomeSkipped   Outcome = "skipped"
)

// Step describes one place that was looked at, or one thing that was fetched.
type Step struct {
	Name    string  // what was tried, e.g. "Playwright's cache"
	Detail  string  // where, and why it ended so
	Outcome Outcome // how it ended
	Err     error   // the cause, when Outcome is failed
}

// String returns the step on one line.
func (s Step) String() string {
	line := fmt.Sprintf("%s: %s", s.Name, s.Outcome)
	if s.Detail != "" {
		line += " (" + s.Detail + ")"
	}
	if s.Err != nil {
		line += ": " + strings.ReplaceAll(s.Err.Error(), "\n", " | ")
	}
	return line
}

// Installation holds a driver and a browser that belong together.
type Installation struct {
	Driver  DriverInfo
	Browser BrowserInfo
	Steps   []Step // everything that was tried, in order
}

// DriverInfo describes a Playwright driver and the Node that runs it.
type DriverInfo struct {
	Dir         string // holds package/cli.js
	Version     string // Playwright's version
	Source      string // which step found it
	Node        string // path of the Node executable
	NodeVersion string // e.g. 20.11.1
	CodeCache   string // directory for the driver's compiled code; empty = compile at every start
	Observer    string // script that runs first in each document, in the driver's own world; empty = none
}

// BrowserInfo describes a browser executable that can be launched directly: never a wrapper script.
type BrowserInfo struct {
	Path          string
	Type          string // chromium, firefox or webkit
	Version       string // empty if only a launch could find it out
	Source        string // which step found it
	HeadlessShell bool   // it cannot show a window
}

// InstallError reports what could not be had, everything that was tried for it, and the one command
// that fixes it.
type InstallError struct {
	What   string // e.g. "no chromium browser"
	Tried  []Step
	Remedy string // the command, ready to paste
	Err    error  // the cause, where there is one
}

// Error ends with the command that fixes it.
func (e *InstallError) Error() string {
	var b strings.Builder
	b.WriteString(e.What)
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	for i, step := range e.Tried {
		sep := "; "
		if i == 0 {
			sep = "; tried "
		}
		b.WriteString(sep + step.String())
	}
	if e.Remedy != "" {
		b.WriteString("; to fix it run: " + e.Remedy)
	}
	return b.String()
}

// Unwrap returns the cause and the errors of the failed steps for errors.Is and errors.As.
func (e *InstallError) Unwrap() []error {
	var errs []error
	if e.Err != nil {
		errs = append(errs, e.Err)
	}
	for _, step := range e.Tried {
		if step.Err != nil {
			errs = append(errs, step.Err)
		}
	}
	return errs
}

// Install locates the driver and a browser, and fetches what is missing. It never writes to stdout.
// An incomplete installation is an *InstallError; what was found so far is returned with it.
func Install(ctx context.Context, opts Options) (Installation, error) {
	return newInstaller(opts).install(ctx)
}

// Locate installs as [Install] does, but fetches nothing and launches no
// browser: it is fast enough for a server's start.
func Locate(ctx context.Context, opts Options) (Installation, error) {
	opts.NoDownload = true
	return newInstaller(opts).install(ctx)
}

// installer carries the options and the steps of one Install or Locate.
type installer struct {
	Options
	*stepLog
	host     hostSystem
	packages packageInstaller
	noCache  bool // the cache folder can't be written
}

func newInstaller(opts Options) *installer {
	if opts.Browser == "" {
		opts.Browser = "chromium"
	}
	if opts.Program == "" {
		opts.Program = "assay"
	}
	if opts.Getenv == nil {
		opts.Getenv = func(string) string { return "" }
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	in := &installer{Options: opts, stepLog: &stepLog{log: opts.Log, report: opts.Report}, host: thisHost(opts.HomeDir, opts.Getenv)}
	in.host.environ = opts.Environ
	in.packages = packageInstaller{stepLog: in.stepLog, host: &in.host, allowed: opts.WithDeps}
	return in
}

func (in *installer) install(ctx context.Context) (Installation, error) {
	var result Installation
	err := in.checkBrowserType()
	if err == nil {
		err = in.host.checkOpenFiles()
	}
	if err == nil {
		result.Driver, err = in.driver(ctx)
	}
	if err == nil {
		result.Browser, err = in.browser(ctx, result.Driver)
	}
	result.Steps = in.steps
	return result, err
}

func (in *installer) checkBrowserType() error {
	switch in.Browser {
	case "chromium", "firefox", "webkit":
		return nil
	}
	return &InstallError{
		What:   fmt.Sprintf("unknown browser type %q: it is chromium, firefox or webkit", in.Browser),
		Remedy: in.Program + " install --browser chromium",
	}
}

// stepLog keeps the steps of an installation.
type stepLog struct {
	steps  []Step
	log    *slog.Logger
	report func(Step) // may be nil
}

// record keeps a step and reports it to the caller.
func (l *stepLog) record(name string, outcome Outcome, err error, format string, args ...any) {
	step := Step{Name: name, Detail: fmt.Sprintf(format, args...), Outcome: outcome, Err: err}
	if outcome != OutcomeTrying {
		l.steps = append(l.steps, step)
	}
	l.log.Debug("install step", "step", step.Name, "outcome", string(outcome), "detail", step.Detail, "error", err)
	if l.report != nil {
		l.report(step)
	}
}

// since returns the steps recorded after the first n: the ones an error about them lists.
func (l *stepLog) since(n int) []Step {
	return append([]Step(nil), l.steps[n:]...)
}

// cancelled distinguishes a stop by the caller from a failure of the step.
func cancelled(ctx context.Context, what string) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.DeadlineExceeded) {
		return fmt.Errorf("%s: stopped: %w", what, cause)
	}
	return nil
}

// CanFetch reports whether npm is there, which fetches the driver. It looks at files alone.
func CanFetch(opts Options) bool {
	_, ok := newInstaller(opts).host.lookPath("npm")
	return ok
}

// Present reports whether the driver is there. It looks at files alone, and starts nothing.
func Present(opts Options) bool {
	opts.NoDownload, opts.Report = true, nil
	_, ok := newInstaller(opts).findDriver()
	return ok
}
