package tools

import (
	"sync"
	"testing"
)

// A server that lives for days keeps nothing of traces whose run or session has
// ended; and a call may begin to pack one just as another's is packed.
func TestTracesLeaveNothingBehind(t *testing.T) {
	t.Parallel()
	var books traceState
	wanted := true
	books.request("s-1", &wanted)
	books.request("s-2", &wanted)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 500 {
				packed := false
				books.pack("run", func() { packed = true })
				<-books.packed("run")
				if !packed {
					t.Error("waited for nothing")
				}
			}
		})
	}
	all.Wait()
	if first, second := books.firstUse("run", "s-1"), books.firstUse("run", "s-1"); !first || second {
		t.Errorf("a run is told once: %v, %v", first, second)
	}
	books.forget("run", func() []string { return []string{"s-2"} })
	if len(books.packing) != 0 || len(books.told) != 0 || len(books.asked) != 1 || !books.asked["s-2"] {
		t.Errorf("left: %v, %v, %v", books.packing, books.told, books.asked)
	}
}
