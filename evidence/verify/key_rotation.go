package verify

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
)

const restoreKeys = "put the file back from a copy: a key that was replaced has to be seen"

// checkTakeovers checks that each key of log/keys was signed in by the one before.
// Whoever pinned that one also trusts the new one.
func (r *keyRing) checkTakeovers(found *findings, root *os.Root, h *openedLog) {
	for i, key := range r.named {
		if !h.signed {
			continue
		}
		signed, ok := h.tx.Takeover(key)
		if i == 0 {
			if ok {
				found.keyFinding(0, "keys-changed", Fault, key, "this key took over from another, which the list leaves out", restoreKeys)
			}
			continue
		}
		if _, err := root.Lstat(ledger.NextKey); !ok && err == nil && i == len(r.named)-1 && !slices.Contains(h.newest.by, key) {
			found.keyFinding(i, "key-unfinished", Note, key, "a program was killed while this key took over; it is not in use", "the next run ends that")
			continue
		}
		if !ok {
			found.keyFinding(i, "key-unlogged", Fault, key, "the log does not know that this key was ever taken into use", "find out who put it there, and remove the line")
			continue
		}
		event, by, err := r.takeover(h, key, signed)
		switch {
		case err != nil:
			found.keyFinding(i, "key-unlogged", Fault, key, fmt.Sprintf("the log does not prove that this key was taken into use: %v", err), restoreLog)
		case event.Action == ledger.KeyReplaced:
			found.keyFinding(i, "key-replaced", Note, key, fmt.Sprintf("%q replaced a key that was lost, which so cannot confirm this one; the reason given: %q", event.Actor.ID, event.Reason),
				"ask the person; who had pinned the old key has to pin this one")
		case !slices.Contains(by, r.named[i-1]):
			found.keyFinding(i, "key-unsigned", Fault, key, "the key before has not signed this one in", "find out who put it there; believe no run that only this key has signed")
		case r.isPinned(r.named[i-1]):
			r.pinned = append(r.pinned, key)
			found.report.addKey(Key{Verifier: key, Pinned: true})
			h.newest.pinned = slices.ContainsFunc(h.newest.by, r.isPinned)
		}
	}
}

// checkOrder compares the list of keys with the entries by which each took over.
// Who leaves out the first ones hides that a key was replaced.
func (r *keyRing) checkOrder(found *findings, p *logEntries) {
	for _, e := range p.keys {
		i := slices.Index(r.named, e.Record)
		index := e.Seq - 1
		if len(r.named) == 0 || i > 0 && slices.Equal(e.Previous, []string{ledger.BlobDigest([]byte(r.named[i-1]))}) {
			continue // without a list, that already reported
		}
		found.add(Finding{Code: "keys-changed", Severity: Fault, File: ledger.Keys, Entry: &index, Found: e.Record,
			Problem: "the log says that this key took over from another, and the list does not have both, one after the other", Next: restoreKeys})
	}
}

// keyFinding adds a finding of a line of log/keys, counted from 0.
func (s *findings) keyFinding(line int, code string, severity Severity, key, problem, next string) {
	s.add(Finding{Code: code, Severity: severity, File: ledger.Keys, Line: line + 1, Found: key, Problem: problem, Next: next})
}

// takeover returns the event by which a key was taken into use, and who signed
// the checkpoint over it.
func (r *keyRing) takeover(h *openedLog, key string, signed []byte) (ledger.Event, []string, error) {
	c, by, err := r.trust.OpenCheckpoint(signed)
	if err != nil {
		return ledger.Event{}, nil, err
	}
	if !slices.Contains(by, key) || c.Size < 1 || c.Size > h.newest.Size {
		return ledger.Event{}, nil, fmt.Errorf("the checkpoint of %d entries is not its own", c.Size)
	}
	proof, err := h.tx.Growth(c.Size, h.newest.Size)
	if err == nil {
		err = attest.CheckGrowth(c, h.newest.Checkpoint, proof)
	}
	if err != nil {
		return ledger.Event{}, nil, err
	}
	leaf, err := h.tx.Leaf(c.Size - 1)
	if err != nil {
		return ledger.Event{}, nil, err
	}
	event, problem := parseLeaf(string(leaf), c.Size-1)
	if problem == "" && (event.Record != key || event.Action != ledger.KeyRotated && event.Action != ledger.KeyReplaced) {
		problem = fmt.Sprintf("entry %d tells of something else", c.Size-1)
	}
	if problem != "" {
		return ledger.Event{}, nil, errors.New(problem)
	}
	return event, by, nil
}
