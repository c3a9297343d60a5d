package browser

import (
	"context"
	_ "embed"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/outline"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/browser/trace"
)

// browserContext holds one browser context of a session and its browser
// process. A session whose browser died goes on in another one.
type browserContext struct {
	pw      playwright.BrowserContext
	process *process
	gone    <-chan struct{} // closed when the browser process ended
	opts    LaunchOptions   // as the device corrected them
	temp    string          // the folder of the driver and its browsers, which goes with them
	traces  *trace.Folder
}

// newContext opens a context with one blank page for a session, with the cookies
// and the storage that were last kept of it.
func (e *engine) newContext(ctx context.Context, p *process, s *Session) (*tab, error) {
	l := &browserContext{process: p, gone: p.gone, opts: s.opts, temp: e.launcher.TempDir, traces: e.traces}
	co, err := e.contextOptions(&l.opts)
	if err != nil {
		return nil, err
	}
	co.StorageState, _ = s.storage.get()
	co.Proxy = s.proxy()
	page, err := rest.AnswerOrLate(ctx, func() (playwright.Page, error) {
		return guarded(func() (playwright.Page, error) { return s.openContext(ctx, l, co) })
	}, rest.Policy{Events: []rest.Event{{Of: p.gone, Err: explain.BrowserGone("open a context", nil)}}},
		func(playwright.Page) { _ = l.pw.Close() }) // it would stay open for ever
	switch {
	case err == nil:
		return s.tabOf(page, l), nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, launchError(err, l.opts)
}

// openContext opens l's context and its first page.
func (s *Session) openContext(ctx context.Context, l *browserContext, co playwright.BrowserNewContextOptions) (playwright.Page, error) {
	made, err := l.process.NewContext(co)
	if err != nil {
		return nil, err
	}
	l.pw = made
	if err := restoreDatabases(made, s.storedDatabases()); err != nil {
		_ = made.Close() // what matters is why there is no page
		return nil, err
	}
	made.SetDefaultTimeout(float64(s.pool.Timeout.Milliseconds()))
	s.guardPopups(made)
	s.traceAnew(ctx, l)
	var page playwright.Page
	if err = s.applyRules(made); err == nil {
		err = steady(made)
	}
	if err == nil {
		err = s.freezeAnew(made)
	}
	if err == nil {
		page, err = made.NewPage()
	}
	if err == nil {
		err = s.prime(ctx, made, page)
	}
	if err == nil {
		err = s.startRequestGuard(page)
	}
	if err != nil {
		_ = made.Close() // what matters is why there is no page
		return nil, err
	}
	s.listen(l, page)
	return page, nil
}

// install makes t the page that calls act on, and watches over it. It reports
// whether the session still wanted one.
func (s *livePage) install(t *tab) bool {
	s.mu.Lock()
	old := s.active
	if ended(s.ended) {
		s.mu.Unlock()
		return false
	}
	s.active = t
	s.putInPlace(t, old)
	s.mu.Unlock()
	if old != nil && old.context == t.context {
		go func() { _ = old.page.Close() }() // it is crashed, closed or stuck: best effort
	}
	if old == nil || old.context != t.context {
		go s.watchBrowser(t.context)
	}
	t.watched.Do(func() { go s.watchPage(t) })
	return true
}

// askFreshPage has an answer of a page that is opened for it, in a context of its own.
func (l *browserContext) askFreshPage() error {
	fresh, err := l.pw.Browser().NewContext()
	if err != nil {
		return err
	}
	defer func() { _ = fresh.Close() }() // it has shown nothing
	page, err := fresh.NewPage()
	if err != nil {
		return err
	}
	_, err = readTitle(page)
	return err
}

// watchBrowser rebuilds the session as soon as its browser or driver died.
func (s *livePage) watchBrowser(l *browserContext) {
	if rest.Until(s.life, nil, rest.Policy{Events: []rest.Event{{Of: l.gone}}}) == nil {
		if t := s.current(); t.context == l {
			s.recover(t, explain.BrowserCrashed)
		}
	}
}

// watchPage rebuilds the page as soon as its renderer crashed.
func (s *livePage) watchPage(t *tab) {
	if rest.Until(s.life, nil, rest.Policy{Events: []rest.Event{{Of: t.crashed}, {Of: t.closed, Err: errUnusable}, {Of: t.context.gone, Err: errGone}}}) == nil {
		s.recover(t, explain.PageCrashed)
	}
}

// steadyScript lets no page hear of a window of one pixel. Chromium gives it that
// size for a moment now and then when more than the viewport is taken, and there
// are pages that fold their menu for good then: the next picture would show
// another page. It must be the first to listen, because a window's listeners are
// called in the order in which they came, capturing or not: so it is there before
// all of the page's own.
const steadyScript = `if (self === top && !matchMedia('(scripting: none)').matches) addEventListener('resize', event => {
	if (innerWidth <= 1 && innerHeight <= 1) event.stopImmediatePropagation();
})`

// timersScript notes when the page's timers are due.
//
//go:embed page_timers.js
var timersScript string

// steady keeps the pages of a context from what taking their picture does to
// their window, and notes their timers. It comes first, so that no callback is kept in a
// document whose scripts are blocked, of the driver's traces neither.
func steady(context playwright.BrowserContext) error {
	scriptless, err := outline.Scriptless()
	if err != nil {
		return err
	}
	script := scriptless + ";\n" + steadyScript + ";\n" + timersScript
	return context.AddInitScript(playwright.Script{Content: &script})
}

// newPage opens a page. One that comes too late is closed again.
func (s *livePage) newPage(ctx context.Context, l *browserContext) (playwright.Page, error) {
	return rest.AnswerOrLate(ctx, func() (playwright.Page, error) {
		return guarded(func() (playwright.Page, error) {
			page, err := l.pw.NewPage()
			if err == nil {
				err = s.guardPage(page)
			}
			return page, err
		})
	}, rest.Policy{Events: []rest.Event{{Of: l.gone, Err: explain.BrowserGone("open a page", nil)}, {Of: s.ended, Err: explain.SessionClosed("open a page", s.id)}}},
		func(page playwright.Page) { _ = page.Close() })
}
