package workers

import (
	"context"
	"encoding/json"
	"errors"
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

	mu      sync.Mutex
	waiting map[string]chan<- queue.Verdict // of a case and its generation
	early   map[string]queue.Verdict        // that nobody waits for yet, as those of a suite that is resumed
}

// maxGenerations is how often a case is handed out whose verdicts are refused.
const maxGenerations = 3

const (
	submitAgain = 200 * time.Millisecond
	endLimit    = 10 * time.Second // for the verdicts of what runs when a suite is interrupted
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
		v, err := c.once(ctx, job)
		if err != nil {
			return Open(pagetext.Text(err.Error())), nil
		}
		r, bundle, err := c.Acceptance.Accept(ctx, job, v.Body)
		if err == nil && bundle != "" {
			r, err = c.Unpack(ctx, r, bundle)
		}
		if err == nil {
			return r, nil
		}
		c.Log.Warn("a verdict is refused, and the case goes out again", "case", job.Case, "generation", job.Generation, "why", err)
		refusals = append(refusals, err.Error())
	}
	return Open(pagetext.Sprintf("the verdicts of %d workers were refused, the last one because %s", maxGenerations, refusals[len(refusals)-1])), nil
}

// Open is the result of a case that nobody could judge.
func Open(why pagetext.Text) suite.Result {
	return suite.Result{TestCase: qa.TestCase{Status: qa.TestError, FailureReason: why, Screenshots: []string{}, ConsoleLogs: []qa.ConsoleEntry{}}}
}

// once hands a case out, and waits for its verdict.
func (c *Coordinator) once(ctx context.Context, job queue.Job) (queue.Verdict, error) {
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
		return early, nil
	}
	for {
		err := c.Queue.Submit(ctx, job)
		if err == nil {
			break
		}
		c.Log.Debug("the broker did not take a case", "err", err)
		if wait.For(ctx, submitAgain) != nil {
			return queue.Verdict{}, errors.New("interrupted before it began")
		}
	}
	select {
	case v := <-came:
		return v, nil
	case <-ctx.Done():
	}
	// What runs is left to end by itself; what waits was withdrawn.
	grace, stop := wait.Grace(ctx, endLimit)
	defer stop()
	select {
	case v := <-came:
		return v, nil
	case <-grace.Done():
		return queue.Verdict{}, errors.New("interrupted before a worker had judged it")
	}
}

// Job makes the job of a case.
func Job(suiteID, lane, build, browser string, w Work) (queue.Job, error) {
	body, err := json.Marshal(w)
	return queue.Job{Suite: suiteID, Case: w.ID(build, browser), Lane: lane, Work: body}, err
}
