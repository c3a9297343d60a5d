package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/paths"
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

// reportLogError reports why the log can't be used.
func (v *verification) reportLogError(err error) {
	var lost *ledger.LostError
	switch {
	case errors.As(err, &lost) && errors.Is(err, ledger.ErrCorrupt):
		v.add(Finding{Code: "log-damaged", Severity: Fault, File: lost.File, Entry: &lost.First, Problem: fmt.Sprintf("entries of the log are lost: %v", err), Next: restoreLog})
	case v.alike["keys-changed"]+v.alike["keys-missing"] > 0:
		v.unseen("log-unreadable", paths.Keys, "put the file back from a copy", "the log was not looked at, as its list of keys is not as it was written: %v", err)
	case errors.Is(err, ledger.ErrLocked):
		v.unseen("log-locked", paths.Database, "verify again when the other program has ended", "the log could not be looked at: %v", err)
	case errors.Is(err, ledger.ErrCorrupt):
		v.fault("log-damaged", paths.Database, restoreLog, "the log is damaged: %v", err)
	default:
		v.unseen("log-unreadable", paths.Database, "fix what keeps the file from being read, and verify again", "the log could not be read: %v", err)
	}
}

// checkNewestCheckpoint checks the log's newest checkpoint against its entries. Its caller
// holds the lock.
func (v *verification) checkNewestCheckpoint(h *openedLog) {
	h.signed = false
	signed := h.tx.Checkpoint()
	switch {
	case h.tx.Size() == 0 && signed == nil:
		return
	case signed == nil:
		v.unseen("log-unsigned", paths.Database, "the next run or decision signs it: verify then", "an older version wrote the log, and it is not signed yet")
		return
	}
	h.newest, h.signed = v.openCheckpoint(signed, paths.Database, "the newest checkpoint of the log")
	if !h.signed {
		return
	}
	root, err := h.tx.Root(h.tx.Size())
	switch {
	case err != nil:
		v.reportLogError(err)
		h.signed = false
	case h.newest.Size != h.tx.Size() || h.newest.Root != root:
		v.add(Finding{Code: "log-forked", Severity: Fault, File: paths.Database, Expected: fmt.Sprintf("%d entries, root %x", h.newest.Size, h.newest.Root[:]),
			Found: fmt.Sprintf("%d entries, root %x", h.tx.Size(), root[:]), Problem: "the entries of the log are not those that were signed", Next: restoreLog})
		h.signed = false
	}
}

// checkLogGrowth checks that the log has grown from an older checkpoint.
func (v *verification) checkLogGrowth(ctx context.Context, older openedCheckpoint, file, what string) bool {
	h := v.log
	switch {
	case v.packed != nil:
		return v.packed.checkGrowth(v, older, file, what)
	case h == nil:
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	empty := h.tx.Size() == 0
	if (h.signed || empty) && older.Size > h.tx.Size() { // it may have grown since it was read
		if err := h.look(ctx); err != nil {
			v.reportLogError(err)
			return false
		}
		v.checkNewestCheckpoint(h)
		empty = h.tx.Size() == 0
	}
	if !h.signed && !empty || older.Size == 0 && empty { // the first is already reported; an empty log has no signature
		return false
	}
	if older.Size > h.tx.Size() {
		v.add(Finding{Code: "log-rolled-back", Severity: Fault, File: file, Expected: fmt.Sprintf("%d entries or more", older.Size), Found: fmt.Sprintf("%d entries", h.tx.Size()),
			Problem: "the log had more entries when " + what + " was signed: it was rolled back, or replaced by an older copy", Next: restoreLog})
		return false
	}
	proof, err := h.tx.Growth(older.Size, h.newest.Size)
	if err != nil {
		v.reportLogError(err)
		return false
	}
	if err := attest.CheckGrowth(older.Checkpoint, h.newest.Checkpoint, proof); err != nil {
		v.fault("log-forked", file, restoreLog, "the log has not grown from %s: %v", what, err)
		return false
	}
	return true
}

// checkRunInLog compares a run's evidence with the log, if it is at hand.
func (v *verification) checkRunInLog(ctx context.Context, s provenEvidence) {
	if !s.covers {
		return
	}
	v.anchored = v.anchored || s.checkpoint.pinned
	if !v.checkLogGrowth(ctx, s.checkpoint, paths.Evidence, "the run's checkpoint") {
		return
	}
	entries := []attest.Entry{s.record.Started, s.record.Finished}
	if v.packed != nil {
		v.anchored = v.anchored || v.packed.newest.pinned
		for _, e := range entries {
			v.packed.checkEntry(v, e)
		}
		return
	}
	h := v.log
	h.mu.Lock()
	defer h.mu.Unlock()
	v.anchored = v.anchored || h.newest.pinned
	if hold, ok := h.tx.Get(paths.HoldsTable, v.run); ok && !v.whole {
		v.note("run-held", paths.Runs+"/"+v.run, "assay runs release ends it", "a person keeps this run from being deleted: %s", holdText(hold))
	}
	for _, e := range entries {
		entry, err := h.tx.Entry(e.Index, h.newest.Size)
		switch {
		case err != nil:
			v.reportLogError(err)
		case entry.Leaf != e.Leaf:
			v.entryFault(e.Index, "log-forked", e.Leaf, entry.Leaf, "the log has another entry at this place")
		}
	}
}

// holdText reports who keeps a run and why, as the ledger has it.
func holdText(record []byte) string {
	var h struct {
		By, Reason string
		Time       time.Time
	}
	if err := json.Unmarshal(record, &h); err != nil {
		return strconv.Quote(string(record))
	}
	return fmt.Sprintf("%q since %s: %q", h.By, h.Time.Format(time.DateOnly), h.Reason)
}

// runEvents holds the log's entries about one run.
type runEvents struct {
	started, finished, deleted bool
	index                      int64  // of the last entry about it
	first                      string // SHA-256 of the event log's first line
	status                     string
}

func (s *runEvents) add(e ledger.Event) {
	s.index = e.Seq - 1
	switch e.Action {
	case ledger.RunStarted:
		s.started = true
		if len(e.Subject) == 1 {
			s.first = e.Subject[0]
		}
	case ledger.RunFinished:
		s.finished, s.status = true, e.Reason
	case ledger.RunDeleted:
		s.deleted = true
	}
}

// readRunEvents goes through the whole log, once, for a run that brings no entries.
func (v *verification) readRunEvents(ctx context.Context) (runEvents, error) {
	var s runEvents
	if v.stories != nil {
		return v.stories[v.run], nil
	}
	h := v.log
	if h == nil {
		return s, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for leaf, err := range h.tx.Leaves() {
		if err != nil {
			v.reportLogError(err)
			return s, nil
		}
		if ctx.Err() != nil {
			return s, context.Cause(ctx)
		}
		var e ledger.Event
		if bytes.Contains(leaf, []byte(v.run)) && json.Unmarshal(leaf, &e) == nil && e.Record == v.run {
			s.add(e)
		}
	}
	return s, nil
}
