package author

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/tools/workspace"
)

// maxExplorations bounds the explorations that a server runs at a time: they share its
// sessions.
const maxExplorations = 2

// cancelWait bounds the wait for the end of a cancelled exploration.
const cancelWait = 2 * time.Second

// Background explores sites in the background of a server: the tool explore_site.
type Background struct {
	// Options makes what an exploration has of the settings.
	Options func(allowWrites bool) (Options, error)
	DataDir string // absolute; explorations have a folder each below it

	mu   sync.Mutex
	jobs map[string]*job
}

// job is one exploration of a server.
type job struct {
	id     string
	dir    string
	cancel context.CancelFunc
	ended  chan struct{}

	mu        sync.Mutex
	progress  explore.Progress
	result    Result
	cancelled bool
}

var _ workspace.Explorations = (*Background)(nil)

// Start begins to explore a site.
func (b *Background) Start(ctx context.Context, ws *workspace.Workspace, r workspace.ExploreRequest) (workspace.ExploreStatus, error) {
	o, err := b.options(ws, r)
	if err != nil {
		return workspace.ExploreStatus{}, fmt.Errorf("%w: %w", workspace.ErrExplorationRefused, err)
	}
	j, err := b.add(ws.Now())
	if err != nil {
		return workspace.ExploreStatus{}, err
	}
	o.Out = j.dir
	o.Progress = func(_ string, p explore.Progress) {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.progress = p
	}
	var running context.Context
	running, j.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer close(j.ended)
		defer j.cancel()
		results := Explore(running, ws, o)
		j.mu.Lock()
		defer j.mu.Unlock()
		j.result = results[0]
	}()
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
	return o, nil
}

// add registers an exploration, or refuses one too many.
func (b *Background) add(now time.Time) (*job, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	running := 0
	for _, other := range b.jobs {
		select {
		case <-other.ended:
		default:
			running++
		}
	}
	if running >= maxExplorations {
		return nil, fmt.Errorf("%w: %d are running, and that is the limit: wait for one with action poll, or end it with action cancel", workspace.ErrExplorationRefused, running)
	}
	if b.jobs == nil {
		b.jobs = map[string]*job{}
	}
	id := now.UTC().Format("20060102-150405")
	for n := 2; b.jobs[id] != nil; n++ {
		id = now.UTC().Format("20060102-150405") + "-" + strconv.Itoa(n)
	}
	j := &job{id: id, dir: filepath.Join(b.DataDir, "explorations", id), ended: make(chan struct{}), cancel: func() {}}
	b.jobs[id] = j
	return j, nil
}

func (b *Background) find(id string) (*job, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	j, ok := b.jobs[id]
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
	select {
	case <-j.ended:
	case <-ctx.Done():
	}
	return j.status(), nil
}

// Cancel ends an exploration and waits a moment for it.
func (b *Background) Cancel(ctx context.Context, id string) (workspace.ExploreStatus, error) {
	j, err := b.find(id)
	if err != nil {
		return workspace.ExploreStatus{}, err
	}
	j.stop()
	ctx, done := context.WithTimeout(ctx, cancelWait)
	defer done()
	return b.Status(ctx, id)
}

// Close ends all explorations, and waits until they are stored.
func (b *Background) Close(ctx context.Context) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, j := range b.jobs {
		j.stop()
	}
	for _, j := range b.jobs {
		select {
		case <-j.ended:
		case <-ctx.Done():
		}
	}
}

// stop cancels an exploration that has not ended yet.
func (j *job) stop() {
	select {
	case <-j.ended:
		return
	default:
	}
	j.mu.Lock()
	j.cancelled = true
	j.mu.Unlock()
	j.cancel()
}

// maxTold bounds each list of a status.
const maxTold = 10

func (j *job) status() workspace.ExploreStatus {
	state := "finished"
	select {
	case <-j.ended:
	default:
		state = "running"
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	out := workspace.ExploreStatus{ExplorationID: j.id, State: state, States: j.progress.States, Actions: j.progress.Edges,
		Site: filepath.Join(j.dir, site.FileName), Plan: filepath.Join(j.dir, PlanName)}
	if state == "running" {
		return out
	}
	if j.cancelled {
		out.State = "cancelled"
	}
	if err := j.result.Err; err != nil && !errors.Is(err, context.Canceled) {
		out.Problem = err.Error()
	}
	s := j.result.Site
	out.States, out.Places, out.Actions, out.Stopped = len(s.States), s.Coverage.Places.Covered, len(s.Edges), s.Stop.Reason
	for _, f := range s.Findings[:min(len(s.Findings), maxTold)] {
		out.Findings = append(out.Findings, f.Kind+": "+f.Message+" ("+browser.ShownURL(f.URL)+")")
	}
	for _, r := range Reasons(s)[:min(len(Reasons(s)), maxTold)] {
		out.Untried = append(out.Untried, fmt.Sprintf("%d: %s", r.Count, r.Reason))
	}
	return out
}
