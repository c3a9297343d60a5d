package browser

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/disk"
	texts "github.com/assay-qa/assay/internal/text"
)

// maxState bounds the file of a storage state.
const maxState = 16 << 20

// badState makes an error one of a storage state that can't be used.
func badState(e *explain.Error) *explain.Error {
	e.State = true
	return e
}

// readStorageState reads a Playwright storage state from a file below one of the
// folders that states may be read from. What is no regular file would never end.
func readStorageState(ctx context.Context, roots []string, path string) (*playwright.OptionalStorageState, []originDatabases, error) {
	// A file of another machine may keep its reader waiting.
	text, err := rest.Answer(ctx, func() ([]byte, error) { return readStateFile(roots, path) }, rest.Policy{})
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err == nil {
		var state *playwright.OptionalStorageState
		var databases []originDatabases
		if state, databases, err = parseStorageState(text); err == nil {
			return state, databases, nil
		}
	}
	e := badState(explain.Invalid("give the path of a Playwright storage state file below "+strings.Join(roots, ", ")+
		"; network.state_roots in mcp.toml names further folders", "storage state %s: %v", texts.Cut(path, maxNote), err))
	e.Cause = err
	return nil, nil, e
}

// readStateFile reads the file from the first of the folders that has it.
func readStateFile(roots []string, path string) ([]byte, error) {
	why := errors.New("it is not below a folder that states may be read from")
	for i, root := range roots {
		rel := path
		if filepath.IsAbs(path) {
			var err error
			if rel, err = filepath.Rel(root, path); err != nil {
				continue
			}
		}
		if !filepath.IsLocal(rel) {
			continue
		}
		text, err := disk.ReadBelow(root, rel, maxState)
		if err == nil {
			return text, nil
		}
		if i == 0 || !errors.Is(err, fs.ErrNotExist) || errors.Is(why, fs.ErrNotExist) {
			why = err
		}
	}
	return nil, why
}

// parseStorageState reads a Playwright storage state. A text that holds none
// would otherwise open a session that is silently signed out.
func parseStorageState(text []byte) (*playwright.OptionalStorageState, []originDatabases, error) {
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil {
		if bytes.HasPrefix(text, []byte("assay-auth ")) {
			return nil, nil, errors.New("it is sealed: name its role instead, with options {\"role\": …}")
		}
		return nil, nil, fmt.Errorf("it is no JSON object: %w", err)
	}
	if parts["cookies"] == nil && parts["origins"] == nil {
		return nil, nil, errors.New("it has neither cookies nor origins")
	}
	state := &playwright.OptionalStorageState{}
	if err := json.Unmarshal(text, state); err != nil {
		return nil, nil, err
	}
	var databases []originDatabases
	if parts["origins"] != nil {
		if err := json.Unmarshal(parts["origins"], &databases); err != nil {
			return nil, nil, err
		}
	}
	kept := databases[:0]
	for _, o := range databases {
		if originOf(o.Origin) != "" && len(o.Databases) > len("[]") && string(o.Databases) != "null" {
			kept = append(kept, o)
		}
	}
	return state, kept, nil
}

// StorageState returns the session's cookies, local storage and IndexedDB
// databases as a Playwright storage state; session storage is no part of one.
// Databases are those of the origins that its pages show. lost tells what could
// not be read, such as keys of the Web Crypto API. The state is a credential:
// it is for whoever stores it, never for an answer.
func (s *Session) StorageState(ctx context.Context) (state []byte, lost []string, err error) {
	state, err = on(ctx, s.livePage, "storage state", "", func(ctx context.Context, t *tab) ([]byte, error) {
		base, err := within(ctx, t, rest.StateLimit, func() (*playwright.StorageState, error) { return t.context.pw.StorageState() })
		if err != nil {
			return nil, err
		}
		var databases []originDatabases
		if databases, lost, err = readDatabases(ctx, t); err != nil {
			return nil, err
		}
		s.livePage.mu.Lock()
		s.databases = databases
		s.livePage.mu.Unlock()
		s.storage.put(base.ToOptionalStorageState(), s.pool.Now())
		return mergeStorageState(base, databases)
	})
	return state, lost, err
}

func mergeStorageState(base *playwright.StorageState, databases []originDatabases) ([]byte, error) {
	type origin struct {
		Origin       string                 `json:"origin"`
		LocalStorage []playwright.NameValue `json:"localStorage"`
		IndexedDB    json.RawMessage        `json:"indexedDB,omitempty"`
	}
	origins := []origin{}
	rest := map[string]json.RawMessage{}
	for _, o := range databases {
		rest[o.Origin] = o.Databases
	}
	for _, o := range base.Origins {
		origins = append(origins, origin{o.Origin, o.LocalStorage, rest[o.Origin]})
		delete(rest, o.Origin)
	}
	for _, o := range databases {
		if rest[o.Origin] != nil {
			origins = append(origins, origin{o.Origin, []playwright.NameValue{}, o.Databases})
		}
	}
	cookies := base.Cookies
	if cookies == nil {
		cookies = []playwright.Cookie{}
	}
	return json.Marshal(map[string]any{"cookies": cookies, "origins": origins})
}

// Adopt gives the session another storage state, such as that of a newer
// sign-in, in place of all it has: its page is blank afterwards.
func (s *Session) Adopt(ctx context.Context, state []byte) error {
	const what = "adopt a storage state"
	parsed, databases, err := parseStorageState(state)
	if err != nil {
		return badState(explain.Invalid("sign in again: assay login", "storage state: %v", err))
	}
	if err := s.swapping.Take(ctx); err != nil {
		return classify(err, what)
	}
	defer s.swapping.Give()
	if err := s.open(what); err != nil {
		return err
	}
	s.livePage.mu.Lock()
	s.databases = databases
	s.livePage.mu.Unlock()
	s.storage.put(parsed, s.pool.Now())
	old := s.current()
	s.endTracePart(ctx)
	t, err := s.renew(ctx)
	if err != nil {
		return classify(err, what)
	}
	if !s.install(t) {
		go func() { _ = t.context.pw.Close() }() // the session was closed meanwhile
		return explain.SessionClosed(what, s.id)
	}
	go func() { // it is not used any more
		_ = old.context.pw.Close()
		s.leaveTraces(old.context)
	}()
	return nil
}

// storedDatabases returns those that a new context of the session gets.
func (s *livePage) storedDatabases() []originDatabases {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.databases
}

// storageKeeper holds what a session needs to go on in another browser: its cookies
// and its local storage. They stay in memory: they may be credentials.
type storageKeeper struct {
	due rest.Signal // something may have changed

	mu    sync.Mutex
	state *playwright.OptionalStorageState // nil: none
	at    time.Time                        // when it was so
	puts  int                              // how often there was another one
	seen  [2]int                           // the event log's counts at the last capture

	calls  int           // under way that may open a page
	taking chan struct{} // closed once the state has been taken that is being taken; nil: none is
}

// call begins a call that may open a page, and keeps the state from being taken until it has
// ended. It waits for one that is being taken, but no longer than a look at a healthy page
// takes. Playwright reads the storage of an origin without a page in one of its own, and takes
// every page for such a one that is opened while it makes that: nobody would hear of a popup
// then (server/browserContext.ts, isCreatingStorageStatePage).
func (k *storageKeeper) call(ctx context.Context) (ended func()) {
	k.mu.Lock()
	k.calls++
	taking := k.taking
	k.mu.Unlock()
	if taking != nil {
		_ = rest.Until(ctx, nil, rest.Policy{Limit: rest.LookLimit, Events: []rest.Event{{Of: taking}}}) // a frozen page holds nobody up
	}
	return func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.calls--
	}
}

// take begins to take the state, unless a call is under way that may open a page.
func (k *storageKeeper) take() (taken func(), free bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.calls > 0 || k.taking != nil {
		return nil, false
	}
	taking := make(chan struct{})
	k.taking = taking
	return func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.taking = nil
		close(taking)
	}, true
}

func newStorageKeeper() *storageKeeper { return &storageKeeper{} }

func (k *storageKeeper) put(state *playwright.OptionalStorageState, at time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.state, k.at = state, at
	k.puts++
}

// count returns how often put was called, for putAfter.
func (k *storageKeeper) count() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.puts
}

// putAfter stores a state as put does, unless another one was stored since
// puts were counted.
func (k *storageKeeper) putAfter(puts int, state *playwright.OptionalStorageState, at time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.puts == puts {
		k.state, k.at = state, at
	}
}

func (k *storageKeeper) get() (*playwright.OptionalStorageState, time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.state, k.at
}

// looks lists the operations that change nothing in a page by themselves.
var looks = []string{"look at", "look at images", "page_snapshot", "page_screenshot", "page_wait_for_selector", "wait for the page", changeOp, restOp}

func isLook(op string) bool { return slices.Contains(looks, op) }

// afterCall notes that a call got its answer from t: the page is alive, and its
// storage may be another now.
func (s *livePage) afterCall(t *tab, op string) {
	s.mu.Lock()
	if s.active == t {
		s.reloads = reloads{}
	}
	s.mu.Unlock()
	seen := s.log.Counts()
	s.storage.mu.Lock()
	same := s.storage.seen == seen
	s.storage.seen = seen
	s.storage.mu.Unlock()
	if same && isLook(op) {
		return
	}
	s.storage.due.Set()
}

// keepStorage captures the storage state whenever it may have changed and the
// session has been idle for a while, until the session ends. No look waits for
// it.
func (s *livePage) keepStorage() {
	lost := []rest.Event{{Of: s.lost, Err: errGone}}
	err := s.storage.due.Await(s.life, rest.Policy{Events: lost})
	for err == nil {
		if err = s.storage.due.Await(s.life, rest.Policy{Limit: rest.KeepAfter, Events: lost}); !errors.Is(err, rest.ErrLimit) {
			continue // it is due anew, or over
		}
		s.capture()
		err = s.storage.due.Await(s.life, rest.Policy{Events: lost})
	}
}

// busy reports whether a call holds the page.
func (t *tab) busy() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.holder != nil
}

// capture takes the storage state, or leaves it due while a call is under way. A page that
// does not answer leaves the state that was taken before.
func (s *livePage) capture() {
	taken, free := s.storage.take()
	if !free {
		s.storage.due.Set()
		return
	}
	defer taken()
	puts := s.storage.count() // before the page is read: another call may store one meanwhile
	l, at := s.current().context, s.pool.Now()
	state, err := answerOf(s.life, func() (*playwright.StorageState, error) { return l.pw.StorageState() },
		rest.Policy{Limit: rest.KeepLimit, Events: []rest.Event{{Of: l.gone, Err: errGone}}})
	switch {
	case err == nil:
		s.storage.putAfter(puts, state.ToOptionalStorageState(), at)
	case !errors.Is(err, errGone) && s.life.Err() == nil:
		s.pool.Log.Debug("keep the storage state", "session", s.id, "err", err)
	}
}

//go:embed databases.js
var databasesScript string

// Bounds on IndexedDB databases in a storage state.
const (
	maxDatabases = 16 << 20 // bytes of JSON for one origin
)

// originDatabases holds the IndexedDB databases of one origin, as Playwright's
// storage state spells them. Its Go binding lacks them.
type originDatabases struct {
	Origin    string          `json:"origin"`
	Databases json.RawMessage `json:"indexedDB"`
}

// restoreDatabases writes databases into a context that has no page yet. It does
// so from blank documents of their origins: no request leaves.
func restoreDatabases(context playwright.BrowserContext, all []originDatabases) (err error) {
	if len(all) == 0 {
		return nil
	}
	page, err := context.NewPage()
	if err != nil {
		return err
	}
	defer func() { _ = page.Close() }() // what matters is what was written
	if err := page.Route(everything, func(r playwright.Route) {
		_ = r.Fulfill(playwright.RouteFulfillOptions{ContentType: playwright.String("text/html"), Body: "<!doctype html>"}) // it fails with the page
	}); err != nil {
		return err
	}
	limit := playwright.Float(float64(rest.DatabaseLimit.Milliseconds()))
	for _, o := range all {
		if _, err := page.Goto(o.Origin, playwright.PageGotoOptions{Timeout: limit}); err != nil {
			return notRestored(o.Origin, err)
		}
		if _, err := page.Evaluate(databasesScript, map[string]any{"restore": string(o.Databases)}); err != nil {
			return notRestored(o.Origin, err)
		}
	}
	return nil
}

// notRestored says that a state's databases are at fault, unless the browser is.
func notRestored(origin string, err error) error {
	if isClosed(err) {
		return err
	}
	return badState(explain.Invalid("make it again with: assay login", "storage state: IndexedDB of %s can't be restored: %s", origin, firstLine(plain(err))))
}

// readDatabases reads the databases of every origin that a page of the context
// shows. lost tells what can't be stored, such as keys that no script can read.
func readDatabases(ctx context.Context, t *tab) (all []originDatabases, lost []string, err error) {
	seen := map[string]bool{}
	for _, page := range t.context.pw.Pages() {
		for _, frame := range framesOf(page) {
			origin := originOf(frame.URL())
			if origin == "" || seen[origin] {
				continue
			}
			seen[origin] = true
			databases, missing, err := readOrigin(ctx, t, frame)
			if err != nil {
				return nil, nil, fmt.Errorf("read IndexedDB of %s: %w", origin, err)
			}
			lost = append(lost, missing...)
			if databases != nil {
				all = append(all, originDatabases{origin, databases})
			}
		}
	}
	return all, lost, nil
}

func readOrigin(ctx context.Context, t *tab, frame playwright.Frame) (databases json.RawMessage, lost []string, err error) {
	got, err := within(ctx, t, rest.DatabaseLimit, func() (any, error) {
		return frame.Evaluate(databasesScript, map[string]any{"limit": maxDatabases})
	})
	if err != nil {
		return nil, nil, err
	}
	text, _ := got.(string)
	var answer struct {
		Databases []json.RawMessage
		Lost      map[string]int
		Size      int
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		return nil, nil, fmt.Errorf("the page's answer: %w", err)
	}
	for _, what := range slices.Sorted(maps.Keys(answer.Lost)) {
		lost = append(lost, fmt.Sprintf("%s (%d records)", what, answer.Lost[what]))
	}
	switch {
	case answer.Size > 0:
		return nil, []string{fmt.Sprintf("all IndexedDB databases (%d MB, more than %d)", answer.Size>>20, maxDatabases>>20)}, nil
	case len(answer.Databases) == 0:
		return nil, lost, nil
	}
	databases, err = json.Marshal(answer.Databases)
	return databases, lost, err
}

// originOf returns the origin of an address, or "" if it has none that keeps storage.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
