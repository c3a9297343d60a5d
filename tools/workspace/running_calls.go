package workspace

import (
	"slices"
	"sync"

	"github.com/assay-qa/assay/evidence"
)

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
