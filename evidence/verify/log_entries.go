package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/text"
)

// logEntries sums up all entries of the log.
type logEntries struct {
	log       *openedLog // nil: not at hand
	ring      *keyRing
	size      int64 // entries read
	partial   bool  // not all could be read
	runs      map[string]runEvents
	baselines map[string]ledger.Event // the last about each version
	blobs     map[string]int64        // digest → index of the entry that names it; those that were deleted are out
	holds     map[string]ledger.Event // of runs that a person keeps
	keys      []ledger.Event          // that took over
	writers   map[string]ledger.Event // the last of each
	last      ledger.Event
	back      int // entries whose time is before the one above
	backAt    int64
	backBy    time.Duration
}

// readLog reads every entry of the log, and computes its root anew.
func readLog(ctx context.Context, found *findings, ring *keyRing, log *openedLog) (*logEntries, error) {
	p := &logEntries{log: log, ring: ring, runs: map[string]runEvents{}, baselines: map[string]ledger.Event{},
		blobs: map[string]int64{}, holds: map[string]ledger.Event{}, writers: map[string]ledger.Event{}}
	if log == nil {
		p.partial = true
		return p, nil
	}
	var t tree
	for leaf, err := range log.tx.Leaves() {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			p.partial = true
			found.logError(err)
			var lost *ledger.LostError
			if errors.As(err, &lost) { // it goes on after them
				p.size = lost.Last + 1
			}
			continue
		}
		t.add(leaf)
		p.add(found, string(leaf))
	}
	found.report.Entries += t.size
	if newest := log.newest; log.signed && !p.partial {
		if root := t.root(); t.size != newest.Size || root != newest.Root {
			found.add(Finding{Code: "log-forked", Severity: Fault, File: ledger.Database, Expected: fmt.Sprintf("%d entries, root %x", newest.Size, newest.Root[:]),
				Found: fmt.Sprintf("%d entries, root %x", t.size, root[:]), Problem: "the entries of the log are not those that were signed", Next: restoreLog})
		}
		found.report.Checkpoint = string(log.tx.Checkpoint())
	}
	if p.back > 0 {
		found.add(Finding{Code: "clock-back", Severity: Note, File: ledger.Database, Entry: &p.backAt,
			Problem: fmt.Sprintf("the clock was set back %s, at this entry first, by %s in all", text.Count(p.back, "time"), p.backBy),
			Next:    "the order of the entries is proved, their times are the machine's own"})
	}
	p.checkHolds(found)
	ring.checkOrder(found, p)
	return p, nil
}

// readAppended reads what was appended since.
func (p *logEntries) readAppended(ctx context.Context, found *findings) error {
	h := p.log
	if h == nil || p.partial {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.look(ctx); err != nil {
		found.logError(err)
		return nil
	}
	h.checkNewest(found, p.ring)
	for h.signed && p.size < h.newest.Size {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		leaf, err := h.tx.Leaf(p.size)
		if err != nil {
			found.logError(err)
			return nil
		}
		p.add(found, string(leaf))
	}
	return nil
}

// add takes in the next entry.
func (p *logEntries) add(found *findings, leaf string) {
	index := p.size
	p.size++
	e, problem := parseLeaf(leaf, index)
	if problem != "" {
		found.add(Finding{Code: "entry-wrong", Severity: Fault, File: ledger.Database, Entry: &index, Problem: problem, Next: restoreLog})
		return
	}
	p.checkClock(e, index)
	switch {
	case strings.HasPrefix(e.Action, "run ") && ledger.ValidRun(e.Record):
		s := p.runs[e.Record]
		s.add(e)
		p.runs[e.Record] = s
		p.applyHold(e)
	case e.Action == ledger.BlobDeleted:
		for _, digest := range e.Subject {
			delete(p.blobs, digest)
		}
	case e.Action == ledger.KeyRotated || e.Action == ledger.KeyReplaced:
		p.keys = append(p.keys, e)
	case strings.HasPrefix(e.Action, "baseline "):
		p.baselines[e.Record] = e
		for _, digest := range slices.Concat(e.Subject, e.Previous) {
			if ledger.ValidDigest(digest) {
				p.blobs[digest] = index
			}
		}
	}
}

// applyHold takes in whether a person keeps a run.
func (p *logEntries) applyHold(e ledger.Event) {
	switch e.Action {
	case ledger.RunHeld:
		p.holds[e.Record] = e
	case ledger.RunReleased, ledger.RunDeleted:
		delete(p.holds, e.Record)
	}
}

// checkHolds compares the runs that a person keeps with the log: the database
// is not signed, and an attacker who removes a hold from it wants the run
// deleted.
func (p *logEntries) checkHolds(found *findings) {
	if p.log == nil || p.partial {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(p.holds)) {
		e := p.holds[id]
		index := e.Seq - 1
		var hold ledger.Hold
		if record, ok := p.log.tx.Get(ledger.HoldsTable, id); !ok || json.Unmarshal(record, &hold) != nil || hold.By != e.Actor.ID || hold.Reason != e.Reason {
			found.add(Finding{Code: "hold-changed", Severity: Fault, Run: id, File: ledger.Database, Entry: &index, Expected: e.Reason, Found: hold.Reason,
				Problem: fmt.Sprintf("the log says that %q keeps this run from being deleted, and the database has no such record", e.Actor.ID), Next: restoreLog})
		}
	}
	for _, id := range p.log.tx.Keys(ledger.HoldsTable) {
		if _, ok := p.holds[id]; !ok {
			found.add(Finding{Code: "hold-changed", Severity: Fault, Run: id, File: ledger.Database,
				Problem: "the database says that a person keeps this run from being deleted, and the log does not", Next: restoreLog})
		}
	}
}

// checkClock notes when the clock was set back: an entry before the one above it, or
// less time between two of a writer than has gone by on the clock that only
// goes forward.
func (p *logEntries) checkClock(e ledger.Event, index int64) {
	back := time.Duration(0)
	if index > 0 && e.UTC.Before(p.last.UTC) {
		back = p.last.UTC.Sub(e.UTC)
	}
	if mine, ok := p.writers[e.Writer]; ok {
		passed := time.Duration(e.MonoMS-mine.MonoMS) * time.Millisecond
		if lost := passed - e.UTC.Sub(mine.UTC); lost > time.Second {
			back = max(back, lost)
		}
	}
	if back > 0 {
		p.back++
		p.backBy += back.Round(time.Millisecond)
		if p.back == 1 {
			p.backAt = index
		}
	}
	p.last = e
	p.writers[e.Writer] = e
}
