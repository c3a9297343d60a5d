package browser

import (
	"testing"

	"github.com/mxschmitt/playwright-go"
)

// newOutlinePage opens a fresh page in the shared browser, without a session
// around it.
func newOutlinePage(tb testing.TB) playwright.Page {
	tb.Helper()
	pool := poolOf(tb)
	e, err := pool.running(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	b, err := e.browser(tb.Context(), "chromium", false)
	if err != nil {
		tb.Fatal(err)
	}
	c, err := b.NewContext()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := c.Close(); err != nil {
			tb.Errorf("closing the context: %v", err)
		}
	})
	p, err := c.NewPage()
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// setContent fills a page with HTML.
func setContent(tb testing.TB, p playwright.Page, html string) {
	tb.Helper()
	if err := p.SetContent(html); err != nil {
		tb.Fatal(err)
	}
}
