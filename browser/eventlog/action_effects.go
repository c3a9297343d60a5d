package eventlog

import (
	"fmt"
	"slices"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
)

// PageState holds the page line of an answer.
type PageState struct {
	URL           string        `json:"url"`
	Title         pagetext.Text `json:"title"`
	Status        int           `json:"status,omitempty" jsonschema:"HTTP status of the page's document"`
	TitleUnread   bool          `json:"-"` // the page did not tell its title: that Title is empty says nothing
	ConsoleErrors int           `json:"console_errors" jsonschema:"console errors and exceptions of the document that the page shows, and its frames"`

	Acted        bool           `json:"-"` // something was done since an address was opened
	Unauthorized []Unauthorized `json:"-"` // data requests whose answers may say that nobody is signed in

	// Loading lists the page's requests under way whose answers it may need.
	Loading []pagetext.Text `json:"loading,omitempty"`
}

// Effects describes what an action caused, as far as the browser reports it.
type Effects struct {
	Page     PageState       `json:"page,omitzero" jsonschema:"left out of an act's answer where the answer before said the same"`
	URLFrom  string          `json:"url_from,omitempty" jsonschema:"previous address, when it changed"`
	Notes    []pagetext.Text `json:"notes,omitempty" jsonschema:"dialogs, popups and downloads"`
	Console  []LogEntry      `json:"console,omitempty" jsonschema:"new console errors"`
	Requests int             `json:"requests,omitempty" jsonschema:"requests since the act began"`
	Failed   []pagetext.Text `json:"failed_requests,omitempty"`
	Blocked  []Blocked       `json:"blocked_requests,omitempty" jsonschema:"requests that a rule of ours refused"`
	Pending  []pagetext.Text `json:"pending_requests,omitempty" jsonschema:"requests still under way"`
	Next     []string        `json:"next,omitempty" jsonschema:"calls that answer what came up"`
}

// None reports whether nothing came of an action beside changes of the page.
func (e Effects) None() bool {
	return e.URLFrom == "" && e.Requests == 0 && len(e.Notes)+len(e.Console)+len(e.Blocked)+len(e.Pending) == 0
}

// UnderWay reports whether requests since m are still unanswered, which an act on
// the page has caused.
func (j *Log) UnderWay(page Page, m Mark) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	var document *exchange
	for _, x := range j.network.since(m.net) {
		if j.underWayNow(x) {
			return true
		}
		if x.page == page {
			document = x
		}
	}
	// Until an answered document is parsed, what its scripts ask for is not in the event log.
	return document != nil && !j.stoppedByUs(document) && document.Failure == "" && !document.ready && document.Status/100 != 3 && document.Status != 204 && document.Status != 205
}

// underWayNow reports whether a request is sent and may yet be answered; j.mu is held. What
// a rule of ours stopped will not be, whether the browser has told its end or not, as it does
// not for some frames.
func (j *Log) underWayNow(x *exchange) bool {
	return x.Pending && !x.cutOff && awaited(x) && !x.refused() && !j.stoppedByUs(x)
}

// stoppedByUs reports whether a rule of ours stopped a request; j.mu is held.
func (j *Log) stoppedByUs(x *exchange) bool {
	return x.Blocked != "" || x.response == nil && len(j.unexplained(x.Method, x.request.URL())) > 0
}

// awaited leaves out streams, which never end by design.
func awaited(x *exchange) bool {
	return !x.stream && x.Type != "eventsource" && x.Type != "websocket" && x.Type != "media" && x.Type != "ping"
}

// MaxListed bounds each list of effects; a page can cause without end.
const MaxListed = 20

// Effects returns what happened since m; title was read from the page.
func (j *Log) Effects(page Page, m Mark, title string) Effects {
	e := Effects{Page: j.PageState(page, title)}
	if e.Page.URL != m.URL {
		e.URLFrom = m.URL
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if a := j.armed; a != nil && a.moved {
		j.disarm(a.page, "the page went to another address without one")
	}
	e.Next = j.nextCalls(m)
	e.Notes = Listed(j.notesSince(m.notes), j.notes.total-m.notes)
	errors := j.errorsAfter(m.logs)
	e.Console = logsOf(errors[:min(MaxListed, len(errors))], 0).Entries
	e.Requests = j.network.total - m.net
	e.Blocked = j.blockedSince(m)
	for _, x := range j.network.since(m.net) {
		switch {
		case j.underWayNow(x):
			e.Pending = append(e.Pending, pagetext.Text(x.Method+" "+text.Cut(x.URL, 120)))
		case x.Failed():
			e.Failed = append(e.Failed, pagetext.Text(x.describe()))
		}
	}
	e.Pending, e.Failed = Listed(e.Pending, len(e.Pending)), Listed(e.Failed, len(e.Failed))
	return e
}

// Listed keeps the first items of a list and says how many more there are.
func Listed[S ~string](items []S, total int) []S {
	kept := items[:min(MaxListed, len(items))]
	if more := total - len(kept); more > 0 {
		kept = append(slices.Clip(kept), S(fmt.Sprintf("… %d more", more)))
	}
	return kept
}

func (x *exchange) describe() string {
	return x.Method + " " + text.Cut(x.URL, 120) + ": " + x.Fault()
}

// Happened returns the notes, and the first console errors and exceptions, since m.
func (j *Log) Happened(m Mark) (notes []pagetext.Text, errors []LogEntry) {
	j.mu.Lock()
	defer j.mu.Unlock()
	found := j.errorsAfter(m.logs)
	return Listed(j.notesSince(m.notes), j.notes.total-m.notes), logsOf(found[:min(MaxListed, len(found))], 0).Entries
}
