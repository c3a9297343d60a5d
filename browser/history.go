package browser

import (
	"context"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
)

// Back goes to the page before the current one in the tab's history, as the browser's own button
// does, and waits until it has loaded. A timeout of 0 means the pool's. Where the tab has shown no
// page before, the error is INVALID_INPUT.
func (s *actions) Back(ctx context.Context, timeout time.Duration) (Navigation, error) {
	const what = pagetext.Sentence("page_navigate back")
	if timeout <= 0 {
		timeout = s.pool.Timeout
	}
	return on(ctx, s.livePage, "page_navigate", "back", func(ctx context.Context, t *tab) (Navigation, error) {
		if t.context.opts.Type == "chromium" {
			if before, err := pagesBefore(ctx, t); err != nil || before == 0 {
				return Navigation{}, orNoPageBefore(err)
			}
		}
		m := s.log.MarkAct(t.page)
		defer s.guard.actsFor(ctx)()
		s.log.BeginAct()
		s.log.Touch(false)
		start := s.pool.Now()
		response, err := s.ask(ctx, t, func() (playwright.Response, error) {
			return t.page.GoBack(playwright.PageGoBackOptions{Timeout: left(ctx, timeout)})
		})
		if err = s.gateCause(t.page, m, what, err); err != nil {
			return Navigation{}, classify(err, what)
		}
		nav := Navigation{LoadTimeMS: s.pool.Now().Sub(start).Milliseconds(), Redirects: []Redirect{}}
		if response != nil {
			nav.Status = response.Status()
			nav.Redirects = s.log.Redirects(redirectsOf(response.Request()))
		}
		if nav.Effects, err = s.aftermath(ctx, t, m, what, false); err != nil {
			return Navigation{}, err
		}
		nav.URL, nav.Title = nav.Effects.Page.URL, nav.Effects.Page.Title
		if nav.Status == 0 {
			nav.Status = nav.Effects.Page.Status
		}
		s.guard.landed(nav.URL)
		return nav, nil
	})
}

// pagesBefore counts the pages that a tab has shown before its current one, but for the blank one
// that it began with. See Page.getNavigationHistory in Chromium's protocol.
func pagesBefore(ctx context.Context, t *tab) (int, error) {
	return within(ctx, t, rest.LookLimit, func() (int, error) {
		devtools, err := t.tools()
		if err != nil {
			return 0, err
		}
		var history struct {
			CurrentIndex int
			Entries      []struct{ URL string }
		}
		if err := sendTo(devtools, "Page.getNavigationHistory", &history); err != nil {
			return 0, err
		}
		before := history.CurrentIndex
		if before > 0 && len(history.Entries) > 0 && history.Entries[0].URL == "about:blank" {
			before--
		}
		return before, nil
	})
}

func orNoPageBefore(err error) error {
	if err != nil {
		return classify(err, "page_navigate back")
	}
	return explain.Invalid("give url", "page_navigate back: this tab has shown no page before this one")
}
