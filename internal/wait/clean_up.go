package wait

import (
	"context"
	"errors"
	"time"
)

// Grace returns a context with the values of ctx that ends limit after the deadline
// of ctx. Where ctx has none, or was ended before, it ends limit from now.
func Grace(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	cancelled := errors.Is(ctx.Err(), context.Canceled)
	if deadline, ok := ctx.Deadline(); ok && !cancelled {
		return context.WithDeadline(context.WithoutCancel(ctx), deadline.Add(limit))
	}
	return context.WithTimeout(context.WithoutCancel(ctx), limit)
}

// CleanUp returns a context for putting away what the owner of ctx leaves behind,
// who may have gone by then: that of [Grace], which has limit at most. All that is
// put away after a deadline, one after the other, has limit together.
func CleanUp(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	grace, end := Grace(ctx, limit)
	bound, cancel := context.WithTimeout(grace, limit)
	return bound, func() { cancel(); end() }
}
