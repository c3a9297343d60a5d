package record

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"sync"

	"github.com/assay-qa/assay/browser/outline"
	"github.com/assay-qa/assay/browser/rest"
)

// Devtools is a connection to one page, or to a frame that has a process of its own, by Chromium's protocol.
type Devtools interface {
	Send(method string, params map[string]any) (any, error)
	On(event string, handler any)
}

// Recorder tells what a person does in the tabs of a session.
type Recorder struct {
	Acts Acts

	world   string // of each document, and of the binding in it
	channel string
	script  string

	working sync.Mutex // held by who does what is to be done

	mu     sync.Mutex
	tabs   map[int]*tab
	frames map[any]bool // that have a connection of their own
	todo   []func()
	due    rest.Signal
}

//go:embed person_acts.js
var personActs string

// New returns a recorder that works until ctx ends.
func New(ctx context.Context) (*Recorder, error) {
	asks, err := outline.Recorder()
	if err != nil {
		return nil, err
	}
	r := &Recorder{world: "w" + rand.Text(), channel: "c" + rand.Text(), tabs: map[int]*tab{}, frames: map[any]bool{}}
	r.script = "(" + personActs[firstLine(personActs):] + ")(() => " + asks + ", " + quoted(r.channel) + ")"
	go r.work(ctx)
	return r, nil
}

// firstLine returns where the script begins behind the comment at its head.
func firstLine(script string) int {
	for i := 0; i < len(script); {
		if script[i] != '/' {
			return i
		}
		for i < len(script) && script[i] != '\n' {
			i++
		}
		i++
	}
	return 0
}

func quoted(text string) string {
	b, _ := json.Marshal(text) // a string always marshals
	return string(b)
}

// later does what asks a page, in the order in which it was asked for: what tells of an event may
// not wait for an answer.
func (r *Recorder) later(do func()) {
	r.mu.Lock()
	full := len(r.todo) >= MaxPending
	if !full {
		r.todo = append(r.todo, do)
	}
	r.mu.Unlock()
	if full {
		r.Acts.miss()
		return
	}
	r.due.Set()
}

// work does what is to be done later, until ctx ends.
func (r *Recorder) work(ctx context.Context) {
	for r.due.Await(ctx, rest.Policy{}) == nil {
		r.workOff()
	}
}

// workOff does what is to be done now.
func (r *Recorder) workOff() {
	r.working.Lock()
	defer r.working.Unlock()
	for {
		r.mu.Lock()
		if len(r.todo) == 0 {
			r.mu.Unlock()
			return
		}
		do := r.todo[0]
		r.todo = r.todo[1:]
		r.mu.Unlock()
		do()
	}
}

// Open begins to record a tab. Opener is the tab whose page opened it; 0: a person did.
func (r *Recorder) Open(number, opener int, address string, devtools Devtools) error {
	t := &tab{recorder: r, number: number, parents: map[string]string{}, asked: map[string]bool{}, shown: map[int]bool{}}
	t.main = &target{tab: t, devtools: devtools, worlds: map[string]int{}}
	t.targets = []*target{t.main}
	r.mu.Lock()
	r.tabs[number] = t
	r.mu.Unlock()
	r.later(func() { r.Acts.Add(Act{Kind: Opened, Tab: number, Opener: opener, URL: address}) })
	return t.main.begin(true)
}

// Claim reports whether a frame has no connection of its own yet, and notes that it gets one: through a
// second one each act would be told twice.
func (r *Recorder) Claim(frame any) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	claimed := r.frames[frame]
	r.frames[frame] = true
	return !claimed
}

// Release notes that a frame's connection has ended.
func (r *Recorder) Release(frame any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.frames, frame)
}

// Enter begins to record a frame of a tab that has a process of its own.
func (r *Recorder) Enter(number int, devtools Devtools) error {
	t := r.tab(number)
	if t == nil {
		return nil
	}
	of := &target{tab: t, devtools: devtools, worlds: map[string]int{}}
	t.mu.Lock()
	t.targets = append(t.targets, of)
	t.mu.Unlock()
	return of.begin(false)
}

// Drain waits until what was told so far can be taken, also after the recorder's own context has ended.
func (r *Recorder) Drain(ctx context.Context) error {
	_, err := rest.Answer(ctx, func() (bool, error) {
		r.workOff()
		return true, nil
	}, rest.Policy{})
	return err
}

// Tell adds what the browser did, behind what documents have told before it.
func (r *Recorder) Tell(act Act) { r.later(func() { r.Acts.Add(act) }) }

func (r *Recorder) tab(number int) *tab {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tabs[number]
}

// Look returns what a person sees of a tab now. ok is false where its page does not answer.
func (r *Recorder) Look(ctx context.Context, number int) (look *Look, ok bool) {
	t := r.tab(number)
	if t == nil {
		return nil, false
	}
	look, err := rest.Answer(ctx, func() (*Look, error) { return t.look() }, rest.Policy{Limit: rest.LookLimit})
	return look, err == nil
}
