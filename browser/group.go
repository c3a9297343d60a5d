package browser

import (
	"context"
	"slices"
	"sync"
)

// Group is a view onto a pool that sees only the sessions launched through it,
// so that several owners share one pool and its limits, and none can reach,
// or be confused by, a session of another.
type Group struct {
	pool  *Pool
	hosts []string

	mu  sync.Mutex
	ids []string // of its sessions, until the pool has forgotten them
}

// Group returns a new, empty group. Its sessions reach only hosts, if there are
// any, of those that the pool and their own options allow.
func (p *Pool) Group(hosts []string) *Group { return &Group{pool: p, hosts: slices.Clone(hosts)} }

// Launch is [Pool.Launch] for the group.
func (g *Group) Launch(ctx context.Context, lo LaunchOptions) (*Session, error) {
	lo.bounds = g.hosts
	s, err := g.pool.Launch(ctx, lo)
	if s == nil {
		return nil, err
	}
	g.add(s.ID())
	return s, err
}

// add notes a session, and forgets those that the pool has forgotten. It asks
// the pool under the group's lock, so the pool never asks the group under its own.
func (g *Group) add(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	known := g.pool.known()
	g.ids = append(slices.DeleteFunc(g.ids, func(id string) bool { return !slices.Contains(known, id) }), id)
}

// known returns the ids of all sessions that can still be asked for.
func (p *Pool) known() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return sessionIDs(p.sessions)
}

// Session is [Pool.Session] among the group's own.
func (g *Group) Session(id string) (*Session, error) {
	mine := g.all()
	return g.pool.session(id, func(id string) bool { return slices.Contains(mine, id) })
}

// SessionIDs lists the group's open sessions, oldest first.
func (g *Group) SessionIDs() []string {
	mine := g.all()
	return slices.DeleteFunc(g.pool.SessionIDs(), func(id string) bool { return !slices.Contains(mine, id) })
}

// Close closes the sessions of the group that are still open.
func (g *Group) Close(ctx context.Context) error {
	var first error
	for _, id := range g.SessionIDs() {
		s, err := g.Session(id)
		if err == nil {
			err = s.Close(ctx)
		}
		if first == nil {
			first = err
		}
	}
	return first
}

func (g *Group) all() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.ids)
}
