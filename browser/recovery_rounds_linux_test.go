package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/browser/explain"
)

// call is one call that something is killed in the middle of.
type call struct {
	name string
	do   func(ctx context.Context, s *Session, web *site) error
}

func calls() []call {
	return []call{
		{"navigate", func(ctx context.Context, s *Session, web *site) error {
			_, err := s.Navigate(ctx, web.URL+"/", "", 0)
			return err
		}},
		{"screenshot", func(ctx context.Context, s *Session, _ *site) error {
			_, err := s.Screenshot(ctx, ShotOptions{FullPage: true})
			return err
		}},
		{"still", func(ctx context.Context, s *Session, _ *site) error {
			_, err := s.Still(ctx, StillOptions{})
			return err
		}},
		{"snapshot", func(ctx context.Context, s *Session, _ *site) error {
			_, _, err := s.Snapshot(ctx, OutlineOptions{})
			return err
		}},
		{"evaluate", func(ctx context.Context, s *Session, _ *site) error {
			_, _, err := s.Evaluate(ctx, "new Promise(done => setTimeout(done, 20, 1))", nil)
			return err
		}},
		{"look", func(ctx context.Context, s *Session, _ *site) error {
			_, err := s.Look(ctx, "css=body", FactCount, "")
			return err
		}},
		{"click", func(ctx context.Context, s *Session, _ *site) error {
			_, err := s.Click(ctx, `button "Go"`, 0)
			return err
		}},
		{"facts", func(ctx context.Context, s *Session, _ *site) error {
			_, err := s.Facts(ctx)
			return err
		}},
	}
}

// undisturbed fails unless all calls succeed when nothing is killed: otherwise they would prove nothing.
func undisturbed(t *testing.T, s *Session, web *site) {
	t.Helper()
	visit(t, s, web.URL+"/")
	for _, c := range calls() {
		if err := c.do(within30s(t), s, web); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
	}
}

// mayTryAgain fails unless a call went well or ended with an error that says that the same call may
// go well later.
func mayTryAgain(t *testing.T, what string, err error) {
	t.Helper()
	var e *explain.Error
	switch {
	case err == nil:
	case !errors.As(err, &e):
		t.Errorf("%s: an error without a code: %v", what, err)
	case e.Code == explain.Internal, !e.Retriable, e.Hint == "":
		t.Errorf("%s: %v (retriable %v, hint %q), cause %v", what, e, e.Retriable, e.Hint, e.Cause)
	}
}

// worksAgain fails unless the session does, after at most a few calls that may be tried again.
func worksAgain(t *testing.T, what string, s *Session, web *site) {
	t.Helper()
	var err error
	for range 4 {
		if _, err = s.Navigate(within30s(t), web.URL+"/", "", 0); err == nil {
			if _, err = s.Look(within30s(t), "css=body", FactCount, ""); err == nil {
				return
			}
		}
		mayTryAgain(t, what+", afterwards", err)
	}
	t.Errorf("%s: the session does not work again: %v", what, err)
}

// B6: a driver that is killed at any moment of a call is no INTERNAL error: the call went well or may be
// tried again, and the session goes on.
func TestDriverKilledAtAnyTime(t *testing.T) {
	web := patient(t)
	p := poolToBreak(t, nil)
	s := launch(t, p, LaunchOptions{})
	undisturbed(t, s, web)
	moments, all := rand.New(rand.NewPCG(6, 17)), calls()
	for round := range repeats(4, 1000) {
		c, wait := all[moments.IntN(len(all))], time.Duration(moments.IntN(60_000))*time.Microsecond
		what := fmt.Sprintf("round %d: %s, killed after %v", round, c.name, wait)
		done := make(chan error, 1)
		go func() { done <- c.do(within30s(t), s, web) }()
		<-time.After(wait)
		endProcess(t, driverPID(p))
		mayTryAgain(t, what, soon(t, 20*time.Second, func() error { return <-done }))
		worksAgain(t, what, s, web)
		if t.Failed() {
			return
		}
	}
}

// B6: a GPU process that is killed ends a call within its deadline: it goes well, as the browser starts
// another one, or it may be tried again.
func TestGPUProcessKilled(t *testing.T) {
	web := patient(t)
	p := poolToBreak(t, nil)
	kill := func() (killed bool) {
		for _, pid := range processesBelow(t, driverPID(p)) {
			command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // none of one that ends just now
			if bytes.Contains(command, []byte("--type=gpu-process")) && driver.ProcessAlive(pid) {
				endProcess(t, pid)
				killed = true
			}
		}
		return killed
	}
	s := launch(t, p, LaunchOptions{})
	undisturbed(t, s, web)
	if !kill() {
		t.Fatal("the browser has no GPU process to kill")
	}
	_, err := s.Screenshot(within30s(t), ShotOptions{})
	mayTryAgain(t, "idle", err)
	worksAgain(t, "idle", s, web)
	for i, c := range calls() {
		if !sampled(i, 3) {
			continue
		}
		wait := time.Duration(i/3%3) * 10 * time.Millisecond
		what := fmt.Sprintf("%s, killed after %v", c.name, wait)
		done := make(chan error, 1)
		go func() { done <- c.do(timeLimit(t, 15*time.Second), s, web) }()
		<-time.After(wait)
		becomes(t, what+": a GPU process is killed", func() error {
			if !kill() {
				return errHeld
			}
			return nil
		})
		mayTryAgain(t, what, soon(t, 20*time.Second, func() error { return <-done }))
		worksAgain(t, what, s, web)
	}
}
