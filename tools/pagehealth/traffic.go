package pagehealth

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa/health"
)

// dataOf returns the data requests that the page has sent since its document was.
func dataOf(s *browser.Session) []browser.Sent {
	var out []browser.Sent
	for _, r := range s.Traffic(time.Time{}).Requests {
		if r.Main {
			out = nil
		}
		if r.Type == "xhr" || r.Type == "fetch" {
			out = append(out, r)
		}
	}
	return out
}

// These say when a page sends a request without end: so often, for so long, and no further
// apart than an effect that causes itself. One that asks in turns waits longer, and what a
// page asks for many times at once as it loads comes to an end.
const (
	loopTimes = 15
	loopEvery = 400 * time.Millisecond
	loopLasts = time.Second
)

// loopsOf returns the requests that a page sends over and over.
func loopsOf(s *browser.Session) []string {
	starts := map[string][]time.Time{}
	var names []string
	for _, r := range dataOf(s) {
		if r.Method != http.MethodGet { // what it sends may differ
			continue
		}
		name := r.Method + " " + r.URL
		if starts[name] == nil {
			names = append(names, name)
		}
		starts[name] = append(starts[name], r.Start)
	}
	var out []string
	for _, name := range names {
		at := starts[name]
		if n := len(at); n >= loopTimes && at[n-1].Sub(at[0]) >= loopLasts && at[n-1].Sub(at[0]) < time.Duration(n)*loopEvery {
			out = append(out, fmt.Sprintf("%s: %d times in %.1f s", name, n, at[n-1].Sub(at[0]).Seconds()))
		}
	}
	return out
}

// These bound which answers are read for what they say of their own failure: messages of
// errors are short.
const (
	maxErrorBody  = 4 << 10
	maxErrorReads = 10
)

// errorsInBodies returns the requests of the page that is shown that were answered as done,
// and whose body says that they failed. The browser drops the bodies of pages before it.
func errorsInBodies(ctx context.Context, s *browser.Session) []string {
	var out []string
	read := 0
	for _, r := range slices.Backward(dataOf(s)) {
		if r.Pending || r.Status/100 != 2 || r.Mocked != "" || r.Size > maxErrorBody || !strings.Contains(r.ResponseHeaders["content-type"], "json") {
			continue
		}
		if read++; read > maxErrorReads {
			break
		}
		body, err := s.DataBody(ctx, r.RequestID)
		if err != nil || len(body) > maxErrorBody {
			continue
		}
		if said := health.SaysItFailed(body); said != "" {
			out = append(out, fmt.Sprintf("%s %s: status %d, %s", r.Method, r.URL, r.Status, said))
		}
	}
	return out
}
