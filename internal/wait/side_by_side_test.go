package wait_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/assay-qa/assay/internal/wait"
)

// So many are done at a time as there are places, all are waited for, and the errors come in
// their order; what was not begun when the caller ended says so.
func TestSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		odd := errors.New("odd")
		begun, goOn := make(chan int, 5), make(chan struct{})
		ended := make(chan []error)
		go func() {
			ended <- wait.SideBySide(t.Context(), 2, 5, func(i int) error {
				begun <- i
				<-goOn
				if i%2 == 1 {
					return odd
				}
				return nil
			})
		}()
		for left := 5; left > 0; left-- {
			synctest.Wait()
			if at := 5 - left + min(2, left); len(begun) != at {
				t.Errorf("%d are begun when %d are done, want %d", len(begun), 5-left, at)
			}
			goOn <- struct{}{}
		}
		for i, err := range <-ended {
			if want := i%2 == 1; errors.Is(err, odd) != want {
				t.Errorf("the error of %d: %v", i, err)
			}
		}

		stopped, stop := context.WithCancelCause(t.Context())
		gone := errors.New("gone")
		errs := wait.SideBySide(stopped, 1, 3, func(int) error { stop(gone); return nil })
		if errs[0] != nil || !errors.Is(errs[1], gone) || !errors.Is(errs[2], gone) {
			t.Errorf("after its caller's end: %v", errs)
		}
		if errs := wait.SideBySide(t.Context(), 0, 0, nil); len(errs) != 0 {
			t.Errorf("of nothing: %v", errs)
		}
	})
}
