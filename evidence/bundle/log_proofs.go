package bundle

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
)

// logProofs holds what the log says of a run, and what proves it.
type logProofs struct {
	trust   attest.Trust
	newest  []byte // checkpoint, signed; nil: the log could not be read
	entries []attest.Entry
	growth  []attest.Growth
}

// readLog reads the log. A damaged log leaves a bundle without it; a busy one
// is an error.
func (p *pack) readLog(ctx context.Context, log Log) error {
	trust, err := log.Trust()
	if err != nil {
		p.omit(attest.BundleKeys, "%v", err)
	}
	p.trust = trust
	err = log.View(ctx, p.collectProofs)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil, errors.Is(err, ledger.ErrLocked):
		return err
	}
	p.newest, p.entries, p.growth = nil, nil, nil
	p.omit(attest.BundleCheckpoint, "%v", err)
	return nil
}

func (p *pack) collectProofs(tx *ledger.Tx) error {
	p.newest = tx.Checkpoint()
	if p.newest == nil {
		return errors.New("assay.db is missing or empty: restore it from a copy, and export again")
	}
	newest, err := attest.ReadCheckpoint(p.newest)
	if err != nil {
		return err
	}
	wanted := p.relevantEntry()
	index := int64(0)
	for leaf, err := range tx.Leaves() {
		if err != nil {
			return err
		}
		if wanted(leaf) {
			entry, err := tx.Entry(index, newest.Size)
			if err != nil {
				return err
			}
			p.entries = append(p.entries, entry)
		}
		index++
	}
	if err := p.proveGrowth(tx, newest); err != nil {
		return err
	}
	return p.compareWithCopy(tx, newest)
}

// proveGrowth proves that the newest checkpoint's log begins with those of the
// checkpoints that the run holds.
func (p *pack) proveGrowth(tx *ledger.Tx, newest attest.Checkpoint) error {
	older := map[string]string{}
	if p.report.Evidence != nil {
		older[ledger.Report] = p.report.Evidence.Checkpoint
	}
	if p.record != nil {
		older[ledger.Evidence] = p.record.Checkpoint
	}
	for _, name := range []string{ledger.Report, ledger.Evidence} {
		point, err := attest.ReadCheckpoint([]byte(older[name]))
		if err != nil {
			continue // there is none to lead from
		}
		proof, err := growth(tx, point, newest)
		if err != nil {
			p.omit(attest.BundleProofs, "no proof leads from the checkpoint in %s%s to the newest: %v", attest.BundleRun, name, err)
			continue
		}
		p.growth = append(p.growth, attest.Growth{File: attest.BundleRun + name, Size: point.Size, Proof: append([]string{}, proof...)})
	}
	return nil
}

// compareWithCopy reports a log that differs from its own copy of the newest
// checkpoint.
func (p *pack) compareWithCopy(tx *ledger.Tx, newest attest.Checkpoint) error {
	text, err := tx.CheckpointCopy()
	if err != nil || text == nil {
		return err
	}
	copied, err := attest.ReadCheckpoint(text)
	if err == nil {
		_, err = growth(tx, copied, newest)
	}
	if err != nil {
		p.omit(attest.BundleCheckpoint, "the one in the data folder's log/checkpoint is not of this log: %v", err)
	}
	return nil
}

func growth(tx *ledger.Tx, older, newer attest.Checkpoint) ([]string, error) {
	if older.Size > newer.Size {
		return nil, attest.CheckGrowth(older, newer, nil)
	}
	proof, err := tx.Growth(older.Size, newer.Size)
	if err != nil {
		return nil, err
	}
	return proof, attest.CheckGrowth(older, newer, proof)
}

// relevantEntry reports whether an entry is about the run, about a baseline that the
// run was compared with or proposed, or about the log's keys.
func (p *pack) relevantEntry() func(leaf []byte) bool {
	records := map[string]bool{p.run: true}
	for _, row := range p.report.Visual {
		records[row.BaselineID], records[row.ProposalID] = true, true
	}
	delete(records, "")
	marks := [][]byte{[]byte(`"` + ledger.KeyRotated + `"`), []byte(`"` + ledger.KeyReplaced + `"`)}
	for record := range records {
		marks = append(marks, []byte(record))
	}
	return func(leaf []byte) bool {
		if !slices.ContainsFunc(marks, func(mark []byte) bool { return bytes.Contains(leaf, mark) }) {
			return false // most entries, without decoding them
		}
		var e ledger.Event
		if json.Unmarshal(leaf, &e) != nil {
			return false
		}
		return records[e.Record] || e.Actor.Kind == "agent" && e.Actor.ID == p.run || strings.HasPrefix(e.Action, "key ")
	}
}

type logFile struct{ name, text string }

// logFiles returns the files of the bundle's folder log.
func (p *pack) logFiles() ([]logFile, error) {
	var out []logFile
	if p.newest != nil {
		var lines strings.Builder
		proofs := attest.Proofs{Format: attest.ProofsFormat, RunID: p.run, Entries: []attest.Inclusion{}, Growth: append([]attest.Growth{}, p.growth...)}
		for _, e := range p.entries {
			lines.WriteString(e.Leaf + "\n")
			proofs.Entries = append(proofs.Entries, attest.Inclusion{Index: e.Index, Proof: append([]string{}, e.Proof...)})
		}
		text, err := json.MarshalIndent(proofs, "", "  ")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", attest.BundleProofs, err)
		}
		out = append(out, logFile{attest.BundleCheckpoint, string(p.newest)}, logFile{attest.BundleEntries, lines.String()},
			logFile{attest.BundleProofs, string(text) + "\n"})
	}
	if keys := p.trust.Keys(); len(keys) > 0 {
		out = append(out, logFile{attest.BundleKeys, strings.Join(keys, "\n") + "\n"})
	}
	return out, nil
}
