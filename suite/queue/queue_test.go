package queue_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/queuetest"
	"github.com/assay-qa/assay/suite/queue"
)

func TestMain(m *testing.M) { os.Exit(queuetest.Main(m)) }

func submit(t *testing.T, q *queue.Queue, lane string, n int) {
	t.Helper()
	for i := range n {
		if err := q.Submit(t.Context(), queue.Job{Suite: "s", Case: fmt.Sprint(lane, i), Lane: lane, Work: json.RawMessage(`{}`)}); err != nil {
			t.Fatal(err)
		}
	}
}

func lane(t *testing.T, q *queue.Queue, name string, limit int) {
	t.Helper()
	if err := q.Lane(t.Context(), name, limit); err != nil {
		t.Fatal(err)
	}
}

func take(t *testing.T, q *queue.Queue) *queue.Lease {
	t.Helper()
	l, err := q.Take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// collect returns the verdicts of the suite once there are n.
func collect(t *testing.T, q *queue.Queue, n int) map[string][]string {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	got, count := map[string][]string{}, 0
	err := q.Verdicts(ctx, "s", func(v queue.Verdict) {
		got[v.Case] = append(got[v.Case], string(v.Body))
		if count++; count == n {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("%d of %d verdicts came: %v", count, n, err)
	}
	return got
}

// work takes jobs and judges them, until ctx ends.
func work(ctx context.Context, q *queue.Queue, name string, do func()) {
	for {
		l, err := q.Take(ctx)
		if err != nil {
			return
		}
		held, release := l.Hold(ctx)
		do()
		for l.Publish(held, []byte(name)) != nil && held.Err() == nil { // a broker that is away comes back
		}
		_ = l.Done(held) // what is not taken out is handed out again, and then taken out
		release()
	}
}

// TestEachOnce (S2): several workers do every job once, and no lane has more in flight
// than it may.
func TestEachOnce(t *testing.T) {
	t.Parallel()
	b := queuetest.Start(t)
	q := b.Connect(5 * time.Second)
	lane(t, q, "a", 2)
	lane(t, q, "b", 1)
	submit(t, q, "a", 20)
	submit(t, q, "b", 5)
	submit(t, q, "b", 5) // again, as who resumes a suite does
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var done, now, most atomic.Int32
	for i := range 6 {
		go work(ctx, b.Connect(30*time.Second), fmt.Sprint(i), func() {
			for n := now.Add(1); ; {
				m := most.Load()
				if n <= m || most.CompareAndSwap(m, n) {
					break
				}
			}
			now.Add(-1)
			done.Add(1)
		})
	}
	got := collect(t, q, 25)
	if len(got) != 25 || done.Load() != 25 {
		t.Errorf("%d cases have a verdict and %d were done, want 25 each", len(got), done.Load())
	}
	if most.Load() > 3 {
		t.Errorf("%d cases were in flight, lanes allow 3", most.Load())
	}
}

// TestLeaseEnds (S2): who sends no heartbeat loses a job to the next one, who is told that
// it was begun before; the late verdict is refused.
func TestLeaseEnds(t *testing.T) {
	t.Parallel()
	b := queuetest.Start(t)
	const lease = 3 * time.Second
	q := b.Connect(lease)
	lane(t, q, "a", 1)
	submit(t, q, "a", 1)
	stalled := take(t, q)
	second := take(t, b.Connect(lease))
	if stalled.Starts != 1 || second.Starts != 2 {
		t.Errorf("begun %d and %d times, want 1 and 2", stalled.Starts, second.Starts)
	}
	if err := second.Publish(t.Context(), []byte("passed")); err != nil {
		t.Fatal(err)
	}
	if err := second.Publish(t.Context(), []byte("passed")); err != nil {
		t.Errorf("the same verdict again, as after a lost answer: %v", err)
	}
	if err := stalled.Publish(t.Context(), []byte("failed")); !errors.Is(err, queue.ErrNotFirst) {
		t.Errorf("the verdict of the worker that had lost its lease: %v, want ErrNotFirst", err)
	}
	if err := second.Done(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestHeld (S2): a lease that is held outlasts its time, and ends for its worker when the
// broker is away for as long.
func TestHeld(t *testing.T) {
	t.Parallel()
	const lease = 5 * time.Second
	b := queuetest.Start(t)
	q := b.Connect(lease)
	lane(t, q, "a", 1)
	submit(t, q, "a", 1)
	l := take(t, q)
	held, release := l.Hold(t.Context())
	defer release()
	idle, stop := context.WithTimeout(t.Context(), lease+lease/2)
	defer stop()
	if other, err := b.Connect(lease).Take(idle); err == nil {
		t.Fatalf("a job that is held was handed out again, begun %d times", other.Starts)
	}
	b.Kill()
	select {
	case <-held.Done():
	case <-time.After(10 * lease):
		t.Fatal("the worker goes on without a broker")
	}
	if err := context.Cause(held); !errors.Is(err, queue.ErrLost) {
		t.Errorf("the job ended by %v, want ErrLost", err)
	}
	b.StartAgain()
}

// TestBrokerKilled (S2): what was queued outlives a broker that is killed while workers
// are at it: each job has one verdict.
func TestBrokerKilled(t *testing.T) {
	t.Parallel()
	b := queuetest.Start(t)
	const jobs = 60
	q := b.Connect(2 * time.Second)
	lane(t, q, "a", 4)
	submit(t, q, "a", jobs)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var done atomic.Int32
	killed := make(chan struct{})
	var once sync.Once
	for i := range 3 {
		go work(ctx, b.Connect(2*time.Second), fmt.Sprint(i), func() {
			if done.Add(1) == jobs/3 {
				once.Do(func() { close(killed) })
			}
		})
	}
	<-killed
	b.Kill()
	b.StartAgain()
	got := collect(t, q, jobs)
	if len(got) != jobs {
		t.Errorf("%d jobs have a verdict, want %d", len(got), jobs)
	}
}

// TestBuilds (S1): a worker of another build is handed no case.
func TestBuilds(t *testing.T) {
	t.Parallel()
	b := queuetest.Start(t)
	q := b.Connect(5 * time.Second)
	lane(t, q, "a", 1)
	submit(t, q, "a", 1)
	other, err := queue.Connect(t.Context(), queue.Options{Address: "nats://" + b.Address, Token: queuetest.Token, Build: "another", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	idle, stop := context.WithTimeout(t.Context(), 2*time.Second)
	defer stop()
	if l, err := other.Take(idle); err == nil {
		t.Errorf("a worker of another build was handed %s", l.Job.Case)
	}
	if l := take(t, q); l.Starts != 1 {
		t.Errorf("begun %d times before a worker of its build had it", l.Starts-1)
	}
}

// TestConnectRefused (S1): a token that is wrong, an address without TLS elsewhere, nobody
// there: one sentence each.
func TestConnectRefused(t *testing.T) {
	t.Parallel()
	b := queuetest.Start(t)
	for _, c := range []struct{ address, token, want string }{
		{"nats://" + b.Address, "other", "refuses the token"},
		{"nats://" + b.Address, "", "--token-file"},
		{"nats://192.0.2.1:4222", "t", "give tls://192.0.2.1:4222"},
		{"nats://queue.example:4222", "t", "give tls://"},
		{"http://127.0.0.1:1", "t", "give nats://host:port"},
		{"nats://127.0.0.1:1", "t", "no broker answers at nats://127.0.0.1:1"},
	} {
		q, err := queue.Connect(t.Context(), queue.Options{Address: c.address, Token: c.token, Log: slog.New(slog.DiscardHandler)})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.address, err, c.want)
		}
		if q != nil {
			q.Close()
		}
	}
}
