package browser

import (
	"sync"
	"testing"
	"time"
)

// Calls that look a session up and calls that open one do not wait for each
// other for ever (E1).
func TestGroupDoesNotLockUp(t *testing.T) {
	t.Parallel()
	p := &Pool{sessions: []*Session{{livePage: &livePage{id: "s-1", lost: make(chan struct{})}}}}
	g := p.Group(nil)
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for range 20_000 {
				g.add("s-2") // which the pool has forgotten by the next time
			}
		})
		all.Go(func() {
			for range 20_000 {
				_, _ = g.Session("s-1")
				g.SessionIDs()
			}
		})
	}
	done := make(chan struct{})
	go func() { defer close(done); all.Wait() }()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("locked up")
	}
}
