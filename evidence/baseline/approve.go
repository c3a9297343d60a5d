package baseline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
)

// Approve puts a version in force, as a person decided. It is an event bound to
// the digests of old, new and difference. A proposal is refused with
// [ErrDecided] if it would replace another version than it was compared with.
func (s *Store) Approve(ctx context.Context, id, by, reason string) (Version, error) {
	return s.decide(ctx, id, by, reason, Approved)
}

// Reject refuses a version, as a person decided. If it was in force, nothing is.
func (s *Store) Reject(ctx context.Context, id, by, reason string) (Version, error) {
	return s.decide(ctx, id, by, reason, Rejected)
}

func (s *Store) decide(ctx context.Context, id, by, reason string, to Status) (decided Version, err error) {
	defer func() {
		if err != nil {
			decided, err = Version{}, fmt.Errorf("%s baseline %s: %w", map[Status]string{Approved: "approve", Rejected: "reject"}[to], id, err)
		}
	}()
	by, reason = strings.TrimSpace(by), strings.TrimSpace(reason)
	err = errors.Join(ledger.CheckPrintable("printed name of who decides", by, ledger.MaxBy), ledger.CheckPrintable("reason", reason, ledger.MaxReason))
	if err != nil {
		return Version{}, err
	}
	if _, err := s.Get(ctx, id); err != nil { // before a ledger is made for nothing
		return Version{}, err
	}
	err = s.Log.Update(ctx, func(tx *ledger.Tx) error {
		all, err := load(tx)
		if err != nil {
			return err
		}
		v, ok := all.get(id)
		if !ok {
			return unknownID(id)
		}
		force, _ := all.find(v.Name, v.Environment)
		if err := v.checkDecidable(force, to); err != nil {
			return err
		}
		if to == Approved {
			if err := s.checkBlobs(v); err != nil {
				return err
			}
		}
		v.Status = to
		if to == Rejected {
			v.Closed = s.now().UTC()
		}
		v.Decision = &Decision{By: by, Reason: reason, Time: s.now().UTC(), Old: force.digests(), New: v.digests(), Diff: v.Diffs}
		if force.ID == id { // the first of its name takes the place of none
			v.Decision.Old = nil
		}
		decided = v
		e := versionEvent(v, ledger.Actor{Kind: "human", ID: by}, v.Decision.Old)
		e.Reason = reason
		if err := putVersion(tx, v, e); err != nil || to != Approved {
			return err
		}
		return supersede(tx, all, v, s.now().UTC())
	})
	return decided, err
}

// checkDecidable refuses what was decided, and an approval that would replace a
// version that was not compared.
func (v Version) checkDecidable(force Version, to Status) error {
	switch {
	case v.Status == Superseded && v.Decision == nil && v.Replaces == force.ID:
		return fmt.Errorf("%w: more than %d newer proposals came since; compare again", ErrDecided, maxOpenProposals)
	case v.Status == Superseded && v.Decision == nil:
		return fmt.Errorf("%w: another version was approved since: %s is in force now; compare again", ErrDecided, force.ID)
	case v.Status != Proposed && v.Status != Unapproved:
		by := ""
		if v.Decision != nil {
			by = " by " + v.Decision.By + " on " + v.Decision.Time.Format("2006-01-02")
		}
		return fmt.Errorf("%w: it is %s%s", ErrDecided, v.Status, by)
	case to == Approved && v.Status == Proposed && v.Replaces != force.ID:
		now := force.ID
		if now == "" {
			now = "none"
		}
		return fmt.Errorf("%w: the baseline changed since it was proposed: %s is in force now; compare again", ErrDecided, now)
	default:
		return nil
	}
}

// checkBlobs reads all that a version stands for: what is lost cannot be approved.
func (s *Store) checkBlobs(v Version) error {
	for _, digest := range v.blobs() {
		if _, err := s.blobs.Get(digest); err != nil {
			return err
		}
	}
	return nil
}

// supersede takes others of the same environment out of force, and closes the
// proposals that would replace what is not in force any more.
func supersede(tx *ledger.Tx, all versions, by Version, closed time.Time) error {
	now := append(slices.DeleteFunc(slices.Clone(all), func(v Version) bool { return v.ID == by.ID }), by)
	for i, v := range now {
		if v.ID != by.ID && v.Name == by.Name && v.Environment == by.Environment && v.inForce() {
			now[i].Status = Superseded
		}
	}
	for i, v := range now {
		if v.Status != Proposed || v.Name != by.Name || environmentLine(v.Environment) != environmentLine(by.Environment) {
			continue
		}
		if force, _ := now.find(v.Name, v.Environment); v.Replaces != force.ID {
			now[i].Status, now[i].Closed = Superseded, closed
		}
	}
	for _, v := range now {
		if old, _ := all.get(v.ID); v.ID == by.ID || v.Status == old.Status {
			continue
		}
		if err := putRecord(tx, v); err != nil {
			return err
		}
	}
	return nil
}
