package workers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/queue"
)

// Outcome is what running a case came to.
type Outcome struct {
	Result suite.Result
	Bundle []byte // its run as a zip; nil: it has no run
}

// Worker runs cases that it takes from a queue.
type Worker struct {
	Queue *queue.Queue
	Files interface {
		Put(ctx context.Context, data []byte) (digest string, err error)
	}
	Key *attest.Key
	// Run runs a case. Its context ends when the case is no longer this worker's. An error
	// says that it can't be run here: another worker has it then.
	Run func(ctx context.Context, w Work) (Outcome, error)
	Log *slog.Logger
}

const (
	returnAfter  = 2 * time.Second // until a case that can't be run here is handed out again
	publishAgain = 200 * time.Millisecond
)

// Serve runs one case after the other until ctx ends, or the queue is closed.
func (w Worker) Serve(ctx context.Context) error {
	for {
		lease, err := w.Queue.Take(ctx)
		if err != nil {
			return err
		}
		w.serve(ctx, lease)
	}
}

// serve judges one case.
func (w Worker) serve(ctx context.Context, lease *queue.Lease) {
	held, release := lease.Hold(ctx)
	defer release()
	log := w.Log.With("suite", lease.Job.Suite, "case", lease.Job.Case, "start", lease.Starts)
	log.Info("case begun")
	outcome, err := w.run(held, lease)
	switch {
	case held.Err() != nil:
		log.Warn("the case is given up", "why", context.Cause(held))
		return
	case err != nil:
		log.Warn("the case can't be run here, and goes back", "err", err)
		if err := lease.Return(returnAfter); err != nil {
			log.Warn("it could not be given back, and comes free when its lease ends", "err", err)
		}
		return
	}
	if lease.Starts > 1 {
		outcome.Result.Notes = append(outcome.Result.Notes, pagetext.Sprintf("it was begun %d times: workers before had no verdict of it", lease.Starts))
	}
	if err := w.publish(held, lease, outcome); err != nil {
		log.Warn("the verdict is not published", "err", err)
		if err := lease.Return(returnAfter); err != nil {
			log.Debug("the case comes free when its lease ends", "err", err)
		}
		return
	}
	log.Info("case judged", "status", string(outcome.Result.Status))
	if err := lease.Done(held); err != nil {
		log.Debug("the verdict is there, and the case is not taken out yet", "err", err)
	}
}

func (w Worker) run(ctx context.Context, lease *queue.Lease) (Outcome, error) {
	if lease.Starts > queue.MaxStarts {
		return Outcome{Result: Open(pagetext.Sprintf(
			"it was begun %d times, and no worker came to a verdict: each died, was out of reach, or could not run it, as its log says", queue.MaxStarts))}, nil
	}
	var work Work
	if err := json.Unmarshal(lease.Job.Work, &work); err != nil {
		return Outcome{}, fmt.Errorf("read the case: %w", err)
	}
	return w.Run(ctx, work)
}

// publish stores what a case came to, signs it, and publishes that.
func (w Worker) publish(ctx context.Context, lease *queue.Lease, o Outcome) error {
	j := Judgment{Suite: lease.Job.Suite, Case: lease.Job.Case, Generation: lease.Job.Generation, Status: o.Result.Status}
	data, err := json.Marshal(o.Result)
	if err == nil {
		j.Result, err = w.Files.Put(ctx, data)
	}
	if err == nil && o.Bundle != nil {
		j.Bundle, err = w.Files.Put(ctx, o.Bundle)
	}
	if err != nil {
		return err
	}
	body, err := j.Sign(w.Key)
	if err != nil {
		return err
	}
	for {
		err := lease.Publish(ctx, body)
		if err == nil || errors.Is(err, queue.ErrNotFirst) {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		w.Log.Debug("the broker did not take a verdict", "err", err)
		if wait.For(ctx, publishAgain) != nil {
			return context.Cause(ctx)
		}
	}
}
