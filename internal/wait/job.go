package wait

import (
	"context"
	"sync"
	"time"
)

// cancelLimit bounds the wait for the end of a cancelled job.
const cancelLimit = 2 * time.Second

// Job is work in the background of a server.
type Job struct {
	cancel context.CancelFunc
	ended  chan struct{}

	Mu        sync.Mutex // of the fields of what embeds it, too
	cancelled bool
}

// NewJob returns a job, and the context that its work has: that of ctx without its end.
func NewJob(ctx context.Context) (*Job, context.Context) {
	j := &Job{ended: make(chan struct{})}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	j.cancel = cancel
	return j, running
}

// Run does the work in the background. It is called once.
func (j *Job) Run(work func()) {
	go func() {
		defer close(j.ended)
		defer j.cancel()
		work()
	}()
}

// Running reports whether the work has not ended.
func (j *Job) Running() bool {
	select {
	case <-j.ended:
		return false
	default:
		return true
	}
}

// Await waits for the end of the work or for that of ctx.
func (j *Job) Await(ctx context.Context) {
	select {
	case <-j.ended:
	case <-ctx.Done():
	}
}

// Stop cancels work that has not ended yet.
func (j *Job) Stop() {
	if !j.Running() {
		return
	}
	j.Mu.Lock()
	j.cancelled = true
	j.Mu.Unlock()
	j.cancel()
}

// StopSoon cancels the work and waits a moment for its end.
func (j *Job) StopSoon(ctx context.Context) {
	j.Stop()
	ctx, done := context.WithTimeout(ctx, cancelLimit)
	defer done()
	j.Await(ctx)
}

// State says where the work stands: running, finished or cancelled. The caller holds Mu.
func (j *Job) State() string {
	switch {
	case j.Running():
		return "running"
	case j.cancelled:
		return "cancelled"
	}
	return "finished"
}
