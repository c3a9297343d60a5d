package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/internal/disk"
)

// ErrRolledBack marks a database that does not continue the checkpoint in log/checkpoint.
var ErrRolledBack = errors.New("assay.db is older than log/checkpoint says, or another one: put back the newer assay.db; if it is " +
	"lost, move assay.db and the folder log away together: a new log begins")

// checkpointCopy manages the copy of the checkpoint outside the database.
type checkpointCopy struct {
	text []byte
	err  error
}

// CheckpointCopy returns what was in log/checkpoint when the database was read, with
// no writer in between; nil: there is no such file.
func (t *Tx) CheckpointCopy() ([]byte, error) { return t.published.text, t.published.err }

// readCheckpointCopy reads the copy. That it is missing is no error: a writer that was
// killed before it first wrote one leaves none, and whoever takes it away could
// as well put an older one there. What it proves, copies elsewhere prove better.
func (l *Ledger) readCheckpointCopy() checkpointCopy {
	root, err := os.OpenRoot(l.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return checkpointCopy{}
	}
	if err != nil {
		return checkpointCopy{err: disk.Explain(err)}
	}
	defer root.Close()
	text, err := disk.Read(root, Checkpoint, maxSmall)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return checkpointCopy{}
	case errors.Is(err, disk.ErrNotRegular), errors.Is(err, disk.ErrTooLong):
		return checkpointCopy{err: badCheckpointCopy(err)}
	case err != nil:
		return checkpointCopy{err: fmt.Errorf("read %s: %w", Checkpoint, disk.Explain(err))}
	default:
		return checkpointCopy{text: text}
	}
}

// openCheckpointCopy opens the copy, before the commit: what forbids to write it is known
// by then. It returns nil where there is none that can be written in place.
func openCheckpointCopy(root *os.Root, tx *Tx) (*os.File, error) {
	if was := len(tx.published.text); was == 0 || was > len(tx.signed) {
		return nil, nil
	}
	file, err := root.OpenFile(Checkpoint, os.O_WRONLY, 0)
	return file, disk.Explain(err)
}

// writeCheckpointCopy writes the copy, in place: to replace the file would take longer than
// all the rest of an event. That is safe as it fits a sector and others read it
// under the database's lock. After a power cut it may be older: it isn't synced.
func writeCheckpointCopy(root *os.Root, file *os.File, tx *Tx) error {
	if file == nil {
		return disk.Write(root, Checkpoint, tx.signed)
	}
	_, err := file.WriteAt(tx.signed, 0)
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("write %s: %w", Checkpoint, disk.Explain(err))
	}
	return nil
}

// badCheckpointCopy returns the error for a copy that this program did not write.
func badCheckpointCopy(why error) error {
	return fmt.Errorf("%w: %s: %w; put it back from a copy, or look at the log with assay verify --all and then remove the file: the next event writes it anew", ErrCorrupt, Checkpoint, why)
}

// checkCheckpoint fails unless the checkpoint in the database is signed by one of log/keys
// and is over just the events that are there.
func (l *Ledger) checkCheckpoint(tx *Tx) error {
	if tx.signed == nil && (tx.Size() == 0 || tx.unsigned && tx.published.text == nil) {
		return nil
	}
	trust, err := l.Trust()
	if errors.Is(err, fs.ErrNotExist) {
		return corrupt("%s is missing, which tells whose signatures count", Keys)
	}
	if err != nil {
		return err
	}
	point, _, err := trust.OpenCheckpoint(tx.signed)
	if err != nil {
		return corrupt("its %v", err)
	}
	if point.Size != tx.Size() {
		return corrupt("it holds %d events, and not the %d that were signed", tx.Size(), point.Size)
	}
	root, err := tx.Root(tx.Size())
	if err != nil {
		return err
	}
	if root != point.Root {
		return corrupt("its %d events are not those that were signed", point.Size)
	}
	tx.covered = point.Size
	return nil
}

// checkContinuation fails with [ErrRolledBack] unless the database is what log/checkpoint
// was signed over, or grew from it. A crash before the copy was replaced leaves
// an older one, which the next event corrects.
func (l *Ledger) checkContinuation(tx *Tx) error {
	text, err := tx.CheckpointCopy()
	if err != nil || text == nil || bytes.Equal(text, tx.signed) {
		return err
	}
	copied, err := attest.ReadCheckpoint(text)
	if err != nil {
		return badCheckpointCopy(err)
	}
	if tx.Size() == 0 {
		return fmt.Errorf("%w: it is gone or empty, and had %d events", ErrRolledBack, copied.Size)
	}
	held, err := attest.ReadCheckpoint(tx.signed)
	if err != nil {
		return err
	}
	if copied.Origin != held.Origin {
		return fmt.Errorf("%w: it is log %q, and was %q", ErrRolledBack, held.Origin, copied.Origin)
	}
	trust, err := l.Trust()
	if err != nil {
		return err
	}
	if _, _, err := trust.OpenCheckpoint(text); err != nil {
		return badCheckpointCopy(err)
	}
	if copied.Size > tx.Size() {
		return fmt.Errorf("%w: it has %d events, and had %d", ErrRolledBack, tx.Size(), copied.Size)
	}
	root, err := tx.Root(copied.Size)
	if err != nil {
		return err
	}
	if root != copied.Root {
		return fmt.Errorf("%w: its first %d events are others", ErrRolledBack, copied.Size)
	}
	return nil
}
