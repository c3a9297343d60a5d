package disk

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// lockRetryPause separates two attempts to lock a file.
const lockRetryPause = 50 * time.Millisecond

// Lock locks the file at path, which it makes with its folder, and keeps others
// out, in this process or another, until release is called or the process ends.
// It waits for its turn until ctx ends; the error is ctx's then. The file stays.
func Lock(ctx context.Context, path string) (release func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), DirPerm); err != nil {
		return nil, err
	}
	lock := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(FilePerm))
	if _, err := lock.TryLockContext(ctx, lockRetryPause); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("lock it: %w", err)
	}
	return func() { _ = lock.Close() }, nil
}
