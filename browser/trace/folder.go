package trace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// folderName names where the driver writes traces, below its temporary folder.
const folderName = "traces"

// Folder manages the folder in which a driver writes the traces of all its
// browsers. Contexts share some files, such as style sheets, so those are deleted
// only when no context can need them any more.
type Folder struct {
	Dir    string
	engine string

	mu    sync.Mutex
	users map[any]bool // contexts that were traced and are open, and parts that are not packed yet
}

// NewFolder returns the folder below a driver's temporary one. Engine is the name
// of the selector engine that traces are spelt without: what asks it for more than
// an element is left out of them.
func NewFolder(temp, engine string) *Folder {
	return &Folder{Dir: filepath.Join(temp, folderName), engine: engine, users: map[any]bool{}}
}

// Part returns a part whose files have that name.
func (f *Folder) Part(name string) *Part {
	p := &Part{folder: f, name: name}
	f.Enter(p)
	return p
}

// Enter notes that a context, or a part, needs what is shared there.
func (f *Folder) Enter(user any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.users[user] = true
}

// Leave notes that a context, or a part, needs nothing there any more.
func (f *Folder) Leave(user any) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.users[user] {
		return nil
	}
	delete(f.users, user)
	if len(f.users) > 0 {
		return nil
	}
	return os.RemoveAll(filepath.Join(f.Dir, "resources"))
}

// Discard removes the part's own files. What it shares with other parts goes
// with the last of them and of their contexts.
func (p *Part) Discard() error {
	return errors.Join(p.remove(), p.folder.Leave(p))
}

func (p *Part) remove() error {
	names, err := filepath.Glob(filepath.Join(p.folder.Dir, p.name+".*"))
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
		if err := os.Remove(filepath.Join(p.folder.Dir, "resources", frame)); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}
