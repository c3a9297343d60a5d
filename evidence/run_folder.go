package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
)

// runFolder writes the files of one run. It keeps no file open between writes, so
// that an abandoned run holds nothing. Its owner serialises the calls.
type runFolder struct {
	data    string // the data folder, absolute
	path    string // the run's folder, absolute
	made    bool
	named   bool     // its name, and those of the folders above it, are on the disk
	journal int64    // bytes of events.jsonl that are whole lines
	unsaved []string // files not yet forced to the disk
}

// open makes the folder if need be and opens it.
func (f *runFolder) open() (*os.Root, error) {
	if !f.made {
		if err := disk.MakeDataFolder(f.data); err != nil {
			return nil, fmt.Errorf("make the data folder: %w", err)
		}
		if err := os.MkdirAll(filepath.Dir(f.path), dirPerm); err != nil {
			return nil, fmt.Errorf("make the folder of runs: %w", disk.Explain(err))
		}
		if err := os.Mkdir(f.path, dirPerm); err != nil {
			return nil, fmt.Errorf("make the run's folder: %w", disk.Explain(err))
		}
		f.made = true
	}
	root, err := os.OpenRoot(f.path)
	if err != nil {
		return nil, fmt.Errorf("open the run's folder: %w", disk.Explain(err))
	}
	return root, nil
}

// appendLine adds one line to the event log, and forces it and those before it to
// the disk if synced is set. A line that could not be written whole is taken back, so
// that the next one starts on a line of its own.
func (f *runFolder) appendLine(line []byte, synced bool) (err error) {
	root, err := f.open()
	if err != nil {
		return err
	}
	defer root.Close()
	if synced {
		if err := f.syncName(); err != nil {
			return err
		}
	}
	file, err := root.OpenFile(ledger.EventsFile, os.O_WRONLY|os.O_CREATE|os.O_APPEND, filePerm)
	if err != nil {
		return fmt.Errorf("append to %s: %w", ledger.EventsFile, disk.Explain(err))
	}
	_, err = file.Write(line)
	if err == nil && synced {
		err = file.Sync()
	}
	if err != nil {
		err = errors.Join(err, file.Truncate(f.journal))
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("append to %s: %w", ledger.EventsFile, disk.Explain(err))
	}
	f.journal += int64(len(line))
	return nil
}

// create stores a new file under name so that a reader sees all of it or nothing.
// It never replaces a file.
//
// It does not wait for the disk. fsync doubles the cost (2.1 ms instead of
// 1.1 ms for 300 KB on an idle virtual disk) and has no upper bound on a busy
// one, where a screenshot has to stay fast; and it guards against power loss
// only, not against a killed process. [folder.sync] does it for all files at
// once before a report lists them; what a power cut takes before that is
// found by its digest.
func (f *runFolder) create(name string, data []byte) error {
	root, err := f.open()
	if err != nil {
		return err
	}
	defer root.Close()
	if _, err := root.Lstat(name); err == nil {
		return fmt.Errorf("store %s: %w: evidence is never overwritten", name, fs.ErrExist)
	}
	if err := disk.WriteUnsynced(root, name, data); err != nil {
		return err
	}
	f.unsaved = append(f.unsaved, name)
	return nil
}

// remove takes back a file that create has just stored.
func (f *runFolder) remove(name string) error {
	root, err := f.open()
	if err != nil {
		return err
	}
	defer root.Close()
	f.skipSync(name)
	return root.Remove(name)
}

// skipSync leaves a file out of the next sync.
func (f *runFolder) skipSync(name string) {
	f.unsaved = slices.DeleteFunc(f.unsaved, func(n string) bool { return n == name })
}

// syncName forces the folder's name to the disk, and the event log's in it, once. The
// event log has a line by then.
func (f *runFolder) syncName() error {
	if f.named {
		return nil
	}
	root, err := os.OpenRoot(f.data)
	if err != nil {
		return fmt.Errorf("save the run's folder to the disk: %w", disk.Explain(err))
	}
	defer root.Close()
	if err := disk.SyncFolders(root, ledger.RunsFolder+"/"+filepath.Base(f.path)); err != nil {
		return err
	}
	f.named = true
	return nil
}

// maxSyncs limits how many files are forced to the disk at once: a journaling file
// system commits them together, which takes a fraction of one after the other.
const maxSyncs = 8

// sync forces to the disk what has been written since the last time.
func (f *runFolder) sync() error {
	root, err := f.open()
	if err != nil {
		return err
	}
	defer root.Close()
	names := append([]string{ledger.EventsFile}, f.unsaved...)
	errs := make([]error, len(names))
	dirs := map[string]bool{".": true}
	places := make(chan struct{}, maxSyncs)
	var running sync.WaitGroup
	for i, name := range names {
		dirs[path.Dir(name)] = true
		places <- struct{}{}
		running.Go(func() {
			defer func() { <-places }()
			if err := syncFile(root, name, os.O_RDWR); err != nil {
				errs[i] = fmt.Errorf("save %s to the disk: %w", name, disk.Explain(err))
			}
		})
	}
	running.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for dir := range dirs {
		if runtime.GOOS == "windows" {
			break // a folder can't be synced there; its file system journals names
		}
		if err := syncFile(root, dir, os.O_RDONLY); err != nil {
			return fmt.Errorf("save folder %s to the disk: %w", dir, disk.Explain(err))
		}
	}
	f.unsaved = nil
	return f.syncName()
}

// writePending writes a document aside, under the name that [staged] gives it.
func (f *runFolder) writePending(name string, data []byte) error {
	root, err := f.open()
	if err != nil {
		return err
	}
	defer root.Close()
	if err := disk.WriteUnsynced(root, pendingName(name), data); err != nil {
		return fmt.Errorf("store %s: %w", name, err)
	}
	if !slices.Contains(f.unsaved, pendingName(name)) {
		f.unsaved = append(f.unsaved, pendingName(name))
	}
	return nil
}

// pendingName returns the name under which a document waits until the run is in the log. A run that has
// ended there was killed, or could not be sealed.
func pendingName(name string) string { return name + ledger.Pending }

// publish gives staged documents their names, in this order.
func (f *runFolder) publish(names ...string) error {
	root, err := f.open()
	if err != nil {
		return err
	}
	defer root.Close()
	for _, name := range names {
		if err := root.Rename(pendingName(name), name); err != nil {
			return fmt.Errorf("store %s: %w", name, disk.Explain(err))
		}
	}
	return nil
}

func syncFile(root *os.Root, name string, flag int) error {
	file, err := root.OpenFile(name, flag, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// openRegular opens a regular file; anything else is refused: a symbolic link leads
// elsewhere, a pipe would never end.
func openRegular(root *os.Root, name string) (*os.File, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, disk.ErrNotRegular
	}
	return root.Open(name)
}

// readRegular reads a regular file of at most limit bytes; of a longer one it returns
// the digest alone.
func readRegular(root *os.Root, name string, limit int64) (data []byte, sum string, err error) {
	file, err := openRegular(root, name)
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	hash := sha256.New()
	data, err = io.ReadAll(io.TeeReader(io.LimitReader(file, limit), hash))
	if err != nil {
		return nil, "", err
	}
	rest, err := io.Copy(hash, file)
	if err != nil {
		return nil, "", err
	}
	if rest > 0 {
		data = nil
	}
	return data, hex.EncodeToString(hash.Sum(nil)), nil
}
