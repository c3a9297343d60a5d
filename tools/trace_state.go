package tools

import (
	"maps"
	"slices"
	"sync"
)

// tracing is what a desk knows of its traces. Its zero value is ready.
type tracing struct {
	mu      sync.Mutex
	asked   map[string]bool            // session → what its launch said of a trace
	packing map[string]*packing        // run → traces on their way to a file
	told    map[string]map[string]bool // run → sessions of which it was told that there is no trace
}

// packing counts the traces of one run that are being packed. (A WaitGroup
// panics when one begins just as another ends.)
type packing struct {
	jobs int
	done chan struct{} // closed when there are none any more
}

// first reports whether a run was not told of a session without a trace yet.
func (t *tracing) first(run, session string) bool {
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

// ask remembers what a session's launch said.
func (t *tracing) ask(session string, wanted *bool) {
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

func (t *tracing) answer(session string) (wanted, said bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	wanted, said = t.asked[session]
	return wanted, said
}

// forget drops what only a run that has ended needed, and what was asked for
// sessions that are closed: a server lives for days.
func (t *tracing) forget(run string, open func() []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.told, run)
	now := open() // under the lock: a session is open before it is asked for
	maps.DeleteFunc(t.asked, func(session string, _ bool) bool { return !slices.Contains(now, session) })
}

// pack does a job in the background and counts it as a trace of a run.
func (t *tracing) pack(run string, job func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.packing == nil {
		t.packing = map[string]*packing{}
	}
	p := t.packing[run]
	if p == nil {
		p = &packing{done: make(chan struct{})}
		t.packing[run] = p
	}
	p.jobs++
	go func() {
		defer t.packedOne(run, p)
		job()
	}()
}

func (t *tracing) packedOne(run string, p *packing) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p.jobs--; p.jobs == 0 {
		delete(t.packing, run)
		close(p.done)
	}
}

// packed is closed when no trace of a run is being packed any more.
func (t *tracing) packed(run string) <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p := t.packing[run]; p != nil {
		return p.done
	}
	none := make(chan struct{})
	close(none)
	return none
}
