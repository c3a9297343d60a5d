package watch

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/wait"
)

const (
	// maxFolders bounds the folders that are watched: the system has a limit for them, which other programs need, too.
	maxFolders = 5000
	// maxHashed bounds a file whose content is compared, in bytes. A larger one counts as changed with each write.
	maxHashed = 8 << 20
	// quiet is how long nothing more may change before changes are handed out: an editor saves in several steps.
	quiet = 40 * time.Millisecond
)

// Folder tells which files below a folder change. Hidden files and folders, node_modules and backups of editors are left out.
type Folder struct {
	root    string   // absolute
	without []string // absolute paths of files and folders that are left out
	watcher *fsnotify.Watcher
	begun   chan struct{} // holds one value once there is a change

	mu      sync.Mutex
	changed map[string]bool
	events  int
	sums    map[string][sha256.Size]byte // of the files that are there; zero: the file has not changed yet
	err     error
}

// Open begins to watch root, an absolute path, without the files and folders at some absolute paths. The error says
// that there are too many folders, or what the system refused.
func Open(root string, without ...string) (*Folder, error) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch %s: %w", root, err)
	}
	f := &Folder{root: root, without: without, watcher: watcher, begun: make(chan struct{}, 1), changed: map[string]bool{}, sums: map[string][sha256.Size]byte{}}
	if err := f.add(root); err != nil {
		return nil, errors.Join(err, watcher.Close())
	}
	return f, nil
}

// Close ends the watch.
func (f *Folder) Close() error { return f.watcher.Close() }

// Collect takes what the system tells until ctx ends or the folder is closed. It runs beside [Folder.Next].
func (f *Folder) Collect(ctx context.Context) {
	for {
		select {
		case event, open := <-f.watcher.Events:
			if !open {
				return
			}
			f.note(event)
		case err, open := <-f.watcher.Errors:
			if !open {
				return
			}
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				f.put(f.root) // whatever is in it may have changed
				continue
			}
			f.fail(err)
		case <-ctx.Done():
			return
		}
	}
}

// note takes what happened at a path. What lies in a folder that is new has changed, too.
func (f *Folder) note(event fsnotify.Event) {
	path := event.Name
	if f.leftOut(path) || event.Op == fsnotify.Chmod {
		return
	}
	info, err := os.Lstat(path)
	if err != nil { // it may have been a folder
		for _, file := range f.below(path) {
			f.put(file)
		}
	}
	if err != nil || !info.IsDir() {
		f.put(path)
		return
	}
	if !event.Has(fsnotify.Create) {
		return
	}
	if err := f.add(path); err != nil {
		f.fail(err)
	}
	_ = filepath.WalkDir(path, func(inner string, d fs.DirEntry, err error) error { // a folder that is gone again has no files
		if err == nil && d.Type().IsRegular() && !f.leftOut(inner) {
			f.put(inner)
		}
		return nil
	})
}

func (f *Folder) put(path string) {
	f.mu.Lock()
	f.changed[path] = true
	f.events++
	f.mu.Unlock()
	f.wake()
}

// below lists the files that were in a folder.
func (f *Folder) below(folder string) (files []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for file := range f.sums {
		if _, inside := disk.Inside(folder, file); inside && file != folder {
			files = append(files, file)
		}
	}
	return files
}

func (f *Folder) fail(err error) {
	f.mu.Lock()
	f.err = errors.Join(f.err, err)
	f.mu.Unlock()
	f.wake()
}

func (f *Folder) wake() {
	select {
	case f.begun <- struct{}{}:
	default:
	}
}

// Next waits for changes, and returns the absolute paths of files that are new, gone, or have another content than
// when they changed last. The error is that of ctx, or says why changes can't be told any more.
func (f *Folder) Next(ctx context.Context) ([]string, error) {
	for {
		select {
		case <-f.begun:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		for { // until it is quiet
			before := f.waiting()
			if err := wait.For(ctx, quiet); err != nil {
				return nil, err
			}
			if f.waiting() == before {
				break
			}
		}
		if changed, err := f.Changed(); err != nil || len(changed) > 0 {
			return changed, err
		}
	}
}

func (f *Folder) waiting() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.events
}

// Changed returns what has changed since it was asked last, as [Folder.Next] does, without waiting.
func (f *Folder) Changed() ([]string, error) {
	f.mu.Lock()
	paths, err := slices.Sorted(maps.Keys(f.changed)), f.err
	f.changed, f.err = map[string]bool{}, nil
	f.mu.Unlock()
	if err != nil {
		return nil, fmt.Errorf("watch %s: %w", f.root, err)
	}
	return slices.DeleteFunc(paths, func(path string) bool { return !f.differs(path) }), nil
}

// differs reports whether a file has another content than when it was looked at last. One that came and went meanwhile,
// as editors make them when they save, has not.
func (f *Folder) differs(path string) bool {
	data, err := disk.ReadPath(path, maxHashed)
	f.mu.Lock()
	defer f.mu.Unlock()
	old, known := f.sums[path]
	if errors.Is(err, fs.ErrNotExist) {
		delete(f.sums, path)
		return known
	}
	var sum [sha256.Size]byte // of a file that can't be compared: it counts as changed
	if err == nil {
		sum = sha256.Sum256(data)
	}
	f.sums[path] = sum
	return err != nil || old != sum
}

// add watches a folder and those in it, and remembers which files are there.
func (f *Folder) add(folder string) error {
	start := folder + string(filepath.Separator) // it may be a link
	return filepath.WalkDir(start, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == start && folder == f.root:
			return fmt.Errorf("watch %s: %w", folder, err)
		case err != nil:
			return nil //nolint:nilerr // what can't be read, or is gone by now, holds no file of a test
		case !d.IsDir():
			f.know(path)
			return nil
		case path != start && f.leftOut(path):
			return fs.SkipDir
		case len(f.watcher.WatchList()) >= maxFolders:
			return fmt.Errorf("watch %s: there are more than %d folders in it: run assay in a smaller one", f.root, maxFolders)
		}
		if err := f.watcher.Add(filepath.Clean(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("watch %s: %w", path, err)
		}
		return nil
	})
}

// Names lists the files that are there, by their paths below the folder, with slashes.
func (f *Folder) Names() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	names := make([]string, 0, len(f.sums))
	for file := range f.sums {
		if name, inside := disk.Inside(f.root, file); inside {
			names = append(names, filepath.ToSlash(name))
		}
	}
	return names
}

// know remembers that a file is there.
func (f *Folder) know(path string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sums[path] = [sha256.Size]byte{}
}

// Sees reports whether a change of a file is told.
func (f *Folder) Sees(path string) bool { return !f.leftOut(path) }

// leftOut reports whether a path is not watched.
func (f *Folder) leftOut(path string) bool {
	for _, other := range f.without {
		if _, inside := disk.Inside(other, path); inside {
			return true
		}
	}
	rel, inside := disk.Inside(f.root, path)
	if !inside {
		return true
	}
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(rel), "/"), func(part string) bool {
		return disk.HiddenOrInstalled(part) || backup(part)
	})
}

// backup reports whether a name is one that editors give to their copies of a file.
func backup(name string) bool { return strings.HasSuffix(name, "~") }
