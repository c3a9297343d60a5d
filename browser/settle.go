package browser

import (
	"context"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"
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
	ConsoleErrors int    `json:"console_errors" jsonschema:"console errors of the session so far"`
}

// Effects are what an action caused, as far as the browser tells.
type Effects struct {
	Page     PageState  `json:"page"`
	URLFrom  string     `json:"url_from,omitempty" jsonschema:"previous address, when it changed"`
	Notes    []string   `json:"notes,omitempty" jsonschema:"dialogs, popups and downloads"`
	Console  []LogEntry `json:"console,omitempty" jsonschema:"new console errors"`
	Requests int        `json:"requests,omitempty" jsonschema:"requests the action caused"`
	Failed   []string   `json:"failed_requests,omitempty"`
	Pending  []string   `json:"pending_requests,omitempty" jsonschema:"requests still under way"`
}

// mark is the journal's position before an action.
type mark struct {
	url              string
	notes, net, logs int
}

func (s *Session) markNow(t *tab) mark {
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	return mark{url: t.page.URL(), notes: s.journal.notes.total, net: s.journal.network.total, logs: s.journal.logs.total}
}

// settle waits for what the action since m caused: navigation to load, fetches
// to end, their handlers to run. It never waits for a fixed time: a round trip
// through the page proves that all its earlier events are in the journal, and
// only requests seen there are waited for.
func (s *Session) settle(ctx context.Context, t *tab, m mark) (Effects, error) {
	deadline := s.pool.Now().Add(settleLimit)
	title, err := s.title(ctx, t)
	if err != nil {
		return Effects{}, err
	}
	waited := false
	for s.underWay(m) && s.pool.Now().Before(deadline) {
		waited = true
		if err := s.awaitQuiet(ctx, m, deadline); err != nil {
			return Effects{}, err
		}
		// The page's handlers of the last answer may send the next request.
		if title, err = s.frameTitle(ctx, t); err != nil {
			return Effects{}, err
		}
	}
	if waited && t.page.URL() != m.url {
		// A timed-out load is told by the pending requests.
		_ = t.page.WaitForLoadState(playwright.PageWaitForLoadStateOptions{State: playwright.LoadStateDomcontentloaded, Timeout: left(ctx, settleLimit)})
		if title, err = s.title(ctx, t); err != nil {
			return Effects{}, err
		}
	}
	return s.effects(t, m, title), nil
}

// underWay reports whether the action's requests are still unanswered.
func (s *Session) underWay(m mark) bool {
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	for _, x := range s.journal.network.since(m.net) {
		if x.Pending && awaited(x) {
			return true
		}
	}
	return false
}

// awaited leaves out streams, which never end by design.
func awaited(x *exchange) bool {
	return x.Type != "eventsource" && x.Type != "websocket" && x.Type != "media" && x.Type != "ping"
}

// awaitQuiet waits until no request since m is under way, deadline at most.
func (s *Session) awaitQuiet(ctx context.Context, m mark, deadline time.Time) error {
	tick := time.NewTicker(settlePoll)
	defer tick.Stop()
	for s.underWay(m) && s.pool.Now().Before(deadline) {
		select {
		case <-tick.C:
		case <-s.gone:
			return browserCrashed("wait for the page", nil)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// title makes a round trip through the page and brings its title.
func (s *Session) title(ctx context.Context, t *tab) (string, error) {
	title, err := t.page.Title()
	if err != nil && ctx.Err() == nil && strings.Contains(err.Error(), "context was destroyed") {
		title, err = t.page.Title() // it navigated under our hands
	}
	return title, err
}

// nextFrame resolves after the page has run what is queued and painted once.
const nextFrame = `() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))`

// frameTitle is title after the page's next frame, so that the handlers of an
// answer that has just arrived have run.
func (s *Session) frameTitle(ctx context.Context, t *tab) (string, error) {
	// A page that is navigating, or paints no frames, has no next frame to
	// wait for; the title call that follows finds out what is true.
	frame := make(chan struct{})
	go func() {
		defer close(frame)
		_, _ = t.page.Evaluate(nextFrame)
	}()
	limit := time.NewTimer(200 * time.Millisecond)
	defer limit.Stop()
	select {
	case <-frame:
	case <-limit.C:
	case <-ctx.Done():
	}
	return s.title(ctx, t)
}

// effects reads from the journal what happened since m.
func (s *Session) effects(t *tab, m mark, title string) Effects {
	e := Effects{Page: s.pageState(t, title)}
	if e.Page.URL != m.url {
		e.URLFrom = m.url
	}
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	e.Notes = s.journal.notes.since(m.notes)
	for _, entry := range s.journal.logs.since(m.logs) {
		if entry.IsError() {
			e.Console = append(e.Console, entry)
		}
	}
	for _, x := range s.journal.network.since(m.net) {
		e.Requests++
		switch {
		case x.Pending && awaited(x):
			e.Pending = append(e.Pending, x.Method+" "+cut(x.URL, 120))
		case x.Failed():
			e.Failed = append(e.Failed, x.describe())
		}
	}
	return e
}

func (x *exchange) describe() string {
	what := x.Failure
	if what == "" {
		what = "status " + statusText(x.Status)
	}
	return x.Method + " " + cut(x.URL, 120) + ": " + what
}

// pageState is the page line; title was read from the page.
func (s *Session) pageState(t *tab, title string) PageState {
	url := t.page.URL()
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	state := PageState{URL: url, Title: title, ConsoleErrors: s.journal.errors}
	if d := s.journal.document[t.page]; d != nil && origin(d.URL) == origin(url) {
		state.Status = d.Status
	}
	return state
}
