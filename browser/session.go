package browser

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/record"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/wait"
)

// LaunchOptions describes what one session may have of its own. Zero values mean
// the pool's settings.
type LaunchOptions struct {
	Type         string // chromium, firefox or webkit
	Headed       *bool
	Width        int // viewport in CSS pixels
	Height       int
	Locale       string        // BCP 47
	Timezone     string        // IANA
	Timeout      time.Duration // bound on one action; 0: the pool's
	Device       string        // name of a Playwright device descriptor, such as "Pixel 7"
	StorageState string        // path of a Playwright storage state file below [Options.StateRoots]
	State        []byte        // a storage state itself, instead of a path
	// AllowedHosts, when there are any, are the only hosts that the session may
	// reach of those that the pool allows: host names, *.domain or IP addresses.
	AllowedHosts []string
	Caution      *Caution // what is stopped in this session; nil: what the pool stops
	OneCall      bool     // only the call that opened it uses the session; an empty id never means it
	// Record, when it is given, tells what a person does in the session's window. Dialogs and file
	// choosers are left to that person. Chromium only.
	Record *record.Recorder

	scale  float64  // device pixels of a CSS pixel, as the device has it
	bounds []string // as AllowedHosts, and set by the session's group
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

var localeForm = pattern.New(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

func (lo LaunchOptions) validate(maxPixels int) error {
	if !slices.Contains([]string{"chromium", "firefox", "webkit"}, lo.Type) {
		return explain.Invalid("use chromium, firefox or webkit", "browser type %q is unknown", lo.Type)
	}
	if lo.Width < 1 || lo.Height < 1 || lo.Width > 10000 || lo.Height > 10000 {
		return explain.Invalid("use 1 to 10000 pixels a side, such as 1280×720", "viewport %d×%d is out of range", lo.Width, lo.Height)
	}
	if lo.Device == "" && lo.Width*lo.Height > maxPixels {
		return explain.Invalid("use a smaller viewport, such as 1280×720, or raise limits.max_pixels", "viewport %d×%d has more than %d pixels", lo.Width, lo.Height, maxPixels)
	}
	if !localeForm.MatchString(lo.Locale) {
		return explain.Invalid("use a BCP 47 tag such as en-US", "locale %q is no language tag", lo.Locale)
	}
	return nil // the browser has the time zones; this machine may lack them
}

// Session holds one isolated browser context with one page that tools act on.
// When its page or its browser dies it is rebuilt under the same id; see
// [livePage.recover].
type Session struct {
	*livePage
	*actions
	*downloads
	*egressProxy
	*fetcher
	*interceptor
	*looker
	*memoryWatch
	*pageReader
	*screenshotter
	*sessionGuard
	*tabSwitch
	*tracer
	*waiter
}

// newSession returns a session that has no page yet.
func newSession(ctx context.Context, o Options, lo LaunchOptions) (*Session, error) {
	page := newLivePage(o, lo)
	s := &Session{livePage: page, looker: &looker{page}, memoryWatch: &memoryWatch{page: page, tracers: map[playwright.Page]*pageTracer{}},
		pageReader: &pageReader{page}, screenshotter: &screenshotter{livePage: page, freezing: wait.NewPlaces(1)},
		waiter: &waiter{livePage: page}, tracer: newTracer(page)}
	rules := &intercepts{}
	s.sessionGuard = &sessionGuard{livePage: page, covered: rules.cover, production: func(host string) bool { return s.policy != nil && s.policy.Production(host) },
		named: s.namedHost, proxied: func() bool { return s.gate != nil }, secured: make(chan struct{})}
	s.guardPage = s.startRequestGuard
	s.interceptor = &interceptor{livePage: page, intercepts: rules, guard: s.sessionGuard}
	s.egressProxy = &egressProxy{livePage: page, guard: s.sessionGuard}
	s.fetcher = &fetcher{livePage: page, egress: s.egressProxy}
	s.tabSwitch = &tabSwitch{page}
	s.downloads = &downloads{page: page, running: map[*download]bool{}}
	s.actions = &actions{livePage: page, guard: s.sessionGuard, egress: s.egressProxy, downloads: s.downloads, waiter: s.waiter, traced: s.Traced}
	var state *playwright.OptionalStorageState // none is what a session begins with
	switch {
	case lo.State != nil:
		var err error
		if state, s.databases, err = parseStorageState(lo.State); err != nil {
			return nil, badState(explain.Invalid("sign in again: assay login", "storage state: %v", err))
		}
		s.opts.State = nil // the keeper has it
	case lo.StorageState != "":
		var err error
		if state, s.databases, err = readStorageState(ctx, o.StateRoots, lo.StorageState); err != nil {
			return nil, err
		}
	}
	s.storage.put(state, o.Now())
	if err := s.openGate(); err != nil {
		return nil, err
	}
	return s, nil
}

// launchError distinguishes options that the browser refuses from a fault of its own.
func launchError(err error, lo LaunchOptions) error {
	if err == nil {
		return nil
	}
	switch {
	case isBadZone(err):
		return explain.Invalid("use an IANA name such as Europe/Berlin", "timezone %q is unknown", lo.Timezone)
	case isBadState(err):
		return badState(explain.Invalid("make it again with: assay login", "storage state is not accepted: %s", (pagetext.Text(lo.StorageState+" ") + firstLine(plain(err))).Trim()))
	}
	return err
}

// contextOptions maps launch options to Playwright's. A device decides the
// viewport, and lo is corrected to say so.
func (e *engine) contextOptions(lo *LaunchOptions) (playwright.BrowserNewContextOptions, error) {
	co := playwright.BrowserNewContextOptions{Locale: playwright.String(lo.Locale)}
	if lo.Timezone != "" {
		co.TimezoneId = playwright.String(lo.Timezone)
	}
	if lo.Device != "" {
		d := e.pw.Devices[lo.Device]
		if d == nil {
			return co, explain.Invalid("known devices: "+strings.Join(likeDevices(slices.Sorted(maps.Keys(e.pw.Devices)), lo.Device), ", "), "device %q is unknown", lo.Device)
		}
		lo.scale = d.DeviceScaleFactor
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

// likeDevices returns the device names that share a word with the given one,
// or a few common ones: there are more than a hundred.
func likeDevices(names []string, asked string) []string {
	var like []string
	for _, word := range strings.Fields(strings.ToLower(asked)) {
		for _, name := range names {
			if strings.Contains(strings.ToLower(name), word) && !strings.Contains(name, "landscape") && !slices.Contains(like, name) {
				like = append(like, name)
			}
		}
	}
	if len(like) == 0 {
		like = []string{"Desktop Chrome", "Galaxy S9+", "iPad Mini", "iPhone 15", "Pixel 7"}
	}
	return like[:min(20, len(like))]
}

// ID returns the session's identifier.
func (s *livePage) ID() string { return s.id }

// Info says what the session runs on.
type Info struct {
	ID       string
	Browser  string // chromium, firefox or webkit
	Version  string
	Width    int
	Height   int
	Headless bool
	Locale   string
	Timezone string // empty: the system's
}

// Info returns what the session runs on.
func (s *livePage) Info() Info {
	return Info{ID: s.id, Browser: s.opts.Type, Version: s.current().context.process.Version(), Width: s.opts.Width,
		Height: s.opts.Height, Headless: !*s.opts.Headed, Locale: s.opts.Locale, Timezone: s.opts.Timezone}
}

// Close ends the session. It is safe to call it more than once.
func (s *Session) Close(ctx context.Context) error {
	if !s.end() {
		return nil
	}
	defer s.closeGate()
	defer s.forget()
	defer s.release()
	live := s.current().context
	defer s.leaveTraces(live)
	defer s.discardTrace()
	defer s.downloads.discard()
	defer s.discardUploads()
	_, err := answerOf(ctx, func() (struct{}, error) {
		s.endTrace(ctx, live)
		return struct{}{}, live.pw.Close()
	}, rest.Policy{Events: []rest.Event{{Of: live.gone}}})
	if err != nil && isClosed(err) {
		return nil // it is gone, which is what was asked for
	}
	if err != nil && !ended(live.gone) {
		go live.process.endIfDeaf(rest.DeafLimit, s.pool.Log)
	}
	return classify(err, pagetext.Sentencef("browser_close %s", s.id))
}

// discardUploads removes the copies of what was uploaded.
func (s *Session) discardUploads() {
	if err := s.files.Discard(); err != nil {
		s.pool.Log.Warn("remove copies of uploaded files", "session", s.id, "err", err)
	}
}

// end marks the session as closed and reports whether it was open.
func (s *livePage) end() bool {
	first := false
	s.endOnce.Do(func() { first = true; s.endLife() })
	return first
}

// Viewport describes what a session shows of a page.
type Viewport struct {
	Width  int     `json:"width"`
	Height int     `json:"height"`
	DPR    float64 `json:"dpr" jsonschema:"device pixels of a CSS pixel"`
}

// Viewport returns the size of the session's pages.
func (s *livePage) Viewport() Viewport {
	return Viewport{Width: s.opts.Width, Height: s.opts.Height, DPR: s.scale}
}
