package browser

import (
	"context"
	"fmt"

	"github.com/assay-qa/assay/browser/redact"
)

const brokenImages = `() => [...document.images].filter(i => i.currentSrc && i.complete && i.naturalWidth === 0 && i.naturalHeight === 0).map(i => i.currentSrc.slice(0, 500)).slice(0, 50)`

// BrokenImages lists the images of the page's main frame that have loaded
// without a picture. Those that a rule of ours refused are not the page's fault.
func (s *Session) BrokenImages(ctx context.Context) ([]string, error) {
	return on(ctx, s, "look at images", "", func(_ context.Context, t *tab) ([]string, error) {
		got, err := t.page.Evaluate(brokenImages)
		if err != nil {
			return nil, err
		}
		list, ok := got.([]any)
		if !ok {
			return nil, fmt.Errorf("the page answered %T for its images", got)
		}
		urls := []string{}
		for _, item := range list {
			if u, ok := item.(string); ok && !s.refusedHost(u) {
				urls = append(urls, redact.URL(u))
			}
		}
		return urls, nil
	})
}

// Quiet waits, for a bounded time, until the requests of the current document
// have been answered, and tells what they came to.
func (s *Session) Quiet(ctx context.Context) (Effects, error) {
	return on(ctx, s, "wait for the page", "", func(ctx context.Context, t *tab) (Effects, error) {
		var m mark
		address := t.page.URL()
		s.EventLog.mu.Lock()
		if x := s.EventLog.documentOf(t.page, address); x != nil {
			m = x.before
		}
		s.EventLog.mu.Unlock()
		m.url = address
		return s.settle(ctx, t, m)
	})
}
