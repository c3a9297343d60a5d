package workspace

import (
	"maps"
	"slices"
	"sync"
)

// traceState holds the state of a workspace's traces. Its zero value is ready.
type traceState struct {
	mu      sync.Mutex
	asked   map[string]bool            // session → what its launch said of a trace
	packing map[string]*packJobs       // run → traces on their way to a file
	told    map[string]map[string]bool // run → sessions for which it has a note that there is no trace
}

// packJobs counts the traces of one run that are being packed. (A WaitGroup
// panics when one begins just as another ends.)
type packJobs struct {
	jobs int
	done chan struct{} // closed when there are none any more
}

// firstUse reports whether a run has no note yet of a session without a trace,
// and counts it as noted.
func (t *traceState) firstUse(run, session string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.told == nil {
		t.told = map[string]map[string]bool{}
	}
	if t.told[run] == nil {
		t.told[run] = map[string]bool{}
	}
	told := t.told[run][session]
	t.told[run][session] = true
	return !told
}

// request records what a session's launch said.
func (t *traceState) request(session string, wanted *bool) {
	if wanted == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.asked == nil {
		t.asked = map[string]bool{}
	}
	t.asked[session] = *wanted
}

func (t *traceState) requested(session string) (wanted, said bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	wanted, said = t.asked[session]
	return wanted, said
}

// forget drops what only a run that has ended needed, and the launch options
// of sessions that are closed: a server runs for days.
func (t *traceState) forget(run string, open func() []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.told, run)
	now := open() // under the lock: a session is open before it is asked for
	maps.DeleteFunc(t.asked, func(session string, _ bool) bool { return !slices.Contains(now, session) })
}

// pack does a job in the background and counts it as a trace of a run.
func (t *traceState) pack(run string, job func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.packing == nil {
		t.packing = map[string]*packJobs{}
	}
	p := t.packing[run]
	if p == nil {
		p = &packJobs{done: make(chan struct{})}
		t.packing[run] = p
	}
	p.jobs++
	go func() {
		defer t.packedOne(run, p)
		job()
	}()
}

func (t *traceState) packedOne(run string, p *packJobs) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p.jobs--; p.jobs == 0 {
		delete(t.packing, run)
		close(p.done)
	}
}

// packed returns a channel that is closed when no trace of a run is being
// packed any more.
func (t *traceState) packed(run string) <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p := t.packing[run]; p != nil {
		return p.done
	}
	none := make(chan struct{})
	close(none)
	return none
}
