package auth

import (
	"fmt"
	"time"
)

// failurePause sets how long sign-ins by script pause after one has failed:
// many tasks that try the same wrong password would lock the account.
const failurePause = time.Minute

// loginPause holds a failed sign-in.
type loginPause struct {
	until time.Time
	cause error
}

// Rest notes that signing in by script has failed.
func (s *State) Rest(now time.Time, cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed = loginPause{now.Add(failurePause), cause}
}

// Resting returns the error of a sign-in by script that would follow too soon on one
// that has failed, or nil. A state that is stored meanwhile can be used.
func (s *State) Resting(now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed.cause == nil || !now.Before(s.failed.until) {
		return nil
	}
	return fmt.Errorf("signing in as %s has failed and is not tried again for %s, lest the account is locked: %w", s.role, s.failed.until.Sub(now).Round(time.Second), s.failed.cause)
}
