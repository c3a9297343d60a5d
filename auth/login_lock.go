package auth

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// lockRetryPause says how often a file lock that another process holds is tried again.
const lockRetryPause = 50 * time.Millisecond

// Turn waits until nobody else is signing the role in, neither in this process
// nor, where files can be locked, in another, and keeps others waiting until end
// is called. Whoever has waited should read the state again before it signs in.
func (s *State) Turn(ctx context.Context) (end func(), err error) {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	file, err := s.lockFile(ctx)
	if err != nil {
		<-s.turn
		return nil, err
	}
	return func() {
		_ = file.Close() // which lets go of the lock
		<-s.turn
	}, nil
}

func (s *State) lockFile(ctx context.Context) (*os.File, error) {
	const remedy = "make the folder writable, or give the role another state file"
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return nil, s.failure(err, remedy, "%v", err)
	}
	file, err := os.OpenFile(s.path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, s.failure(err, remedy, "%v", err)
	}
	pause := time.NewTicker(lockRetryPause)
	defer pause.Stop()
	for {
		locked, err := tryLock(file)
		if locked {
			return file, nil
		}
		if err != nil {
			_ = file.Close()
			return nil, s.failure(err, remedy, "lock it: %v", err)
		}
		select {
		case <-pause.C:
		case <-ctx.Done():
			_ = file.Close()
			return nil, fmt.Errorf("wait for another sign-in of %s: %w", s.role, ctx.Err())
		}
	}
}
