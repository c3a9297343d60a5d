package browser

// recoveryState says how far a recovery is, and whether a caller knows. A caller
// learns each outcome once: one that was promised the page and gets a blank one, or
// loses the session, is informed again.
type recoveryState int

const (
	recoveryRunning            recoveryState = iota // no caller knows
	recoveryAnnounced                               // rebuilding; a caller expects the page at its address
	recoverySuperseded                              // rebuilding; a navigation replaces the page, so it is not loaded again
	recoverySupersededReported                      // the same, and a caller knows of the loss
	recoveryRestored                                // the page is at its address again
	recoveryRestoredReported                        // the same, and a caller knows; or a navigation replaced the page
	recoveryBlank                                   // the page is blank
	recoveryBlankReported
	recoveryLost // the session can't be used any more
	recoveryLostReported
)

// recoveryEvent moves a recovery from one state to the next.
type recoveryEvent int

const (
	callerInformed  recoveryEvent = iota // an error described the state to a caller
	navigationBegan                      // a navigation waits, which needs no reload
	pageRestored                         // the rebuild ended with the page at its address
	pageBlank                            // it ended with a blank page
	sessionLost                          // it failed
	pageReplaced                         // a navigation took the rebuilt page
)

// recoveryTransitions returns the next state by state and event. An event that is not
// there changes nothing.
func recoveryTransitions() map[recoveryState]map[recoveryEvent]recoveryState {
	return map[recoveryState]map[recoveryEvent]recoveryState{
		recoveryRunning:            {callerInformed: recoveryAnnounced, navigationBegan: recoverySuperseded, pageRestored: recoveryRestored, pageBlank: recoveryBlank, sessionLost: recoveryLost},
		recoveryAnnounced:          {navigationBegan: recoverySupersededReported, pageRestored: recoveryRestoredReported, pageBlank: recoveryBlank, sessionLost: recoveryLost},
		recoverySuperseded:         {callerInformed: recoverySupersededReported, pageRestored: recoveryRestored, pageBlank: recoveryBlank, sessionLost: recoveryLost},
		recoverySupersededReported: {pageRestored: recoveryRestoredReported, pageBlank: recoveryBlankReported, sessionLost: recoveryLost},
		recoveryRestored:           {callerInformed: recoveryRestoredReported, pageReplaced: recoveryRestoredReported},
		recoveryBlank:              {callerInformed: recoveryBlankReported, pageReplaced: recoveryRestoredReported},
		recoveryBlankReported:      {pageReplaced: recoveryRestoredReported},
		recoveryLost:               {callerInformed: recoveryLostReported},
	}
}

// after returns the state that an event leads to.
func (s recoveryState) after(e recoveryEvent) recoveryState {
	if next, ok := recoveryTransitions()[s][e]; ok {
		return next
	}
	return s
}

// underWay reports whether the rebuild has not ended.
func (s recoveryState) underWay() bool { return s <= recoverySupersededReported }

// reported reports whether a caller knows how the recovery stands.
func (s recoveryState) reported() bool {
	switch s {
	case recoveryAnnounced, recoverySupersededReported, recoveryRestoredReported, recoveryBlankReported, recoveryLostReported:
		return true
	}
	return false
}

// isBlank reports whether the rebuilt page is blank.
func (s recoveryState) isBlank() bool { return s == recoveryBlank || s == recoveryBlankReported }

// isLost reports whether the session can't be used any more.
func (s recoveryState) isLost() bool { return s == recoveryLost || s == recoveryLostReported }
