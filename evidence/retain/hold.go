// Package retain deletes what is old enough, and nothing else: runs by their
// age, blobs that nothing needs, leftovers of writers that were killed. The log
// tells what goes before it goes. What a person holds stays.
package retain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
)

// These are the errors that callers distinguish. Others are of the disk, or of
// the ledger.
var (
	ErrNoRun        = errors.New("no such run")
	ErrHeld         = errors.New("it is held already")
	ErrNotHeld      = errors.New("it is not held")
	ErrDeleted      = errors.New("its deletion is in the log already: assay runs prune finishes it")
	ErrClock        = errors.New("nothing was deleted: the clock may be wrong")
	ErrPruneRequest = errors.New("can't be asked for")
)

// pendingTable has what the log says is deleted, and may still be there.
const pendingTable = "deletions"

const day = 24 * time.Hour

// Options say what may be deleted.
type Options struct {
	Days int // what is younger stays, whatever is asked for; at least 1
	// Damage returns what is wrong with the files of a run, in a few words; empty:
	// nothing.
	Damage func(ctx context.Context, run string) (string, error)
	// Uses returns the blobs that records name, each with the time since when
	// it is not needed any more; zero if it is needed.
	Uses func(*ledger.Tx) (map[string]time.Time, error)
}

// Keeper decides what stays in a data folder. Several processes may use the
// same folder.
type Keeper struct {
	dir     string
	ledger  *ledger.Ledger
	blobs   *ledger.BlobStore
	now     func() time.Time
	options Options
}

// Open returns the keeper of a data folder and its ledger. Nothing is written
// before something is to be deleted or held.
func Open(dir string, l *ledger.Ledger, now func() time.Time, o Options) (*Keeper, error) {
	if dir == "" || l == nil || now == nil || o.Damage == nil || o.Uses == nil {
		return nil, errors.New("open the data folder: a folder, its ledger, a clock, and who knows of damage and use are needed")
	}
	if o.Days < 1 {
		return nil, fmt.Errorf("keep evidence for %d days: %w: at least 1 is needed", o.Days, ErrPruneRequest)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", dir, err)
	}
	return &Keeper{dir: abs, ledger: l, blobs: ledger.OpenBlobs(abs), now: now, options: o}, nil
}

// Hold keeps a run until a person releases it.
type Hold = ledger.Hold

// Hold keeps a run from being deleted, as a person decided, until it is released.
func (k *Keeper) Hold(ctx context.Context, run, by, reason string) (Hold, error) {
	failed := func(err error) (Hold, error) { return Hold{}, fmt.Errorf("hold run %q: %w", run, err) }
	by, reason, err := personWords(by, reason)
	if err != nil {
		return failed(err)
	}
	if err := k.checkRunExists(run); err != nil {
		return failed(err)
	}
	h := Hold{By: by, Reason: reason, Time: k.now().UTC()}
	record, err := json.Marshal(h)
	if err != nil {
		return failed(err)
	}
	err = k.ledger.Update(ctx, func(tx *ledger.Tx) error {
		if _, gone := tx.Get(pendingTable, runKey(run)); gone {
			return ErrDeleted
		}
		if err := k.checkRunExists(run); err != nil { // another process may have deleted it since
			return err
		}
		switch there, held, err := holdOf(tx, run); {
		case err != nil:
			return err
		case held:
			return fmt.Errorf("%w by %q since %s: %q", ErrHeld, there.By, there.Time.Format(time.DateOnly), there.Reason)
		}
		_, err := tx.Append(ledger.Event{Actor: personActor(by), Action: ledger.RunHeld, Record: run, Subject: []string{}, Reason: reason})
		return errors.Join(err, tx.Put(ledger.HoldsTable, run, record))
	})
	if err != nil {
		return failed(err)
	}
	return h, nil
}

// Release ends a hold, as a person decided. It returns the hold that was.
func (k *Keeper) Release(ctx context.Context, run, by, reason string) (Hold, error) {
	failed := func(err error) (Hold, error) { return Hold{}, fmt.Errorf("release run %q: %w", run, err) }
	by, reason, err := personWords(by, reason)
	if err != nil {
		return failed(err)
	}
	if !ledger.ValidRun(run) {
		return failed(fmt.Errorf("%w: it is no run id", ErrNoRun))
	}
	var was Hold
	held := func(tx *ledger.Tx) error {
		there, held, err := holdOf(tx, run)
		if err != nil || !held {
			return errors.Join(err, ErrNotHeld)
		}
		was = there
		return nil
	}
	if err := k.ledger.View(ctx, held); err != nil { // before a ledger is made for nothing
		return failed(err)
	}
	err = k.ledger.Update(ctx, func(tx *ledger.Tx) error {
		if err := held(tx); err != nil {
			return err
		}
		tx.Delete(ledger.HoldsTable, run)
		_, err = tx.Append(ledger.Event{Actor: personActor(by), Action: ledger.RunReleased, Record: run, Subject: []string{}, Reason: reason})
		return err
	})
	if err != nil {
		return failed(err)
	}
	return was, nil
}

// holdOf returns a run's hold. One that can't be read still holds: it is an
// error.
func holdOf(tx *ledger.Tx, run string) (Hold, bool, error) {
	data, held := tx.Get(ledger.HoldsTable, run)
	if !held {
		return Hold{}, false, nil
	}
	var h Hold
	if err := json.Unmarshal(data, &h); err != nil {
		return h, true, fmt.Errorf("%w: the hold of run %s: %w", disk.ErrDamaged, run, err)
	}
	return h, true, nil
}

func personActor(by string) ledger.Actor { return ledger.Actor{Kind: "human", ID: by} }

// checkRunExists fails unless the run has a folder.
func (k *Keeper) checkRunExists(run string) error {
	if !ledger.ValidRun(run) {
		return fmt.Errorf("%w: it is no run id", ErrNoRun)
	}
	runs, err := k.openRuns()
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNoRun
	}
	if err != nil {
		return err
	}
	defer runs.Close()
	folder, err := disk.OpenFolder(runs, run)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ErrNoRun
	case errors.Is(err, disk.ErrNoFolder):
		return fmt.Errorf("%w: what has its name is no folder", ErrNoRun)
	case err != nil:
		return disk.Explain(err)
	}
	return folder.Close()
}

// openRuns opens the folder of runs; all of a run is reached through it, so
// that no symbolic link leads outside. A link to elsewhere in its own place is refused:
// another data folder's log would not tell what went.
func (k *Keeper) openRuns() (*os.Root, error) {
	root, err := os.OpenRoot(k.dir)
	if err != nil {
		return nil, fmt.Errorf("open runs: %w", disk.Explain(err))
	}
	defer root.Close()
	runs, err := root.OpenRoot(ledger.RunsFolder)
	if err != nil {
		return nil, fmt.Errorf("open runs: %w", disk.Explain(err))
	}
	return runs, nil
}

// personWords returns a person's words without the spaces around them. It refuses
// what can't be printed on one line.
func personWords(by, reason string) (string, string, error) {
	by, reason = strings.TrimSpace(by), strings.TrimSpace(reason)
	return by, reason, errors.Join(ledger.CheckPrintable("printed name", by, ledger.MaxBy), ledger.CheckPrintable("reason", reason, ledger.MaxReason))
}
