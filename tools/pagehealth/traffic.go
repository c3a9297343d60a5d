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
	"github.com/assay-qa/assay/tools/tool"
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

// These bound which answers are read for what they say of themselves: messages of errors
// are short, and style sheets are few.
const (
	maxErrorBody  = 4 << 10
	maxErrorReads = 10
	maxSheetBody  = 512 << 10
	maxSheetReads = 8
)

// beginBodies begins to read the answers whose headers raise a suspicion, while the page is
// looked at; the function that it returns waits for them. They are the requests that were
// answered as done and whose body says that they failed, and style sheets that are none or
// are cut.
func beginBodies(ctx context.Context, c *tool.Call, s *browser.Session) func() (failures, sheets []string) {
	type read struct{ failures, sheets []string }
	done := make(chan read, 1)
	go func() { done <- read{errorsInBodies(ctx, c, s), brokenSheets(ctx, c, s)} }()
	return func() ([]string, []string) {
		select {
		case out := <-done:
			return out.failures, out.sheets
		case <-ctx.Done(): // what else was seen counts
			return nil, nil
		}
	}
}

// errorsInBodies returns the requests of the page that is shown that were answered as done,
// and whose body says that they failed. The browser drops the bodies of pages before it.
func errorsInBodies(ctx context.Context, c *tool.Call, s *browser.Session) []string {
	var out []string
	asked := map[string]bool{}
	for _, r := range slices.Backward(dataOf(s)) {
		name := r.Method + " " + r.URL
		if !mayBeError(r) || asked[name] || c.Workspace.Ignores(r.URL) {
			continue
		}
		if asked[name] = true; len(asked) > maxErrorReads {
			break
		}
		body, err := s.DataBody(ctx, r.RequestID)
		if err != nil || len(body) > maxErrorBody {
			continue
		}
		if said := health.SaysItFailed(body); said != "" {
			out = append(out, fmt.Sprintf("%s: status %d, %s", name, r.Status, said))
		}
	}
	return out
}

// mayBeError reports whether an answer has the type and the size of a message about an error.
func mayBeError(r browser.Sent) bool {
	return !r.Pending && r.Status/100 == 2 && r.Mocked == "" && r.Size <= maxErrorBody && strings.Contains(r.ResponseHeaders["content-type"], "json")
}

// brokenSheets returns the style sheets of the page that is shown whose text is no style
// sheet, or ends before its end.
func brokenSheets(ctx context.Context, c *tool.Call, s *browser.Session) []string {
	var out []string
	for _, r := range sheetsOf(s) {
		if c.Workspace.Ignores(r.URL) {
			continue
		}
		body, err := s.DataBody(ctx, r.RequestID)
		if err != nil || len(body) > maxSheetBody {
			continue
		}
		if fault := health.SheetFault(body); fault != "" {
			out = append(out, fmt.Sprintf("the style sheet %s %s", r.URL, fault))
		}
	}
	return out
}

// sheetsOf returns the requests that brought style sheets of the page that is shown. One of
// another type is judged by it.
func sheetsOf(s *browser.Session) []browser.Sent {
	var out []browser.Sent
	for _, r := range s.Traffic(time.Time{}).Requests {
		if r.Main {
			out = nil
		}
		if r.Type == "stylesheet" && !r.Pending && r.Status == http.StatusOK && r.Mocked == "" && r.Failure == "" && r.Size <= maxSheetBody &&
			strings.HasPrefix(r.ResponseHeaders["content-type"], "text/css") && len(out) < maxSheetReads {
			out = append(out, r)
		}
	}
	return out
}
