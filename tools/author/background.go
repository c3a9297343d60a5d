package author

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/tools/workspace"
)

// maxExplorations bounds the explorations that a server runs at a time: they share its
// sessions.
const maxExplorations = 2

// Background explores sites in the background of a server: the tool explore_site.
type Background struct {
	// Options makes what an exploration has of the settings.
	Options func(allowWrites bool) (Options, error)
	DataDir string // absolute; explorations have a folder each below it

	jobs wait.Jobs[*exploration]
}

// exploration is one exploration of a server.
type exploration struct {
	*wait.Job
	id  string
	url string
	dir string

	target   workspace.Target
	progress explore.Progress
	result   Result
}

var _ workspace.Explorations = (*Background)(nil)

// Start begins to explore a site.
func (b *Background) Start(ctx context.Context, ws *workspace.Workspace, r workspace.ExploreRequest) (workspace.ExploreStatus, error) {
	o, err := b.options(ws, r)
	if err != nil {
		return workspace.ExploreStatus{}, fmt.Errorf("%w: %w", workspace.ErrExplorationRefused, err)
	}
	j, running, err := b.add(ctx, ws.Now(), o)
	if err != nil {
		return workspace.ExploreStatus{}, err
	}
	o.Out, j.target = j.dir, ws.Target
	o.Progress = func(_ string, p explore.Progress) {
		j.Mu.Lock()
		defer j.Mu.Unlock()
		j.progress = p
	}
	j.Run(func() {
		results := Explore(running, ws, o)
		j.Mu.Lock()
		defer j.Mu.Unlock()
		j.result = results[0]
	})
	return j.status(), nil
}

// options returns what is explored.
func (b *Background) options(ws *workspace.Workspace, r workspace.ExploreRequest) (Options, error) {
	o, err := b.Options(r.AllowWrites)
	if err != nil {
		return o, err
	}
	address, err := ws.Address(r.URL)
	if err != nil {
		return o, err
	}
	if err := browser.CheckURL(address); err != nil {
		return o, err
	}
	if r.Role != "" {
		if err := ws.KnowsRole(r.Role); err != nil {
			return o, err
		}
	}
	l := &o.Explore.Limits
	l.Actions, l.States = cmp.Or(r.MaxActions, l.Actions), cmp.Or(r.MaxStates, l.States)
	l.Time = cmp.Or(time.Duration(r.MaxTimeMS)*time.Millisecond, l.Time)
	o.URLs, o.StayOnStart = []string{address}, r.StayOnPath
	o.Explore.Role, o.Explore.Seed = r.Role, r.Seed
	return o, o.Reset.Check(address)
}

// add registers an exploration, or refuses one too many, and one that would set back a site under another.
func (b *Background) add(ctx context.Context, now time.Time, o Options) (*exploration, context.Context, error) {
	return b.jobs.Add(ctx, newID(now), func(running map[string]*exploration) error {
		if len(running) >= maxExplorations {
			return fmt.Errorf("%w: %d are running, and that is the limit: wait for one with action poll, or end it with action cancel", workspace.ErrExplorationRefused, len(running))
		}
		for id, other := range running {
			if o.Reset.Shares(o.URLs[0], other.url) {
				return fmt.Errorf("%w: %s is running, and explore.reset would set its site back: wait for it with action poll, or end it with action cancel", workspace.ErrExplorationRefused, id)
			}
		}
		return nil
	}, func(id string, j *wait.Job) *exploration {
		return &exploration{Job: j, id: id, url: o.URLs[0], dir: filepath.Join(b.DataDir, "explorations", id)}
	})
}

// newID returns an id that sorts by time.
func newID(now time.Time) string { return now.UTC().Format("20060102-150405") }

func (b *Background) find(id string) (*exploration, error) {
	j, ok := b.jobs.Find(id)
	if !ok {
		return nil, fmt.Errorf("%q: %w", id, workspace.ErrNoExploration)
	}
	return j, nil
}

// Status waits for the exploration's end or that of ctx.
func (b *Background) Status(ctx context.Context, id string) (workspace.ExploreStatus, error) {
	j, err := b.find(id)
	if err != nil {
		return workspace.ExploreStatus{}, err
	}
	j.Await(ctx)
	return j.status(), nil
}

// Cancel ends an exploration and waits a moment for it.
func (b *Background) Cancel(ctx context.Context, id string) (workspace.ExploreStatus, error) {
	j, err := b.find(id)
	if err != nil {
		return workspace.ExploreStatus{}, err
	}
	j.StopSoon(ctx)
	return j.status(), nil
}

// Close ends all explorations, and waits until they are stored.
func (b *Background) Close(ctx context.Context) { b.jobs.Close(ctx) }

// maxTold bounds each list of a status.
const maxTold = 10

func (j *exploration) status() workspace.ExploreStatus {
	j.Mu.Lock()
	defer j.Mu.Unlock()
	out := workspace.ExploreStatus{ExplorationID: j.id, State: j.State(), States: j.progress.States, Actions: j.progress.Edges,
		Site: filepath.Join(j.dir, site.FileName), Plan: filepath.Join(j.dir, PlanName)}
	if out.State == "running" {
		return out
	}
	if err := j.result.Err; err != nil && !errors.Is(err, context.Canceled) {
		out.Problem = err.Error()
	}
	s := j.result.Site
	out.States, out.Places, out.Actions, out.Stopped = len(s.States), s.Coverage.Places.Covered, len(s.Edges), s.Stop.Reason
	out.Hint = strings.ReplaceAll(SignInHint(s, j.target), "--role", "role")
	for _, f := range s.Findings[:min(len(s.Findings), maxTold)] {
		out.Findings = append(out.Findings, pagetext.Sprintf("%s: %s (%s)", f.Kind, f.Message, f.URL.Map(browser.ShownURL)))
	}
	for _, r := range Reasons(s)[:min(len(Reasons(s)), maxTold)] {
		out.Untried = append(out.Untried, pagetext.Sprintf("%d: %s", r.Count, r.Reason))
	}
	return out
}
