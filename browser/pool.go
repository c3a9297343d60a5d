package browser

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"maps"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/browser/spare"
	"github.com/assay-qa/assay/internal/pagetext"
	texts "github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/internal/wait"
)

// Pool owns the driver, one browser process per kind, and the sessions in
// them. All methods may be called concurrently.
type Pool struct {
	opts   Options
	places *wait.Places    // one per open session
	life   context.Context // ends with the pool; of what no call waits for
	end    context.CancelFunc

	uncounted sync.Once // the note that memory is not counted
	warmed    sync.Once // the word that a session stands by
	leftOut   sync.Once // the note that variables are kept from the driver

	mu       sync.Mutex
	engine   *engine
	starting chan struct{}    // closed when the engine's start has ended
	launcher *driver.Launcher // of the newest engine, from before its driver starts
	startErr error
	sessions []*Session // in the order they were opened
	closed   bool

	spare    spare.Keeper[LaunchOptions, *ready]
	spareFor *LaunchOptions // what a session stands by for when none is open; nil: none does
}

// NewPool returns a pool in which nothing runs yet.
func NewPool(opts Options) *Pool {
	opts = opts.withDefaults()
	p := &Pool{opts: opts, places: wait.NewPlaces(opts.MaxSessions)}
	p.life, p.end = context.WithCancel(context.Background())
	p.spare = spare.Keeper[LaunchOptions, *ready]{Make: p.makeSpare, Drop: (*ready).drop, Same: sameOptions, Life: p.life, Idle: opts.spareIdle}
	return p
}

// Viewport returns the size of the visible area of pages for which nothing else is said,
// in CSS pixels.
func (p *Pool) Viewport() (width, height int) { return p.opts.Width, p.opts.Height }

// Warm starts the driver and the default browser in the background, so that
// the first call doesn't wait for them. A failure shows at the first call.
func (p *Pool) Warm() {
	go func() {
		ctx, cancel := context.WithTimeout(p.life, rest.WarmLimit)
		defer cancel()
		e, err := p.running(ctx)
		if err == nil {
			_, err = e.browser(ctx, p.opts.Type, p.opts.Headed)
		}
		p.noteCold(err)
	}()
}

// noteCold logs why the browser is not ready, unless a run that needed none is over.
func (p *Pool) noteCold(err error) {
	if ended := (*explain.Error)(nil); err != nil && (!errors.As(err, &ended) || ended.Code != explain.Cancelled) {
		p.opts.Log.Warn("browser not ready", "err", err)
	}
}

// warmFor starts driver and browser in the background, and has a session for lo stand by.
func (p *Pool) warmFor(lo LaunchOptions) {
	lo = lo.withDefaults(p.opts)
	p.mu.Lock()
	p.spareFor = &lo
	p.mu.Unlock()
	p.spare.Prepare(lo, 0)
}

func (p *Pool) makeSpare(ctx context.Context, lo LaunchOptions) (*ready, error) {
	bound, cancel := context.WithTimeout(ctx, rest.WarmLimit)
	defer cancel()
	r, err := p.makeReady(bound, lo)
	p.noteCold(err)
	if err == nil && p.opts.Warmed != nil {
		go p.warmed.Do(p.opts.Warmed) // a launch that waits for the session does not wait for that
	}
	return r, err
}

// sameOptions reports whether a session that was made for a serves b, whatever calls use it.
func sameOptions(a, b LaunchOptions) bool {
	a.OneCall = b.OneCall
	return reflect.DeepEqual(a, b)
}

// prepareSpare has a session stand by again after one was opened or closed for lo, unless
// it would be one more than there may be.
func (p *Pool) prepareSpare(lo LaunchOptions) {
	p.mu.Lock()
	wanted := p.spareFor != nil && len(p.live()) < p.opts.MaxSessions && sameOptions(*p.spareFor, lo)
	p.mu.Unlock()
	if wanted {
		p.spare.Prepare(lo, p.opts.sparePause)
	}
}

// CheckDevices refuses names that the driver has no device for, with the nearest one.
func (p *Pool) CheckDevices(ctx context.Context, names []string) error {
	if len(names) == 0 {
		return nil
	}
	e, err := p.running(ctx)
	if err != nil {
		return err
	}
	known := slices.Sorted(maps.Keys(e.pw.Devices))
	for _, name := range names {
		if e.pw.Devices[name] == nil {
			return explain.Invalid("known devices: "+strings.Join(likeDevices(known, name), ", "), "device %q is unknown%s", name, texts.Hint(name, known))
		}
	}
	return nil
}

// running returns the current engine, starting one if there is none.
func (p *Pool) running(ctx context.Context) (*engine, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, explain.ShuttingDown()
	}
	if p.opts.Browsers != nil {
		p.mu.Unlock()
		return p.opts.Browsers.running(ctx)
	}
	if p.engine != nil && p.engine.alive() {
		e := p.engine
		p.mu.Unlock()
		return e, nil
	}
	if p.starting == nil {
		p.starting, p.launcher = make(chan struct{}), nil
		go p.start(p.starting, p.engine)
	}
	starting := p.starting
	p.mu.Unlock()

	if err := rest.Until(ctx, nil, rest.Policy{Events: []rest.Event{{Of: starting}}}); err != nil {
		return nil, classify(err, "start the browser")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.engine, p.startErr
}

// start replaces a dead engine (or none) by a new one.
func (p *Pool) start(done chan struct{}, dead *engine) {
	if dead != nil {
		dead.stop(rest.StopLimit)
	}
	p.noteLeftOut()
	e, err := startEngine(p.life, p.opts, p.noteLauncher)
	p.mu.Lock()
	late := e
	if p.closed {
		e, err = nil, explain.ShuttingDown()
	} else {
		late = nil
	}
	p.engine, p.startErr, p.starting = e, err, nil
	p.mu.Unlock()
	if late != nil {
		late.stop(rest.StopLimit)
	}
	close(done)
}

// noteLeftOut says once which variables of the environment the driver would behave
// differently with, and does not get.
func (p *Pool) noteLeftOut() {
	if _, names := driver.Environment(p.opts.Install.Environ, runtime.GOOS); len(names) > 0 {
		p.leftOut.Do(func() {
			p.opts.Log.Warn("driver and browser do not get these variables of the environment: they would change what pages do", "variables", strings.Join(names, ", "))
		})
	}
}

// Launch opens a session: a browser context of its own, with one blank page.
// When all places are taken it waits for one, then answers SESSION_LIMIT.
func (p *Pool) Launch(ctx context.Context, lo LaunchOptions) (*Session, error) {
	lo = lo.withDefaults(p.opts)
	if err := lo.validate(p.opts.MaxPixels); err != nil {
		return nil, err
	}
	p.dropLost()
	if err := p.takePlace(ctx); err != nil {
		return nil, err
	}
	s, err := p.begin(ctx, lo)
	if err != nil {
		p.places.Give()
		return nil, classify(err, pagetext.Sentencef("browser_launch %s", lo.Type))
	}
	p.enlist(s)
	if p.isClosed() {
		return nil, errors.Join(explain.ShuttingDown(), s.Close(ctx))
	}
	return s, nil
}

// begin opens a session with its first page: the one that stands by, or a new one.
func (p *Pool) begin(ctx context.Context, lo LaunchOptions) (*Session, error) {
	r, found, err := p.spare.Take(ctx, lo)
	if found && err == nil && r.lost() {
		go r.drop()
		found = false
	}
	if !found || err != nil && ctx.Err() == nil { // what failed beside may not fail here
		r, err = p.makeReady(ctx, lo)
		defer p.prepareSpare(lo) // who opens one beside another may open a third
	}
	if err != nil {
		return nil, err
	}
	s := r.session
	s.opts.OneCall = lo.OneCall
	s.install(r.page)
	go s.keepStorage()
	go s.memoryWatch.watch()
	p.noteUncounted(lo.Type)
	return s, nil
}

// ready is a session with a blank page that no call has used.
type ready struct {
	session *Session
	page    *tab
}

// makeReady makes a session with a page, in a browser that it starts if there is none.
func (p *Pool) makeReady(ctx context.Context, lo LaunchOptions) (*ready, error) {
	s, err := newSession(ctx, p.opts, lo)
	if err != nil {
		return nil, err
	}
	s.renew = func(ctx context.Context) (*tab, error) { return p.open(ctx, s) }
	t, err := s.renew(ctx)
	if err != nil {
		s.end() // which closes its gate
		return nil, err
	}
	s.opts, s.scale = t.context.opts, cmp.Or(t.context.opts.scale, 1)
	return &ready{s, t}, nil
}

// lost reports whether the page, or what it is in, died while it stood by.
func (r *ready) lost() bool {
	return ended(r.page.crashed) || ended(r.page.closed) || ended(r.page.context.gone)
}

// drop closes a session that nobody uses.
func (r *ready) drop() {
	r.session.end() // which closes its gate
	l := r.page.context
	// a browser that does not answer is found by its sessions
	_, _ = rest.Answer(l.process.life, func() (any, error) { return nil, l.pw.Close() }, rest.Policy{Limit: rest.DeafLimit, Events: []rest.Event{{Of: l.gone}}})
}

// noteUncounted says once that a limit on memory does nothing here.
func (p *Pool) noteUncounted(browserType string) {
	if p.opts.MemoryLimit > 0 && !countsMemory(browserType) {
		p.uncounted.Do(func() {
			p.opts.Log.Info("limits.memory_mb is not enforced: memory is counted for chromium on linux only", "browser", browserType, "os", runtime.GOOS)
		})
	}
}

// enlist enters a session in the list. Its place is free again when it is
// closed or lost.
func (p *Pool) enlist(s *Session) {
	var once sync.Once
	p.mu.Lock()
	defer p.mu.Unlock()
	s.livePage.mu.Lock()
	defer s.livePage.mu.Unlock()
	s.release = func() { once.Do(p.places.Give) }
	s.forget = func() { p.remove(s) }
	p.sessions = append(p.sessions, s)
	if ended(s.lost) { // already
		s.release()
	}
}

func (p *Pool) isClosed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed
}

// dropLost takes the sessions that are lost off the list. Until a new one is
// launched they stay, so that calls on them answer what happened.
func (p *Pool) dropLost() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sessions = slices.DeleteFunc(p.sessions, func(s *Session) bool { return ended(s.lost) })
}

func (p *Pool) takePlace(ctx context.Context) error {
	bound, cancel := context.WithTimeout(ctx, p.opts.SessionWait)
	defer cancel()
	err := p.places.Take(bound)
	if err != nil && ctx.Err() == nil {
		return explain.NoPlace(p.opts.MaxSessions, p.SessionIDs())
	}
	return classify(err, "browser_launch")
}

// open makes a context for the session. A browser or driver that died since its last use is
// started anew once: its death was no fault of this call.
func (p *Pool) open(ctx context.Context, s *Session) (*tab, error) {
	for attempt := 0; ; attempt++ {
		e, err := p.running(ctx)
		if err != nil {
			return nil, err
		}
		b, err := e.browser(ctx, s.opts.Type, *s.opts.Headed)
		if err == nil {
			var t *tab
			if t, err = e.newContext(ctx, b, s); err == nil {
				return t, nil
			}
		}
		if attempt > 0 || ctx.Err() != nil || !isLoss(err) {
			return nil, err
		}
		e.awaitEnd(ctx, b)
	}
}

// isLoss reports whether a launch failed because what it builds on went away.
func isLoss(err error) bool {
	var ours *explain.Error
	if errors.As(err, &ours) {
		return ours.Code == explain.BrowserCrashed && ours.Retriable
	}
	return err != nil && isClosed(err)
}

// awaitEnd waits for the word that the browser or the driver is gone, which
// follows the first failed call within moments.
func (e *engine) awaitEnd(ctx context.Context, b *process) {
	ends := []rest.Event{{Of: e.dead}}
	if b != nil {
		ends = append(ends, rest.Event{Of: b.gone})
	}
	_ = rest.Until(ctx, nil, rest.Policy{Limit: rest.EndLimit, Events: ends}) // whichever it is
}

// Session returns the open session with that id. An empty id selects the only
// one; with none open the error is SESSION_NOT_FOUND too. A lost session
// counts as open only where its id is given, or no other is open: a call on it
// returns what happened.
func (p *Pool) Session(id string) (*Session, error) {
	return p.session(id, func(string) bool { return true })
}

// session returns a session as Session does, among those whose ids are mine.
// mine is called under the pool's lock.
func (p *Pool) session(id string, mine func(id string) bool) (*Session, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	theirs := func(s *Session) bool { return !mine(s.id) }
	all, live := slices.DeleteFunc(slices.Clone(p.sessions), theirs), slices.DeleteFunc(p.live(), theirs)
	if id == "" {
		all, live = slices.DeleteFunc(all, isOneCall), slices.DeleteFunc(live, isOneCall)
	}
	if id == "" && len(live) == 0 {
		live = all
	}
	if id == "" && len(live) == 1 {
		return live[0], nil
	}
	for _, s := range all {
		if s.id == id {
			return s, nil
		}
	}
	return nil, explain.NoSession(id, sessionIDs(live))
}

// live returns the usable sessions, oldest first.
func (p *Pool) live() []*Session {
	return slices.DeleteFunc(slices.Clone(p.sessions), func(s *Session) bool { return ended(s.lost) })
}

// isOneCall reports whether only the call that opened a session uses it.
func isOneCall(s *Session) bool { return s.opts.OneCall }

func sessionIDs(sessions []*Session) []string {
	ids := make([]string, len(sessions))
	for i, s := range sessions {
		ids[i] = s.id
	}
	return ids
}

// SessionIDs lists the open sessions, oldest first.
func (p *Pool) SessionIDs() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return sessionIDs(p.live())
}

// sharedIDs lists the open sessions that an empty id can mean, oldest first.
func (p *Pool) sharedIDs() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return sessionIDs(slices.DeleteFunc(p.live(), isOneCall))
}

// remove takes a closed session off the list.
func (p *Pool) remove(s *Session) {
	p.mu.Lock()
	if i := slices.Index(p.sessions, s); i >= 0 {
		p.sessions = slices.Delete(p.sessions, i, i+1)
	}
	wanted := p.spareFor
	if len(p.live()) > 0 {
		wanted = nil
	}
	p.mu.Unlock()
	if wanted != nil {
		p.prepareSpare(*wanted)
	}
}

// newID returns a short random identifier, unique within one process only.
func newID(prefix string) string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails, see crypto/rand
	return prefix + hex.EncodeToString(b[:])
}

// Close ends all sessions, the browsers and the driver, in about the given
// time; what doesn't end by itself is killed.
func (p *Pool) Close(limit time.Duration) {
	p.end()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	p.mu.Lock()
	p.closed = true
	e, starting, sessions := p.engine, p.starting, p.sessions
	p.sessions = nil
	p.mu.Unlock()
	if p.opts.Browsers != nil {
		closeAll(ctx, sessions)
		return
	}
	for _, s := range sessions {
		s.end()
	}
	if starting != nil {
		p.abortStart(ctx, starting)
	}
	if e != nil {
		e.stop(limit)
	}
}

// closeAll closes sessions whose browser stays.
func closeAll(ctx context.Context, sessions []*Session) {
	for _, s := range sessions {
		if err := s.Close(ctx); err != nil {
			s.pool.Log.Warn("close a session", "session", s.id, "err", err)
		}
	}
}

// noteLauncher records whose driver is about to be started.
func (p *Pool) noteLauncher(l *driver.Launcher) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.launcher = l
}

// abortStart kills a driver that is just starting and that no caller needs any
// more: it has no browser yet, and waiting until it could be stopped in order
// would take a second or more on a busy machine. What started it removes its
// folder.
func (p *Pool) abortStart(ctx context.Context, starting <-chan struct{}) {
	kill := func() (bool, error) {
		p.mu.Lock()
		l := p.launcher
		p.mu.Unlock()
		if l != nil {
			if pid, ok := l.PID(); ok {
				if driver, err := os.FindProcess(pid); err == nil {
					_ = driver.Kill() // it may have ended meanwhile, which is what we want
				}
			}
		}
		return false, nil
	}
	_ = rest.Until(ctx, kill, rest.Policy{Every: rest.StartPoll, Events: []rest.Event{{Of: starting}}}) // whichever it is
}

// Group gives its owner a view of a pool with only the sessions launched
// through it, so that several owners share one pool and its limits, and none
// can reach, or be confused by, a session of another.
type Group struct {
	pool  *Pool
	hosts []string

	mu  sync.Mutex
	ids []string // of its sessions, until the pool has forgotten them
}

// Group returns a new, empty group. Its sessions reach only hosts, if there are
// any, of those that the pool and their own options allow.
func (p *Pool) Group(hosts []string) *Group { return &Group{pool: p, hosts: slices.Clone(hosts)} }

// Launch launches a session of the group; see [Pool.Launch].
func (g *Group) Launch(ctx context.Context, lo LaunchOptions) (*Session, error) {
	lo.bounds = g.hosts
	s, err := g.pool.Launch(ctx, lo)
	if s == nil {
		return nil, err
	}
	g.add(s.ID())
	return s, err
}

// Warm starts the driver and the default browser in the background, and has a session of
// the group that is launched with lo stand by. It is closed when nobody opens it within a
// minute, and made anew when the last session is closed.
func (g *Group) Warm(lo LaunchOptions) {
	lo.bounds = g.hosts
	g.pool.warmFor(lo)
}

// add notes a session, and drops those that the pool has forgotten. It asks
// the pool under the group's lock, so the pool never asks the group under its own.
func (g *Group) add(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	known := g.pool.known()
	g.ids = append(slices.DeleteFunc(g.ids, func(id string) bool { return !slices.Contains(known, id) }), id)
}

// known returns the ids of all sessions that the pool still lists.
func (p *Pool) known() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return sessionIDs(p.sessions)
}

// Session returns a session of the group; see [Pool.Session].
func (g *Group) Session(id string) (*Session, error) {
	mine := g.all()
	return g.pool.session(id, func(id string) bool { return slices.Contains(mine, id) })
}

// SessionIDs lists the group's open sessions, oldest first.
func (g *Group) SessionIDs() []string {
	mine := g.all()
	return slices.DeleteFunc(g.pool.SessionIDs(), func(id string) bool { return !slices.Contains(mine, id) })
}

// SharedIDs lists the group's open sessions that an empty id can mean, oldest first.
func (g *Group) SharedIDs() []string {
	mine := g.all()
	return slices.DeleteFunc(g.pool.sharedIDs(), func(id string) bool { return !slices.Contains(mine, id) })
}

// Close closes the sessions of the group that are still open.
func (g *Group) Close(ctx context.Context) error {
	var first error
	for _, id := range g.SessionIDs() {
		s, err := g.Session(id)
		if err == nil {
			err = s.Close(ctx)
		}
		if first == nil {
			first = err
		}
	}
	return first
}

func (g *Group) all() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.ids)
}
