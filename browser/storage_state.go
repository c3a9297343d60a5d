package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// stateLimit bounds the reading of a storage state.
const stateLimit = 10 * time.Second

// maxState bounds the file of a storage state.
const maxState = 16 << 20

// readStorageState reads a Playwright storage state from a file below one of the
// folders that states may be read from. What is no regular file would never end.
func readStorageState(ctx context.Context, roots []string, path string) (*playwright.OptionalStorageState, []originDatabases, error) {
	done := make(chan outcome[[]byte], 1)
	go func() { // a file of another machine may keep its reader waiting
		text, err := readStateFile(roots, path)
		done <- outcome[[]byte]{text, err}
	}()
	var err error
	select {
	case o := <-done:
		if err = o.err; err == nil {
			var state *playwright.OptionalStorageState
			var databases []originDatabases
			if state, databases, err = parseStorageState(o.value); err == nil {
				return state, databases, nil
			}
		}
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	e := invalid("give the path of a Playwright storage state file below "+strings.Join(roots, ", ")+"; network.state_roots in mcp.toml names further folders", "storage state %s: %v", cut(path, maxNote), err)
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
		text, err := readBelow(root, rel, maxState)
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
		base, err := within(ctx, t, stateLimit, func() (*playwright.StorageState, error) { return t.context.pw.StorageState() })
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
		return invalid("sign in again: assay login", "storage state: %v", err)
	}
	select {
	case s.swapping <- struct{}{}:
		defer func() { <-s.swapping }()
	case <-ctx.Done():
		return classify(ctx.Err(), what)
	}
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
		return sessionClosed(what, s.id)
	}
	go func() { // nobody looks at it any more
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

// Bounds on keeping the storage state.
const (
	keepAfter = 200 * time.Millisecond // the session must have been idle for so long
	keepLimit = 5 * time.Second        // for one capture
)

// storageKeeper holds what a session needs to go on in another browser: its cookies
// and its local storage. They stay in memory: they may be credentials.
type storageKeeper struct {
	due chan struct{} // one token: something may have changed

	mu    sync.Mutex
	state *playwright.OptionalStorageState // nil: none
	at    time.Time                        // when it was so
	puts  int                              // how often there was another one
	seen  [2]int                           // the event log's counts at the last capture
}

func newStorageKeeper() *storageKeeper { return &storageKeeper{due: make(chan struct{}, 1)} }

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

// putAfter is put, unless there was another one since puts were counted.
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

// looks are the operations that change nothing in a page by themselves.
var looks = []string{"look at", "look at images", "page_snapshot", "page_screenshot", "page_wait_for_selector", "wait for the page", frameOp, restOp}

// afterCall notes that a call got its answer from t: the page is alive, and its
// storage may be another now.
func (s *livePage) afterCall(t *tab, op string) {
	s.mu.Lock()
	if s.active == t {
		s.reloads = reloads{}
	}
	s.mu.Unlock()
	seen := s.EventLog.counts()
	s.storage.mu.Lock()
	same := s.storage.seen == seen
	s.storage.seen = seen
	s.storage.mu.Unlock()
	if same && slices.Contains(looks, op) {
		return
	}
	select {
	case s.storage.due <- struct{}{}:
	default: // it is due already
	}
}

// keepStorage captures the storage state whenever it may have changed and the
// session has been idle for a while, until the session ends. No call waits for
// it.
func (s *livePage) keepStorage() {
	idle := time.NewTimer(keepAfter)
	idle.Stop()
	defer idle.Stop()
	for {
		select {
		case <-s.storage.due:
			idle.Reset(keepAfter)
		case <-idle.C:
			if !s.current().busy() { // the call will ask for it again
				s.capture()
			}
		case <-s.lost:
			return
		case <-s.ended:
			return
		}
	}
}

// busy reports whether a call holds the page.
func (t *tab) busy() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.holder != nil
}

// capture takes the storage state. A page that does not answer leaves the one
// that was taken before.
func (s *livePage) capture() {
	puts := s.storage.count() // before the page is asked: it may be another one's turn meanwhile
	l, at := s.current().context, s.pool.Now()
	done := make(chan outcome[*playwright.StorageState], 1)
	go func() {
		v, err := guarded(func() (*playwright.StorageState, error) { return l.pw.StorageState() })
		done <- outcome[*playwright.StorageState]{v, err}
	}()
	limit := time.NewTimer(keepLimit)
	defer limit.Stop()
	select {
	case o := <-done:
		if o.err != nil {
			s.pool.Log.Debug("keep the storage state", "session", s.id, "err", o.err)
			return
		}
		s.storage.putAfter(puts, o.value.ToOptionalStorageState(), at)
	case <-limit.C:
		s.pool.Log.Debug("keep the storage state: no answer", "session", s.id)
	case <-l.gone:
	case <-s.ended:
	}
}
