package wait

import (
	"context"
	"sync"
)

// SideBySide does n things, at most places of them at a time, and waits for all that were
// begun. It returns the error of each in their order. When ctx ends no more are begun, and
// those have the cause of its end as their error.
func SideBySide(ctx context.Context, places, n int, do func(i int) error) []error {
	errs := make([]error, n)
	free := NewPlaces(max(1, places))
	var begun sync.WaitGroup
	for i := range n {
		if ctx.Err() != nil || free.Take(ctx) != nil {
			errs[i] = context.Cause(ctx)
			continue
		}
		begun.Go(func() {
			defer free.Give()
			errs[i] = do(i)
		})
	}
	begun.Wait()
	return errs
}
