package terminal

import (
	"context"
	"os"
)

// AwaitUnread waits for the end of ctx and returns its error: Windows tells of a reader
// that left at the next write only.
func AwaitUnread(ctx context.Context, _ *os.File) error {
	<-ctx.Done()
	return ctx.Err()
}
