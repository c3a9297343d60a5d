package verify

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/blob"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/paths"
)

const restoreKeys = "put the file back from a copy: a key that was replaced has to be seen"

// checkTakeovers checks that each key of log/keys was signed in by the one before.
// Whoever pinned that one also trusts the new one.
func (v *verification) checkTakeovers(root *os.Root, h *openedLog) {
	for i, key := range v.ring.named {
		if !h.signed {
			continue
		}
		signed, ok := h.tx.Takeover(key)
		if i == 0 {
			if ok {
				v.keyFinding(0, "keys-changed", Fault, "this key took over from another, which the list leaves out", restoreKeys)
			}
			continue
		}
		if _, err := root.Lstat(paths.NextKey); !ok && err == nil && i == len(v.ring.named)-1 && !slices.Contains(h.newest.by, key) {
			v.keyFinding(i, "key-unfinished", Note, "a program was killed while this key took over; it is not in use", "the next run ends that")
			continue
		}
		if !ok {
			v.keyFinding(i, "key-unlogged", Fault, "the log does not know that this key was ever taken into use", "find out who put it there, and remove the line")
			continue
		}
		event, by, err := v.takeover(h, key, signed)
		switch {
		case err != nil:
			v.keyFinding(i, "key-unlogged", Fault, fmt.Sprintf("the log does not prove that this key was taken into use: %v", err), restoreLog)
		case event.Action == ledger.KeyReplaced:
			v.keyFinding(i, "key-replaced", Note, fmt.Sprintf("%q replaced a key that was lost, which so cannot confirm this one; the reason given: %q", event.Actor.ID, event.Reason), "ask the person; who had pinned the old key has to pin this one")
		case !slices.Contains(by, v.ring.named[i-1]):
			v.keyFinding(i, "key-unsigned", Fault, "the key before has not signed this one in", "find out who put it there; believe no run that only this key has signed")
		case v.isPinned(v.ring.named[i-1]):
			v.ring.pinned = append(v.ring.pinned, key)
			v.report.addKey(Key{Verifier: key, Pinned: true})
			h.newest.pinned = slices.ContainsFunc(h.newest.by, v.isPinned)
		}
	}
}

// checkKeyOrder compares the list of keys with the entries by which each took over.
// Who leaves out the first ones hides that a key was replaced.
func (v *verification) checkKeyOrder(p *logEntries) {
	for _, e := range p.keys {
		i := slices.Index(v.ring.named, e.Record)
		index := e.Seq - 1
		if len(v.ring.named) == 0 || i > 0 && slices.Equal(e.Previous, []string{blob.Digest([]byte(v.ring.named[i-1]))}) {
			continue // without a list, that already reported
		}
		v.add(Finding{Code: "keys-changed", Severity: Fault, File: paths.Keys, Entry: &index, Found: e.Record,
			Problem: "the log says that this key took over from another, and the list does not have both, one after the other", Next: restoreKeys})
	}
}

func (v *verification) keyFinding(line int, code string, severity Severity, problem, next string) {
	v.add(Finding{Code: code, Severity: severity, File: paths.Keys, Line: line + 1, Found: v.ring.named[line], Problem: problem, Next: next})
}

// takeover returns the event by which a key was taken into use, and who signed
// the checkpoint over it.
func (v *verification) takeover(h *openedLog, key string, signed []byte) (ledger.Event, []string, error) {
	c, by, err := v.ring.trust.OpenCheckpoint(signed)
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
