package retain

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
)

const maxSubjects = 100 // blobs that one event names

// blobNeeds lists the blobs that are needed.
type blobNeeds struct {
	log    map[string]bool      // that the log lies in
	closed map[string]time.Time // that records name: since when they are not needed; zero if they are
}

func (k *Keeper) blobNeeds(tx *ledger.Tx) (n blobNeeds, err error) {
	n.log = map[string]bool{}
	for digest, err := range tx.Tiles() {
		if err != nil {
			return n, err
		}
		n.log[digest] = true
	}
	n.closed, err = k.options.Uses(tx)
	return n, err
}

// needed reports whether a blob is needed.
func (n blobNeeds) needed(digest string) bool {
	closed, named := n.closed[digest]
	return n.log[digest] || named && closed.IsZero()
}

// unneededBefore reports whether a blob has been unneeded since before cutoff.
func (n blobNeeds) unneededBefore(digest string, cutoff time.Time) bool {
	closed, named := n.closed[digest]
	return !n.needed(digest) && (!named || closed.Before(cutoff))
}

// unneeded returns the old blobs that no record needs; true: no record names it
// either.
func (k *Keeper) unneeded(tx *ledger.Tx, p *plan, files []ledger.StoredBlob) (map[string]bool, error) {
	out := map[string]bool{}
	if tx.Size() == 0 { // no log, or it is lost: whose they are is unknown
		return out, nil
	}
	n, err := k.blobNeeds(tx)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		_, gone := tx.Get(pendingTable, blobKey(f.Digest))
		_, named := n.closed[f.Digest]
		if !gone && (named || f.Time.Before(p.cutoff())) && n.unneededBefore(f.Digest, p.cutoff()) {
			out[f.Digest] = !named
		}
	}
	return out, nil
}

// chooseBlobs selects those that are to be deleted. A blob that no record
// names must be of this log's time, and named by no entry of it: a log that
// began anew has no entries of what was kept before.
func (p *plan) chooseBlobs(files []ledger.StoredBlob, unneeded map[string]bool) {
	var maps []ledger.StoredBlob // and what else no entry names
	for _, f := range files {
		named := p.past.named[f.Digest]
		switch stray, ok := unneeded[f.Digest]; {
		case !ok || stray && (named || f.Time.Before(p.past.first)):
			p.report.Blobs++
			p.report.BlobBytes += f.Size
		case named:
			p.blobs = append(p.blobs, f)
		default:
			maps = append(maps, f)
		}
	}
	// A picture goes before the map of its elements: verifiers want that of each
	// picture whose deletion is not in the log.
	p.blobs = append(p.blobs, maps...)
}

// pruneBlobs deletes blobs in groups: the event, then the files.
func (k *Keeper) pruneBlobs(ctx context.Context, p *plan) error {
	var left []ledger.StoredBlob
	for _, digest := range withPrefix(p.pending, blobKey("")) {
		left = append(left, ledger.StoredBlob{Digest: digest})
	}
	for group := range slices.Chunk(left, maxSubjects) {
		if err := k.removeBlobs(ctx, p, group, "a deletion that was not finished"); err != nil {
			return err
		}
	}
	for group := range slices.Chunk(p.blobs, maxSubjects) {
		if err := ctx.Err(); err != nil {
			return err
		}
		group, err := k.logBlobDeletion(ctx, p, group)
		if err != nil {
			return err
		}
		if err := k.removeBlobs(ctx, p, group, "nothing needs it"); err != nil {
			return err
		}
	}
	return nil
}

// logBlobDeletion writes the event that blobs are deleted, and returns those that it
// names.
func (k *Keeper) logBlobDeletion(ctx context.Context, p *plan, group []ledger.StoredBlob) ([]ledger.StoredBlob, error) {
	var named []ledger.StoredBlob
	err := k.ledger.Update(ctx, func(tx *ledger.Tx) error {
		n, err := k.blobNeeds(tx)
		if err != nil {
			return err
		}
		named = nil
		var digests []string
		for _, f := range group {
			if _, gone := tx.Get(pendingTable, blobKey(f.Digest)); gone || !n.unneededBefore(f.Digest, p.cutoff()) || !k.blobs.Has(f.Digest) {
				continue
			}
			named, digests = append(named, f), append(digests, f.Digest)
			if err := tx.Put(pendingTable, blobKey(f.Digest), fmt.Appendf(nil, `{"entry":%d}`, tx.Size())); err != nil {
				return err
			}
		}
		if len(named) == 0 {
			return errKept
		}
		_, err = tx.Append(ledger.Event{Actor: personActor(p.order.By), Action: ledger.BlobDeleted, Record: digests[0], Subject: digests, Reason: p.reason()})
		return err
	})
	if err == errKept { //nolint:errorlint // ours, as it was given
		return nil, nil
	}
	return named, err
}

// removeBlobs removes files whose deletion is in the log. It does so while no
// other process can write to the ledger: a writer of a blob checks there,
// before it names the blob in a record, whether the file still exists.
func (k *Keeper) removeBlobs(ctx context.Context, p *plan, group []ledger.StoredBlob, why string) error {
	if len(group) == 0 {
		return nil
	}
	var gone []Item
	err := k.ledger.Update(ctx, func(tx *ledger.Tx) error {
		n, err := k.blobNeeds(tx)
		if err != nil {
			return err
		}
		gone = nil
		for _, f := range group {
			if !n.needed(f.Digest) { // else somebody has put it again since
				there := k.blobs.Has(f.Digest)
				if err := k.blobs.Delete(f.Digest); err != nil {
					p.report.problem(fmt.Sprintf("blob %s is deleted in the log, and is not gone: fix this and prune again: %v", f.Digest, err))
					continue
				}
				if there {
					gone = append(gone, Item{Kind: BlobKind, Name: f.Digest, Bytes: f.Size, Time: f.Time.UTC(), Why: why})
				}
			}
			tx.Delete(pendingTable, blobKey(f.Digest))
		}
		return nil
	})
	for _, item := range gone {
		p.report.delete(item)
	}
	return err
}
