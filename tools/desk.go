package tools

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/engine/signin"
	"github.com/assay-qa/assay/engine/visualcheck"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
)

// Settings holds what a desk works with. [Desk.Fork] hands all of them on.
type Settings struct {
	Pool          *browser.Pool
	Store         *evidence.Store
	Limit         time.Duration         // bound on a call whose caller set no time-out
	HardLimit     time.Duration         // bound on any call
	Watch         time.Duration         // how long a page is watched after its last change, where nobody says; 0: not at all
	Screenshot    browser.ShotOptions   // defaults of page_screenshot
	MaxPixels     int                   // largest picture that is decoded
	Sets          []string              // toolsets that are offered
	Evaluate      bool                  // offer page_evaluate
	Baselines     visualcheck.Baselines // pictures that pages are compared with
	Visual        VisualDefaults
	KeepDownloads bool             // downloads stay in the folder that the pool has for them, instead of the run's
	Trace         bool             // trace the sessions of every run
	PictureAtEnd  bool             // take a picture of what a run ends with
	PictureBefore bool             // take a picture before each call that changes the page
	Identify      bool             // answers of acting calls say what the element is known again by
	FatalConsole  []*regexp.Regexp // errors of the console that are blocker findings
	HealthIgnore  []string         // names of findings about a page's health that are left out
	FromFile      bool             // tasks come from files: their assertions are those of the files' authors, or were accepted
	Suites        Suites           // runs suites in the background; nil: not here
	Environment   qa.Environment
	Secrets       Secrets        // resolves ${secret:NAME}; nil: none are configured
	Target        Target         // the environment under test
	Hosts         []string       // the only hosts that its sessions reach, if there are any
	Start         Start          // what its sessions start with
	Views         evidence.Views // makes the documents that people read from a report
	Now           func() time.Time
	Log           *slog.Logger
}

// VisualDefaults say how pictures are compared where neither the call nor the
// baseline does.
type VisualDefaults = visualcheck.Defaults

// Desk holds what the tools of one server share.
type Desk struct {
	Settings

	mu            sync.Mutex
	group         *browser.Group              // its sessions; see desk_fork.go
	own           *evidence.Run               // the connection's own run
	ownCalls      int                         // calls that began in it
	ownBusy       int                         // those that have not ended
	finishing     sync.WaitGroup              // own runs on their way to a report
	started       *evidence.Run               // between run_start and run_finish
	starts        map[string]browser.Position // where the sessions stood when it began, by their ids
	traffic       map[string]*traffic
	tracing       traceState
	signIns       map[string]*signin.SignIn // of sessions with a role, by their ids
	uses          map[string]string         // the newest run that used a session, by the session's id
	running       runningCalls
	lastHeld      lastAssertions // what was asserted last
	sites         siteScope
	presence      presence
	recordedCalls []recordedCall // of the run that is open
}

// Catalogue returns the tools on offer, in the order of the contract.
func (d *Desk) Catalogue() []Tool {
	all := []Tool{
		d.browserLaunch(), d.browserClose(),
		d.pageNavigate(), d.pageSnapshot(),
		d.pageClick(), d.pageFill(), d.pageSelect(), d.pagePress(), d.pageHover(),
		d.pageWaitForSelector(), d.pageScreenshot(), d.pageEvaluate(),
		d.computerAction(), d.domSnapshot(),
		d.pageGetConsoleLogs(), d.pageGetNetworkLogs(), d.networkIntercept(),
		d.verifyPageLoads(), d.verifyElementExists(), d.verifyAssertion(), d.verifyUserFlow(), d.analyzeConsoleErrors(),
		d.captureVisualBaseline(), d.compareVisualRegression(),
		d.kpiOracle(), d.checkKPIs(),
		d.assert(), d.runStart(), d.runFinish(),
	}
	if d.Suites != nil {
		all = append(all, d.runSuite(), d.runStatus(), d.runCancel())
	}
	return slices.DeleteFunc(all, func(t Tool) bool {
		return !slices.Contains(d.Sets, string(t.Set)) || t.spec.off
	})
}

// run returns the run that a call belongs to now.
func (d *Desk) run() (*evidence.Run, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.started != nil {
		return d.started, nil
	}
	if d.own == nil {
		r, err := d.Store.Start(qa.TaskSpec{Goal: "calls outside of a run"})
		if err != nil {
			return nil, err
		}
		d.own = r
	}
	d.ownCalls++
	d.ownBusy++
	return d.own, nil
}

// maxOwnCalls sets how many calls outside of a run one report covers: a server
// lives for days, and nobody reads a report of ten thousand pictures.
const maxOwnCalls = 100

// leave ends a call that began in the connection's own run. When that
// has enough of them and nobody is in it, it is finished in the background, and
// the next call begins another one.
func (d *Desk) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ownBusy--
	r := d.own
	if r == nil || d.ownBusy > 0 || d.ownCalls < maxOwnCalls || r.Empty() {
		return
	}
	d.own, d.ownCalls = nil, 0
	d.finishing.Go(func() {
		err := d.fileTraffic(r)
		d.awaitTraces(context.Background(), r)
		if _, finishErr := r.Finish("", d.environment(), d.Views); err != nil || finishErr != nil {
			d.Log.Error("finish the connection's own run", "run", r.ID(), "err", errors.Join(err, finishErr))
		}
		d.tracing.forget(r.ID(), d.sessionIDs)
	})
}

func (d *Desk) isOwn(r *evidence.Run) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return r == d.own
}

// noteBrowser remembers what reports are made with.
func (d *Desk) noteBrowser(i browser.Info) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.Environment.Browser, d.Environment.BrowserVersion = i.Browser, i.Version
	d.Environment.Viewport, d.Environment.Locale, d.Environment.Timezone = fmt.Sprintf("%d×%d", i.Width, i.Height), i.Locale, i.Timezone
}

// noteUse remembers which run a session was used in last, and forgets sessions
// that are closed.
func (d *Desk) noteUse(session, run string) {
	open := d.sessionIDs()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.uses == nil {
		d.uses = map[string]string{}
	}
	maps.DeleteFunc(d.uses, func(id, _ string) bool { return !slices.Contains(open, id) })
	d.uses[session] = run
}

// usedIn returns the open sessions that a run has used, and no later one.
func (d *Desk) usedIn(run string) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []string
	for _, id := range slices.Sorted(maps.Keys(d.uses)) {
		if d.uses[id] == run {
			out = append(out, id)
		}
	}
	return out
}

func (d *Desk) environment() qa.Environment {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.Environment
}

// open starts a run that the following calls belong to.
func (d *Desk) open(task qa.TaskSpec) (*evidence.Run, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.started != nil {
		return nil, engine.InvalidInput("call run_finish first", "run %s is still open", d.started.ID())
	}
	r, err := d.Store.Start(task)
	if err != nil {
		return nil, fmt.Errorf("start a run: %w", err)
	}
	d.started = r
	return r, nil
}

// finish ends the open run and returns its report.
func (d *Desk) finish(ctx context.Context, summary string) (*evidence.Run, qa.QAReport, error) {
	d.mu.Lock()
	r := d.started
	d.mu.Unlock()
	if r == nil {
		return nil, qa.QAReport{}, engine.InvalidInput("call run_start first", "no run is open")
	}
	r.End()
	d.fileTraces(ctx, r)
	if err := d.fileTraffic(r); err != nil {
		d.Log.Warn("file the run's traffic", "run", r.ID(), "err", err)
	}
	report, err := r.Finish(summary, d.environment(), d.Views)
	if err == nil || errors.Is(err, evidence.ErrFinished) { // its report was sealed before, without its views
		d.mu.Lock()
		d.started = nil
		d.mu.Unlock()
	}
	if err != nil {
		return r, qa.QAReport{}, err
	}
	return r, report, nil
}

// Close finishes what a client that went away has left open. An open run was
// not finished by its caller, so it can't have passed.
func (d *Desk) Close() error {
	d.mu.Lock()
	own, open := d.own, d.started
	d.own, d.started = nil, nil
	d.mu.Unlock()
	d.finishing.Wait()
	var errs []error
	if open != nil {
		open.Interrupt(qa.Interruption{Kind: qa.NotExecuted, Subject: "run_finish", Detail: "the client went away before it finished the run"})
		errs = append(errs, d.fileTraffic(open))
		_, err := open.Finish("not finished by the client", d.environment(), d.Views)
		errs = append(errs, err)
	}
	if own != nil && !own.Empty() {
		errs = append(errs, d.fileTraffic(own))
		_, err := own.Finish("", d.environment(), d.Views)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
