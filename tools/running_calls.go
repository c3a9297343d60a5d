package tools

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
)

// awaitCallsLimit bounds how long run_finish waits for calls of its run that have
// not ended.
const awaitCallsLimit = 2 * time.Second

// runningCalls tracks the calls that have begun and not ended. Its zero value is ready.
type runningCalls struct {
	mu      sync.Mutex
	calls   []*runningCall
	changed chan struct{} // closed, and replaced, when one ends
}

// runningCall holds a call of a tool within a run.
type runningCall struct {
	tool string
	run  *evidence.Run // nil: none could be begun
}

// beginCall notes that a call has begun. The caller runs end when it has ended. A
// call of run_start or run_finish is not noted: it waits for the others.
func (d *Desk) beginCall(tool string, r *evidence.Run) (end func()) {
	c := &runningCall{tool, r}
	d.running.begin(c)
	return func() { d.running.end(c) }
}

func (f *runningCalls) begin(c *runningCall) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, c)
}

func (f *runningCalls) end(c *runningCall) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = slices.DeleteFunc(f.calls, func(other *runningCall) bool { return other == c })
	if f.changed != nil {
		close(f.changed)
		f.changed = nil
	}
}

// of returns the tools whose calls belong to a run and have not ended, and a
// channel that is closed when one does.
func (f *runningCalls) of(r *evidence.Run) (tools []string, changed <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.calls {
		if c.run == r {
			tools = append(tools, c.tool)
		}
	}
	if f.changed == nil {
		f.changed = make(chan struct{})
	}
	return tools, f.changed
}

// awaitCalls waits for the calls of a run that is about to be finished. What does not
// end in time can't be in the report, which must not look as if it were; awaitCalls
// reports whether all have ended.
func (d *Desk) awaitCalls(r *evidence.Run) bool {
	timer := time.NewTimer(awaitCallsLimit)
	defer timer.Stop()
	for {
		tools, changed := d.running.of(r)
		if len(tools) == 0 {
			return true
		}
		select {
		case <-changed:
		case <-timer.C:
			r.Interrupt(qa.Interruption{Kind: qa.NotExecuted, Subject: strings.Join(tools, ", "),
				Detail: "still running " + awaitCallsLimit.String() + " after run_finish was called: its outcome is not in this report"})
			return false
		}
	}
}
