package browser

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/guard"
)

// BenchmarkGuard compares sessions with and without a guard, side by side and
// in turn, since both share the machine: a page of 100 static requests, one of
// 20 fetches, a click on a button without a request, and a new session.
func BenchmarkGuard(b *testing.B) {
	c := newSite(b, nil)
	c.handle("/", func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/i/"):
			w.Header().Set("Content-Type", "image/svg+xml")
			fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>`)
		case r.URL.Path == "/static":
			fmt.Fprint(w, "<!doctype html><button>Next</button>")
			for i := range 100 {
				fmt.Fprintf(w, "<img src=/i/%d>", i)
			}
		case r.URL.Path == "/fetches":
			fmt.Fprint(w, "<!doctype html><script>for (let i = 0; i < 20; i++) fetch('/i/' + i)</script>")
		}
	})
	g, err := guard.New(nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	options := testOptions(b, b.TempDir())
	options.Timeout = time.Minute // a busy machine is no failure here
	off := NewPool(options)
	options.Guard = g
	on := NewPool(options)
	b.Cleanup(func() { off.Close(5 * time.Second); on.Close(5 * time.Second) })
	pools := map[string]*Pool{"off": off, "on": on}
	measure := func(b *testing.B, work func(s *Session, p *Pool) error) {
		took := map[string][]time.Duration{}
		sessions := map[string]*Session{"off": launch(b, off, LaunchOptions{}), "on": launch(b, on, LaunchOptions{})}
		for i := 0; b.Loop(); i++ {
			order := []string{"off", "on"}
			if i%2 == 1 {
				slices.Reverse(order)
			}
			for _, name := range order {
				start := time.Now()
				if err := work(sessions[name], pools[name]); err != nil {
					b.Fatal(err)
				}
				took[name] = append(took[name], time.Since(start))
			}
		}
		medians := map[string]float64{}
		for name, all := range took {
			slices.Sort(all)
			medians[name] = float64(all[len(all)/2].Microseconds()) / 1000
			b.ReportMetric(medians[name], name+"-ms")
		}
		b.ReportMetric(100*(medians["on"]/medians["off"]-1), "%more")
	}
	visit := func(path string) func(*Session, *Pool) error {
		return func(s *Session, _ *Pool) error {
			_, err := s.Navigate(b.Context(), c.URL+path, "load", 0)
			return err
		}
	}
	b.Run("100 static requests", func(b *testing.B) { measure(b, visit("/static")) })
	b.Run("20 fetches", func(b *testing.B) { measure(b, visit("/fetches")) })
	b.Run("click", func(b *testing.B) {
		measure(b, func(s *Session, p *Pool) error {
			if len(s.EventLog.shown) == 0 {
				if err := visit("/static")(s, p); err != nil {
					return err
				}
			}
			_, err := s.Click(b.Context(), "button", 0)
			return err
		})
	})
	b.Run("new session", func(b *testing.B) {
		measure(b, func(_ *Session, p *Pool) error {
			s, err := p.Launch(b.Context(), LaunchOptions{})
			if err != nil {
				return err
			}
			return s.Close(b.Context())
		})
	})
}
