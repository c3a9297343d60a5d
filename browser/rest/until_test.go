package rest_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/rest"
)

// A wait of each kind, for what never comes, ends with its caller's context.
func TestEveryWaitEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	no := func() (bool, error) { return false, nil }
	var signal rest.Signal
	for name, wait := range map[string]func(ctx context.Context) error{
		"nothing": func(ctx context.Context) error { return rest.Until(ctx, nil, rest.Policy{}) },
		"an event": func(ctx context.Context) error {
			return rest.Until(ctx, nil, rest.Policy{Events: []rest.Event{{Of: never}}})
		},
		"a predicate": func(ctx context.Context) error { return rest.Until(ctx, no, rest.Policy{Every: time.Millisecond}) },
		"its limit":   func(ctx context.Context) error { return rest.Until(ctx, no, rest.Policy{Limit: time.Hour}) },
		"a signal":    func(ctx context.Context) error { return signal.Await(ctx, rest.Policy{}) },
		"an answer": func(ctx context.Context) error {
			_, err := rest.Answer(ctx, func() (int, error) { <-never; return 1, nil }, rest.Policy{})
			return err
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- wait(ctx) }()
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want the context's end", name, err)
		}
	}
}

// What was waited for counts, whatever else ended in the same moment.
func TestWhatCameIsTaken(t *testing.T) {
	t.Parallel()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	happened := make(chan struct{})
	close(happened)
	other := errors.New("the other")
	for range 100 { // a select would take either
		if err := rest.Until(over, func() (bool, error) { return true, nil }, rest.Policy{}); err != nil {
			t.Fatalf("a predicate that holds: %v", err)
		}
		if err := rest.Until(over, nil, rest.Policy{Events: []rest.Event{{Of: happened}, {Of: happened, Err: other}}}); err != nil {
			t.Fatalf("the first of two events: %v", err)
		}
		if err := rest.Until(over, nil, rest.Policy{Events: []rest.Event{{Of: happened, Err: other}, {Of: happened}}}); !errors.Is(err, other) {
			t.Fatalf("got %v, want the error of the first of two events", err)
		}
	}
}

// A wait looks again, and ends by its own limit, its predicate's error or an event.
func TestUntil(t *testing.T) {
	t.Parallel()
	looks := 0
	third := func() (bool, error) { looks++; return looks == 3, nil }
	if err := rest.Until(t.Context(), third, rest.Policy{Every: time.Millisecond}); err != nil || looks != 3 {
		t.Errorf("it ended after %d looks with %v", looks, err)
	}
	if err := rest.Until(t.Context(), nil, rest.Policy{Limit: time.Millisecond}); !errors.Is(err, rest.ErrLimit) {
		t.Errorf("got %v, want its limit", err)
	}
	broken := errors.New("it can't be asked")
	if err := rest.Until(t.Context(), func() (bool, error) { return false, broken }, rest.Policy{Every: time.Hour}); !errors.Is(err, broken) {
		t.Errorf("got %v, want the predicate's error", err)
	}
}

// An answer that comes after the wait is put away; one in time is not.
func TestLateAnswersArePutAway(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	goOn, late := make(chan struct{}), make(chan int, 1)
	slow := func() (int, error) { <-goOn; return 7, nil }
	cancel()
	if _, err := rest.AnswerOrLate(ctx, slow, rest.Policy{}, func(v int) { late <- v }); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want the context's end", err)
	}
	close(goOn)
	if v := <-late; v != 7 {
		t.Errorf("%d was put away, want the late answer", v)
	}
	v, err := rest.AnswerOrLate(t.Context(), slow, rest.Policy{}, func(int) { t.Error("an answer in time was put away") })
	if v != 7 || err != nil {
		t.Errorf("got %d, %v", v, err)
	}
}

// A signal that is set before anybody waits, or several times, ends one wait.
func TestSignal(t *testing.T) {
	t.Parallel()
	var s rest.Signal
	s.Set()
	s.Set()
	if err := s.Await(t.Context(), rest.Policy{}); err != nil {
		t.Fatal(err)
	}
	if err := s.Await(t.Context(), rest.Policy{Limit: time.Millisecond}); !errors.Is(err, rest.ErrLimit) {
		t.Errorf("got %v: it was taken twice", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Await(t.Context(), rest.Policy{}) }()
	s.Set()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
