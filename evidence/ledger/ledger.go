// Package ledger keeps sealed records and an append-only list of events in one
// file that several processes share. What it cannot verify as a whole it does
// not hand out in part, and does not write to.
//
// # Blobs
//
// [BlobStore] keeps bytes under their SHA-256, a file each. It hands out nothing that
// it has not checked against its name.
//
// # Paths
//
// The names of the files of a data folder and of a run stand here, once for all who
// write, read, bundle, verify or delete them.
package ledger

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/wait"
)

// Errors that callers distinguish. Others are of the disk, or of a context.
var (
	ErrLocked  = errors.New("another process holds the store")
	ErrCorrupt = disk.ErrDamaged
)

// DefaultWait bounds how long an operation waits for its turn where nothing else
// is said.
const DefaultWait = 3 * time.Second

// lockRetryPause sets the pause between two attempts to lock the file.
const lockRetryPause = 5 * time.Millisecond

// Ledger stores records and events in one file. It is open only while one operation lasts. It is
// safe for concurrent use, and several processes may use the same file.
type Ledger struct {
	dir, path string
	blobs     *BlobStore
	options   Options
	now       func() time.Time
	turn      *wait.Places // one writer of this process at a time; others wait for the file's lock
	writer    string       // random name of this process in events
	begun     time.Time    // when this process opened it, on the clock that only goes forward
}

// Options say how a ledger is worked with. The zero value will do.
type Options struct {
	Wait time.Duration // for others to leave the file; 0: [DefaultWait]
	// Key returns the signing key where it isn't the file log/key, such as from a
	// store of secrets; nil: the file, which is made at first use.
	Key func() (string, error)
}

// Open returns the ledger of a data folder: assay.db, and beside it the folder
// log with the signing key, the verifier keys and a copy of the newest
// checkpoint. Nothing is written before the first Update.
func Open(dir string, now func() time.Time, o Options) *Ledger {
	if o.Wait <= 0 {
		o.Wait = DefaultWait
	}
	return &Ledger{dir: dir, path: filepath.Join(dir, Database), blobs: OpenBlobs(dir), options: o, now: now, turn: wait.NewPlaces(1), writer: strings.ToLower(rand.Text()[:10]), begun: now()}
}

// View calls f with what the ledger holds, after all of it was checked. f may
// take its time: the file is closed again by then.
func (l *Ledger) View(ctx context.Context, f func(*Tx) error) error {
	waiting, cancel := l.withTimeout(ctx)
	defer cancel()
	tx := newTx(ctx, l.blobs)
	tx.published = l.readCheckpointCopy() // in case there is no database
	if err := l.read(waiting, func(bolt *bbolt.Tx) error { return l.load(tx, bolt) }); err != nil {
		return fmt.Errorf("read %s: %w", l.path, err)
	}
	return f(tx)
}

// Update calls f with what the ledger holds, and keeps what f puts and appends:
// all of it, or nothing if f or the disk fails. No other process reads or writes
// meanwhile. A damaged file is not written to.
func (l *Ledger) Update(ctx context.Context, f func(*Tx) error) error {
	tx := newTx(ctx, l.blobs)
	if l.options.Key != nil {
		// A store of secrets may take long: it is read before the lock is taken.
		text, err := l.options.Key()
		tx.key = func() (string, error) { return text, err }
	}
	waiting, cancel := l.withTimeout(ctx)
	defer cancel()
	if l.turn.Take(waiting) != nil {
		return fmt.Errorf("write %s: %w", l.path, context.Cause(waiting))
	}
	defer l.turn.Give()
	// bbolt doesn't check the list of free pages when it opens a file to
	// write: it is checked before.
	err := l.read(waiting, func(*bbolt.Tx) error { return nil })
	var refused error
	if err == nil {
		err = l.write(waiting, tx, func(tx *Tx) error {
			refused = f(tx)
			return refused
		})
	}
	if err != nil && refused == nil {
		return fmt.Errorf("write %s: %w", l.path, err)
	}
	return err
}

// withTimeout ends when the caller has had enough, or the ledger.
func (l *Ledger) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, l.options.Wait, fmt.Errorf("%w: waited %s; try again, or end the process that holds it", ErrLocked, l.options.Wait))
}

// read calls f with the file, if there is one, once its pages are known to be
// sound.
func (l *Ledger) read(waiting context.Context, f func(*bbolt.Tx) error) (err error) {
	missing, err := l.isMissing(waiting)
	if err != nil || missing {
		return err
	}
	db, err := l.open(waiting, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return recoverDamage(func() error {
		if err := l.checkPages(); err != nil {
			return err
		}
		return db.View(f)
	})
}

// load fills tx, and checks what it holds against its checkpoint. The copy of
// that is read while the file is locked: writers replace both together.
func (l *Ledger) load(tx *Tx, bolt *bbolt.Tx) error {
	tx.published = l.readCheckpointCopy()
	if err := tx.load(bolt); err != nil {
		return err
	}
	return l.checkCheckpoint(tx)
}

// write does an update. Until the commit every failure leaves all as it was. A
// failure after it is rare, as what is left to do needs no room on the disk;
// then an error comes back though what f did is kept, and the copy in
// log/checkpoint is older than it could be, which the next event corrects.
func (l *Ledger) write(waiting context.Context, tx *Tx, f func(*Tx) error) (err error) {
	if err := disk.MakeDataFolder(l.dir); err != nil {
		return err
	}
	db, err := l.open(waiting, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var bolt *bbolt.Tx
	err = recoverDamage(func() error {
		if bolt, err = db.Begin(true); err == nil {
			err = l.load(tx, bolt)
		}
		return err
	})
	if bolt != nil {
		defer bolt.Rollback() //nolint:errcheck // after Commit there is nothing to take back
	}
	if err == nil {
		err = l.checkContinuation(tx)
	}
	if err != nil {
		return err
	}
	now := l.now()
	tx.now, tx.mono, tx.writer = now.UTC().Round(0), now.Sub(l.begun).Milliseconds(), l.writer
	if err := f(tx); err != nil {
		return err
	}
	return l.signAndStore(tx, db, bolt)
}

// signAndStore signs and stores what f did.
func (l *Ledger) signAndStore(tx *Tx, db *bbolt.DB, bolt *bbolt.Tx) error {
	root, err := os.OpenRoot(l.dir)
	if err != nil {
		return disk.Explain(err)
	}
	defer root.Close()
	grown := tx.uncovered()
	var file *os.File
	if grown {
		if err := l.sign(tx); err != nil {
			return err
		}
		if err := l.checkCheckpoint(tx); err != nil {
			return err
		}
		if file, err = openCheckpointCopy(root, tx); err != nil {
			return err
		}
		defer file.Close() //nolint:errcheck // writeCheckpointCopy has closed it, or nothing was written
	}
	err = recoverDamage(func() error {
		if err := tx.store(bolt); err != nil {
			return err
		}
		if err := bolt.Commit(); err != nil {
			return err
		}
		// The file has two heads in turn, and bbolt takes the older one if the newer is
		// damaged. A second commit makes both say the same.
		return db.Update(func(*bbolt.Tx) error { return nil })
	})
	if err == nil && grown {
		err = writeCheckpointCopy(root, file, tx)
	}
	if err != nil {
		return err
	}
	return disk.SyncFolders(root, ".") // the file's name
}

// isMissing reports whether there is no file. An empty one is being made this
// moment, or was cut.
func (l *Ledger) isMissing(waiting context.Context) (bool, error) {
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
		if wait.For(waiting, lockRetryPause) == nil {
			continue
		}
		if err := context.Cause(waiting); !errors.Is(err, ErrLocked) {
			return false, err
		}
		return false, fmt.Errorf("%w: it is empty: restore it from a copy, or remove it if nothing was ever kept here", ErrCorrupt)
	}
}

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s; restore the file from a copy", ErrCorrupt, fmt.Sprintf(format, args...))
}
