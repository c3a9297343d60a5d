package browser

import (
	"context"
)

func (x *exchange) isData() bool { return x.Type == "xhr" || x.Type == "fetch" }

// refused reports whether a data request was answered with an error status. A
// page that never reads such an answer's body keeps it under way for good, and
// its headers say all that matters.
func (x *exchange) refused() bool { return x.isData() && x.response != nil && x.Status >= 400 }

// maxDataBody bounds a body that is searched for a figure.
const maxDataBody = 2 << 20

// DataBody is the body of an answered request, for looking into: it is not
// masked and must not be shown. It is an error when there is none, or when it
// is larger than 2 MiB.
func (s *Session) DataBody(ctx context.Context, requestID string) ([]byte, error) {
	what := "read the answer of " + requestID
	x, ok := s.EventLog.find(requestID)
	if !ok || x.response == nil || x.Pending || x.cutOff {
		return nil, invalid("take a request that was answered", "%s: there is no answer to read", what)
	}
	if x.Size > maxDataBody {
		return nil, invalid("", "%s: it has %d bytes", what, x.Size)
	}
	done, gone := make(chan outcome[[]byte], 1), s.current().context.gone
	go func() {
		v, err := guarded(x.response.Body)
		done <- outcome[[]byte]{v, err}
	}()
	select {
	case o := <-done:
		if o.err == nil && len(o.value) > maxDataBody {
			return nil, invalid("", "%s: it has %d bytes", what, len(o.value))
		}
		return o.value, classify(o.err, what)
	case <-ctx.Done():
		return nil, classify(ctx.Err(), what)
	case <-gone:
		return nil, browserCrashed(what, nil)
	case <-s.ended:
		return nil, sessionClosed(what, s.id)
	}
}
