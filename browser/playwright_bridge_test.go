package browser

import (
	"sync"
	"sync/atomic"
	"testing"
)

// A turn waits for its late calls while other calls begin and end. A WaitGroup
// panics then, and takes the program with it.
func TestLateCallsAreWaitedForWhileOthersBegin(t *testing.T) {
	t.Parallel()
	var late pendingCalls
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 20_000 {
				late.begin()
				late.end()
			}
		})
		all.Go(func() {
			for range 20_000 {
				if none := late.none(); none != nil {
					<-none
				}
			}
		})
	}
	all.Wait()
	late.begin()
	var ended atomic.Bool
	none := late.none()
	all.Go(func() {
		if <-none; !ended.Load() {
			t.Error("it was not waited for")
		}
	})
	all.Go(func() {
		ended.Store(true)
		late.end()
	})
	all.Wait()
}
