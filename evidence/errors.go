package evidence

import (
	"errors"
	"fmt"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
)

// These are the errors that callers of this package distinguish.
var (
	ErrNotFound = errors.New("no such run or artefact")
	ErrCorrupt  = errors.New("stored evidence is damaged")
	ErrFinished = errors.New("the run is finished: start a new one with run_start")
	ErrDiskFull = disk.ErrFull
	ErrReadOnly = disk.ErrReadOnly

	ErrRolledBack = ledger.ErrRolledBack
	ErrKeyLost    = ledger.ErrKeyLost
	ErrKey        = ledger.ErrKey
)

// CorruptError names the file whose bytes are not the ones that were stored.
// It is an [ErrCorrupt].
type CorruptError struct {
	Run  string // run id
	File string // name within the run
	Want string // digest of what was stored; empty when none was recorded
	Got  string // digest of what is there; empty when it could not be computed
	Why  string // in words
}

func (e *CorruptError) Error() string {
	msg := fmt.Sprintf("%v: run %s: %s: %s", ErrCorrupt, e.Run, e.File, e.Why)
	if e.Want != "" && e.Got != "" {
		msg += fmt.Sprintf(": SHA-256 was %s when it was stored, is %s now", e.Want, e.Got)
	}
	return msg + "; restore the run's folder from a copy, or repeat the run"
}

// Unwrap makes errors.Is(err, ErrCorrupt) hold.
func (e *CorruptError) Unwrap() error { return ErrCorrupt }
