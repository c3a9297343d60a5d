package agent_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/assay-qa/assay/agent"
)

// What a provider writes is waited for, and can neither overflow nor be
// negative (A11).
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	const now = "Sun, 22 Nov 2026 10:00:00 GMT"
	for _, c := range []struct {
		header []string
		want   time.Duration
	}{
		{nil, 0},
		{[]string{"Retry-After", "7"}, 7 * time.Second},
		{[]string{"Retry-After", "0.5"}, 500 * time.Millisecond},
		{[]string{"Retry-After", "60", "Retry-After-Ms", "1500"}, 1500 * time.Millisecond},
		{[]string{"Retry-After", "60", "Retry-After-Ms", "soon"}, time.Minute},
		{[]string{"Retry-After", "Sun, 22 Nov 2026 10:00:30 GMT", "Date", now}, 30 * time.Second},
		{[]string{"Retry-After", "Sun, 22 Nov 2026 09:00:00 GMT", "Date", now}, 0},
		{[]string{"Retry-After", "Sun, 22 Nov 2026 10:00:30 GMT"}, 0}, // on whose clock?
		{[]string{"Retry-After", "soon"}, 0},
		{[]string{"Retry-After", "-3"}, 0},
		{[]string{"Retry-After", "NaN"}, 0},
		{[]string{"Retry-After", "1e300"}, 24 * time.Hour},
		{[]string{"Retry-After-Ms", "1e300"}, 24 * time.Hour},
		{[]string{"Retry-After-Ms", "Inf"}, 24 * time.Hour},
		{[]string{"Retry-After", "Sun, 22 Nov 2048 10:00:00 GMT", "Date", now}, 24 * time.Hour},
	} {
		h := http.Header{}
		for i := 0; i < len(c.header); i += 2 {
			h.Set(c.header[i], c.header[i+1])
		}
		if got := agent.RetryAfter(h); got != c.want {
			t.Errorf("%v: %v, want %v", c.header, got, c.want)
		}
	}
}

func TestFaultOf(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]agent.Fault{
		400: agent.BadRequest, 401: agent.Unauthorised, 403: agent.Unauthorised, 404: agent.BadRequest, 408: agent.TimedOut, 413: agent.TooLong,
		422: agent.BadRequest, 429: agent.RateLimited, 500: agent.Unavailable, 502: agent.Unavailable, 503: agent.Overloaded, 504: agent.TimedOut, 529: agent.Overloaded,
	} {
		if got := agent.FaultOf(status); got != want {
			t.Errorf("%d: %s, want %s", status, got, want)
		}
	}
}
