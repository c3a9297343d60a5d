package wait_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/assay-qa/assay/wait"
)

// A job goes on when its caller has gone, and ends by its work or when it is stopped.
func TestJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		state := func(j *wait.Job) string {
			synctest.Wait()
			j.Mu.Lock()
			defer j.Mu.Unlock()
			return j.State()
		}
		caller, gone := context.WithCancel(t.Context())
		j, ctx := wait.NewJob(caller)
		finish := make(chan struct{})
		j.Run(func() { <-finish })
		gone()
		if ctx.Err() != nil || state(j) != "running" {
			t.Errorf("it ended with its caller: %v, %s", ctx.Err(), state(j))
		}
		j.Await(caller) // no longer than its waiter's context
		close(finish)
		j.Await(t.Context())
		j.Stop()
		if state(j) != "finished" {
			t.Errorf("it is %s once its work is done, whoever stops it then", state(j))
		}

		stopped, ctx := wait.NewJob(t.Context())
		stopped.Run(func() { <-ctx.Done() })
		stopped.StopSoon(t.Context())
		if state(stopped) != "cancelled" {
			t.Errorf("it is %s after it was stopped", state(stopped))
		}

		stuck, _ := wait.NewJob(t.Context())
		end := make(chan struct{})
		stuck.Run(func() { <-end })
		stuck.StopSoon(t.Context()) // a moment, not for ever
		if state(stuck) != "running" {
			t.Errorf("it is %s though its work goes on", state(stuck))
		}
		close(end)
		wait.StopAll(t.Context(), []*wait.Job{j, stopped, stuck})
		if stuck.Running() {
			t.Error("it goes on after its work")
		}
		refused, ctx := wait.NewJob(t.Context())
		refused.Refuse()
		if ctx.Err() == nil {
			t.Error("what is not run keeps its context")
		}
		refused.Run(func() {})
	})
}
