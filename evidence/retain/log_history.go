package retain

import (
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
)

// logHistory holds the log's entries about the runs and blobs that exist.
type logHistory struct {
	first, last time.Time // of its first and its last entry; zero while it is empty
	runs        map[string]runHistory
	named       map[string]bool // blobs that an entry names, of those asked for
	deleted     map[string]bool // keys of what was deleted, as pending deletions have them
}

// runHistory holds the log's entries about one run.
type runHistory struct {
	last      time.Time // of the newest entry of its own
	statement string    // SHA-256 of what was stated when it finished
	held      *Hold     // nil: it is not held
}

// readLogHistory reads the whole log, and keeps what is about the given runs and blobs.
func readLogHistory(tx *ledger.Tx, runs []inspectedRun, blobs map[string]bool) (logHistory, error) {
	h := logHistory{runs: map[string]runHistory{}, named: map[string]bool{}, deleted: map[string]bool{}}
	for _, r := range runs {
		h.runs[r.id] = runHistory{}
	}
	for e, err := range tx.Events("") {
		if err != nil {
			return h, err
		}
		if e.Seq == 1 {
			h.first = e.UTC
		}
		h.last = e.UTC
		h.add(e, blobs)
	}
	return h, nil
}

func (h *logHistory) add(e ledger.Event, blobs map[string]bool) {
	if p, known := h.runs[e.Record]; known && (e.Action == ledger.RunStarted || e.Action == ledger.RunFinished) {
		p.last = later(p.last, e.UTC) // a hold makes no run younger
		if e.Action == ledger.RunFinished && len(e.Subject) > 0 {
			p.statement = e.Subject[0]
		}
		h.runs[e.Record] = p
	}
	h.decide(e)
	if e.Action == ledger.BlobDeleted {
		return
	}
	for _, digests := range [][]string{e.Subject, e.Previous} {
		for _, d := range digests {
			if _, asked := blobs[d]; asked {
				h.named[d] = true
			}
		}
	}
}

// decide takes in what a person decided. The records of it in the database are
// not signed, the log is.
func (h *logHistory) decide(e ledger.Event) {
	switch e.Action {
	case ledger.RunHeld, ledger.RunReleased:
		p, known := h.runs[e.Record]
		if !known {
			return
		}
		p.held = nil
		if e.Action == ledger.RunHeld {
			p.held = &Hold{By: e.Actor.ID, Reason: e.Reason, Time: e.UTC}
		}
		h.runs[e.Record] = p
	case ledger.RunDeleted:
		h.deleted[runKey(e.Record)] = true
	case ledger.BlobDeleted:
		for _, digest := range e.Subject {
			h.deleted[blobKey(digest)] = true
		}
	}
}
