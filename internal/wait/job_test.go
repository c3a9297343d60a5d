package wait_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/assay-qa/assay/internal/wait"
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
		stuck.Await(t.Context())
		if stuck.Running() {
			t.Error("it goes on after its work")
		}
	})
}

// Jobs of one kind are found by their ids, counted while they run, and ended together.
func TestJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all wait.Jobs[*wait.Job]
		itself := func(_ string, j *wait.Job) *wait.Job { return j }
		may := func(map[string]*wait.Job) error { return nil }
		begin := func(add func(context.Context, string, func(map[string]*wait.Job) error, func(string, *wait.Job) *wait.Job) (*wait.Job, context.Context, error)) *wait.Job {
			j, ctx, err := add(t.Context(), "a", may, itself)
			if err != nil {
				t.Fatal(err)
			}
			j.Run(func() { <-ctx.Done() })
			return j
		}
		first, second := begin(all.Add), begin(all.Add)
		for id, want := range map[string]*wait.Job{"a": first, "a-2": second, "b": nil} {
			if got, ok := all.Find(id); got != want || ok != (want != nil) {
				t.Errorf("%s is %p, %v, want %p", id, got, ok, want)
			}
		}
		first.StopSoon(t.Context())
		full := errors.New("too many")
		_, _, err := all.Add(t.Context(), "c", func(running map[string]*wait.Job) error {
			if len(running) != 1 || running["a-2"] != second {
				t.Errorf("running: %v, want the second alone", running)
			}
			return full
		}, itself)
		if _, ok := all.Find("c"); ok || !errors.Is(err, full) {
			t.Errorf("what is refused with %v is registered: %v", err, ok)
		}
		if third := begin(all.Replace); third == first {
			t.Error("the id still leads to the job before")
		} else if now, _ := all.Find("a"); now != third {
			t.Error("the id does not lead to the newest job")
		}
		all.Close(t.Context())
		if now, _ := all.Find("a"); now.Running() || second.Running() {
			t.Error("a job goes on after the end of all")
		}
	})
}
