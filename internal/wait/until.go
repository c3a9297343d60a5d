package wait

import (
	"context"
	"time"
)

// Until looks again and again, ever less often, until what it looks for is so, and reports whether
// it was before the limit or the end of ctx. It looks once at least.
func Until(ctx context.Context, now func() time.Time, limit time.Duration, look func() bool) bool {
	const first, longest = 20 * time.Millisecond, 250 * time.Millisecond
	over := now().Add(limit)
	for pause := first; !look(); pause = min(2*pause, longest) {
		if now().After(over) || For(ctx, pause) != nil {
			return false
		}
	}
	return true
}
