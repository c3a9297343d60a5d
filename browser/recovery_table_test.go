package browser

import (
	"slices"
	"testing"
)

// TestRecoveryStates walks through every recovery that a session can have.
func TestRecoveryStates(t *testing.T) {
	t.Parallel()
	type events = []recoveryEvent
	for _, row := range []struct {
		name     string
		events   events
		want     recoveryState
		reported bool
	}{
		{"nobody knows yet", nil, recoveryRunning, false},
		{"a caller meets it", events{callerInformed}, recoveryAnnounced, true},
		{"it ends well, unnoticed", events{pageRestored}, recoveryRestored, false},
		{"and the next caller is informed", events{pageRestored, callerInformed}, recoveryRestoredReported, true},
		{"it ends as a caller was promised", events{callerInformed, pageRestored}, recoveryRestoredReported, true},
		{"a caller was promised the page and it is blank", events{callerInformed, pageBlank}, recoveryBlank, false},
		{"a caller was promised the session and it is lost", events{callerInformed, sessionLost}, recoveryLost, false},
		{"blank, unnoticed", events{pageBlank}, recoveryBlank, false},
		{"blank, and a caller knows", events{pageBlank, callerInformed}, recoveryBlankReported, true},
		{"lost, and a caller knows", events{sessionLost, callerInformed, callerInformed}, recoveryLostReported, true},
		{"a navigation takes the rebuilt page", events{pageRestored, pageReplaced}, recoveryRestoredReported, true},
		{"a navigation takes the blank page", events{pageBlank, callerInformed, pageReplaced}, recoveryRestoredReported, true},
		{"a navigation makes the reload pointless", events{navigationBegan, pageBlank, pageReplaced}, recoveryRestoredReported, true},
		{"it does so after a caller was informed", events{callerInformed, navigationBegan, pageBlank}, recoveryBlankReported, true},
		{"it gives up before the end", events{navigationBegan, callerInformed, pageBlank}, recoveryBlankReported, true},
		{"it came too late to stop the reload", events{navigationBegan, pageRestored}, recoveryRestored, false},
		{"too late, and a caller knows", events{callerInformed, navigationBegan, pageRestored}, recoveryRestoredReported, true},
		{"a navigation, and the session is lost", events{callerInformed, navigationBegan, sessionLost}, recoveryLost, false},
	} {
		state := recoveryRunning
		for _, e := range row.events {
			state = state.after(e)
		}
		if state != row.want || state.reported() != row.reported {
			t.Errorf("%s: state %d, reported %v; want %d, %v", row.name, state, state.reported(), row.want, row.reported)
		}
	}
}

// TestRecoveryTransitions holds every transition to what all of them promise.
func TestRecoveryTransitions(t *testing.T) {
	t.Parallel()
	ends := []recoveryEvent{pageRestored, pageBlank, sessionLost}
	for state := recoveryRunning; state <= recoveryLostReported; state++ {
		if !state.after(callerInformed).reported() {
			t.Errorf("state %d: a caller was informed, and does not count", state)
		}
		for event := callerInformed; event <= pageReplaced; event++ {
			next := state.after(event)
			switch {
			case next.after(event) != next:
				t.Errorf("state %d: event %d does something else the second time", state, event)
			case state.underWay() && slices.Contains(ends, event) && next.underWay():
				t.Errorf("state %d: event %d does not end it", state, event)
			case !state.underWay() && slices.Contains(ends, event) && next != state:
				t.Errorf("state %d: it ends a second time with event %d", state, event)
			case !state.underWay() && next.underWay():
				t.Errorf("state %d: event %d begins it anew", state, event)
			case state.isLost() && !next.isLost():
				t.Errorf("state %d: event %d brings a lost session back", state, event)
			case state.reported() && !next.reported() && (!state.underWay() || !next.isLost() && !next.isBlank()):
				t.Errorf("state %d: event %d makes a caller forget", state, event)
			}
		}
	}
}

// latest returns the newest recovery of a session.
func (s *Session) latest() *recovery {
	s.livePage.mu.Lock()
	defer s.livePage.mu.Unlock()
	return s.recovery
}
