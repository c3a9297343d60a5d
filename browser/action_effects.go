package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// Bounds on waiting for what an action caused. They cut short only pages that
// never come to rest; the answer then says what is still under way.
const (
	settleLimit = 3 * time.Second
	settlePoll  = 10 * time.Millisecond
)

// PageState is the page line of an answer.
type PageState struct {
	URL           string `json:"url"`
	Title         string `json:"title"`
	Status        int    `json:"status,omitempty" jsonschema:"HTTP status of the page's document"`
	ConsoleErrors int    `json:"console_errors" jsonschema:"console errors and exceptions of the document that the page shows, and its frames"`

	// Loading are the requests of the page that are under way, and whose answers
	// it may need.
	Loading []string `json:"loading,omitempty"`
}

// Effects describes what an action caused, as far as the browser tells.
type Effects struct {
	Page     PageState  `json:"page"`
	URLFrom  string     `json:"url_from,omitempty" jsonschema:"previous address, when it changed"`
	Notes    []string   `json:"notes,omitempty" jsonschema:"dialogs, popups and downloads"`
	Console  []LogEntry `json:"console,omitempty" jsonschema:"new console errors"`
	Requests int        `json:"requests,omitempty" jsonschema:"requests the action caused"`
	Failed   []string   `json:"failed_requests,omitempty"`
	Blocked  []Blocked  `json:"blocked_requests,omitempty" jsonschema:"requests that a rule of ours refused"`
	Pending  []string   `json:"pending_requests,omitempty" jsonschema:"requests still under way"`
}

// settle waits for what the action since m caused: navigation to load, fetches
// to end, their handlers to run. It never waits for a fixed time: a round trip
// through the page proves that all its earlier events are in the event log, and
// only requests seen there are waited for.
func (s *actions) settle(ctx context.Context, t *tab, m mark) (Effects, error) {
	bound, cancel := context.WithTimeout(ctx, settleLimit)
	defer cancel()
	for painted := false; ; painted = true {
		// The page's handlers, of the action or of the last answer, may send the
		// next request. What an answer brought is also given time to be painted.
		if err := nextTurn(bound, t, painted); err != nil && !isNavigating(err) {
			break // outcome finds out what is true
		}
		if bound.Err() != nil || !s.underWay(t, m) {
			break
		}
		if err := s.awaitQuiet(bound, t, m); err != nil {
			break
		}
	}
	return s.outcome(ctx, t, m)
}

// outcome returns what happened since m, with the page's title, or with a note that
// says why it could not be read: what was done is done all the same.
func (s *actions) outcome(ctx context.Context, t *tab, m mark) (Effects, error) {
	var title, note string
	var err error
	next := s.loading(t)
	if next == "" {
		title, err = titleOf(ctx, t)
		next = s.loading(t)
	}
	switch {
	case next != "":
		note = "page: still loading " + next
	case err == nil:
	case isNavigating(err):
		note = "page: it keeps going to other addresses; its title could not be read"
	case errors.Is(err, errNoAnswer):
		note = "page: it does not answer; a script of it may run without end, or this machine is overloaded"
	default:
		return Effects{}, err
	}
	e := s.effects(t, m, title)
	if note != "" {
		e.Notes = append(e.Notes, note)
	}
	return e, nil
}

// underWay reports whether the action's requests are still unanswered.
func (s *actions) underWay(t *tab, m mark) bool {
	if s.downloads.runningSince(m) {
		return true
	}
	s.EventLog.mu.Lock()
	defer s.EventLog.mu.Unlock()
	var document *exchange
	for _, x := range s.EventLog.network.since(m.net) {
		if x.Pending && awaited(x) && !x.refused() {
			return true
		}
		if x.page == t.page {
			document = x
		}
	}
	// Until an answered document is parsed, what its scripts ask for is not in the event log.
	return document != nil && document.Failure == "" && !document.ready && document.Status/100 != 3 && document.Status != 204 && document.Status != 205
}

// awaited leaves out streams, which never end by design.
func awaited(x *exchange) bool {
	return !x.stream && x.Type != "eventsource" && x.Type != "websocket" && x.Type != "media" && x.Type != "ping"
}

// awaitQuiet waits until no request since m is under way, or ctx ends.
func (s *actions) awaitQuiet(ctx context.Context, t *tab, m mark) error {
	tick := time.NewTicker(settlePoll)
	defer tick.Stop()
	for s.underWay(t, m) {
		select {
		case <-tick.C:
		case <-t.context.gone:
			return errGone
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// turnScript resolves after the page has been parsed and has run what is
// queued, and what that queued; with paint, also painted once. A page that
// paints no frames (it is in the background) has no next one to wait for.
const turnScript = `paint => new Promise(done => {
	const turn = () => setTimeout(() => setTimeout(done));
	const frame = () => { requestAnimationFrame(() => setTimeout(done)); setTimeout(done, 200) };
	const next = paint ? frame : turn;
	document.readyState === 'loading' ? document.addEventListener('DOMContentLoaded', next, { once: true }) : next();
})`

// nextTurn waits until the page has had its turn. It is the page's own clock
// that it asks, so a hostile page decides how long that takes, up to the end of
// ctx.
func nextTurn(ctx context.Context, t *tab, paint bool) error {
	asked := make(chan error, 1)
	go func() {
		_, err := guarded(func() (any, error) { return t.page.Evaluate(turnScript, paint) })
		asked <- err
	}()
	select {
	case err := <-asked:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-t.crashed:
		return errUnusable
	}
}

// titleTries is how often the title is asked for while the page navigates
// under our hands.
const titleTries = 5

// titleOf makes a round trip through the page and brings its title.
func titleOf(ctx context.Context, t *tab) (title string, err error) {
	for range titleTries {
		title, err = within(ctx, t, settleLimit, func() (string, error) { return readTitle(t.page) })
		if err == nil || !isNavigating(err) {
			break
		}
	}
	return title, err
}

// titleScript takes the title by the getter: a picture named "title" hides the
// property.
const titleScript = `() => Object.getOwnPropertyDescriptor(Document.prototype, 'title').get.call(document)`

// readTitle asks the document itself, for as long as that takes. Playwright's own
// Title doesn't wait: while a page is being replaced or a dialog is open, it
// answers with words of its own, and proves neither that the page answers nor
// that what moved is in the event log. The engine is asked where the page has
// bent what a script needs: it takes longer, and starts over in each document.
func readTitle(p playwright.Page) (string, error) {
	title, err := p.Evaluate(titleScript)
	if text, ok := title.(string); ok || err != nil && (isNavigating(err) || isClosed(err)) {
		return text, err
	}
	var answer struct {
		Title string `json:"title"`
	}
	err = askEngine(p.Locator(engineAsk{Op: "title"}.query()), 0, &answer)
	return answer.Title, err
}

// maxListed bounds each list of effects; a page can cause without end.
const maxListed = 20

// effects reads from the event log what happened since m.
func (s *actions) effects(t *tab, m mark, title string) Effects {
	e := Effects{Page: s.pageState(t, title)}
	if e.Page.URL != m.url {
		e.URLFrom = m.url
	}
	s.EventLog.mu.Lock()
	defer s.EventLog.mu.Unlock()
	e.Notes = listed(s.EventLog.notesSince(m.notes), s.EventLog.notes.total-m.notes)
	errors := s.EventLog.errorsAfter(m.logs)
	e.Console = logsOf(errors[:min(maxListed, len(errors))], 0).Entries
	e.Requests = s.EventLog.network.total - m.net
	e.Blocked = s.EventLog.blockedSince(m)
	for _, x := range s.EventLog.network.since(m.net) {
		switch {
		case x.Pending && awaited(x) && !x.refused():
			e.Pending = append(e.Pending, x.Method+" "+cut(x.URL, 120))
		case x.Failed():
			e.Failed = append(e.Failed, x.describe())
		}
	}
	e.Pending, e.Failed = listed(e.Pending, len(e.Pending)), listed(e.Failed, len(e.Failed))
	return e
}

// listed keeps the first items of a list and says how many more there are.
func listed(items []string, total int) []string {
	kept := items[:min(maxListed, len(items))]
	if more := total - len(kept); more > 0 {
		kept = append(slices.Clip(kept), fmt.Sprintf("… %d more", more))
	}
	return kept
}

func (x *exchange) describe() string {
	return x.Method + " " + cut(x.URL, 120) + ": " + x.Fault()
}
