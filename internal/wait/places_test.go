package wait_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/wait"
)

// A place is had by one user at a time, and waited for no longer than its context.
func TestPlaces(t *testing.T) {
	one := wait.NewPlaces(1)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := one.Take(ended); err != nil {
		t.Errorf("a free place: %v", err)
	}
	if err := one.Take(ended); !errors.Is(err, context.Canceled) || one.Taken() != 1 {
		t.Errorf("a taken place: %v, and %d are taken", err, one.Taken())
	}
	had := make(chan error, 1)
	go func() { had <- one.Take(t.Context()) }()
	one.Give()
	if err := <-had; err != nil {
		t.Error(err)
	}
}

// What is put away goes on after its owner's end, for its limit.
func TestCleanUp(t *testing.T) {
	type key struct{}
	owner, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "of the owner"))
	cancel()
	ctx, end := wait.CleanUp(owner, time.Hour)
	defer end()
	if ctx.Err() != nil || ctx.Value(key{}) != "of the owner" {
		t.Errorf("it ended with its owner (%v), or lost what that has: %v", ctx.Err(), ctx.Value(key{}))
	}
	short, end := wait.CleanUp(owner, time.Millisecond)
	defer end()
	<-short.Done()
}

// Whoever has come to the deadline puts all away within one limit after it.
func TestCleanUpAfterADeadline(t *testing.T) {
	over := time.Unix(1_000_000_000, 0)
	owner, cancel := context.WithDeadline(t.Context(), over)
	defer cancel()
	for range 3 {
		ctx, end := wait.CleanUp(owner, time.Hour)
		if deadline, ok := ctx.Deadline(); !ok || !deadline.Equal(over.Add(time.Hour)) {
			t.Errorf("it ends at %v, want an hour after %v", deadline, over)
		}
		end()
	}
}
