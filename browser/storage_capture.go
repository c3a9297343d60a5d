package browser

import (
	"slices"
	"sync"
	"time"

	"github.com/mxschmitt/playwright-go"
)

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

// count is how often put was called, for putAfter.
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
func (s *Session) afterCall(t *tab, op string) {
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
func (s *Session) keepStorage() {
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
func (s *Session) capture() {
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
