package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/tools/workspace"
)

// maxSuites bounds the suites that a server runs at a time: they share its sessions.
const maxSuites = 2

// Background runs suites in the background of a server: the tools run_suite,
// run_status and run_cancel.
type Background struct {
	Config  config.Config
	DataDir string // absolute
	// New makes the runner of one suite. baseURL wins over that of the environment.
	New func(baseURL string) (*Runner, error)

	jobs wait.Jobs[*background]
}

// background holds one suite of a server.
type background struct {
	*wait.Job
	cases []suite.Case

	// Of the job's mutex:
	index string // path
	suite suite.Suite
	err   error
}

// Start checks the files and begins to run them.
func (s *Background) Start(ctx context.Context, r workspace.SuiteRequest) (workspace.SuiteStatus, error) {
	request := Request{Paths: r.Paths, BaseURL: r.BaseURL, Tags: r.Tags, Grep: r.Grep, Shard: r.Shard, Resume: r.Resume,
		Parallel: max(1, min(s.Config.Agent.Concurrency, s.Config.Limits.MaxSessions-1))} // a place is left for the client itself
	if err := checkInside(r.Paths); err != nil {
		return workspace.SuiteStatus{}, fmt.Errorf("%w: %w", workspace.ErrSuiteRefused, err)
	}
	if err := CheckBaseURL(r.BaseURL); err != nil {
		return workspace.SuiteStatus{}, fmt.Errorf("%w: %w", workspace.ErrSuiteRefused, err)
	}
	own, q, err := s.prepare(ctx, request)
	var wrong *config.UsageError
	switch {
	case errors.As(err, &wrong):
		return workspace.SuiteStatus{}, fmt.Errorf("%w: %w", workspace.ErrSuiteRefused, err)
	case err != nil:
		return workspace.SuiteStatus{}, err
	}
	background, running, err := s.add(ctx, q)
	if err != nil {
		return workspace.SuiteStatus{}, err
	}
	background.Run(func() {
		done, err := own.Run(running, q, request.Parallel, background.set)
		background.finish(done, q.Index(), err)
	})
	return background.status(), nil
}

// prepare makes a suite, and a runner for it alone.
func (s *Background) prepare(ctx context.Context, r Request) (own *Runner, q Prepared, err error) {
	old, r, err := r.Previous(s.DataDir)
	if err != nil {
		return nil, q, err
	}
	if r.Resume != "" { // its files may be those of another folder that shares the store
		if err := checkInside(r.Paths); err != nil {
			return nil, q, config.Usage("resume: %w", err)
		}
	}
	if own, err = s.New(cmp.Or(r.BaseURL, old.BaseURL)); err != nil {
		return nil, q, err
	}
	q, err = own.Prepare(ctx, r, old)
	return own, q, err
}

// add registers a suite, or refuses one too many, and one that would share with another a
// storage state that is changed. A suite that is resumed takes the place of what it was.
func (s *Background) add(ctx context.Context, q Prepared) (*background, context.Context, error) {
	return s.jobs.Replace(ctx, q.Suite.ID, func(running map[string]*background) error {
		for known, other := range running {
			if account := suite.Clash(q.cases, other.cases); account != "" {
				return fmt.Errorf("%w: suite %s has cases of %s too, and some change what that has on the server: wait for it with "+
					"run_status, end it with run_cancel, or give each suite a role of its own",
					workspace.ErrSuiteRefused, known, account)
			}
		}
		if len(running) >= maxSuites {
			return fmt.Errorf("%w: %d suites are running, and that is the limit: wait for one with run_status, or end it with run_cancel", workspace.ErrSuiteRefused, len(running))
		}
		return nil
	}, func(_ string, j *wait.Job) *background {
		return &background{Job: j, cases: q.cases, index: q.IndexPath(), suite: q.Suite}
	})
}

// checkInside refuses paths that lead out of the server's folder, by a symbolic link
// either: a client names files of the project, not of the machine.
func checkInside(paths []string) error {
	for _, path := range paths {
		if err := disk.CheckInside(".", path); errors.Is(err, disk.ErrOutside) {
			return fmt.Errorf("%s leads out of the server's folder: give a path below it", path)
		} else if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func (s *Background) find(id string) (*background, error) {
	b, ok := s.jobs.Find(id)
	if !ok {
		return nil, fmt.Errorf("%q: %w", id, workspace.ErrNoSuite)
	}
	return b, nil
}

// Status waits for the suite's end or that of ctx.
func (s *Background) Status(ctx context.Context, id string) (workspace.SuiteStatus, error) {
	b, err := s.find(id)
	if err != nil {
		return workspace.SuiteStatus{}, err
	}
	b.Await(ctx)
	return b.status(), nil
}

// Cancel ends a suite and waits a moment for it.
func (s *Background) Cancel(ctx context.Context, id string) (workspace.SuiteStatus, error) {
	b, err := s.find(id)
	if err != nil {
		return workspace.SuiteStatus{}, err
	}
	b.StopSoon(ctx)
	return b.status(), nil
}

// Close ends all suites, and waits until they are stored.
func (s *Background) Close(ctx context.Context) { s.jobs.Close(ctx) }

func (b *background) set(s suite.Suite) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	b.suite = s
}

func (b *background) finish(s suite.Suite, index string, err error) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	b.index, b.err = index, err
	if len(s.Entries) > 0 {
		b.suite = s
	}
}

// status returns the suite as run_status answers it.
func (b *background) status() workspace.SuiteStatus {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	state := b.State()
	out := workspace.SuiteStatus{SuiteID: b.suite.ID, State: state, Total: len(b.suite.Entries), Index: b.index, Cases: []workspace.SuiteCase{}}
	if b.err != nil {
		out.Problem = b.err.Error()
	}
	for _, c := range b.suite.View("").Cases {
		k := workspace.SuiteCase{Path: c.Path, Name: c.Name, State: string(c.State)}
		if c.State.Over() {
			out.Done++
		}
		if c.State == suite.Skipped {
			out.Skipped++
		}
		switch c.Outcome {
		case "":
		case qa.TestPassed:
			out.Passed++
		case qa.TestFailed:
			out.Failed++
		case qa.TestError:
			out.Error++
		default:
			out.Skipped++
		}
		if c.Outcome != "" {
			k.Status, k.Flaky, k.RunID, k.Reason, k.DurationMS = string(c.Outcome), c.Flaky, c.RunID, c.Reason, c.DurationMS
		}
		out.Cases = append(out.Cases, k)
	}
	if state != "running" {
		out.Status = string(b.suite.Sum().Status)
	}
	return out
}
