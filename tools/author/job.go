package author

import (
	"context"
	"sync"
	"time"

	"github.com/assay-qa/assay/browser/rest"
)

// cancelWait bounds the wait for the end of a cancelled job.
const cancelWait = 2 * time.Second

// job is work in the background of a server.
type job struct {
	cancel context.CancelFunc
	ended  chan struct{}

	mu        sync.Mutex // of the fields of what embeds it, too
	cancelled bool
}

// newJob returns a job, and the context that its work has: that of ctx without its end.
func newJob(ctx context.Context) (*job, context.Context) {
	j := &job{ended: make(chan struct{})}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	j.cancel = cancel
	return j, running
}

// run does the work in the background.
func (j *job) run(work func()) {
	go func() {
		defer close(j.ended)
		defer j.cancel()
		work()
	}()
}

// running reports whether the work has not ended.
func (j *job) running() bool {
	return !rest.Happened(j.ended)
}

// await waits for the end of the work or for that of ctx.
func (j *job) await(ctx context.Context) {
	_ = rest.Until(ctx, nil, rest.Policy{Events: []rest.Event{{Of: j.ended}}}) // whichever it is
}

// stop cancels work that has not ended yet.
func (j *job) stop() {
	if !j.running() {
		return
	}
	j.mu.Lock()
	j.cancelled = true
	j.mu.Unlock()
	j.cancel()
}

// stopSoon cancels the work and waits a moment for its end.
func (j *job) stopSoon(ctx context.Context) {
	j.stop()
	ctx, done := context.WithTimeout(ctx, cancelWait)
	defer done()
	j.await(ctx)
}

// state says where the work stands. The caller holds the lock.
func (j *job) state() string {
	switch {
	case j.running():
		return "running"
	case j.cancelled:
		return "cancelled"
	}
	return "finished"
}

// closeAll ends jobs, and waits until they have ended or ctx has.
func closeAll(ctx context.Context, all []*job) {
	for _, j := range all {
		j.stop()
	}
	for _, j := range all {
		j.await(ctx)
	}
}
