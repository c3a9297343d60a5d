// Package ledger keeps sealed records and an append-only list of events in one
// file that several processes share. What it can't vouch for as a whole it does
// not hand out in part, and does not write to.
package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/assay-qa/assay/evidence/disk"
)

// Errors that callers tell apart. Others are of the disk, or of a context.
var (
	ErrLocked  = errors.New("another process holds the store")
	ErrCorrupt = disk.ErrDamaged
)

// DefaultWait is how long an operation waits for its turn where nothing else
// is said.
const DefaultWait = 3 * time.Second

// retry is the pause between two attempts to lock the file.
const retry = 5 * time.Millisecond

// Ledger is a file of records and events. It is open only while one operation
// lasts. It is safe for concurrent use, and several processes may use the same
// file.
type Ledger struct {
	path string
	wait time.Duration
	turn chan struct{} // one writer of this process at a time; others wait for the file's lock
}

// Open returns the ledger in a file. An operation waits at most so long for
// others to leave it. Nothing is written before the first Update.
func Open(path string, wait time.Duration) *Ledger {
	if wait <= 0 {
		wait = DefaultWait
	}
	return &Ledger{path: path, wait: wait, turn: make(chan struct{}, 1)}
}

// View calls f with what the ledger holds, after all of it was checked. f may
// take its time: the file is closed again by then.
func (l *Ledger) View(ctx context.Context, f func(*Tx) error) error {
	waiting, cancel := l.patience(ctx)
	defer cancel()
	tx, err := l.read(waiting)
	if err != nil {
		return fmt.Errorf("read %s: %w", l.path, err)
	}
	return f(tx)
}

// Update calls f with what the ledger holds, and keeps what f puts and appends:
// all of it, or nothing if f or the disk fails. Nobody else reads or writes
// meanwhile. A damaged file is not written to.
func (l *Ledger) Update(ctx context.Context, f func(*Tx) error) error {
	waiting, cancel := l.patience(ctx)
	defer cancel()
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-waiting.Done():
		return fmt.Errorf("write %s: %w", l.path, context.Cause(waiting))
	}
	// bbolt trusts the list of free pages when it opens a file to write: it is checked before.
	if _, err := l.read(waiting); err != nil {
		return fmt.Errorf("write %s: %w", l.path, err)
	}
	return l.write(waiting, f)
}

// patience ends when the caller has had enough, or the ledger.
func (l *Ledger) patience(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, l.wait, fmt.Errorf("%w: waited %s; try again, or end the process that holds it", ErrLocked, l.wait))
}

// read loads the file, if there is one.
func (l *Ledger) read(waiting context.Context) (tx *Tx, err error) {
	missing, err := l.missing(waiting)
	if err != nil || missing {
		return newTx(), err
	}
	db, err := l.open(waiting, true)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	err = guard(func() error {
		if err := l.sound(); err != nil {
			return err
		}
		return db.View(func(bolt *bbolt.Tx) error {
			tx, err = load(bolt)
			return err
		})
	})
	return tx, err
}

func (l *Ledger) write(waiting context.Context, f func(*Tx) error) (err error) {
	failed := func(err error) error { return fmt.Errorf("write %s: %w", l.path, err) }
	dir := filepath.Dir(l.path)
	if err := os.MkdirAll(dir, disk.DirPerm); err != nil {
		return failed(disk.Explain(err))
	}
	db, err := l.open(waiting, false)
	if err != nil {
		return failed(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var bolt *bbolt.Tx
	var tx *Tx
	err = guard(func() error {
		if bolt, err = db.Begin(true); err == nil {
			tx, err = load(bolt)
		}
		return err
	})
	if bolt != nil {
		defer bolt.Rollback() //nolint:errcheck // after Commit there is nothing to take back
	}
	if err != nil {
		return failed(err)
	}
	if err := f(tx); err != nil {
		return err
	}
	err = guard(func() error {
		if err := tx.store(bolt); err != nil {
			return err
		}
		if err := bolt.Commit(); err != nil {
			return err
		}
		// The file has two heads in turn, and bbolt takes the older one if the newer is
		// damaged. A second commit lets both tell the same.
		return db.Update(func(*bbolt.Tx) error { return nil })
	})
	if err != nil {
		return failed(err)
	}
	return l.named(dir)
}

// named forces the file's name to the disk.
func (l *Ledger) named(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("write %s: %w", l.path, disk.Explain(err))
	}
	defer root.Close()
	return disk.SyncFolders(root, ".")
}

// missing reports whether there is no file. An empty one is being made this
// moment, or was cut.
func (l *Ledger) missing(waiting context.Context) (bool, error) {
	for {
		info, err := os.Stat(l.path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return true, nil
		case err != nil:
			return false, disk.Explain(err)
		case !info.Mode().IsRegular():
			return false, fmt.Errorf("%w: it is no regular file", ErrCorrupt)
		case info.Size() > 0:
			return false, nil
		}
		select {
		case <-waiting.Done():
			if err := context.Cause(waiting); !errors.Is(err, ErrLocked) {
				return false, err
			}
			return false, fmt.Errorf("%w: it is empty: restore it from a copy, or remove it if nothing was ever kept here", ErrCorrupt)
		case <-time.After(retry):
		}
	}
}

func (l *Ledger) open(waiting context.Context, readOnly bool) (*bbolt.DB, error) {
	for {
		db, err := l.try(readOnly)
		if !errors.Is(err, bolterrors.ErrTimeout) {
			return db, err
		}
		select {
		case <-waiting.Done():
			return nil, context.Cause(waiting)
		case <-time.After(retry):
		}
	}
}

// try opens the file if nobody holds it.
func (l *Ledger) try(readOnly bool) (db *bbolt.DB, err error) {
	var file *os.File
	err = guard(func() (err error) {
		db, err = bbolt.Open(l.path, disk.FilePerm, &bbolt.Options{
			ReadOnly: readOnly,
			Timeout:  time.Millisecond, // one attempt: bbolt's own wait knows no context
			OpenFile: func(name string, flag int, perm os.FileMode) (*os.File, error) {
				file, err = os.OpenFile(name, flag, perm)
				return file, err
			},
		})
		return err
	})
	if db == nil && file != nil {
		_ = file.Close() // after a panic it would stay locked; otherwise bbolt has closed it
	}
	var path *fs.PathError
	var number syscall.Errno
	switch {
	case err == nil:
		return db, nil
	case errors.Is(err, bolterrors.ErrTimeout), errors.Is(err, ErrCorrupt), errors.As(err, &path), errors.As(err, &number):
		return nil, err
	default:
		return nil, corrupt("bbolt: %v", err) // it complains about the file, not about the disk
	}
}

// guard turns what bbolt does with a damaged file into errors: it panics, or
// reads beyond the file's end, which is a fault of memory.
func guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = corrupt("bbolt: %v", r)
		}
	}()
	return disk.Explain(f())
}

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s; restore the file from a copy", ErrCorrupt, fmt.Sprintf(format, args...))
}
