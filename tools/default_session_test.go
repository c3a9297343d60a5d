package tools_test

import (
	"sync"
	"testing"
)

// B2, B10: first calls that come side by side share one default session.
func TestParallelFirstCallsShareASession(t *testing.T) {
	t.Parallel()
	d := online(t)
	answers := make([]answer, 8)
	var calls sync.WaitGroup
	for i := range answers {
		calls.Go(func() { answers[i] = d.raw("page_snapshot", `{}`) })
	}
	calls.Wait()
	for i, a := range answers {
		if !a.OK {
			t.Errorf("call %d: %s", i+1, a.text)
		}
	}
	if open := d.SessionIDs(); len(open) != 1 {
		t.Errorf("%d sessions are open: %v", len(open), open)
	}
}
