package author

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/author/prove"
	"github.com/assay-qa/assay/author/reset"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/tools/workspace"
)

// TestFolder is the name of the folder of generated tests beside an exploration.
const TestFolder = "tests"

// Generating makes tests in the background of a server: the tool generate_tests. It
// reads and writes only the folders of explorations.
type Generating struct {
	DataDir       string // absolute
	Width, Height int    // of the tests' viewport
	Cookies       []*http.Cookie

	// Runner and Filer make what runs and proves tests.
	Runner func() (testrun.Runner, error)
	Filer  func(ws *workspace.Workspace, command string) testrun.Filer
	// Reset makes what sets sites back before tests are tried there; nil: nothing does.
	Reset func() (reset.Way, error)

	jobs wait.Jobs[*making] // the newest of each exploration
}

// making is the making of one exploration's tests.
type making struct {
	*wait.Job
	id  string
	dir string

	progress generate.Progress
	doing    string
	result   generate.Result
	proof    prove.Filed
	err      error
}

var _ workspace.Generations = (*Generating)(nil)

var explorationID = pattern.New(`^[0-9]{8}-[0-9]{6}(?:-[0-9]+)?$`)

// Start begins to make the tests of an exploration.
func (g *Generating) Start(ctx context.Context, ws *workspace.Workspace, r workspace.GenerateRequest) (workspace.GenerateStatus, error) {
	refused := func(format string, args ...any) (workspace.GenerateStatus, error) {
		return workspace.GenerateStatus{}, fmt.Errorf("%w: %w", workspace.ErrGenerationRefused, fmt.Errorf(format, args...))
	}
	if !explorationID.MatchString(r.ExplorationID) {
		return refused("exploration_id %q is none that explore_site answers with", r.ExplorationID)
	}
	order := generate.Order(cmp.Or(r.Locators, string(generate.Robust)))
	if !slices.Contains(generate.Orders(), string(order)) {
		return refused("locators %q is unknown: use robust or cohort", r.Locators)
	}
	folder := filepath.Join(g.DataDir, "explorations", r.ExplorationID)
	input := filepath.Join(folder, site.FileName)
	if r.FromPlan {
		input = filepath.Join(folder, filepath.FromSlash(PlanName))
	}
	if _, err := os.Stat(input); err != nil {
		return refused("exploration %s has no %s: explore the site to its end first", r.ExplorationID, filepath.Base(input))
	}
	read, err := generate.Read(input)
	if err != nil {
		return refused("%w", err)
	}
	var proving *Proving
	if r.Check && r.Draft {
		return refused("draft and check: a draft is not run, and so not proved: leave out one of them")
	}
	if !r.Draft {
		if proving, err = g.proving(ctx, ws, filepath.Join(folder, TestFolder)); err != nil {
			return refused("%w", err)
		}
	}
	if r.Role != "" {
		if err := ws.KnowsRole(r.Role); err != nil {
			return refused("%w", err)
		}
	}
	at := cmp.Or(r.BaseURL, read.StartURL)
	way, err := g.way(r, at)
	if err != nil {
		return refused("%w", err)
	}
	m, running, err := g.add(ctx, r.ExplorationID, filepath.Join(folder, TestFolder))
	if err != nil {
		return refused("%w", err)
	}
	request := generate.Request{Inputs: []string{input}, Dir: m.dir, BaseURL: r.BaseURL, Force: r.Force, Role: r.Role,
		Order: order, Width: g.Width, Height: g.Height, Cookies: TestCookies(g.Cookies), Draft: r.Draft, Resume: r.Resume,
		Limit: time.Duration(r.MaxTimeMS) * time.Millisecond, Now: ws.Now, Verify: Verifier(ws, order, r.Draft, g.Cookies)}
	request.Progress = m.tell
	if proving != nil {
		request.Play = proving.Play
	}
	if r.Check {
		request.Prove, proving.Progress = proving.Prove, m.tellProof
	}
	m.Run(func() {
		result, err := makeTests(running, way, at, request)
		var filed prove.Filed
		if err == nil && r.Check && !result.Interrupted {
			filed, err = proving.File(result, g.Filer(ws, ""))
		}
		m.Mu.Lock()
		defer m.Mu.Unlock()
		m.result, m.proof, m.err = result, filed, err
	})
	return m.status(), nil
}

func (m *making) tell(p generate.Progress) {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	m.progress = p
}

func (m *making) tellProof(text string) {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	m.doing = text
}

// way returns what sets the site back first; none where the making of tests goes on.
func (g *Generating) way(r workspace.GenerateRequest, at string) (reset.Way, error) {
	if g.Reset == nil || r.Resume {
		return reset.Way{}, nil
	}
	way, err := g.Reset()
	if err != nil {
		return way, err
	}
	return way, way.Check(at)
}

// makeTests makes tests, on a site that is set back.
func makeTests(ctx context.Context, way reset.Way, at string, r generate.Request) (generate.Result, error) {
	if _, err := (&reset.Once{Way: way}).Site(ctx, at); err != nil {
		return generate.Result{}, err
	}
	return generate.Run(ctx, r)
}

// proving returns what proves the tests of a folder, where a runner is installed.
func (g *Generating) proving(ctx context.Context, ws *workspace.Workspace, dir string) (*Proving, error) {
	runner, err := g.Runner()
	if err != nil {
		return nil, err
	}
	runner.Grace = runnerGrace
	return NewProving(ctx, ws, runner, dir)
}

// add registers the making of an exploration's tests, one at a time.
func (g *Generating) add(ctx context.Context, id, dir string) (*making, context.Context, error) {
	return g.jobs.Replace(ctx, id, func(running map[string]*making) error {
		if running[id] != nil {
			return errors.New("its tests are being made: wait with action poll, or end it with action cancel")
		}
		return nil
	}, func(id string, j *wait.Job) *making { return &making{Job: j, id: id, dir: dir} })
}

func (g *Generating) find(id string) (*making, error) {
	m, ok := g.jobs.Find(id)
	if !ok {
		return nil, fmt.Errorf("%w: action start begins it", fmt.Errorf("%w for exploration %q yet", workspace.ErrGenerationRefused, id))
	}
	return m, nil
}

// Status waits for the end or for that of ctx.
func (g *Generating) Status(ctx context.Context, id string) (workspace.GenerateStatus, error) {
	m, err := g.find(id)
	if err != nil {
		return workspace.GenerateStatus{}, err
	}
	m.Await(ctx)
	return m.status(), nil
}

// Cancel ends the making and waits a moment for it.
func (g *Generating) Cancel(ctx context.Context, id string) (workspace.GenerateStatus, error) {
	m, err := g.find(id)
	if err != nil {
		return workspace.GenerateStatus{}, err
	}
	m.StopSoon(ctx)
	return m.status(), nil
}

// Close ends all that is being made, and waits until it is stored.
func (g *Generating) Close(ctx context.Context) { g.jobs.Close(ctx) }

func (m *making) status() workspace.GenerateStatus {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	out := workspace.GenerateStatus{ExplorationID: m.id, State: m.State(), Tried: m.progress.Done, Of: m.progress.All, Folder: m.dir}
	if out.State == "running" {
		out.Doing = cmp.Or(m.doing, m.progress.Doing, m.progress.Ended)
		if m.progress.Left > 0 {
			out.LeftMS = m.progress.Left.Milliseconds()
		}
		return out
	}
	if m.err != nil && !errors.Is(m.err, context.Canceled) {
		out.Problem = m.err.Error()
	}
	r := m.result
	out.Tests, out.Asserts, out.Unverified, out.Kept = r.Tests, r.Asserts, r.Unverified, r.Kept
	out.CannotFail, out.Unproved, out.NotCovered, out.Left = r.CannotFail, r.Unproved, r.NotCovered, r.Left
	if m.proof.Dir != "" {
		out.ProofReport = filepath.Join(m.proof.Dir, "report.html")
	}
	for _, f := range r.Files {
		out.Files = append(out.Files, string(f.State)+" "+f.Name)
		if f.Proof != nil {
			out.Proofs = append(out.Proofs, f.Name+": "+f.Proof.String())
		}
	}
	for _, group := range generate.Alike(r.Dropped)[:min(len(generate.Alike(r.Dropped)), maxTold)] {
		out.Dropped = append(out.Dropped, group.String())
	}
	return out
}
