package auth

import (
	"context"
	"fmt"

	"github.com/assay-qa/assay/internal/disk"
)

// Turn waits until no other sign-in of the role is under way, in this process
// or in another, and keeps others waiting until end is called. After a wait,
// read the state again before you sign in.
func (s *State) Turn(ctx context.Context) (end func(), err error) {
	if err := s.turn.Take(ctx); err != nil {
		return nil, err
	}
	release, err := s.lockFile(ctx)
	if err != nil {
		s.turn.Give()
		return nil, err
	}
	return func() {
		release()
		s.turn.Give()
	}, nil
}

func (s *State) lockFile(ctx context.Context) (release func(), err error) {
	release, err = disk.Lock(ctx, s.path+".lock")
	switch {
	case err == nil:
		return release, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("wait for another sign-in of %s: %w", s.role, ctx.Err())
	}
	return nil, s.failure(err, folderRemedy, "%v", err)
}
