package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
)

// Fork returns a desk with the same settings, and with runs and sessions of its
// own: what one of them does, the other doesn't see. It starts no suites: who
// works on a fork may be a case of one.
func (d *Desk) Fork() *Desk {
	d.mu.Lock()
	defer d.mu.Unlock()
	fork := &Desk{Settings: d.Settings}
	fork.Suites = nil
	return fork
}

// sessions returns those that this desk has opened.
func (d *Desk) sessions() *browser.Group {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.group == nil {
		d.group = d.Pool.Group(d.Hosts)
	}
	return d.group
}

// launch opens a session of this desk, see [browser.Pool.Launch].
func (d *Desk) launch(ctx context.Context, lo browser.LaunchOptions) (*browser.Session, error) {
	d.Start.fill(&lo)
	return d.sessions().Launch(ctx, lo)
}

// session finds a session of this desk, see [browser.Pool.Session].
func (d *Desk) session(id string) (*browser.Session, error) { return d.sessions().Session(id) }

// sessionIDs lists the open sessions of this desk, oldest first.
func (d *Desk) sessionIDs() []string { return d.sessions().SessionIDs() }

// CloseSessions closes the sessions of this desk that are still open. The pool,
// which others may be using, stays.
func (d *Desk) CloseSessions(ctx context.Context) error { return d.sessions().Close(ctx) }
