package browser

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// Options are a pool's settings. Zero values mean the defaults named beside
// each field.
type Options struct {
	Install     InstallOptions
	TempDir     string        // folder for per-process temp files; default: the system's
	Type        string        // chromium (default), firefox or webkit
	Headed      bool          // show windows; default: headless
	Width       int           // viewport in CSS pixels; default 1280
	Height      int           // default 720
	Locale      string        // default en-US
	Timezone    string        // IANA name; default: the system's
	Timeout     time.Duration // bound on one action; default 30 s
	MaxSessions int           // default 5
	SessionWait time.Duration // how long a launch waits for a free place; default 5 s
	MaxPixels   int           // largest screenshot; default 40 million
	Now         func() time.Time
	Log         *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.Type == "" {
		o.Type = "chromium"
	}
	if o.Width == 0 || o.Height == 0 {
		o.Width, o.Height = 1280, 720
	}
	if o.Locale == "" {
		o.Locale = "en-US"
	}
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	if o.MaxSessions == 0 {
		o.MaxSessions = 5
	}
	if o.TempDir == "" {
		o.TempDir = os.TempDir()
	}
	if o.SessionWait == 0 {
		o.SessionWait = 5 * time.Second
	}
	if o.MaxPixels == 0 {
		o.MaxPixels = 40_000_000
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Pool owns the driver, one browser process per kind, and the sessions in
// them. All methods may be called concurrently.
type Pool struct {
	opts   Options
	places chan struct{} // one token per open session

	mu       sync.Mutex
	engine   *engine
	starting chan struct{} // closed when the engine's start has ended
	startErr error
	sessions []*Session // in the order they were opened
	closed   bool
}

// NewPool returns a pool in which nothing runs yet.
func NewPool(opts Options) *Pool {
	opts = opts.withDefaults()
	return &Pool{opts: opts, places: make(chan struct{}, opts.MaxSessions)}
}

// Warm starts the driver and the default browser in the background, so that
// the first call doesn't wait for them. A failure shows at the first call.
func (p *Pool) Warm() {
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		e, err := p.running(ctx)
		if err == nil {
			_, err = e.browser(ctx, p.opts.Type, p.opts.Headed)
		}
		if err != nil {
			p.opts.Log.Warn("browser not ready", "err", err)
		}
	}()
}

// running returns the live engine, starting one if there is none.
func (p *Pool) running(ctx context.Context) (*engine, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, browserCrashed("start the browser", fmt.Errorf("the pool is closed"))
	}
	if p.engine != nil && p.engine.alive() {
		e := p.engine
		p.mu.Unlock()
		return e, nil
	}
	if p.starting == nil {
		p.starting = make(chan struct{})
		go p.start(p.starting, p.engine)
	}
	starting := p.starting
	p.mu.Unlock()

	select {
	case <-starting:
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.engine, p.startErr
	case <-ctx.Done():
		return nil, classify(ctx.Err(), "start the browser", "")
	}
}

// start replaces a dead engine (or none) by a new one.
func (p *Pool) start(done chan struct{}, dead *engine) {
	if dead != nil {
		dead.stop(time.Second)
	}
	e, err := startEngine(p.opts)
	p.mu.Lock()
	if p.closed && e != nil {
		defer e.stop(time.Second)
		e, err = nil, browserCrashed("start the browser", fmt.Errorf("the pool was closed meanwhile"))
	}
	p.engine, p.startErr, p.starting = e, err, nil
	p.mu.Unlock()
	close(done)
}

// Launch opens a session: a browser context of its own, with one blank page.
// When all places are taken it waits for one, then answers SESSION_LIMIT.
func (p *Pool) Launch(ctx context.Context, lo LaunchOptions) (*Session, error) {
	lo = lo.withDefaults(p.opts)
	if err := lo.validate(); err != nil {
		return nil, err
	}
	if err := p.takePlace(ctx); err != nil {
		return nil, err
	}
	s, err := p.open(ctx, lo)
	if err != nil {
		<-p.places
		return nil, err
	}
	p.mu.Lock()
	p.sessions = append(p.sessions, s)
	p.mu.Unlock()
	return s, nil
}

func (p *Pool) takePlace(ctx context.Context) error {
	timer := time.NewTimer(p.opts.SessionWait)
	defer timer.Stop()
	select {
	case p.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return classify(ctx.Err(), "browser_launch", "")
	case <-timer.C:
		return &Error{Code: SessionLimit, Retriable: true,
			Message: fmt.Sprintf("all %d sessions are in use: %s", p.opts.MaxSessions, strings.Join(p.SessionIDs(), ", ")),
			Hint:    "close one with browser_close, or raise limits.max_sessions"}
	}
}

// open makes the session. A browser that died since its last use is started
// anew once: its death was no fault of this call.
func (p *Pool) open(ctx context.Context, lo LaunchOptions) (*Session, error) {
	for attempt := 0; ; attempt++ {
		e, err := p.running(ctx)
		if err != nil {
			return nil, err
		}
		s, err := e.newSession(ctx, lo)
		if err == nil {
			s.release = func() { p.forget(s) }
			return s, nil
		}
		if attempt > 0 || ctx.Err() != nil || e.alive() && !isClosed(err) {
			return nil, classify(err, "browser_launch", lo.Type)
		}
		e.markDead()
	}
}

// Session returns the open session with that id. An empty id means the only
// one there is; with none open it is SESSION_NOT_FOUND too.
func (p *Pool) Session(id string) (*Session, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id == "" && len(p.sessions) == 1 {
		return p.sessions[0], nil
	}
	for _, s := range p.sessions {
		if s.id == id {
			return s, nil
		}
	}
	e := &Error{Code: SessionNotFound, Message: fmt.Sprintf("no session %q is open", id), Hint: "call browser_launch"}
	if len(p.sessions) > 0 {
		ids := make([]string, len(p.sessions))
		for i, s := range p.sessions {
			ids[i] = s.id
		}
		e.Hint = "open sessions: " + strings.Join(ids, ", ")
		if id == "" {
			e.Message = fmt.Sprintf("%d sessions are open: session_id must say which", len(ids))
		}
	}
	return nil, e
}

// SessionIDs lists the open sessions, oldest first.
func (p *Pool) SessionIDs() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	ids := make([]string, len(p.sessions))
	for i, s := range p.sessions {
		ids[i] = s.id
	}
	return ids
}

// forget gives a closed session's place back.
func (p *Pool) forget(s *Session) {
	p.mu.Lock()
	i := slices.Index(p.sessions, s)
	if i >= 0 {
		p.sessions = slices.Delete(p.sessions, i, i+1)
	}
	p.mu.Unlock()
	<-p.places
}

// Close ends all sessions, the browsers and the driver, in at most the given
// time; what doesn't end by itself is killed.
func (p *Pool) Close(limit time.Duration) {
	p.mu.Lock()
	p.closed = true
	e, starting := p.engine, p.starting
	p.mu.Unlock()
	if starting != nil {
		select {
		case <-starting:
			p.mu.Lock()
			e = p.engine
			p.mu.Unlock()
		case <-time.After(limit):
		}
	}
	if e != nil {
		e.stop(limit)
	}
}

// newID returns a short random identifier; ids are told apart within one
// process only.
func newID(prefix string) string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails, see crypto/rand
	return prefix + hex.EncodeToString(b[:])
}
