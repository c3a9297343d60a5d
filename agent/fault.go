package agent

import (
	"math"
	"net/http"
	"strconv"
	"time"
)

// FaultOf says what an HTTP status of 400 or more means where the provider's own
// words say nothing else.
func FaultOf(status int) Fault {
	switch status {
	case http.StatusTooManyRequests:
		return RateLimited
	case http.StatusServiceUnavailable, 529: // 529: overloaded, as some providers say it
		return Overloaded
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return TimedOut
	case http.StatusUnauthorized, http.StatusForbidden:
		return Unauthorised
	case http.StatusRequestEntityTooLarge:
		return TooLong
	}
	if status >= 500 {
		return Unavailable
	}
	return BadRequest
}

// maxRetryAfter bounds how long a provider can ask to be left alone.
const maxRetryAfter = 24 * time.Hour

// RetryAfter reads how long an answer asks its client to wait, up to a day:
// retry-after-ms, or Retry-After in seconds or as a date (RFC 9110, 10.2.3),
// counted from the answer's own Date. It returns 0 where the header is missing
// or unreadable.
func RetryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return seconds(ms / 1000)
	}
	text := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(text, 64); err == nil {
		return seconds(s)
	}
	until, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return 0
	}
	return min(max(0, until.Sub(now)), maxRetryAfter)
}

// seconds converts a provider's number of seconds, bounded so that it can't
// overflow.
func seconds(s float64) time.Duration {
	if !(s > 0) { // nor NaN
		return 0
	}
	return time.Duration(math.Min(s, maxRetryAfter.Seconds()) * float64(time.Second))
}
