package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/tools"
)

// maxSuites is how many suites a server runs at a time: they share the places
// of its browser.
const maxSuites = 2

// cancelWait is how long a cancelled suite is waited for before its state is
// told as it is.
const cancelWait = 2 * time.Second

// suites runs suites in the background of a server: the tools run_suite,
// run_status and run_cancel.
type suites struct {
	app  *app
	cfg  config.Config
	desk *tools.Desk

	mu   sync.Mutex
	jobs map[string]*background
}

// background is one suite of a server.
type background struct {
	cancel context.CancelFunc
	ended  chan struct{}
	index  string

	mu        sync.Mutex
	suite     suite.Suite
	cancelled bool
	err       error
}

// withSuites lets a server's clients run suites, where the toolset is on offer.
func (a *app) withSuites(cfg config.Config, d *tools.Desk) *suites {
	s := &suites{app: a, cfg: cfg, desk: d, jobs: map[string]*background{}}
	d.Suites = s
	return s
}

// apart is the same program for a suite in the background: nothing of it may
// reach stdout, where the protocol is.
func (a *app) apart() *app {
	out := &app{stdin: a.stdin, stdout: io.Discard, stderr: io.Discard, getenv: a.getenv, environ: a.environ, now: a.now,
		configPath: a.configPath, envName: a.envName, verbose: a.verbose, flags: a.flags, log: a.log}
	out.vault.Store(a.vault.Load())
	return out
}

// Start checks the files and begins to run them.
func (s *suites) Start(ctx context.Context, r tools.SuiteRequest) (tools.SuiteStatus, error) {
	if err := inside(r.Paths); err != nil {
		return tools.SuiteStatus{}, fmt.Errorf("%w: %w", tools.ErrSuiteRefused, err)
	}
	flags := runFlags{baseURL: r.BaseURL, tags: r.Tags, grep: r.Grep, shard: r.Shard, resume: r.Resume,
		parallel: max(1, min(s.cfg.Agent.Concurrency, s.cfg.Limits.MaxSessions-1))} // a place is left for the client itself
	if err := checkBaseURL(flags.baseURL); err != nil {
		return tools.SuiteStatus{}, fmt.Errorf("%w: %w", tools.ErrSuiteRefused, err)
	}
	own := s.app.apart()
	q, err := s.prepare(ctx, own, r.Paths, flags)
	var wrong *config.UsageError
	switch {
	case errors.As(err, &wrong):
		return tools.SuiteStatus{}, fmt.Errorf("%w: %w", tools.ErrSuiteRefused, err)
	case err != nil:
		return tools.SuiteStatus{}, err
	}
	background := &background{ended: make(chan struct{}), index: filepath.Join(q.to.Folder, "index.html"), suite: q.suite}
	var running context.Context
	running, background.cancel = context.WithCancel(context.WithoutCancel(ctx))
	if err := s.enter(q.suite.ID, background); err != nil {
		background.cancel()
		return tools.SuiteStatus{}, err
	}
	go func() {
		defer close(background.ended)
		defer background.cancel()
		done, err := own.perform(running, q, flags.parallel, background.set)
		background.finish(done, err)
	}()
	return background.status(), nil
}

// prepare queues a suite on a desk of its own.
func (s *suites) prepare(ctx context.Context, own *app, paths []string, flags runFlags) (q queued, err error) {
	old, paths, err := own.takenUp(s.cfg, paths, flags)
	if err != nil {
		return q, err
	}
	if flags.resume != "" { // its files may be those of another folder that shares the books
		if err := inside(paths); err != nil {
			return q, usage("resume: %w", err)
		}
	}
	dir, err := dataDir(s.cfg)
	if err != nil {
		return q, err
	}
	desk := s.desk.Fork()
	if desk.Target, err = own.target(s.cfg, own.vault.Load(), dir); err != nil {
		return q, err
	}
	desk.Environment = own.reported(s.cfg, desk.Environment, desk.Target)
	return own.queue(ctx, s.cfg, desk, old, paths, flags)
}

// enter counts a suite in, or refuses one too many.
func (s *suites) enter(id string, b *background) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	running := 0
	for _, other := range s.jobs {
		select {
		case <-other.ended:
		default:
			running++
		}
	}
	if running >= maxSuites {
		return fmt.Errorf("%w: %d suites are running, and that is the limit: wait for one with run_status, or end it with run_cancel", tools.ErrSuiteRefused, running)
	}
	s.jobs[id] = b
	return nil
}

// inside refuses paths that lead out of the server's folder, by a symbolic link
// either: a client names files of the project, not of the machine.
func inside(paths []string) error {
	root, err := os.OpenRoot(".")
	if err != nil {
		return err
	}
	defer root.Close()
	for _, path := range paths {
		if !filepath.IsLocal(path) {
			return fmt.Errorf("%s leads out of the server's folder: give a path below it", path)
		}
		if _, err := root.Stat(path); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func (s *suites) find(id string) (*background, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.jobs[id]
	if !ok {
		return nil, fmt.Errorf("%q: %w", id, tools.ErrNoSuite)
	}
	return b, nil
}

// Status waits for the suite's end or that of ctx.
func (s *suites) Status(ctx context.Context, id string) (tools.SuiteStatus, error) {
	b, err := s.find(id)
	if err != nil {
		return tools.SuiteStatus{}, err
	}
	b.wait(ctx)
	return b.status(), nil
}

// Cancel ends a suite and waits a moment for it.
func (s *suites) Cancel(ctx context.Context, id string) (tools.SuiteStatus, error) {
	b, err := s.find(id)
	if err != nil {
		return tools.SuiteStatus{}, err
	}
	b.stop()
	ctx, done := context.WithTimeout(ctx, cancelWait)
	defer done()
	b.wait(ctx)
	return b.status(), nil
}

// close ends all suites, and waits for their books.
func (s *suites) close(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.jobs {
		b.stop()
	}
	for _, b := range s.jobs {
		b.wait(ctx)
	}
}

// stop cancels a suite that has not ended yet.
func (b *background) stop() {
	select {
	case <-b.ended:
		return
	default:
	}
	b.mu.Lock()
	b.cancelled = true
	b.mu.Unlock()
	b.cancel()
}

func (b *background) wait(ctx context.Context) {
	select {
	case <-b.ended:
	case <-ctx.Done():
	}
}

func (b *background) set(s suite.Suite) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.suite = s
}

func (b *background) finish(s suite.Suite, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.err = err
	if len(s.Entries) > 0 {
		b.suite = s
	}
}

// status is where the suite stands.
func (b *background) status() tools.SuiteStatus {
	state := "finished"
	select {
	case <-b.ended:
	default:
		state = "running"
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cancelled && state == "finished" {
		state = "cancelled"
	}
	out := tools.SuiteStatus{SuiteID: b.suite.ID, State: state, Total: len(b.suite.Entries), Index: b.index, Cases: []tools.SuiteCase{}}
	if b.err != nil {
		out.Problem = b.err.Error()
	}
	for _, e := range b.suite.Entries {
		k := tools.SuiteCase{Path: e.Path, Name: e.Name, State: string(e.State)}
		if e.Over() {
			out.Done++
		}
		if e.State == suite.Skipped {
			out.Skipped++
		}
		if r := e.Result; r != nil {
			switch r.Status {
			case qa.TestPassed:
				out.Passed++
			case qa.TestFailed:
				out.Failed++
			case qa.TestError:
				out.Error++
			default:
				out.Skipped++
			}
			k.Status, k.Flaky, k.RunID, k.Reason, k.DurationMS = string(r.Status), r.Flaky, r.RunID, r.FailureReason, r.DurationMS
		}
		out.Cases = append(out.Cases, k)
	}
	if state != "running" {
		out.Status = string(b.suite.Sum().Status)
	}
	return out
}
