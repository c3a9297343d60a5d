package browser

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"
)

// LaunchOptions are what one session may have of its own. Zero values mean
// the pool's settings.
type LaunchOptions struct {
	Type         string // chromium, firefox or webkit
	Headed       *bool
	Width        int // viewport in CSS pixels
	Height       int
	Locale       string // BCP 47
	Timezone     string // IANA
	Device       string // name of a Playwright device descriptor, such as "Pixel 7"
	StorageState string // path of a Playwright storage state file
}

func (lo LaunchOptions) withDefaults(o Options) LaunchOptions {
	if lo.Type == "" {
		lo.Type = o.Type
	}
	if lo.Headed == nil {
		lo.Headed = &o.Headed
	}
	if lo.Width == 0 && lo.Height == 0 {
		lo.Width, lo.Height = o.Width, o.Height
	}
	if lo.Locale == "" {
		lo.Locale = o.Locale
	}
	if lo.Timezone == "" {
		lo.Timezone = o.Timezone
	}
	return lo
}

var localeForm = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

func (lo LaunchOptions) validate() error {
	if !slices.Contains([]string{"chromium", "firefox", "webkit"}, lo.Type) {
		return invalid("use chromium, firefox or webkit", "browser type %q is unknown", lo.Type)
	}
	if lo.Width < 1 || lo.Height < 1 || lo.Width > 10000 || lo.Height > 10000 {
		return invalid("use 1 to 10000 pixels a side, such as 1280×720", "viewport %d×%d is out of range", lo.Width, lo.Height)
	}
	if !localeForm.MatchString(lo.Locale) {
		return invalid("use a BCP 47 tag such as en-US", "locale %q is no language tag", lo.Locale)
	}
	if _, err := time.LoadLocation(lo.Timezone); err != nil {
		return invalid("use an IANA name such as Europe/Berlin", "timezone %q is unknown", lo.Timezone)
	}
	return nil
}

// Session is one isolated browser context with one page that tools act on.
type Session struct {
	id      string
	pool    Options
	opts    LaunchOptions
	context playwright.BrowserContext
	process *process
	gone    <-chan struct{} // closed when the browser process ended
	journal *journal
	release func() // gives the session's place back

	mu        sync.Mutex
	active    *tab
	reported  *tab // the crashed tab whose crash the caller has been told
	closeOnce sync.Once
}

// newSession opens a context with one blank page.
func (e *engine) newSession(ctx context.Context, lo LaunchOptions) (*Session, error) {
	p, err := e.browser(ctx, lo.Type, *lo.Headed)
	if err != nil {
		return nil, err
	}
	co, err := e.contextOptions(&lo)
	if err != nil {
		return nil, err
	}
	if lo.Timezone != "" {
		co.TimezoneId = playwright.String(lo.Timezone)
	}
	if lo.StorageState != "" {
		co.StorageStatePath = playwright.String(lo.StorageState)
	}
	s := &Session{id: newID("s-"), pool: e.opts, opts: lo, process: p, gone: p.gone, journal: newJournal(e.opts.Now)}
	type opened struct{ err error }
	done := make(chan opened, 1)
	go func() { done <- opened{s.openContext(p, co)} }()
	select {
	case o := <-done:
		return s, o.err
	case <-p.gone:
		return nil, browserCrashed("open a context", nil)
	case <-ctx.Done():
		// The late context would stay open for ever: close it when it comes.
		go func() {
			<-done
			if s.context != nil {
				_ = s.context.Close()
			}
		}()
		return nil, classify(ctx.Err(), "open a context", "")
	}
}

// contextOptions maps launch options to Playwright's. A device decides the
// viewport, and lo is corrected to say so.
func (e *engine) contextOptions(lo *LaunchOptions) (playwright.BrowserNewContextOptions, error) {
	co := playwright.BrowserNewContextOptions{Locale: playwright.String(lo.Locale)}
	if lo.Device != "" {
		d := e.pw.Devices[lo.Device]
		if d == nil {
			names := slices.Sorted(maps.Keys(e.pw.Devices))
			return co, invalid("known devices: "+strings.Join(names, ", "), "device %q is unknown", lo.Device)
		}
		lo.Width, lo.Height = d.Viewport.Width, d.Viewport.Height
		co.UserAgent, co.DeviceScaleFactor = &d.UserAgent, &d.DeviceScaleFactor
		co.HasTouch = &d.HasTouch
		if lo.Type != "firefox" { // Firefox has no mobile mode
			co.IsMobile = &d.IsMobile
		}
	}
	co.Viewport = &playwright.Size{Width: lo.Width, Height: lo.Height}
	return co, nil
}

func (s *Session) openContext(p *process, co playwright.BrowserNewContextOptions) error {
	context, err := p.NewContext(co)
	if err != nil {
		return err
	}
	s.context = context
	context.SetDefaultTimeout(float64(s.pool.Timeout.Milliseconds()))
	s.journal.listen(context)
	page, err := context.NewPage()
	if err != nil {
		return err
	}
	s.active = newTab(page)
	return nil
}

// ID returns the session's identifier.
func (s *Session) ID() string { return s.id }

// Info says what the session runs on.
type Info struct {
	ID       string
	Browser  string // chromium, firefox or webkit
	Version  string
	Width    int
	Height   int
	Headless bool
}

// Info returns what the session runs on.
func (s *Session) Info() Info {
	return Info{ID: s.id, Browser: s.opts.Type, Version: s.process.Version(), Width: s.opts.Width, Height: s.opts.Height, Headless: !*s.opts.Headed}
}

// tab returns the page to act on. A crashed page is replaced by a blank one;
// the caller is told of the crash once, so that it never takes the blank page
// for its own.
func (s *Session) tab(ctx context.Context, op string) (*tab, error) {
	s.mu.Lock()
	t := s.active
	s.mu.Unlock()
	if t.usable() {
		return t, nil
	}
	fresh, err := s.replace(ctx, t)
	if err != nil {
		return nil, classify(err, op, "")
	}
	select {
	case <-t.crashed:
		if s.tell(t) {
			return nil, pageCrashed(op, nil)
		}
	default: // the page closed itself
	}
	return fresh, nil
}

// tell notes that the caller learns of t's crash now, and reports whether it
// is the first time.
func (s *Session) tell(t *tab) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := s.reported != t
	s.reported = t
	return first
}

// crashed is the error of a call that was under way on t when it crashed.
func (s *Session) crashed(t *tab, op, subject string) error {
	s.tell(t)
	return pageCrashed(op+" "+subject, nil)
}

// lost explains a call that failed because its page is no longer usable.
func (s *Session) lost(t *tab, op, subject string, err error) error {
	select {
	case <-t.crashed:
		return s.crashed(t, op, subject)
	default:
		return classify(err, op, subject)
	}
}

// replace makes another page the active one: the newest other page of the
// context, or a blank one. The old page is closed without waiting for it.
func (s *Session) replace(ctx context.Context, old *tab) (*tab, error) {
	type opened struct {
		page playwright.Page
		err  error
	}
	done := make(chan opened, 1)
	go func() {
		page, err := s.context.NewPage()
		done <- opened{page, err}
	}()
	select {
	case o := <-done:
		if o.err != nil {
			return nil, o.err
		}
		fresh := newTab(o.page)
		s.mu.Lock()
		s.active = fresh
		s.mu.Unlock()
		go func() { _ = old.page.Close() }() // it is crashed, closed or stuck: best effort
		return fresh, nil
	case <-s.gone:
		return nil, browserCrashed("open a page", nil)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Close ends the session. It is safe to call it more than once.
func (s *Session) Close(ctx context.Context) error {
	var err error
	s.closeOnce.Do(func() {
		done := make(chan error, 1)
		go func() { done <- s.context.Close() }()
		select {
		case err = <-done:
			if err != nil && isClosed(err) {
				err = nil // it is gone, which is what was asked for
			}
		case <-s.gone:
		case <-ctx.Done():
			err = ctx.Err()
		}
		if s.release != nil {
			s.release()
		}
	})
	if err != nil {
		return classify(fmt.Errorf("close the context: %w", err), "browser_close", s.id)
	}
	return nil
}
