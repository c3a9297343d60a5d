package verify

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
)

const restoreLog = "put back the newest copy of the whole data folder; what was appended since is lost, and every run that says so is to be repeated"

// openedLog holds the log of a data folder as it was at one moment. It is read again for a run that
// was finished since.
type openedLog struct {
	ledger *ledger.Ledger
	mu     sync.Mutex // tx reads its pieces on demand
	tx     *ledger.Tx
	newest openedCheckpoint
	signed bool // newest is signed by a known key, and is the tree that is there
}

// openLog reads the log. The file beside it is read before it, so that a log
// that grows meanwhile is never behind.
func openLog(ctx context.Context, dir string) (*openedLog, error) {
	h := &openedLog{ledger: ledger.Open(dir, func() time.Time { return time.Time{} }, ledger.Options{})}
	err := h.look(ctx)
	return h, err
}

func (h *openedLog) look(ctx context.Context) error {
	return h.ledger.View(ctx, func(tx *ledger.Tx) error {
		h.tx = tx
		return nil
	})
}

// logError adds a finding of why the log can't be used.
func (s *findings) logError(err error) {
	var lost *ledger.LostError
	switch {
	case errors.As(err, &lost) && errors.Is(err, ledger.ErrCorrupt):
		s.add(Finding{Code: "log-damaged", Severity: Fault, File: lost.File, Entry: &lost.First, Problem: fmt.Sprintf("entries of the log are lost: %v", err), Next: restoreLog})
	case s.alike["keys-changed"]+s.alike["keys-missing"] > 0:
		s.unseen("log-unreadable", ledger.Keys, "put the file back from a copy", "the log was not looked at, as its list of keys is not as it was written: %v", err)
	case errors.Is(err, ledger.ErrLocked):
		s.unseen("log-locked", ledger.Database, "verify again when the other program has ended", "the log could not be looked at: %v", err)
	case errors.Is(err, ledger.ErrCorrupt):
		s.fault("log-damaged", ledger.Database, restoreLog, "the log is damaged: %v", err)
	default:
		s.unseen("log-unreadable", ledger.Database, "fix what keeps the file from being read, and verify again", "the log could not be read: %v", err)
	}
}

// checkNewest checks the log's newest checkpoint against its entries. Its caller
// holds the lock.
func (h *openedLog) checkNewest(found *findings, ring *keyRing) {
	h.signed = false
	signed := h.tx.Checkpoint()
	switch {
	case h.tx.Size() == 0 && signed == nil:
		return
	case signed == nil:
		found.unseen("log-unsigned", ledger.Database, "the next run or decision signs it: verify then", "an older version wrote the log, and it is not signed yet")
		return
	}
	h.newest, h.signed = ring.open(found, signed, ledger.Database, "the newest checkpoint of the log")
	if !h.signed {
		return
	}
	root, err := h.tx.Root(h.tx.Size())
	switch {
	case err != nil:
		found.logError(err)
		h.signed = false
	case h.newest.Size != h.tx.Size() || h.newest.Root != root:
		found.add(Finding{Code: "log-forked", Severity: Fault, File: ledger.Database, Expected: fmt.Sprintf("%d entries, root %x", h.newest.Size, h.newest.Root[:]),
			Found: fmt.Sprintf("%d entries, root %x", h.tx.Size(), root[:]), Problem: "the entries of the log are not those that were signed", Next: restoreLog})
		h.signed = false
	}
}

// checkGrowth checks that the log has grown from an older checkpoint.
func (h *openedLog) checkGrowth(ctx context.Context, found *findings, ring *keyRing, older openedCheckpoint, file, what string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	empty := h.tx.Size() == 0
	if (h.signed || empty) && older.Size > h.tx.Size() { // it may have grown since it was read
		if err := h.look(ctx); err != nil {
			found.logError(err)
			return false
		}
		h.checkNewest(found, ring)
		empty = h.tx.Size() == 0
	}
	if !h.signed && !empty || older.Size == 0 && empty { // the first is already reported; an empty log has no signature
		return false
	}
	if older.Size > h.tx.Size() {
		found.add(Finding{Code: "log-rolled-back", Severity: Fault, File: file, Expected: fmt.Sprintf("%d entries or more", older.Size), Found: fmt.Sprintf("%d entries", h.tx.Size()),
			Problem: "the log had more entries when " + what + " was signed: it was rolled back, or replaced by an older copy", Next: restoreLog})
		return false
	}
	proof, err := h.tx.Growth(older.Size, h.newest.Size)
	if err != nil {
		found.logError(err)
		return false
	}
	if err := attest.CheckGrowth(older.Checkpoint, h.newest.Checkpoint, proof); err != nil {
		found.fault("log-forked", file, restoreLog, "the log has not grown from %s: %v", what, err)
		return false
	}
	return true
}
