package browser

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/outline"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/browser/trace"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
)

// engine runs one Playwright driver and the browser processes it started. When
// it dies (killed, crashed) it is replaced, never revived.
type engine struct {
	opts     Options
	pw       *playwright.Playwright
	launcher *driver.Launcher
	inst     driver.Installation
	life     context.Context // ends with the pool
	dead     chan struct{}   // closed when the driver is known to be gone
	deadOnce sync.Once
	stopOnce sync.Once
	traces   *trace.Folder

	mu       sync.Mutex
	browsers map[browserKind]*start
}

// start holds one browser process, or the attempt to launch it.
type start struct {
	done    chan struct{} // closed when process and err are set
	process *process
	err     error
}

// over reports whether the launch failed, or what it started has ended.
func (s *start) over() bool {
	return ended(s.done) && (s.err != nil || ended(s.process.gone))
}

// process holds one browser process, which several sessions share.
type process struct {
	playwright.Browser
	gone     chan struct{} // closed when the process, or its driver, ended
	goneOnce sync.Once
	prints   fontPrints
	driver   int             // number of the driver's process, which started it
	tracing  *wait.Places    // one: the right to find a page's processes
	life     context.Context // ends with the pool
	kill     func()          // what the driver has started
}

// endIfDeaf ends a browser process that acts on nothing any more. A page can flood it with
// messages, and goes on with that when its session is closed, as it is never told: all
// other sessions would wait behind these, for minutes. They are rebuilt in another process.
func (p *process) endIfDeaf(limit time.Duration, log *slog.Logger) {
	context, err := rest.AnswerOrLate(p.life, func() (playwright.BrowserContext, error) {
		return guarded(func() (playwright.BrowserContext, error) { return p.NewContext() })
	}, rest.Policy{Limit: limit, Events: []rest.Event{{Of: p.gone, Err: errGone}}}, func(late playwright.BrowserContext) { _ = late.Close() })
	switch {
	case err == nil:
		_ = context.Close() // it has shown nothing
	case errors.Is(err, rest.ErrLimit):
		log.Warn("a browser process answers nothing any more and is ended; its sessions are rebuilt", "after", limit)
		p.kill()
	}
}

func (p *process) end() { p.goneOnce.Do(func() { close(p.gone) }) }

// browserKind identifies a kind of browser process of an engine.
type browserKind struct {
	name   string // chromium, firefox, webkit
	headed bool
}

// startEngine starts the driver. It launches no browser yet. It calls begins
// with the launcher before anything runs.
func startEngine(life context.Context, opts Options, begins func(*driver.Launcher)) (*engine, error) {
	wanted := opts.Install
	wanted.Browser, wanted.Headed = opts.Type, opts.Headed
	inst, err := driver.Locate(life, wanted)
	if err != nil {
		return nil, missing(err)
	}
	if err := driver.RemoveStaleLaunchers(opts.TempDir); err != nil {
		opts.Log.Warn("remove what killed servers left behind", "err", err)
	}
	if inst.Driver.Observer, err = outline.Observer(); err != nil {
		return nil, classify(err, "prepare the observer of documents")
	}
	launcher, err := driver.NewLauncher(inst.Driver, opts.TempDir)
	if err != nil {
		return nil, explain.DriverUnready("prepare the driver's folder", opts.Install.Program, err)
	}
	begins(launcher)
	pw, stderr, err := runDriver(opts, launcher.Dir)
	if err != nil && disk.OutOfFiles(err) {
		return nil, errors.Join(explain.TooManyFiles("start the driver", err), launcher.Remove())
	}
	if err != nil {
		return nil, errors.Join(explain.DriverUnready("start the driver", opts.Install.Program, err), launcher.Remove())
	}
	if err := launcher.Hold(); err != nil {
		opts.Log.Warn("a driver that outlives this server may leave processes", "err", err)
	}
	if opts.CPUPercent > 0 && opts.CPUPercent < 100 {
		if err := launcher.LimitProcessors(opts.CPUPercent); err != nil {
			opts.Log.Warn("limits.cpu_percent is not enforced", "err", err)
		}
	}
	e := &engine{life: life, opts: opts, pw: pw, launcher: launcher, inst: inst, dead: make(chan struct{}),
		browsers: map[browserKind]*start{}, traces: trace.NewFolder(launcher.TempDir, outlineEngine)}
	go e.watch(stderr)
	if err := registerEngines(pw); err != nil {
		e.stop(rest.StopLimit)
		return nil, classify(err, "register the selector engine")
	}
	return e, nil
}

// runDriver starts the driver with its error output on a pipe, the end of
// which tells that it is gone: the binding has no event for that.
func runDriver(opts Options, dir string) (*playwright.Playwright, *os.File, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = write.Close() }() // the driver has its own copy
	pw, err := playwright.Run(&playwright.RunOptions{
		DriverDirectory:     dir,
		SkipInstallBrowsers: true,
		// The defaults write to stdout, which belongs to the protocol.
		Stdout: logWriter{opts.Log}, Stderr: write, Logger: opts.Log,
	})
	if err != nil {
		return nil, nil, errors.Join(err, read.Close())
	}
	return pw, read, nil
}

// maxDriverLine bounds a line of what the driver prints, in bytes.
const maxDriverLine = 256 << 10

// watch logs what the driver prints until it is gone. It logs whole lines: a
// secret that came in two pieces could not be masked.
func (e *engine) watch(stderr io.ReadCloser) {
	defer stderr.Close()
	lines := bufio.NewReaderSize(stderr, maxDriverLine)
	for {
		line, err := lines.ReadSlice('\n')
		if len(line) > 0 {
			_, _ = logWriter{e.opts.Log}.Write(line) // it never fails
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			if !errors.Is(err, io.EOF) {
				e.opts.Log.Warn("read the driver's error output", "err", err)
			}
			break
		}
	}
	e.markDead()
	e.launcher.KillBrowsers() // what a killed driver left: a stopped browser never sees that it is alone
}

// missing maps a failed installation search to DRIVER_MISSING with its remedy.
func missing(err error) error {
	if ie, ok := errors.AsType[*driver.InstallError](err); ok {
		return explain.NotInstalled(pagetext.Sentencef("%s", ie.What), ie.Remedy, err) // the command tells the rest
	}
	return explain.NotInstalled(pagetext.Sentencef("%v", err), "", err)
}

func (e *engine) markDead() { e.deadOnce.Do(func() { close(e.dead) }) }

// alive reports whether the engine can still open sessions.
func (e *engine) alive() bool { return !ended(e.dead) }

// browser returns the running browser of that kind, launching it if needed. A
// launch goes on when its caller gives up: the next one finds it done.
func (e *engine) browser(ctx context.Context, name string, headed bool) (*process, error) {
	kind := browserKind{name, headed}
	e.mu.Lock()
	b := e.browsers[kind]
	if b == nil || b.over() {
		b = &start{done: make(chan struct{})}
		e.browsers[kind] = b
		go func() {
			defer close(b.done)
			b.process, b.err = guarded(func() (*process, error) { return e.launch(kind) })
		}()
	}
	e.mu.Unlock()
	if err := rest.Until(ctx, nil, rest.Policy{Events: []rest.Event{{Of: b.done}, {Of: e.dead, Err: explain.BrowserGone(pagetext.Sentencef("launch %s", name), nil)}}}); err != nil {
		return nil, err
	}
	return b.process, b.err
}

func (e *engine) launch(kind browserKind) (*process, error) {
	inst := e.inst
	if kind != (browserKind{e.opts.Type, e.opts.Headed}) {
		var err error
		wanted := e.opts.Install
		wanted.Browser, wanted.Headed = kind.name, kind.headed
		if inst, err = driver.Locate(e.life, wanted); err != nil {
			return nil, missing(err)
		}
	}
	bt := map[string]playwright.BrowserType{"chromium": e.pw.Chromium, "firefox": e.pw.Firefox, "webkit": e.pw.WebKit}[kind.name]
	b, err := bt.Launch(playwright.BrowserTypeLaunchOptions{
		ExecutablePath:  playwright.String(inst.Browser.Path),
		Headless:        playwright.Bool(!kind.headed),
		ChromiumSandbox: playwright.Bool(sandboxed()),
		Args:            browserArgs(kind.name, !e.opts.ungated),
		Timeout:         playwright.Float(float64(rest.LaunchLimit.Milliseconds())),
		TracesDir:       playwright.String(e.traces.Dir),
		// Signals are the server's to handle: it closes the browser itself.
		HandleSIGINT: playwright.Bool(false), HandleSIGTERM: playwright.Bool(false), HandleSIGHUP: playwright.Bool(false),
	})
	switch {
	case err != nil && driverOutOfFiles(err):
		return nil, explain.TooManyFiles(pagetext.Sentencef("launch %s", kind.name), err)
	case err != nil && ended(e.dead):
		return nil, explain.BrowserGone(pagetext.Sentencef("launch %s", kind.name), err)
	case err != nil:
		return nil, explain.NotLaunched(inst.Browser.Path, plain(err), e.opts.Install.Program, err)
	}
	p := &process{Browser: b, gone: make(chan struct{}), driver: e.pw.Pid(), tracing: wait.NewPlaces(1), life: e.life, kill: e.launcher.KillBrowsers}
	b.OnDisconnected(func(playwright.Browser) { p.end() })
	if !b.IsConnected() { // it ended before anybody listened
		p.end()
	}
	go func() { // a driver that is killed sends no word about its browsers
		_ = rest.Until(context.Background(), nil, rest.Policy{Events: []rest.Event{{Of: e.dead}, {Of: p.gone}}}) // whichever it is
		p.end()
	}()
	return p, nil
}

// sandboxed reports whether Chromium's sandbox can be used: it refuses to run
// as root.
func sandboxed() bool { return os.Geteuid() > 0 }

// browserArgs lists Chromium's switches against traffic of its own, and
// against ways around the gate.
func browserArgs(name string, gated bool) []string {
	if name != "chromium" {
		return nil
	}
	args := []string{"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic", "--no-first-run"}
	if gated {
		args = append(args, gateArgs()...)
	}
	return args
}

// stop closes browsers and driver; what isn't gone within limit is killed.
func (e *engine) stop(limit time.Duration) {
	e.stopOnce.Do(func() {
		done := make(chan struct{})
		go func() {
			defer close(done)
			// A driver that is gone has taken its browsers with it, and the binding's
			// reader closes the pipes and waits for it. Doing that here at the same
			// time can make the binding (transport.go: it looks, then closes) close a
			// channel twice: a panic that no caller can recover from.
			if e.alive() {
				e.closeBrowsers()
			}
			if !e.alive() {
				return
			}
			if err := e.pw.Stop(); err != nil {
				e.opts.Log.Debug("stop driver", "err", err)
			}
		}()
		// A driver that was waited for has a number that may be another's by now.
		if rest.Until(context.Background(), nil, rest.Policy{Limit: max(limit, time.Nanosecond), Events: []rest.Event{{Of: done}}}) != nil {
			e.opts.Log.Warn("driver did not stop in time, killing it", "limit", limit)
			if p, err := os.FindProcess(e.pw.Pid()); err == nil {
				_ = p.Kill() // it may have ended meanwhile, which is what we want
			}
		}
		e.markDead()
		e.launcher.KillBrowsers() // a driver that ended in order has left none
		if err := e.launcher.Remove(); err != nil {
			e.opts.Log.Warn("remove the driver's folder", "err", err)
		}
	})
}

// closeBrowsers closes those that run; what is just being launched ends with
// the driver.
func (e *engine) closeBrowsers() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, b := range e.browsers {
		if !ended(b.done) || b.over() {
			continue
		}
		if err := b.process.Close(); err != nil && !isClosed(err) {
			e.opts.Log.Warn("close browser", "err", err)
		}
	}
}

// logWriter sends what the driver prints to the log.
type logWriter struct{ log *slog.Logger }

var _ io.Writer = logWriter{}

func (w logWriter) Write(p []byte) (int, error) {
	w.log.Debug("driver", "output", string(p))
	return len(p), nil
}
