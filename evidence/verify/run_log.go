package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
)

// checkLogGrowth checks that the log has grown from an older checkpoint: by the log
// itself, or by the proofs of a bundle.
func (v *verification) checkLogGrowth(ctx context.Context, older openedCheckpoint, file, what string) bool {
	switch {
	case v.packed != nil:
		return v.packed.checkGrowth(v.findings, older, file, what)
	case v.log != nil:
		return v.log.checkGrowth(ctx, v.findings, v.ring, older, file, what)
	default:
		return false
	}
}

// checkRunInLog compares a run's evidence with the log, if it is at hand.
func (v *verification) checkRunInLog(ctx context.Context, s provenEvidence) {
	if !s.covers {
		return
	}
	v.anchored = v.anchored || s.checkpoint.pinned
	if !v.checkLogGrowth(ctx, s.checkpoint, ledger.Evidence, "the run's checkpoint") {
		return
	}
	entries := []attest.Entry{s.record.Started, s.record.Finished}
	if v.packed != nil {
		v.anchored = v.anchored || v.packed.newest.pinned
		for _, e := range entries {
			v.packed.checkEntry(v.findings, e)
		}
		return
	}
	h := v.log
	h.mu.Lock()
	defer h.mu.Unlock()
	v.anchored = v.anchored || h.newest.pinned
	if hold, ok := h.tx.Get(ledger.HoldsTable, v.run); ok && !v.whole {
		v.note("run-held", ledger.RunsFolder+"/"+v.run, "assay runs release ends it", "a person keeps this run from being deleted: %s", holdText(hold))
	}
	for _, e := range entries {
		entry, err := h.tx.Entry(e.Index, h.newest.Size)
		switch {
		case err != nil:
			v.logError(err)
		case entry.Leaf != e.Leaf:
			v.entryFault(e.Index, "log-forked", e.Leaf, entry.Leaf, "the log has another entry at this place")
		}
	}
}

// holdText reports who keeps a run and why, as the ledger has it.
func holdText(record []byte) string {
	var h ledger.Hold
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
	for e, err := range h.tx.Events(v.run) {
		if err != nil {
			v.logError(err)
			return s, nil
		}
		if e.Record == v.run {
			s.add(e)
		}
	}
	return s, ctx.Err()
}
