package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
)

// TabInfo describes an open tab of a session.
type TabInfo struct {
	ID      int    `json:"id"`
	URL     string `json:"url"`
	Title   string `json:"title"`
	Opener  int    `json:"opener,omitempty" jsonschema:"id of the tab that opened it"`
	Current bool   `json:"current,omitempty" jsonschema:"calls act on this one"`
	Silent  bool   `json:"silent,omitempty" jsonschema:"it does not answer"`
}

// String returns the tab in a line.
func (i TabInfo) String() string {
	line := fmt.Sprintf("tab %d %s", i.ID, i.URL)
	if i.Title != "" {
		line += fmt.Sprintf(" %q", i.Title)
	}
	if i.Opener > 0 {
		line += fmt.Sprintf(" opened by tab %d", i.Opener)
	}
	if i.Silent {
		line += " does not answer"
	}
	if i.Current {
		line += " (current)"
	}
	return line
}

// tabOf returns the tab of a page, which is registered at its first mention. It may
// be called on Playwright's dispatcher.
func (s *livePage) tabOf(page playwright.Page, l *browserContext) *tab {
	s.mu.Lock()
	known := s.findTab(page)
	s.mu.Unlock()
	if known != nil {
		return known
	}
	t := newTab(page, l)
	opener, _ := page.Opener() // an opener that is closed is none
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.findTab(page); known != nil {
		return known
	}
	if opener != nil {
		t.opener = s.findTab(opener)
	}
	s.numbered++
	t.id = s.numbered
	s.tabs = append(s.tabs, t)
	return t
}

// findTab returns the registered tab of a page, or nil; s.mu is held.
func (s *livePage) findTab(page playwright.Page) *tab {
	if i := slices.IndexFunc(s.tabs, func(t *tab) bool { return t.page == page }); i >= 0 {
		return s.tabs[i]
	}
	return nil
}

// putInPlace gives t the number of the tab that it replaces, and drops the tabs of an
// earlier context; s.mu is held.
func (s *livePage) putInPlace(t, old *tab) {
	s.tabs = slices.DeleteFunc(s.tabs, func(o *tab) bool { return o == old || o == t || o.context != t.context })
	if old != nil && old != t {
		if t.id == s.numbered {
			s.numbered-- // it was never shown
		}
		t.id = old.id
	}
	s.tabs = append(s.tabs, t)
	slices.SortStableFunc(s.tabs, func(a, b *tab) int { return a.id - b.id })
}

// dropTab drops the tab of a page that is closed, unless it is the current one.
func (s *livePage) dropTab(page playwright.Page) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tabs = slices.DeleteFunc(s.tabs, func(t *tab) bool { return t.page == page && t != s.active })
}

// othersThan returns the open tabs beside t; s.mu is held.
func (s *livePage) othersThan(t *tab) []*tab {
	var out []*tab
	for _, o := range s.tabs {
		if o != t && o.context == t.context && !ended(o.closed) {
			out = append(out, o)
		}
	}
	return out
}

func (s *livePage) hasOtherTabs(t *tab) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.othersThan(t)) > 0
}

// tabNumber returns the number of a page's tab where the session has several; 0 where
// it has one, or the page is not known.
func (s *livePage) tabNumber(page eventlog.Page) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tabs {
		if eventlog.Page(t.page) == page && (t != s.active || len(s.othersThan(t)) > 0) {
			return t.id
		}
	}
	return 0
}

// current returns the page that calls act on, which may be lost.
func (s *livePage) current() *tab {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.active
}

// TabNumbers says which tabs a session has come to.
type TabNumbers struct {
	Current int // that calls act on
	Opened  int // the highest number so far
}

// TabNumbers returns the current tab and how many there were.
func (s *livePage) TabNumbers() TabNumbers {
	s.mu.Lock()
	defer s.mu.Unlock()
	return TabNumbers{s.active.id, s.numbered}
}

// CurrentTab returns the number of the tab that calls act on and the numbers of all
// that are open, the current one among them unless it was closed.
func (s *livePage) CurrentTab() (current int, open []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tabs {
		if !ended(t.closed) {
			open = append(open, t.id)
		}
	}
	return s.active.id, open
}

// heir returns the open tab that takes the place of a closed one: its opener, or else the first; nil
// where none is open.
func (s *livePage) heir(closed *tab) *tab {
	s.mu.Lock()
	defer s.mu.Unlock()
	others := s.othersThan(closed)
	switch {
	case len(others) == 0:
		return nil
	case slices.Contains(others, closed.opener):
		return closed.opener
	}
	return others[0]
}

// tabClosed returns the error of a call whose tab has closed while others are open.
func (s *livePage) tabClosed(what pagetext.Sentence, t *tab) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var open []string
	for _, o := range s.othersThan(t) {
		open = append(open, TabInfo{ID: o.id, URL: s.log.Address(o.page.URL(), maxNote)}.String())
	}
	return explain.TabClosed(what, t.id, open)
}

// tabSwitch lists, selects and closes the tabs of a session.
type tabSwitch struct{ *livePage }

// Tabs lists the open tabs. A tab that does not answer within a second has no title.
func (s *tabSwitch) Tabs(ctx context.Context) ([]TabInfo, error) {
	if err := s.ready(ctx, "page_tabs list"); err != nil {
		return nil, err
	}
	return s.infos(ctx), nil
}

// ready waits until the session can be used, whether or not its current tab is open.
func (s *tabSwitch) ready(ctx context.Context, what pagetext.Sentence) error {
	if err := s.open(what); err != nil {
		return err
	}
	return s.recovered(ctx, what, false)
}

func (s *tabSwitch) infos(ctx context.Context) []TabInfo {
	s.mu.Lock()
	tabs := slices.DeleteFunc(slices.Clone(s.tabs), func(t *tab) bool { return ended(t.closed) })
	out := make([]TabInfo, len(tabs))
	for i, t := range tabs {
		out[i] = TabInfo{ID: t.id, Current: t == s.active}
		if t.opener != nil {
			out[i].Opener = t.opener.id
		}
	}
	s.mu.Unlock()
	var asked sync.WaitGroup
	for i, t := range tabs {
		asked.Go(func() {
			out[i].URL = s.log.Address(t.page.URL(), maxURL)
			title, err := titleWithin(ctx, t, rest.TitleLimit)
			out[i].Title, out[i].Silent = s.log.Mask(title), err != nil && !isNavigating(err)
		})
	}
	asked.Wait()
	return out
}

// titleWithin reads the title of a tab that another call may hold.
func titleWithin(ctx context.Context, t *tab, limit time.Duration) (string, error) {
	title, err := answerOf(ctx, func() (string, error) { return readTitle(t.page) },
		rest.Policy{Limit: limit, Events: []rest.Event{{Of: t.closed, Err: errUnusable}, {Of: t.crashed, Err: errUnusable}}})
	if errors.Is(err, rest.ErrLimit) || err != nil && ctx.Err() != nil {
		err = errNoAnswer
	}
	return title, err
}

// findOpen returns the open tab of that number.
func (s *tabSwitch) findOpen(ctx context.Context, what pagetext.Sentence, id int) (*tab, error) {
	s.mu.Lock()
	for _, t := range s.tabs {
		if t.id == id && !ended(t.closed) {
			s.mu.Unlock()
			return t, nil
		}
	}
	past := id >= 1 && id <= s.numbered
	s.mu.Unlock()
	var open []string
	for _, i := range s.infos(ctx) {
		open = append(open, i.String())
	}
	return nil, explain.NoTab(what, id, past, open)
}

// SelectTab makes another tab the one that calls act on, and waits for up to 3 s until
// it has loaded. A call that uses the current tab ends first.
func (s *tabSwitch) SelectTab(ctx context.Context, id int) error {
	what := pagetext.Sentencef("page_tabs select %d", id)
	if err := s.ready(ctx, what); err != nil {
		return err
	}
	t, err := s.findOpen(ctx, what, id)
	if err != nil {
		return err
	}
	if err := s.makeCurrent(ctx, s.current(), t, what); err != nil {
		return err
	}
	_, err = on(ctx, s.livePage, "page_tabs", "select", func(ctx context.Context, t *tab) (int, error) {
		_, _ = within(ctx, t, rest.SettleLimit, func() (int, error) { return 0, t.page.BringToFront() }) // for the eyes of a person
		_, _ = within(ctx, t, rest.SettleLimit, func() (int, error) {
			return 0, t.page.WaitForLoadState(playwright.PageWaitForLoadStateOptions{State: playwright.LoadStateLoad, Timeout: left(ctx, rest.SettleLimit)})
		}) // the page line says what it still loads
		return 0, nil
	})
	return err
}

// makeCurrent waits for the call that uses the current tab, old, and makes t the current one, unless
// another one has become that meanwhile.
func (s *livePage) makeCurrent(ctx context.Context, old, t *tab, what pagetext.Sentence) error {
	if t.usable() {
		_, err := answerOf(ctx, func() (struct{}, error) { return struct{}{}, s.guardPage(t.page) }, rest.Policy{Limit: rest.LookLimit})
		if errors.Is(err, rest.ErrLimit) {
			err = errNoAnswer
		}
		if err != nil && !ended(t.closed) {
			return classify(err, what)
		}
	}
	if old != t && old.usable() {
		c := newTurn("page_tabs")
		_, err := old.take(ctx, s, c, rest.LateLimit)
		switch {
		case err == nil:
			defer old.give()
		case !errors.Is(err, errHeld) && !errors.Is(err, errUnusable):
			return classify(err, what)
		}
	}
	s.mu.Lock()
	if s.active == old {
		s.active = t
		s.tabs = slices.DeleteFunc(s.tabs, func(o *tab) bool { return o != t && ended(o.closed) })
	}
	s.mu.Unlock()
	t.watched.Do(func() { go s.watchPage(t) })
	s.log.Selected(t.page)
	return nil
}

// SelectPopup makes the newest tab current that the current one has opened since there were that many.
// It waits for one that is being opened.
func (s *tabSwitch) SelectPopup(ctx context.Context, since int, limit time.Duration) error {
	opener := s.current()
	id := 0
	err := rest.Until(ctx, func() (bool, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, t := range s.othersThan(opener) {
			if t.opener == opener && t.id > since {
				id = t.id
			}
		}
		return id > 0, nil
	}, rest.Policy{Limit: limit, Every: rest.SettlePoll, Events: []rest.Event{{Of: s.ended}}})
	switch {
	case errors.Is(err, rest.ErrLimit):
		return explain.NoPopup("page_tabs select", opener.id)
	case err != nil:
		return classify(err, "page_tabs select")
	}
	return s.SelectTab(ctx, id)
}

// AwaitTab makes a tab current as [tabSwitch.SelectTab] does, and waits for one that is being opened.
func (s *tabSwitch) AwaitTab(ctx context.Context, id int, limit time.Duration) error {
	_ = rest.Until(ctx, func() (bool, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		return id <= s.numbered, nil
	}, rest.Policy{Limit: limit, Every: rest.SettlePoll, Events: []rest.Event{{Of: s.ended}}}) // SelectTab says what is true
	return s.SelectTab(ctx, id)
}

// CloseTab closes a tab; 0 is the current one. Where that was the current one its opener becomes
// current, or the first that is open. The last tab is replaced by a blank one.
func (s *tabSwitch) CloseTab(ctx context.Context, id int) (closed int, now string, err error) {
	what := pagetext.Sentencef("page_tabs close %d", id)
	if err := s.ready(ctx, what); err != nil {
		return 0, "", err
	}
	old := s.current()
	if id == 0 {
		s.mu.Lock()
		id = old.id
		s.mu.Unlock()
	}
	t, err := s.findOpen(ctx, what, id)
	if err != nil {
		return 0, "", err
	}
	last := !s.hasOtherTabs(t)
	if last { // a blank tab is there before the last one goes
		s.reportEnd(t)
		err := s.replace(ctx, t)
		return id, fmt.Sprintf("it was the last one: a blank tab %d takes its place", id), classify(err, what)
	}
	_, err = answerOf(ctx, func() (struct{}, error) { return struct{}{}, t.page.Close() },
		rest.Policy{Events: []rest.Event{{Of: t.closed}, {Of: t.context.gone, Err: explain.BrowserGone(what, nil)}}})
	if err != nil && !isClosed(err) {
		return id, "", classify(err, what)
	}
	if t != old {
		return id, "", nil
	}
	t.awaitLoss(ctx, s.livePage)
	to := s.heir(t)
	if to == nil {
		return id, "", explain.PageClosed(what, errUnusable)
	}
	return id, madeCurrent(t, to).Line(), s.makeCurrent(ctx, t, to, what)
}

// LeaveClosedTab makes the opener of the current tab current where that has closed, or else the
// first one that is open, and says so; now is empty where the current tab is open, or no other is.
// Nothing is done there unasked: the call that meant the closed tab has answered TAB_CLOSED.
func (s *tabSwitch) LeaveClosedTab(ctx context.Context) (now pagetext.Sentence, err error) {
	t := s.current()
	to := s.heir(t)
	if !ended(t.closed) || to == nil {
		return "", nil
	}
	return madeCurrent(t, to), s.makeCurrent(ctx, t, to, "page_tabs select")
}

// madeCurrent says which tab takes the place of a closed one.
func madeCurrent(closed, to *tab) pagetext.Sentence {
	if to == closed.opener {
		return pagetext.Sentencef("tab %d, which had opened it, is current now", to.id)
	}
	return pagetext.Sentencef("tab %d is current now", to.id)
}
