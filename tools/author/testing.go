package author

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/tools/workspace"
)

// maxTestRuns bounds the test runs that a server works at a time: each has browsers of
// its own.
const maxTestRuns = 2

// runnerGrace bounds how long a runner may take to end when its server does.
const runnerGrace = 600 * time.Millisecond

// maxListed bounds the tests of a status. Those that failed come first.
const maxListed = 100

// Testing runs Playwright tests in the background of a server: the tool run_tests. It
// runs files of the project, and those that were generated of explorations.
type Testing struct {
	DataDir string // absolute; explorations are below it
	Root    string // absolute; the project's folder
	TestDir string // below Root: where the tests are, unless Playwright's configuration says so

	Runner func() (testrun.Runner, error)
	Filer  func(ws *workspace.Workspace, command string) testrun.Filer

	jobs wait.Jobs[*testRun]
}

// testRun is one test run of a server.
type testRun struct {
	*wait.Job
	id     string
	answer testrun.Answer
	err    error
}

var _ workspace.TestRuns = (*Testing)(nil)

// Start begins to run tests.
func (t *Testing) Start(ctx context.Context, ws *workspace.Workspace, r workspace.TestRequest) (workspace.TestStatus, error) {
	refused := func(err error) (workspace.TestStatus, error) {
		return workspace.TestStatus{}, fmt.Errorf("%w: %w", workspace.ErrTestRunRefused, err)
	}
	folder, patterns, err := t.place(r)
	if err != nil {
		return refused(err)
	}
	runner, err := t.Runner()
	if err != nil {
		return refused(err)
	}
	runner.Folder, runner.Grace = folder, runnerGrace
	if runner.BaseURL, err = baseURL(ws, r.BaseURL); err != nil {
		return refused(err)
	}
	if r.Role != "" {
		if err := ws.KnowsRole(r.Role); err != nil {
			return refused(err)
		}
	}
	runner.Plain = r.ExplorationID != ""
	found, err := testrun.Find(folder, patterns, runner.Tools(ctx))
	if err != nil {
		return refused(err)
	}
	if r.Pattern == "" && found.Config != "" && !runner.Plain { // it says which tests there are
		patterns, runner.Folder = nil, filepath.Dir(found.Config)
	}
	if _, inside := disk.Inside(t.Root, found.Config); found.Config != "" && !runner.Plain && !inside {
		return refused(fmt.Errorf("the configuration %s lies outside of the project's folder %s: set author.root to the folder that has both", found.Config, t.Root))
	}
	if err := runner.CheckTrust(found); err != nil {
		return refused(err)
	}
	j, running, err := t.add(ctx, ws.Now())
	if err != nil {
		return refused(err)
	}
	request := testrun.Request{Patterns: patterns, Grep: r.Grep, Name: r.Project, Timeout: time.Duration(r.TimeoutMS) * time.Millisecond}
	j.Run(func() {
		answer, err := runTests(running, ws, runner, t.Filer(ws, strings.TrimSpace("assay test "+strings.Join(patterns, " "))), request, r.Role)
		j.Mu.Lock()
		defer j.Mu.Unlock()
		j.answer, j.err = answer, err
	})
	return j.status(), nil
}

// baseURL returns the address that tests are run against: that of the call, or of the
// environment; empty where there is none, so that the project's own holds.
func baseURL(ws *workspace.Workspace, given string) (string, error) {
	if given == "" {
		return ws.Target.BaseURL, nil
	}
	address, err := ws.Address(given)
	if err == nil {
		err = browser.CheckURL(address)
	}
	return strings.TrimSuffix(address, "/"), err
}

// place returns the folder in which tests are looked for, and which of them run: only
// those below the project's folder, or of an exploration.
func (t *Testing) place(r workspace.TestRequest) (folder string, patterns []string, err error) {
	root := t.Root
	inside := []string{cmp.Or(t.TestDir, ".")}
	if r.ExplorationID != "" {
		if !explorationID.MatchString(r.ExplorationID) {
			return "", nil, fmt.Errorf("exploration_id %q is none that explore_site answers with", r.ExplorationID)
		}
		root = filepath.Join(t.DataDir, "explorations", r.ExplorationID)
		inside = []string{TestFolder}
		if info, err := os.Stat(filepath.Join(root, TestFolder)); err != nil || !info.IsDir() {
			return "", nil, fmt.Errorf("exploration %s has no tests yet: make them with generate_tests", r.ExplorationID)
		}
	}
	if r.Pattern != "" {
		if err := checkPattern(root, r.Pattern); err != nil {
			return "", nil, err
		}
		if r.ExplorationID != "" && !exists(root, r.Pattern) { // a part of a path: of this folder alone
			return filepath.Join(root, TestFolder), []string{r.Pattern}, nil
		}
		inside = []string{filepath.FromSlash(r.Pattern)}
	}
	for i, p := range inside {
		if !exists(root, p) {
			if r.Pattern == "" { // the project's own configuration says where its tests are
				return root, nil, nil
			}
			continue
		}
		inside[i] = filepath.Join(root, p)
	}
	return root, inside, nil
}

func exists(root, name string) bool {
	_, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
	return err == nil
}

// checkPattern refuses what leads out of the folder, or is no path and no part of one.
func checkPattern(root, pattern string) error {
	name := filepath.FromSlash(pattern)
	switch {
	case strings.HasPrefix(pattern, "-"):
		return fmt.Errorf("pattern %q begins with a hyphen: give a file, a folder or a part of a path", pattern)
	case filepath.IsAbs(name) || strings.HasPrefix(pattern, "/"):
		return fmt.Errorf("pattern %q is no path below the project's folder: leave out what leads to it", pattern)
	case slices.Contains(strings.FieldsFunc(pattern, func(r rune) bool { return r == '/' || r == '\\' }), ".."):
		return fmt.Errorf("pattern %q leads out of the project's folder", pattern)
	}
	if err := disk.CheckInside(root, name); err != nil && !errors.Is(err, fs.ErrNotExist) && exists(root, pattern) {
		return fmt.Errorf("pattern %q leads out of the project's folder by a link: %w", pattern, err)
	}
	return nil
}

// runTests runs tests signed in as a role, and files what came of them.
func runTests(ctx context.Context, ws *workspace.Workspace, runner testrun.Runner, filer testrun.Filer, request testrun.Request, role string) (answer testrun.Answer, err error) {
	if err := SignTestsIn(ctx, ws, &runner, role); err != nil {
		return answer, err
	}
	setup, err := runner.Open(ctx, request.Patterns)
	if err != nil {
		return answer, err
	}
	defer func() { err = errors.Join(err, setup.Close()) }()
	started := ws.Now()
	result, err := setup.Run(ctx, request)
	if err != nil {
		return answer, err
	}
	if result.NoTests() {
		if ctx.Err() != nil {
			return answer, ctx.Err()
		}
		return answer, fmt.Errorf("inconclusive: no tests found in %s: tests end in .spec.ts, .test.ts or the same with .js", setup.Project.TestDir)
	}
	s, index, err := filer.File(context.WithoutCancel(ctx), result, setup.Project.Root, started)
	return testrun.NewAnswer(result, setup.Project, s, index), err
}

// add registers a test run, or refuses one too many.
func (t *Testing) add(ctx context.Context, now time.Time) (*testRun, context.Context, error) {
	return t.jobs.Add(ctx, newID(now), func(running map[string]*testRun) error {
		if len(running) >= maxTestRuns {
			return fmt.Errorf("%d test runs are under way, and that is the limit: wait for one with action poll, or end it with action cancel", len(running))
		}
		return nil
	}, func(id string, j *wait.Job) *testRun { return &testRun{Job: j, id: id} })
}

func (t *Testing) find(id string) (*testRun, error) {
	j, ok := t.jobs.Find(id)
	if !ok {
		return nil, fmt.Errorf("%q: %w", id, workspace.ErrNoTestRun)
	}
	return j, nil
}

// Status waits for the test run's end or that of ctx.
func (t *Testing) Status(ctx context.Context, id string) (workspace.TestStatus, error) {
	j, err := t.find(id)
	if err != nil {
		return workspace.TestStatus{}, err
	}
	j.Await(ctx)
	return j.status(), nil
}

// Cancel ends a test run and waits a moment for it.
func (t *Testing) Cancel(ctx context.Context, id string) (workspace.TestStatus, error) {
	j, err := t.find(id)
	if err != nil {
		return workspace.TestStatus{}, err
	}
	j.StopSoon(ctx)
	return j.status(), nil
}

// Close ends all test runs, and waits until they are filed.
func (t *Testing) Close(ctx context.Context) { t.jobs.Close(ctx) }

func (j *testRun) status() workspace.TestStatus {
	j.Mu.Lock()
	defer j.Mu.Unlock()
	a := j.answer
	out := workspace.TestStatus{TestRunID: j.id, State: j.State(), Status: string(a.Status), Passed: a.Passed, Failed: a.Failed, Flaky: a.Flaky,
		Errors: a.Errors, Suite: a.Suite, Report: a.Report, Traces: append([]string{}, a.Traces...), Runner: a.Runner, Tests: []workspace.TestOutcome{}}
	if j.err != nil && !errors.Is(j.err, context.Canceled) {
		out.Problem = j.err.Error()
	}
	for _, wanted := range []bool{false, true} {
		for _, o := range a.Tests {
			switch passed := o.Status == "passed"; {
			case passed != wanted:
			case len(out.Tests) < maxListed:
				out.Tests = append(out.Tests, workspace.TestOutcome(o))
			default:
				out.LeftOut++
			}
		}
	}
	return out
}
