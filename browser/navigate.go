package browser

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"
)

// Navigation is the outcome of loading an address.
type Navigation struct {
	URL        string     `json:"url" jsonschema:"address the page ended on"`
	Status     int        `json:"status" jsonschema:"HTTP status of the document; 0 when there was none"`
	Title      string     `json:"title"`
	LoadTimeMS int64      `json:"load_time_ms"`
	Redirects  []Redirect `json:"redirects"`
	Effects    Effects    `json:"-"`
}

// Redirect is one hop on the way to the document.
type Redirect struct {
	URL    string `json:"url"`
	Status int    `json:"status"`
}

// WaitStates are the states a navigation can wait for.
func WaitStates() []string { return []string{"commit", "domcontentloaded", "load", "networkidle"} }

// CheckURL reports whether an address may be opened: absolute, http or https,
// or about:blank. Local schemes would give a page the machine's files.
func CheckURL(address string) error {
	const accepted = "give a full http:// or https:// address"
	if address == "about:blank" {
		return nil
	}
	u, err := url.Parse(strings.TrimSpace(address))
	switch {
	case address == "":
		return invalid(accepted, "url is empty")
	case err != nil:
		return invalid(accepted, "url %q is no address: %v", cut(address, 200), err)
	case u.Scheme == "":
		return invalid(accepted+", such as http://localhost:3000"+pathOf(u), "url %q is relative", cut(address, 200))
	case u.Scheme != "http" && u.Scheme != "https":
		if u.Host == "" && strings.Contains(address, ":") && portLike(u.Opaque) {
			return invalid("did you mean http://"+address+"?", "url %q has no scheme", cut(address, 200))
		}
		return invalid(accepted, "scheme %q is refused: a page under test has no business with local or script addresses", u.Scheme)
	case u.Hostname() == "":
		return invalid(accepted, "url %q names no host", cut(address, 200))
	}
	return nil
}

func pathOf(u *url.URL) string {
	if strings.HasPrefix(u.Path, "/") {
		return u.Path
	}
	return ""
}

func portLike(opaque string) bool {
	return opaque != "" && opaque[0] >= '0' && opaque[0] <= '9'
}

// Navigate loads an address in the session's page and waits until the state
// waitUntil ("" means load). A timeout of 0 means the pool's. A page that an
// earlier call left stuck is replaced by a fresh one first.
func (s *Session) Navigate(ctx context.Context, address, waitUntil string, timeout time.Duration) (Navigation, error) {
	if err := CheckURL(address); err != nil {
		return Navigation{}, err
	}
	if waitUntil == "" {
		waitUntil = "load"
	}
	if !slices.Contains(WaitStates(), waitUntil) {
		return Navigation{}, invalid("use one of "+strings.Join(WaitStates(), ", "), "wait_until %q is unknown", waitUntil)
	}
	if timeout == 0 {
		timeout = s.pool.Timeout
	}
	if err := s.unstick(ctx); err != nil {
		return Navigation{}, classify(err, "page_navigate", address)
	}
	return on(ctx, s, "page_navigate", address, func(ctx context.Context, t *tab) (Navigation, error) {
		return s.navigate(ctx, t, strings.TrimSpace(address), waitUntil, timeout)
	})
}

func (s *Session) navigate(ctx context.Context, t *tab, address, waitUntil string, timeout time.Duration) (Navigation, error) {
	m := s.markNow(t)
	start := s.pool.Now()
	response, err := t.page.Goto(address, playwright.PageGotoOptions{
		WaitUntil: (*playwright.WaitUntilState)(&waitUntil), Timeout: left(ctx, timeout),
	})
	took := s.pool.Now().Sub(start)
	if err != nil {
		return Navigation{}, s.explainNavigation(t, m, address, err)
	}
	nav := Navigation{LoadTimeMS: took.Milliseconds(), Redirects: []Redirect{}}
	if response != nil {
		nav.Status = response.Status()
		nav.Redirects = s.redirects(response.Request())
	}
	title, err := s.title(ctx, t)
	if err != nil {
		return Navigation{}, err
	}
	nav.Effects = s.effects(t, m, title)
	nav.URL, nav.Title = nav.Effects.Page.URL, title
	return nav, nil
}

// explainNavigation adds to a failed navigation what the journal knows.
func (s *Session) explainNavigation(t *tab, m mark, address string, err error) error {
	e := classify(err, "page_navigate", address).(*Error)
	s.journal.mu.Lock()
	notes := s.journal.notes.since(m.notes)
	s.journal.mu.Unlock()
	if len(notes) > 0 {
		e.Message += " (" + strings.Join(notes, "; ") + ")"
	}
	if e.Code == TimedOut {
		e.Hint = "the server is slow or never answers; raise timeout_ms, or use wait_until commit or domcontentloaded"
	}
	if strings.Contains(e.Message, "Download is starting") {
		e.Code, e.Hint = NavigationFailed, "the address is a download, not a page"
	}
	return e
}

// redirects lists the hops before the final request, oldest first.
func (s *Session) redirects(final playwright.Request) []Redirect {
	hops := []Redirect{}
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	for r := final.RedirectedFrom(); r != nil; r = r.RedirectedFrom() {
		hop := Redirect{URL: r.URL()}
		if x := s.journal.byID[r]; x != nil {
			hop.Status = x.Status
		}
		hops = append(hops, hop)
	}
	slices.Reverse(hops)
	return hops
}

// stuckAfter is how long a navigation waits for an earlier call that was given
// up to leave the page, before it takes a fresh page.
const stuckAfter = time.Second

// unstick replaces the page when an earlier call still holds it.
func (s *Session) unstick(ctx context.Context) error {
	s.mu.Lock()
	t := s.active
	s.mu.Unlock()
	timer := time.NewTimer(stuckAfter)
	defer timer.Stop()
	select {
	case t.turn <- struct{}{}:
		<-t.turn
		return nil
	case <-t.crashed:
		s.tell(t) // a navigation starts over: the crash needs no further word
		return nil
	case <-t.closed:
		return nil
	case <-s.gone:
		return nil // the call itself will say so
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		_, err := s.replace(ctx, t)
		return err
	}
}
