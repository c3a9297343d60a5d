package author

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-qa/assay/author/heal"
	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/author/reset"
	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/tools/workspace"
)

// Healing heals tests in the background of a server: the tool heal_tests. It runs tests
// of the project and of explorations only, and writes none.
type Healing struct {
	Runner  func() (testrun.Runner, error)
	Filer   func(command string) testrun.Filer
	Heal    heal.Healer // what all healings share
	DataDir string      // absolute
	Root    string      // the project, absolute
	TestDir string      // below it
	Environ func(ctx context.Context) []string
	// Reset makes what sets the site back before tests run there; nil: nothing does.
	Reset func(site string) (way reset.Way, at string, err error)

	jobs wait.Jobs[*healJob]
}

// healJob is one healing of a server.
type healJob struct {
	*wait.Job
	id string

	// Of the job's mutex:
	doing  string
	report heal.Report
	filed  string // id of the run
	err    error
}

var _ workspace.Heals = (*Healing)(nil)

// Start begins to heal tests.
func (h *Healing) Start(ctx context.Context, ws *workspace.Workspace, r workspace.HealRequest) (workspace.HealStatus, error) {
	refused := func(err error) (workspace.HealStatus, error) {
		return workspace.HealStatus{}, fmt.Errorf("%w: %w", workspace.ErrHealRefused, err)
	}
	if len(r.Tests) == 0 {
		return refused(errors.New("tests is empty: name files or folders of tests"))
	}
	var tests []string
	for _, path := range r.Tests {
		full, err := h.within(path)
		if err != nil {
			return refused(err)
		}
		tests = append(tests, full)
	}
	healer := h.Heal
	healer.Grep, healer.Attempts = r.Grep, cmp.Or(max(r.MaxAttempts, 0), defaultAttempts)
	var err error
	if healer.Memory.Proofs, err = heal.ReadProofs(nil, filepath.Join(h.DataDir, ledger.RunsFolder)); err != nil {
		return refused(err)
	}
	if r.Plan != "" {
		file, err := h.within(r.Plan)
		if err != nil {
			return refused(err)
		}
		p, err := heal.ReadPlan(file)
		if err != nil {
			return refused(err)
		}
		healer.Memory.Plans = []plan.Plan{p}
	}
	runner, err := h.Runner()
	if err != nil {
		return refused(err)
	}
	runner.BaseURL = cmp.Or(r.BaseURL, runner.BaseURL)
	var once reset.Once
	var at string
	if h.Reset != nil {
		if once.Way, at, err = h.Reset(runner.BaseURL); err != nil {
			return refused(err)
		}
	}
	j, running, err := h.add(ctx, ws.Now().UTC().Format("20060102-150405"))
	if err != nil {
		return refused(err)
	}
	healer.Progress = func(text string) {
		j.Mu.Lock()
		defer j.Mu.Unlock()
		j.doing = text
	}
	j.Run(func() {
		var report heal.Report
		_, err := once.Site(running, at)
		if err == nil {
			report, err = healer.All(running, runner, tests, h.Environ(running))
		}
		run := ""
		if err == nil && !report.Interrupted && !report.Empty() {
			filed, failed := report.File(h.Filer("heal_tests"), h.Root)
			run, err = filed.RunID, failed
		}
		j.Mu.Lock()
		defer j.Mu.Unlock()
		j.report, j.filed, j.err = report, run, err
	})
	return j.status(), nil
}

const defaultAttempts = 3

// within returns the full path of what lies in the project's folders of tests and plans,
// or below an exploration.
func (h *Healing) within(path string) (string, error) {
	full := path
	if !filepath.IsAbs(full) {
		full = filepath.Join(h.Root, full)
	}
	full, err := filepath.EvalSymlinks(full)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, errors.Unwrap(err))
	}
	for _, folder := range []string{filepath.Join(h.Root, h.TestDir), filepath.Join(h.Root, "test-plan"), filepath.Join(h.DataDir, "explorations")} {
		allowed, err := filepath.EvalSymlinks(folder)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		if _, inside := disk.Inside(allowed, full); inside {
			return full, nil
		}
	}
	return "", fmt.Errorf("%s lies neither below %s nor below test-plan nor in an exploration", path, h.TestDir)
}

// add registers a healing, one at a time: tests share the site.
func (h *Healing) add(ctx context.Context, id string) (*healJob, context.Context, error) {
	return h.jobs.Add(ctx, id, func(running map[string]*healJob) error {
		for other := range running {
			return fmt.Errorf("healing %s is running: wait with action poll, or end it with action cancel", other)
		}
		return nil
	}, func(id string, j *wait.Job) *healJob { return &healJob{Job: j, id: id} })
}

func (h *Healing) find(id string) (*healJob, error) {
	j, ok := h.jobs.Find(id)
	if !ok {
		return nil, fmt.Errorf("%w: heal_id %q is none that action start answered with", workspace.ErrHealRefused, id)
	}
	return j, nil
}

// Status waits for the end or for that of ctx.
func (h *Healing) Status(ctx context.Context, id string) (workspace.HealStatus, error) {
	j, err := h.find(id)
	if err != nil {
		return workspace.HealStatus{}, err
	}
	j.Await(ctx)
	return j.status(), nil
}

// Cancel ends a healing and waits a moment for it.
func (h *Healing) Cancel(ctx context.Context, id string) (workspace.HealStatus, error) {
	j, err := h.find(id)
	if err != nil {
		return workspace.HealStatus{}, err
	}
	j.StopSoon(ctx)
	return j.status(), nil
}

// Close ends all healings, and waits until they are filed.
func (h *Healing) Close(ctx context.Context) { h.jobs.Close(ctx) }

func (j *healJob) status() workspace.HealStatus {
	j.Mu.Lock()
	defer j.Mu.Unlock()
	out := workspace.HealStatus{HealID: j.id, State: j.State(), Healed: []workspace.HealedTest{},
		Proposals: []workspace.HealProposal{}, Unhealed: []workspace.UnhealedTest{}, Rerun: []workspace.HealRerun{}}
	if out.State == "running" {
		out.Doing = j.doing
		return out
	}
	if j.err != nil && !errors.Is(j.err, context.Canceled) {
		out.Problem = j.err.Error()
	}
	r := j.report
	out.Green, out.Diff, out.RunID = r.Green, r.Diff, j.filed
	for _, x := range r.Healed {
		out.Healed = append(out.Healed, workspace.HealedTest{File: x.File, Line: x.Line, Test: x.Test, Old: x.Old, New: x.New, By: x.By, Score: x.Score, Margin: x.Margin})
	}
	for _, x := range r.Proposals {
		p := workspace.HealProposal{Number: x.Number, File: x.File, Line: x.Line, Test: x.Test, Old: x.Old, Why: x.Why, Choices: []string{}}
		for _, c := range x.Choices {
			p.Choices = append(p.Choices, fmt.Sprintf("%d. %s: %s (score %.2f) %s", c.Number, c.New, c.Element, c.Score, c.Picture))
		}
		out.Proposals = append(out.Proposals, p)
	}
	for _, x := range r.Unhealed {
		out.Unhealed = append(out.Unhealed, workspace.UnhealedTest{File: x.File, Line: x.Line, Test: x.Test, Reason: string(x.Reason), Detail: x.Detail})
	}
	for _, x := range r.Rerun {
		out.Rerun = append(out.Rerun, workspace.HealRerun{Test: x.Test, Green: x.Green, Runs: x.Runs, Before: x.Before, Killed: x.Killed})
	}
	if len(r.Errors) > 0 && out.Problem == "" {
		out.Problem = strings.Join(r.Errors, "; ")
	}
	return out
}
