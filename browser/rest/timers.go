package rest

import "time"

// Timer describes what a page has set to come by itself once: a timer, or an animation that is
// delayed.
type Timer struct {
	Began time.Time     // when it was set, or the first one of a row of which each sets the next
	Due   time.Time     // when it comes
	After time.Duration // from when it was set until then
}

// Stretch returns the last of a page's timers that a check waits for: those that acts have set,
// or what came of them, and that come within the limit. acts are when acts and loads began,
// oldest first; opened is when the document was there. What a page has set before it was acted
// on, such as a clock, a carousel, or the end of a session, is its own affair; what comes later
// than the limit is not waited for.
func Stretch(now, opened time.Time, acts []time.Time, all []Timer, limit time.Duration) (last Timer, waits bool) {
	var since time.Time
	for _, acted := range acts {
		if acted.After(opened) {
			since = acted
			break
		}
	}
	for _, t := range all {
		if !since.IsZero() && !t.Began.Before(since) && t.After <= limit && t.Due.After(now) && t.Due.After(last.Due) {
			last, waits = t, true
		}
	}
	return last, waits
}
