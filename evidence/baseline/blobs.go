package baseline

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
)

// maxOpenProposals limits how many proposals of a name wait in one line of environments: a
// page that looks different each time must not fill the disk.
const maxOpenProposals = 10

// closeOldestProposals closes the oldest open proposals, so that there is a place for v.
func (s *Store) closeOldestProposals(tx *ledger.Tx, all versions, v Version) error {
	var open versions // by number
	for _, o := range all {
		if o.Status == Proposed && o.ID != v.ID && o.Name == v.Name && environmentLine(o.Environment) == environmentLine(v.Environment) {
			open = append(open, o)
		}
	}
	for len(open) >= maxOpenProposals {
		old := open[0]
		open = open[1:]
		old.Status, old.Closed = Superseded, s.now().UTC()
		e := versionEvent(old, ledger.Actor{Kind: "agent", ID: v.Run}, nil)
		e.Reason = fmt.Sprintf("%d newer proposals wait for a decision", maxOpenProposals)
		if err := putVersion(tx, old, e); err != nil {
			return err
		}
	}
	return nil
}

// Uses returns the blobs that versions name. The time is since when a blob
// is not needed any more, because all that name it are proposals that were rejected
// or replaced; it is zero while it is needed. All that was ever approved stays.
func Uses(tx *ledger.Tx) (map[string]time.Time, error) {
	all, err := load(tx)
	if err != nil {
		return nil, err
	}
	u := blobUses{}
	for _, v := range all {
		closed := time.Time{}
		if v.Status == Rejected || v.Status == Superseded && v.Decision == nil {
			closed = v.Closed
		}
		for _, digest := range v.blobs() {
			u.add(digest, closed)
		}
	}
	for _, v := range all { // a map of elements is kept as long as its picture
		for _, p := range v.Pictures {
			if p.Layout != "" {
				u.add(p.Layout, u[p.SHA256])
			}
		}
	}
	return u, nil
}

type blobUses map[string]time.Time

// add keeps the later of two times; zero is later than any.
func (u blobUses) add(digest string, closed time.Time) {
	since, named := u[digest]
	if !named || closed.IsZero() || !since.IsZero() && closed.After(since) {
		u[digest] = closed
	}
}

// blobs returns the digests of all bytes that a version stands for.
func (v Version) blobs() []string {
	digests := append(v.digests(), v.Diffs...)
	for _, p := range v.Pictures {
		if p.Layout != "" {
			digests = append(digests, p.Layout)
		}
	}
	return digests
}

// putBlobs keeps blobs. Those of a version that is refused afterwards lie there
// under their digests, and nothing leads to them.
func (s *Store) putBlobs(blobs map[string][]byte) error {
	for _, digest := range slices.Sorted(maps.Keys(blobs)) {
		if _, err := s.blobs.Put(blobs[digest]); err != nil {
			return err
		}
	}
	return nil
}

// putMissing puts again what was deleted since it was put, while no record needed
// it yet. While the ledger is written to, nothing is deleted.
func (s *Store) putMissing(blobs map[string][]byte) error {
	blobs = maps.Clone(blobs)
	maps.DeleteFunc(blobs, func(digest string, _ []byte) bool { return s.blobs.Has(digest) })
	return s.putBlobs(blobs)
}

// checkBlobsPresent fails if some of a version's bytes are gone since they were put.
func (s *Store) checkBlobsPresent(v Version) error {
	for _, digest := range v.blobs() {
		if !s.blobs.Has(digest) {
			return fmt.Errorf("blob %s was deleted meanwhile: try again", digest)
		}
	}
	return nil
}

// Deleted returns when each of the given blobs was deleted, as the log says, of
// those that it names as deleted.
func (s *Store) Deleted(ctx context.Context, digests []string) (map[string]time.Time, error) {
	when := map[string]time.Time{}
	err := s.Log.View(ctx, func(tx *ledger.Tx) error {
		for e, err := range tx.Events(`"action":"` + ledger.BlobDeleted + `"`) {
			if err != nil {
				return err
			}
			for _, digest := range e.Subject {
				if slices.Contains(digests, digest) {
					when[digest] = e.UTC
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("deleted blobs: %w", err)
	}
	return when, nil
}
