package tool

import (
	"time"

	"github.com/assay-qa/assay/tools/assertion"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/schema"
)

// OnElement adds an element, a reason and a time-out to the inputs of tools
// that act on one element.
type OnElement struct {
	OnSession
	Selector string `json:"selector"`
	Intent   string `json:"intent,omitempty"`
	TimeLimit
}

// AssertTimeout returns the caller's time-out, or the default one.
func AssertTimeout(m schema.Millis) time.Duration {
	if m > 0 {
		return m.Duration()
	}
	return assertion.DefaultTimeout
}

// timed returns the time-out of inputs in which the caller sets one.
type timed interface{ timeout() schema.Millis }

// TimeLimit adds a time-out to a tool's inputs.
type TimeLimit struct {
	TimeoutMS schema.Millis `json:"timeout_ms,omitempty"`
}

func (t TimeLimit) timeout() schema.Millis { return t.TimeoutMS }

// OnSession adds the session's id to the inputs of tools that act on a
// session.
type OnSession struct {
	SessionID string `json:"session_id,omitempty"`
}

// Binds adds the ids of expectations to the inputs of tools whose checks can
// prove them.
type Binds struct {
	Expects []string `json:"expects,omitempty"`
}

// Watches adds the length of the watch to the inputs of tools that watch the
// page in the end.
type Watches struct {
	WatchMS *int `json:"watch_ms,omitempty"`
}

// Shows adds the choice of an inline image to the inputs of tools that take a
// picture.
type Shows struct {
	IncludeImage bool `json:"include_image,omitempty"`
}

func (s Shows) showing() bool { return s.IncludeImage }

// maxWatchMS bounds a watch.
const maxWatchMS = 60_000

// Valid refuses a window that is out of range.
func (w Watches) Valid() error {
	if w.WatchMS != nil && (*w.WatchMS < 0 || *w.WatchMS > maxWatchMS) {
		return engine.InvalidInput("", "watch_ms is %d: use 0 (no watch) to %d", *w.WatchMS, maxWatchMS)
	}
	return nil
}
