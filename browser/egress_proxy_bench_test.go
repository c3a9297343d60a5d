package browser

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkGate loads a page of 100 small requests with the gate and without
// it, turn by turn, so that both meet the same machine. The gate may cost a
// tenth.
func BenchmarkGate(b *testing.B) {
	var page strings.Builder
	page.WriteString("<!doctype html><title>Bench</title>")
	for i := range 25 {
		fmt.Fprintf(&page, `<link rel=stylesheet href="/css?%[1]d"><script src="/js?%[1]d"></script><img src="/svg?%[1]d">`, i)
	}
	page.WriteString(`<script>addEventListener('load', () => Promise.all([...Array(25).keys()].map(i => fetch('/json?' + i))).then(() => { document.title = 'done' }))</script>`)
	web := newSite(b, map[string]string{"/{$}": page.String()})
	for path, content := range map[string][2]string{
		"/css": {"text/css", "p { color: red }"}, "/js": {"text/javascript", "void 0"},
		"/svg": {"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"/>`}, "/json": {"application/json", "[1]"},
	} {
		web.handle(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", content[0])
			w.Header().Set("Cache-Control", "no-store")
			fmt.Fprint(w, content[1])
		})
	}
	gated := launch(b, newPool(b, func(o *Options) { o.Network.AllowedHosts = []string{"127.0.0.1"} }), LaunchOptions{})
	open := launch(b, newPool(b, func(o *Options) { o.ungated = true }), LaunchOptions{})
	load := func(s *Session) time.Duration {
		start := time.Now()
		if _, err := pageOf(s).Goto(web.URL + "/"); err != nil {
			b.Fatal(err)
		}
		if _, err := pageOf(s).WaitForFunction(`document.title === 'done'`, nil); err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
	for range 3 { // warm: connections, code caches
		load(gated)
		load(open)
	}
	var with, without []time.Duration
	for i := 0; b.Loop(); i++ {
		if i%2 == 0 { // neither is always the first
			with = append(with, load(gated))
			without = append(without, load(open))
		} else {
			without = append(without, load(open))
			with = append(with, load(gated))
		}
	}
	on, off := median(with), median(without)
	b.ReportMetric(float64(on.Microseconds())/1000, "ms-gated")
	b.ReportMetric(float64(off.Microseconds())/1000, "ms-open")
	b.ReportMetric(100*float64(on-off)/float64(off), "%-dearer")
}

// BenchmarkLaunchGated measures what a session costs with its gate and without it.
func BenchmarkLaunchGated(b *testing.B) {
	gated, open := newPool(b, nil), newPool(b, func(o *Options) { o.ungated = true })
	launchOne := func(p *Pool) time.Duration {
		start := time.Now()
		s, err := p.Launch(context.Background(), LaunchOptions{})
		if err != nil {
			b.Fatal(err)
		}
		took := time.Since(start)
		if err := s.Close(context.Background()); err != nil {
			b.Fatal(err)
		}
		return took
	}
	launchOne(gated)
	launchOne(open)
	var with, without []time.Duration
	for b.Loop() {
		with = append(with, launchOne(gated))
		without = append(without, launchOne(open))
	}
	b.ReportMetric(float64(median(with).Microseconds())/1000, "ms-gated")
	b.ReportMetric(float64(median(without).Microseconds())/1000, "ms-open")
}

func median(d []time.Duration) time.Duration {
	d = slices.Sorted(slices.Values(d))
	return d[len(d)/2]
}
