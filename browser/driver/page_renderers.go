package driver

import (
	"context"
	"errors"
	"sync"

	"github.com/assay-qa/assay/browser/rest"
)

// Protocol sends commands of Chromium's own protocol about one page, and hears its events.
type Protocol interface {
	Send(method string, params map[string]any) (any, error)
	On(name string, handler any)
}

// timeline is the category of the one event that is asked for.
const timeline = "disabled-by-default-devtools.timeline"

// Tracer finds the processes that run a page and its frames. No command of the protocol has them, but
// a trace of the page begins with an event that has: so it begins a trace and ends it at once. The event
// comes from the browser, which started these processes, and so is exact, sandbox or not, even if the
// page hangs; then it takes ten seconds, for which Chromium waits for the page's process.
type Tracer struct {
	page Protocol

	mu   sync.Mutex
	pids map[int]bool
	done chan struct{} // closed when the trace has ended; nil while there is none
}

// NewTracer returns a tracer of the page at the other end. The connection must be made before the page
// hangs, and is the tracer's from then on.
func NewTracer(page Protocol) *Tracer {
	t := &Tracer{page: page}
	page.On("Tracing.dataCollected", t.collect)
	page.On("Tracing.tracingComplete", func(map[string]any) {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.done != nil {
			close(t.done)
			t.done = nil
		}
	})
	return t
}

func (t *Tracer) collect(params map[string]any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	events, _ := params["value"].([]any)
	for _, e := range events {
		addFrames(t.pids, e)
	}
}

// Renderers returns the numbers of the processes. One trace at a time can run in a browser.
func (t *Tracer) Renderers(ctx context.Context) (map[int]bool, error) {
	done := make(chan struct{})
	t.mu.Lock()
	t.pids, t.done = map[int]bool{}, done
	t.mu.Unlock()
	if _, err := t.page.Send("Tracing.start", map[string]any{"transferMode": "ReportEvents",
		"traceConfig": map[string]any{"recordMode": "recordUntilFull", "traceBufferSizeInKb": 8192, "includedCategories": []any{timeline}}}); err != nil {
		return nil, err
	}
	if _, err := t.page.Send("Tracing.end", map[string]any{}); err != nil {
		return nil, err
	}
	if err := rest.Until(ctx, nil, rest.Policy{Events: []rest.Event{{Of: done}}}); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.pids) == 0 {
		return nil, errors.New("the browser's trace names no process of the page")
	}
	return t.pids, nil
}

// addFrames adds the processes that an event of a trace names for the frames of the page.
func addFrames(pids map[int]bool, event any) {
	e, _ := event.(map[string]any)
	if e["name"] != "TracingStartedInBrowser" {
		return
	}
	args, _ := e["args"].(map[string]any)
	data, _ := args["data"].(map[string]any)
	frames, _ := data["frames"].([]any)
	for _, f := range frames {
		frame, _ := f.(map[string]any)
		switch pid := frame["processId"].(type) {
		case float64:
			pids[int(pid)] = true
		case int:
			pids[pid] = true
		}
	}
}
