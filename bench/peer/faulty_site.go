package peer

import (
	"bytes"
	"embed"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"time"

	"github.com/assay-qa/assay/internal/demo"
)

//go:embed pages
var jobPages embed.FS

// faultySite serves the pages of the jobs and the sample dashboard on loopback, each with its fault while that is on.
// What a job asserts is then something else on the page.
type faultySite struct {
	fault            atomic.Bool
	pages, dashboard *httptest.Server
}

func newFaultySite() *faultySite {
	s := &faultySite{}
	s.pages = httptest.NewServer(http.HandlerFunc(s.page))
	fine, broken := demo.Handler(demo.Options{Clock: time.Now}), demo.Handler(demo.Options{Clock: time.Now, Variant: "wrong-range"})
	s.dashboard = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.fault.Load() {
			broken.ServeHTTP(w, r)
			return
		}
		fine.ServeHTTP(w, r)
	}))
	return s
}

func (s *faultySite) close() {
	s.pages.Close()
	s.dashboard.Close()
}

// page serves a page, with the header and footer of the site where it has a place for them. Its scripts
// look for data-fault.
func (s *faultySite) page(w http.ResponseWriter, r *http.Request) {
	page, err := jobPages.ReadFile("pages/" + strings.Trim(r.URL.Path, "/") + ".html")
	if err != nil {
		http.NotFound(w, r)
		return
	}
	for _, part := range []string{"header", "footer"} {
		if text, err := jobPages.ReadFile("pages/parts/" + part + ".html"); err == nil {
			page = bytes.Replace(page, []byte("<!-- "+part+" -->"), bytes.TrimSpace(text), 1)
		}
	}
	if s.fault.Load() {
		page = bytes.Replace(page, []byte(`<html lang="en">`), []byte(`<html lang="en" data-fault>`), 1)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(page) // a browser that went away
}
