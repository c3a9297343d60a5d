package workers

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/queue"
)

// Coordinator has the cases of one suite run by workers.
type Coordinator struct {
	Queue      *queue.Queue
	Suite      string // id
	Acceptance Acceptance
	// Unpack makes a run's folder of its bundle, and returns the result with paths of it.
	Unpack func(ctx context.Context, r suite.Result, bundle string) (suite.Result, error)
	Log    *slog.Logger
	// Working ends, with the reason as its cause, when no case can be judged any more.
	Working context.Context

	withdrawn sync.Once // what waits, when the suite is interrupted

	mu      sync.Mutex
	waiting map[string]chan<- queue.Verdict // of a case and its generation
	early   map[string]queue.Verdict        // that nobody waits for yet, as those of a suite that is resumed
}

// maxGenerations is how often a case is handed out whose verdicts are refused.
const maxGenerations = 3

const (
	submitAgain = 200 * time.Millisecond
	acceptLimit = time.Minute     // for checking and unpacking a run
	endLimit    = 2 * time.Minute // for the verdicts of what runs when a suite is interrupted
)

// Listen takes the verdicts of the suite until ctx ends.
func (c *Coordinator) Listen(ctx context.Context) error {
	return c.Queue.Verdicts(ctx, c.Suite, func(v queue.Verdict) {
		key := turn(v.Case, v.Generation)
		c.mu.Lock()
		defer c.mu.Unlock()
		if to := c.waiting[key]; to != nil {
			to <- v // which has room for one, and there is one of each turn
			delete(c.waiting, key)
			return
		}
		if c.early == nil {
			c.early = map[string]queue.Verdict{}
		}
		c.early[key] = v
	})
}

// turn names a generation of a case.
func turn(token string, generation int) string { return fmt.Sprintf("%s.%d", token, generation) }

// Run has a worker judge a case, again if its verdict does not count.
func (c *Coordinator) Run(ctx context.Context, job queue.Job) (suite.Result, error) {
	var refusals []string
	for job.Generation = range maxGenerations {
		v, why := c.once(ctx, job)
		if why != "" {
			return Open(why), nil
		}
		r, err := c.accept(ctx, job, v)
		if err == nil {
			for _, why := range refusals {
				r.Notes = append(r.Notes, pagetext.Text("it ran again, as a verdict was refused: "+why))
			}
			return r, nil
		}
		c.Log.Warn("a verdict is refused, and the case goes out again", "case", job.Case, "generation", job.Generation, "why", err)
		refusals = append(refusals, err.Error())
	}
	return Open(pagetext.Sprintf("the verdicts of %d workers were refused, the last one because %s", maxGenerations, refusals[len(refusals)-1])), nil
}

// accept takes a verdict if it counts, also of a suite that was interrupted since.
func (c *Coordinator) accept(ctx context.Context, job queue.Job, v queue.Verdict) (suite.Result, error) {
	ctx, stop := wait.Grace(ctx, acceptLimit)
	defer stop()
	r, bundle, err := c.Acceptance.Accept(ctx, job, v.Body)
	if err == nil && bundle != "" {
		r, err = c.Unpack(ctx, r, bundle)
	}
	return r, err
}

// Open is the result of a case that nobody could judge.
func Open(why pagetext.Text) suite.Result {
	return suite.Result{TestCase: qa.TestCase{Status: qa.TestError, FailureReason: why, Screenshots: []string{}, ConsoleLogs: []qa.ConsoleEntry{}}}
}

// once hands a case out, and waits for its verdict, or says why there is none.
func (c *Coordinator) once(ctx context.Context, job queue.Job) (v queue.Verdict, why pagetext.Text) {
	key := turn(queue.Token(job.Case), job.Generation)
	came := make(chan queue.Verdict, 1)
	c.mu.Lock()
	early, there := c.early[key]
	if !there {
		if c.waiting == nil {
			c.waiting = map[string]chan<- queue.Verdict{}
		}
		c.waiting[key] = came
	}
	c.mu.Unlock()
	if there {
		return early, ""
	}
	for {
		err := c.Queue.Submit(ctx, job)
		if err == nil {
			break
		}
		c.Log.Debug("the broker did not take a case", "err", err)
		if wait.For(ctx, submitAgain) != nil {
			return queue.Verdict{}, "interrupted before it began"
		}
		if c.Working.Err() != nil {
			return queue.Verdict{}, c.gaveUp()
		}
	}
	select {
	case v := <-came:
		return v, ""
	case <-c.Working.Done():
		return queue.Verdict{}, c.gaveUp()
	case <-ctx.Done():
	}
	grace, stop := wait.Grace(ctx, endLimit)
	defer stop()
	if !c.begun(grace, job) {
		return queue.Verdict{}, "interrupted before it began"
	}
	select { // what runs is left to end by itself
	case v := <-came:
		return v, ""
	case <-grace.Done():
		return queue.Verdict{}, "interrupted before a worker had judged it"
	}
}

func (c *Coordinator) gaveUp() pagetext.Text {
	return pagetext.Text("no worker could judge it: " + context.Cause(c.Working).Error())
}

// begun takes what waits in the queue out of it, once for all cases, and reports whether a
// worker had begun with a job by then.
func (c *Coordinator) begun(ctx context.Context, job queue.Job) bool {
	c.withdrawn.Do(func() {
		if err := c.Queue.Withdraw(ctx, c.Suite); err != nil {
			c.Log.Warn("cases stay in the queue that was interrupted", "err", err)
		}
	})
	begun, err := c.Queue.Begun(ctx, job)
	if err != nil {
		c.Log.Warn("whether a worker has begun with a case is not known", "case", job.Case, "err", err)
	}
	return begun || err != nil
}

// Job makes the job of a case.
func Job(suiteID, lane, build string, w Work) (queue.Job, error) {
	body, err := json.Marshal(w)
	return queue.Job{Suite: suiteID, Case: w.ID(build), Lane: lane, Work: body}, err
}
