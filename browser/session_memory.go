package browser

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/browser/rest"
)

// Bounds on counting memory.
const (
	memoryMB = 1 << 20
)

// MemoryUse says what a session uses of this machine's memory, in bytes that no other process shares.
type MemoryUse struct {
	Session int64 // the renderers of its pages
	Browser int64 // the browser's own processes, which all sessions share
	Limit   int64 // on Session; 0: none
}

// memoryWatch counts what the pages of a session use, and ends the renderers of a session that uses
// more than it may: it is rebuilt then, as after a crash. Sessions never share a renderer.
type memoryWatch struct {
	page *livePage

	mu      sync.Mutex
	tracers map[playwright.Page]*pageTracer
}

// pageTracer holds the connection by which a page's processes are found.
type pageTracer struct {
	ready  chan struct{} // closed when one of the others is set
	tracer *driver.Tracer
	err    error
}

// countsMemory reports whether the memory of a kind of browser can be counted on this system.
func countsMemory(browserType string) bool { return driver.CountedMemory && browserType == "chromium" }

// Memory counts what the session uses now. Where it can't be counted it returns an error that is
// [errors.ErrUnsupported].
func (w *memoryWatch) Memory(ctx context.Context) (MemoryUse, error) {
	if !countsMemory(w.page.opts.Type) {
		return MemoryUse{}, errors.ErrUnsupported
	}
	use, _, err := w.count(ctx, w.page.current())
	return use, err
}

// watch counts a while after each call, and every while during a long one, until the session ends.
// The pages of an idle session are not counted.
func (w *memoryWatch) watch() {
	s := w.page
	if s.pool.MemoryLimit == 0 || !countsMemory(s.opts.Type) {
		return
	}
	lost := []rest.Event{{Of: s.lost, Err: errGone}}
	for s.used.Await(s.life, rest.Policy{Events: lost}) == nil {
		w.connect(s.current().context)
		if err := rest.Until(s.life, nil, rest.Policy{Limit: s.pool.Waits.Memory, Events: lost}); !errors.Is(err, rest.ErrLimit) {
			return
		}
		w.enforce()
		if s.current().busy() {
			s.noteUse()
		}
	}
}

// enforce ends the renderers of the session if they use more than they may. Which ones they are is
// found out only when those of all sessions together use more than one may.
func (w *memoryWatch) enforce() {
	s := w.page
	t := s.current()
	all, err := driver.Below(t.context.process.driver)
	if err == nil && driver.Renderers(all, nil) <= s.pool.MemoryLimit {
		return
	}
	var use MemoryUse
	var pids []int
	if err == nil {
		use, pids, err = w.count(s.life, t)
	}
	switch {
	case err != nil:
		if t.usable() {
			s.pool.Log.Warn("limits.memory_mb is not enforced this time: the memory of a session can't be counted", "session", s.id, "err", err)
		}
		return
	case use.Session <= s.pool.MemoryLimit || !t.usable():
		return
	}
	s.pool.Log.Warn("ending the page of a session that is over limits.memory_mb", "session", s.id,
		"used_mb", use.Session/memoryMB, "limit_mb", s.pool.MemoryLimit/memoryMB, "browser_mb", use.Browser/memoryMB)
	w.endRenderers(t, use.Session, pids)
}

// endRenderers kills the processes of a page that used so many bytes. Whoever waits for the page
// gets the error of a crash, which says why.
func (w *memoryWatch) endRenderers(t *tab, used int64, pids []int) {
	t.overMemory.Store(used)
	for _, pid := range pids {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill() // it may have ended meanwhile, which is what we want
		}
	}
	over := rest.Policy{Limit: rest.CrashLimit, Events: []rest.Event{{Of: t.crashed}, {Of: t.closed}, {Of: t.context.gone}}}
	if errors.Is(rest.Until(w.page.life, nil, over), rest.ErrLimit) {
		t.overMemory.Store(0) // it had moved to another process: a later crash is not ours
	}
}

// count returns what the session uses, and the processes that run its pages.
func (w *memoryWatch) count(ctx context.Context, t *tab) (MemoryUse, []int, error) {
	ctx, cancel := context.WithTimeout(ctx, rest.MemoryLimit)
	defer cancel()
	running, err := w.renderersOf(ctx, t)
	if err != nil {
		return MemoryUse{}, nil, err
	}
	all, err := driver.Below(t.context.process.driver)
	if err != nil {
		return MemoryUse{}, nil, err
	}
	use := MemoryUse{Session: driver.Renderers(all, running), Browser: driver.OwnMemory(all), Limit: w.page.pool.MemoryLimit}
	return use, driver.RendererPIDs(all, running), nil
}

// connect opens the connections that pages of the context lack, and waits for none: that to a page that
// hangs comes when it has done so.
func (w *memoryWatch) connect(l *browserContext) {
	w.mu.Lock()
	defer w.mu.Unlock()
	pages := l.pw.Pages()
	maps.DeleteFunc(w.tracers, func(page playwright.Page, _ *pageTracer) bool { return !slices.Contains(pages, page) })
	for _, page := range pages {
		if p := w.tracers[page]; p != nil && (!ended(p.ready) || p.err == nil) {
			continue
		}
		p := &pageTracer{ready: make(chan struct{})}
		w.tracers[page] = p
		go func() {
			defer close(p.ready)
			p.tracer, p.err = guarded(func() (*driver.Tracer, error) {
				cdp, err := l.pw.NewCDPSession(page)
				if err != nil {
					return nil, err
				}
				return driver.NewTracer(cdp), nil
			})
		}()
	}
}

// renderersOf finds the processes that run the page and its popups, one session of a browser after
// the other.
func (w *memoryWatch) renderersOf(ctx context.Context, t *tab) (map[int]bool, error) {
	l := t.context
	w.connect(l)
	w.mu.Lock()
	tracers := maps.Clone(w.tracers)
	w.mu.Unlock()
	main := tracers[t.page]
	if main == nil {
		return nil, errUnusable
	}
	if err := rest.Until(ctx, nil, rest.Policy{Events: []rest.Event{{Of: main.ready}}}); err != nil {
		return nil, err
	}
	if err := l.process.tracing.Take(ctx); err != nil {
		return nil, err
	}
	return answerOf(ctx, func() (map[int]bool, error) {
		defer l.process.tracing.Give()
		return traceAll(w.page.life, main, tracers)
	}, rest.Policy{Events: []rest.Event{{Of: l.gone, Err: errGone}}})
}

// traceAll asks the browser for the processes of all pages that are connected. A popup that does not
// answer has crashed or is closing, and is left out.
func traceAll(life context.Context, main *pageTracer, tracers map[playwright.Page]*pageTracer) (map[int]bool, error) {
	ctx, cancel := context.WithTimeout(life, 2*rest.MemoryLimit) // whoever asked may have gone
	defer cancel()
	pids := map[int]bool{}
	for _, p := range tracers {
		if !ended(p.ready) {
			continue
		}
		var found map[int]bool
		err := p.err
		if err == nil {
			found, err = p.tracer.Renderers(ctx)
		}
		if err != nil && p == main {
			return nil, err
		}
		maps.Copy(pids, found)
	}
	return pids, nil
}
