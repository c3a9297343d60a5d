package browser

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// tracesFolder is where the driver writes traces, below its temporary folder.
const tracesFolder = "traces"

// traceFolder is the folder in which a driver writes the traces of all its
// browsers. Contexts share what they have in common, such as style sheets, so
// that may only go when none of them can need it any more.
type traceFolder struct {
	dir string
	own string // what the selectors of our own questions to a page contain

	mu    sync.Mutex
	users map[any]bool // contexts that were traced and are open, and parts that are not packed yet
}

// newTraceFolder returns the folder below a driver's temporary one. What asks a
// page with own in its selector is left out of every trace.
func newTraceFolder(temp, own string) *traceFolder {
	return &traceFolder{dir: filepath.Join(temp, tracesFolder), own: own, users: map[any]bool{}}
}

// part returns a part whose files have that name.
func (f *traceFolder) part(name string) *TracePart {
	p := &TracePart{folder: f, name: name}
	f.enter(p)
	return p
}

// enter notes that a context, or a part, needs what is shared there.

func (f *traceFolder) enter(user any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.users[user] = true
}

// leave notes that a context, or a part, needs nothing there any more.
func (f *traceFolder) leave(user any) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.users[user] {
		return nil
	}
	delete(f.users, user)
	if len(f.users) > 0 {
		return nil
	}
	return os.RemoveAll(filepath.Join(f.dir, "resources"))
}

// Discard removes the part's own files. What it shares with other parts goes
// with the last of them and of their contexts.
func (p *TracePart) Discard() error {
	return errors.Join(p.remove(), p.folder.leave(p))
}

func (p *TracePart) remove() error {
	names, err := filepath.Glob(filepath.Join(p.folder.dir, p.name+".*"))
	if err != nil {
		return err
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".trace") || strings.HasSuffix(name, ".network") {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	for _, frame := range p.frames {
		if err := os.Remove(filepath.Join(p.folder.dir, "resources", frame)); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}
