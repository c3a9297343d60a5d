package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
)

// bundleProofs holds the log entries and proofs of a bundle.
type bundleProofs struct {
	newest  openedCheckpoint
	signed  bool // the newest checkpoint's signature is good
	growth  map[string]attest.Growth
	entries map[int64]string   // that are proved, by index
	known   []openedCheckpoint // checkpoints that stand in the bundle, and that the newest has grown from
}

// subjectRun returns the run that a bundle says it is about. What it says is checked
// against everything that is signed.
func subjectRun(ctx context.Context, run runFiles) string {
	var record struct{ RunID string }
	for _, name := range []string{ledger.Evidence, ledger.Report} {
		if data, err := run.read(ctx, name); err == nil && json.Unmarshal(data, &record) == nil && ledger.ValidRun(record.RunID) {
			return record.RunID
		}
	}
	return ""
}

// readProofs reads the folder log of a bundle.
func readProofs(ctx context.Context, found *findings, ring *keyRing, all runFiles) *bundleProofs {
	p := &bundleProofs{growth: map[string]attest.Growth{}, entries: map[int64]string{}}
	note, err := all.read(ctx, attest.BundleCheckpoint)
	if err != nil {
		found.unseen("log-missing", attest.BundleCheckpoint, "export the run again when its log can be read",
			"the bundle has no checkpoint of the log: what the run says about itself can be checked, and not that the log has grown from it (%v)", err)
		return p
	}
	if p.newest, p.signed = ring.open(found, note, attest.BundleCheckpoint, "the newest checkpoint"); !p.signed {
		return p
	}
	p.known = append(p.known, p.newest)
	found.report.Checkpoint = string(note)
	var proofs attest.Proofs
	data, err := all.read(ctx, attest.BundleProofs)
	if err == nil {
		err = decodeExact(data, &proofs)
	}
	lines, entriesErr := all.read(ctx, attest.BundleEntries)
	switch {
	case err != nil:
		found.fault("proofs-wrong", attest.BundleProofs, otherBundle, "the proofs are not as they were written: %v", err)
		return p
	case proofs.Format != attest.ProofsFormat || proofs.RunID != found.run:
		found.fault("proofs-wrong", attest.BundleProofs, otherBundle, "the proofs are of format %q about run %q", proofs.Format, proofs.RunID)
		return p
	case entriesErr != nil:
		found.unreadable(attest.BundleEntries, entriesErr)
	}
	for _, g := range proofs.Growth {
		if _, twice := p.growth[g.File]; twice || (g.File != attest.BundleRun+ledger.Report && g.File != attest.BundleRun+ledger.Evidence) {
			found.fault("proofs-wrong", attest.BundleProofs, otherBundle, "it has a proof for %q that no bundle has", g.File)
		}
		p.growth[g.File] = g
	}
	p.checkInclusions(found, proofs.Entries, string(lines))
	return p
}

// decodeExact decodes JSON of which our program wrote every byte. Whatever else a
// lenient reader takes for the same (spaces, unknown and double fields, another
// case or order) was not written by it.
func decodeExact(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	lines, err := json.MarshalIndent(into, "", "  ")
	if err != nil {
		return err
	}
	if !bytes.Equal(data, append(lines, '\n')) {
		return errors.New("it says the same in other bytes than were written")
	}
	return nil
}

// checkInclusions checks the entries that a bundle brings.
func (p *bundleProofs) checkInclusions(found *findings, inclusions []attest.Inclusion, text string) {
	wrong := func(index int64, file, problem string) {
		found.add(Finding{Code: "entry-unproved", Severity: Fault, File: file, Entry: &index, Problem: problem, Next: otherBundle})
	}
	lines := strings.SplitAfter(text, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	if len(lines) != len(inclusions) {
		found.fault("entry-unproved", attest.BundleEntries, otherBundle, "it has %d entries, and there are proofs for %d", len(lines), len(inclusions))
		return
	}
	for i, in := range inclusions {
		leaf, whole := strings.CutSuffix(lines[i], "\n")
		event, problem := parseLeaf(leaf, in.Index)
		e := attest.Entry{Index: in.Index, Leaf: leaf, Proof: in.Proof}
		switch err := e.Check(p.newest.Checkpoint); {
		case err != nil || !whole:
			wrong(in.Index, attest.BundleEntries, "the signed checkpoint does not cover this entry, or its proof is another one's")
		case problem != "":
			wrong(in.Index, attest.BundleEntries, problem)
		default:
			found.report.Entries++
			p.entries[in.Index] = leaf
			if event.Action == ledger.RunDeleted && event.Record == found.run {
				found.add(Finding{Code: "run-deleted", Severity: Note, File: attest.BundleEntries, Entry: &in.Index,
					Problem: "the log says that the run was deleted from its data folder", Next: "this bundle may be the only copy"})
			}
		}
	}
}

// checkGrowth checks that the bundle's newest checkpoint has grown from another.
func (p *bundleProofs) checkGrowth(found *findings, older openedCheckpoint, file, what string) bool {
	if !p.signed {
		return false
	}
	name := attest.BundleRun + file
	g, ok := p.growth[name]
	switch {
	case older.Size > p.newest.Size:
		found.fault("log-rolled-back", file, restoreLog, "the log had more entries when %s was signed than it had when the bundle was made", what)
		return false
	case !ok && (older.Size != p.newest.Size || older.Root != p.newest.Root):
		found.prefix = ""
		found.unseen("proofs-missing", attest.BundleProofs, "verify the run in its data folder, and export it again",
			"there is no proof that the log has grown from %s: it could not be read then, or it is another one now", what)
		found.prefix = attest.BundleRun
		return false
	case ok && g.Size != older.Size:
		found.fault("log-forked", file, otherBundle, "the proof is about %d entries, and %s about %d", g.Size, what, older.Size)
		return false
	}
	if err := attest.CheckGrowth(older.Checkpoint, p.newest.Checkpoint, g.Proof); err != nil {
		found.fault("log-forked", file, otherBundle, "the log has not grown from %s: %v", what, err)
		return false
	}
	p.known = append(p.known, older)
	return true
}

// checkEntry compares a run's entry with those that the bundle brings.
func (p *bundleProofs) checkEntry(found *findings, e attest.Entry) {
	if !p.signed {
		return
	}
	if leaf, ok := p.entries[e.Index]; leaf != e.Leaf {
		if !ok {
			leaf = "nothing"
		}
		found.entryFault(e.Index, "log-forked", e.Leaf, leaf, fmt.Sprintf("%s has another entry at this place", attest.BundleEntries))
	}
}

// checkPin compares the bundle with the caller's checkpoint: it must be one of
// those in the bundle, as no proof leads to any other.
func (p *bundleProofs) checkPin(found *findings, ring *keyRing, pin []byte) {
	const file = "--checkpoint"
	c, ok := ring.open(found, pin, file, "the checkpoint that was kept elsewhere")
	if !ok {
		return
	}
	for _, known := range p.known {
		if known.Size != c.Size || known.Origin != c.Origin {
			continue
		}
		if known.Root != c.Root {
			found.add(Finding{Code: "log-forked", Severity: Fault, File: file, Expected: fmt.Sprintf("root %x", c.Root[:]), Found: fmt.Sprintf("root %x", known.Root[:]),
				Problem: fmt.Sprintf("the first %d entries are not those of the checkpoint that was kept elsewhere", c.Size), Next: restoreLog})
		}
		return
	}
	found.unseen("checkpoint-unseen", file, "verify the run in its data folder, where the whole log is, or against a checkpoint of this bundle",
		"the bundle has no proof about a log of %d entries: whether it has grown from the checkpoint that was kept elsewhere cannot be decided", c.Size)
}
