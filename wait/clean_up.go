package wait

import (
	"context"
	"time"
)

// CleanUp returns a context for putting away what the owner of ctx leaves behind,
// who may have gone by then: it has the values of ctx, and ends after limit.
func CleanUp(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), limit)
}
