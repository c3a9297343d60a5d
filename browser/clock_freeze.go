package browser

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
)

// freezeScript takes a moment, in milliseconds since 1970, or null.
//
//go:embed freeze.js
var freezeScript string

// Freeze makes the documents that the session loads from now on see a clock that
// stands still at a moment, and a Math.random with a fixed seed: all frames and
// popups, but no workers. Timers run as ever, and so does performance.now. nil
// ends it. What is loaded already stays as it is.
func (s *screenshotter) Freeze(ctx context.Context, at *time.Time) error {
	_, err := on(ctx, s.livePage, "freeze the clock", "", func(ctx context.Context, t *tab) (struct{}, error) {
		s.mu.Lock()
		old := s.frozen
		s.mu.Unlock()
		if old == nil && at == nil || old != nil && at != nil && old.Equal(*at) {
			return struct{}{}, nil
		}
		s.mu.Lock()
		s.frozen = at // whatever becomes of the call: the context may have heard it
		s.mu.Unlock()
		return within(ctx, t, rest.LookLimit, func() (struct{}, error) { return struct{}{}, addFreeze(t.context.pw, at) })
	})
	return err
}

// addFreeze adds a script to all those that ran before in every new document:
// none can be taken back, but each undoes what the last one did.
func addFreeze(context playwright.BrowserContext, at *time.Time) error {
	moment := "null"
	if at != nil {
		moment = fmt.Sprint(at.UnixMilli())
	}
	script := "(" + strings.TrimSpace(freezeScript) + ")(" + moment + ")"
	return context.AddInitScript(playwright.Script{Content: &script})
}

// freezeAnew freezes the documents of a new context, if those of the last one
// were.
func (s *screenshotter) freezeAnew(context playwright.BrowserContext) error {
	s.mu.Lock()
	at := s.frozen
	s.mu.Unlock()
	if at == nil {
		return nil
	}
	return addFreeze(context, at)
}

// reloadFrozen loads the page again with the clock standing, and returns what
// makes later loads as they were before.
func (s *screenshotter) reloadFrozen(ctx context.Context, at time.Time) (thaw func(), err error) {
	if err := s.freezing.Take(ctx); err != nil { // two at once would see each other's clock
		return nil, classify(err, stillOp)
	}
	s.mu.Lock()
	old := s.frozen
	s.mu.Unlock()
	thaw = func() {
		defer s.freezing.Give()
		ctx, cancel := s.cleanUp(rest.LookLimit)
		defer cancel()
		if err := s.Freeze(ctx, old); err != nil {
			s.pool.Log.Warn("let the clock run again after a picture", "session", s.id, "err", err)
		}
	}
	if err := s.Freeze(ctx, &at); err != nil {
		thaw()
		return nil, err
	}
	_, err = on(ctx, s.livePage, "load the page again, with its clock frozen", "", func(ctx context.Context, t *tab) (struct{}, error) {
		return struct{}{}, s.loadAgain(ctx, t)
	})
	if err != nil {
		thaw()
	}
	return thaw, err
}

// loadAgain loads the page again. One that answered something that was sent can't
// be: that would send it twice.
func (s *screenshotter) loadAgain(ctx context.Context, t *tab) error {
	address := t.page.URL()
	if method := s.log.DocumentMethod(t.page); !slices.Contains([]string{"", "GET", "HEAD"}, method) {
		return explain.Invalid("open the page by its address first, or leave freeze out", "the page is the answer to a %s and can't be loaded again to freeze its clock", method)
	}
	if address == "about:blank" || address == "" {
		return explain.Invalid("open a page first", "there is no page to load again with its clock frozen")
	}
	s.log.MarkAct(t.page)
	_, err := s.ask(ctx, t, func() (playwright.Response, error) {
		return t.page.Reload(playwright.PageReloadOptions{Timeout: left(ctx, s.pool.Timeout)})
	})
	return err
}
