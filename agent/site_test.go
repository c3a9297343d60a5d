package agent_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/assay-qa/assay/browser"
)

func browserOptions() browser.LaunchOptions { return browser.LaunchOptions{} }

// site serves one page.
func site(t *testing.T, html string) string {
	t.Helper()
	s := httptest.NewServer(page(html))
	t.Cleanup(s.Close)
	return s.URL
}

func page(html string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(html))
	})
}

// hangingSite never answers. asked is closed when it was asked first.
func hangingSite(t *testing.T) (url string, asked chan struct{}) {
	t.Helper()
	asked, done := make(chan struct{}, 10), make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		select {
		case <-r.Context().Done():
		case <-done:
		}
	}))
	t.Cleanup(func() { close(done); s.Close() })
	return s.URL, asked
}
