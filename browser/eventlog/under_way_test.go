package eventlog

import (
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
)

type somePage string

func (p somePage) URL() string { return string(p) }

type sent struct{ method, address, kind string }

func (s *sent) Method() string             { return s.method }
func (s *sent) URL() string                { return s.address }
func (s *sent) ResourceType() string       { return s.kind }
func (s *sent) Headers() map[string]string { return nil }
func (s *sent) PostData() (string, error)  { return "", nil }

// Issue 29, item 1: what a rule of ours stopped is not "still loading", be it a frame, the
// document or data, and be its end told by the browser or not; what nobody answered yet is.
func TestWhatWasStoppedIsNotStillLoading(t *testing.T) {
	t.Parallel()
	const address = "http://other.test/embedded"
	for name, c := range map[string]struct {
		kind      string
		navigates bool
		stop      func(*Log, Request)
		loading   bool
	}{
		"a frame that is slow":                       {"document", false, func(*Log, Request) {}, true},
		"a frame that the guard stopped":             {"document", false, func(j *Log, _ Request) { j.RequestStopped("GET", address, "host") }, false},
		"a frame that a rule of the caller stopped":  {"document", false, func(j *Log, r Request) { j.Blocked(r, "**/embedded") }, false},
		"a frame beside which another was stopped":   {"document", false, func(j *Log, _ Request) { j.RequestStopped("GET", address+"2", "host") }, true},
		"a frame beside a write to the same address": {"document", false, func(j *Log, _ Request) { j.RequestStopped("POST", address, "writes") }, true},
		"a document that is slow":                    {"document", true, func(*Log, Request) {}, true},
		"a document that the guard stopped":          {"document", true, func(j *Log, _ Request) { j.RequestStopped("GET", address, "host") }, false},
		"data that is slow":                          {"fetch", false, func(*Log, Request) {}, true},
		"data that a rule of the caller stopped":     {"fetch", false, func(j *Log, r Request) { j.Blocked(r, "**/embedded") }, false},
		"a stream, which nothing waits for":          {"eventsource", false, func(*Log, Request) {}, false},
		"an image that the guard stopped":            {"image", false, func(j *Log, _ Request) { j.RequestStopped("GET", address, "host") }, false},
	} {
		page := somePage("http://a.test/")
		j := New(Options{Now: func() time.Time { return time.Unix(1e9, 0) }, Mask: func(s string) string { return s }, Page: func() Page { return page }, Tab: func(Page) int { return 0 }})
		before := j.Now()
		r := &sent{"GET", address, c.kind}
		j.RequestSent(r, Sender{URL: page.URL(), Page: page, Navigates: c.navigates})
		c.stop(j, r)
		lines := pagetext.Join(j.PageState(page, "").Loading, " ") + pagetext.Join(j.Effects(page, before, "").Pending, " ")
		if got := strings.Contains(string(lines), "/embedded"); got != c.loading {
			t.Errorf("%s: still loading %v: %s", name, got, lines)
		}
		if c.navigates && (j.Loading(page) != "") != c.loading {
			t.Errorf("%s: the document is loading: %q", name, j.Loading(page))
		}
	}
}
