package browser

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"
)

// engine is one run of the Playwright driver and the browser processes it
// started. When it dies (killed, crashed) it is replaced, never revived.
type engine struct {
	opts     Options
	pw       *playwright.Playwright
	launcher *driverLauncher
	inst     Installation
	dead     chan struct{} // closed when the driver is known to be gone
	deadOnce sync.Once
	stopOnce sync.Once

	mu       sync.Mutex
	browsers map[browserKind]*process
}

// process is one browser process, shared by the sessions in it.
type process struct {
	playwright.Browser
	inst BrowserInfo
	gone chan struct{} // closed when the process ended
}

// browserKind tells the browser processes of an engine apart.
type browserKind struct {
	name   string // chromium, firefox, webkit
	headed bool
}

// startEngine starts the driver. It launches no browser yet.
func startEngine(opts Options) (*engine, error) {
	io := opts.Install
	io.Browser, io.Headed = opts.Type, opts.Headed
	inst, err := Locate(context.Background(), io)
	if err != nil {
		return nil, missing(err)
	}
	if err := sweepStaleLaunchers(opts.TempDir); err != nil {
		opts.Log.Warn("remove what killed servers left behind", "err", err)
	}
	launcher, err := newDriverLauncher(inst.Driver, opts.TempDir)
	if err != nil {
		return nil, &Error{Code: DriverMissing, Message: "prepare the driver's folder: " + err.Error(), Hint: "run: assay doctor", Cause: err}
	}
	pw, err := playwright.Run(&playwright.RunOptions{
		DriverDirectory:     launcher.Dir,
		SkipInstallBrowsers: true,
		// The defaults write to stdout, which belongs to the protocol.
		Stdout: logWriter{opts.Log}, Stderr: logWriter{opts.Log}, Logger: opts.Log,
	})
	if err != nil {
		return nil, errors.Join(&Error{Code: DriverMissing, Message: "start the driver: " + err.Error(), Hint: "run: assay doctor", Cause: err}, launcher.Remove())
	}
	e := &engine{opts: opts, pw: pw, launcher: launcher, inst: inst, dead: make(chan struct{}), browsers: map[browserKind]*process{}}
	if err := registerEngines(pw); err != nil {
		e.stop(time.Second)
		return nil, classify(err, "register the selector engine", "")
	}
	return e, nil
}

// missing maps a failed installation search to DRIVER_MISSING with its remedy.
func missing(err error) error {
	e := &Error{Code: DriverMissing, Message: err.Error(), Hint: "run: assay install", Cause: err}
	var ie *InstallError
	if errors.As(err, &ie) {
		e.Message = ie.What // the command tells the rest
		if ie.Remedy != "" {
			e.Hint = "run: " + ie.Remedy
		}
	}
	return e
}

func (e *engine) markDead() { e.deadOnce.Do(func() { close(e.dead) }) }

// alive reports whether the engine can still open sessions.
func (e *engine) alive() bool {
	select {
	case <-e.dead:
		return false
	default:
	}
	if !processAlive(e.pw.Pid()) {
		e.markDead()
		return false
	}
	return true
}

// browser returns the running browser of that kind, launching it if needed.
func (e *engine) browser(ctx context.Context, name string, headed bool) (*process, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	kind := browserKind{name, headed}
	if b := e.browsers[kind]; b != nil && b.IsConnected() {
		return b, nil
	}
	inst := e.inst
	if kind != (browserKind{e.opts.Type, e.opts.Headed}) {
		var err error
		io := e.opts.Install
		io.Browser, io.Headed = name, headed
		if inst, err = Locate(ctx, io); err != nil {
			return nil, missing(err)
		}
	}
	bt := map[string]playwright.BrowserType{"chromium": e.pw.Chromium, "firefox": e.pw.Firefox, "webkit": e.pw.WebKit}[name]
	b, err := bt.Launch(playwright.BrowserTypeLaunchOptions{
		ExecutablePath:  playwright.String(inst.Browser.Path),
		Headless:        playwright.Bool(!headed),
		ChromiumSandbox: playwright.Bool(sandboxed()),
		Args:            browserArgs(name),
		Timeout:         left(ctx, 30*time.Second),
		// Signals are the server's to handle: it closes the browser itself.
		HandleSIGINT: playwright.Bool(false), HandleSIGTERM: playwright.Bool(false), HandleSIGHUP: playwright.Bool(false),
	})
	if err != nil {
		return nil, &Error{Code: BrowserCrashed, Message: "launch " + inst.Browser.Path + ": " + plain(err), Hint: "run: assay doctor", Cause: err}
	}
	p := &process{Browser: b, inst: inst.Browser, gone: make(chan struct{})}
	b.OnDisconnected(func(playwright.Browser) { close(p.gone) })
	e.browsers[kind] = p
	return p, nil
}

// sandboxed reports whether Chromium's sandbox can be used: it refuses to run
// as root.
func sandboxed() bool { return os.Geteuid() > 0 }

// browserArgs are Chromium's switches against traffic of its own.
func browserArgs(name string) []string {
	if name != "chromium" {
		return nil
	}
	return []string{"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic", "--no-first-run"}
}

// stop closes browsers and driver; what isn't gone within limit is killed.
func (e *engine) stop(limit time.Duration) {
	e.stopOnce.Do(func() {
		e.markDead()
		pid := e.pw.Pid()
		done := make(chan struct{})
		go func() {
			defer close(done)
			e.mu.Lock()
			defer e.mu.Unlock()
			for _, b := range e.browsers {
				if err := b.Close(); err != nil && !isClosed(err) {
					e.opts.Log.Warn("close browser", "err", err)
				}
			}
			if err := e.pw.Stop(); err != nil {
				e.opts.Log.Debug("stop driver", "err", err)
			}
		}()
		select {
		case <-done:
		case <-time.After(limit):
			e.opts.Log.Warn("driver did not stop in time, killing it", "limit", limit)
		}
		if p, err := os.FindProcess(pid); err == nil && processAlive(pid) {
			_ = p.Kill() // it may have ended meanwhile, which is what we want
		}
		if err := e.launcher.Remove(); err != nil {
			e.opts.Log.Warn("remove the driver's folder", "err", err)
		}
	})
}

// logWriter sends what the driver prints to the log.
type logWriter struct{ log *slog.Logger }

var _ io.Writer = logWriter{}

func (w logWriter) Write(p []byte) (int, error) {
	w.log.Debug("driver", "output", string(p))
	return len(p), nil
}
