package flow_test

import (
	"context"
	"testing"
	"time"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// B6, B16: pauses grow, and no attempt begins that can't come to its end.
func TestAttempts(t *testing.T) {
	began := time.Unix(1e9, 0)
	ended, end := context.WithCancel(t.Context())
	end()
	for _, tt := range []struct {
		name  string
		ctx   context.Context
		n     int
		took  time.Duration
		left  time.Duration // after the attempt; 0: no deadline
		pause time.Duration // 0: no attempt follows
	}{
		{"the first retry", t.Context(), 1, time.Second, time.Minute, 250 * time.Millisecond},
		{"the last retry", t.Context(), 3, time.Second, time.Minute, time.Second},
		{"the retries are spent", t.Context(), 4, time.Second, time.Minute, 0},
		{"no deadline", t.Context(), 2, time.Hour, 0, 500 * time.Millisecond},
		{"just enough time", t.Context(), 1, time.Second, 1250 * time.Millisecond, 250 * time.Millisecond},
		{"too little time", t.Context(), 1, time.Second, 1249 * time.Millisecond, 0},
		{"cancelled", ended, 1, time.Second, time.Minute, 0},
	} {
		now := began.Add(tt.took)
		a := flow.Attempts{Retries: flow.MaxRetries, Clock: &clock{now: now}}
		if tt.left > 0 {
			a.Deadline = now.Add(tt.left)
		}
		if pause, again := a.Next(tt.ctx, tt.n, began); pause != tt.pause || again != (tt.pause > 0) {
			t.Errorf("%s: pause %v, again %v; want %v", tt.name, pause, again, tt.pause)
		}
	}
}

// A flow whose time is over before its page is open proves nothing, as one whose time is
// over a moment later; a caller that gives up gets its error.
func TestRunOutOfTimeBeforeItsPage(t *testing.T) {
	slow := flow.Site{Open: func(ctx context.Context, _ int) (flow.Page, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	r, err := flow.Run(t.Context(), pay(), time.Nanosecond, slow, flow.Options{Clock: &clock{}})
	if err != nil || r.Status != qa.Inconclusive || r.Attempts != 1 || r.Failed != r.Steps[0] || !r.Failed.Fault.OutOfTime || r.Steps[1].Status != qa.TestSkipped {
		t.Errorf("%+v, %v", r, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if r, err := flow.Run(ended, pay(), time.Hour, slow, flow.Options{Clock: &clock{}}); err == nil {
		t.Errorf("a caller that has gone: %+v", r)
	}
}
