package baseline

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa"
)

// Capture keeps the first version of a name in its environment, unapproved and
// in force. If there is one in force already that has the same pictures and
// options, that one comes back; if they differ, n becomes a proposal. What a
// person rejected becomes a proposal too: it does not come in force again on a
// program's word.
func (s *Store) Capture(ctx context.Context, n New) (Version, error) {
	v, err := s.storeVersion(ctx, n, func(all versions, v Version) Version {
		force, ok := all.find(v.Name, v.Environment)
		v.Replaces = ""
		switch {
		case ok && force.sameOptions(v):
			return force
		case ok || all.rejected(v):
			v.Status = Proposed
		default:
			v.Status = Unapproved
		}
		return v
	})
	if err != nil {
		return Version{}, fmt.Errorf("capture baseline %q: %w", n.Name, err)
	}
	return v, nil
}

// Propose keeps a version that a person may put in the place of the one in
// force, or of n.Replaces if that is given: the one that n was compared with.
// The same pictures are proposed once.
func (s *Store) Propose(ctx context.Context, n New) (Version, error) {
	v, err := s.storeVersion(ctx, n, func(_ versions, v Version) Version {
		v.Status = Proposed
		return v
	})
	if err != nil {
		return Version{}, fmt.Errorf("propose baseline %q: %w", n.Name, err)
	}
	return v, nil
}

// storeVersion stores a new version with the status that place gives it, unless place
// or an open proposal already has it.
func (s *Store) storeVersion(ctx context.Context, n New, place func(versions, Version) Version) (Version, error) {
	if err := n.validate(); err != nil {
		return Version{}, err
	}
	if err := s.putBlobs(n.Blobs); err != nil {
		return Version{}, err
	}
	var kept Version
	err := s.Log.Update(ctx, func(tx *ledger.Tx) error {
		all, err := load(tx)
		if err != nil {
			return err
		}
		v := n.Version
		v.ID, v.Number, v.Status, v.Time, v.Decision, v.Imported, v.Closed = "", 0, "", s.now().UTC(), nil, "", time.Time{}
		v = place(all, v)
		if v.ID != "" {
			kept = v
			return nil
		}
		force, _ := all.find(v.Name, v.Environment)
		if v.Replaces == "" {
			v.Replaces = force.ID
		} else if _, ok := all.get(v.Replaces); !ok {
			return fmt.Errorf("%w: %s, which it would replace", ErrNotFound, v.Replaces)
		}
		if same, ok := all.openProposal(v); ok && v.Status == Proposed {
			kept = same
			return nil
		}
		v.Number, v.ID = all.nextNumber(v.Name, v.Environment), newID()
		kept = v
		if err := s.putMissing(n.Blobs); err != nil {
			return err
		}
		if v.Status == Proposed {
			if err := s.closeOldestProposals(tx, all, v); err != nil {
				return err
			}
		}
		return putVersion(tx, v, versionEvent(v, ledger.Actor{Kind: "agent", ID: v.Run}, force.digests()))
	})
	return kept, err
}

// putVersion stores a version and the event that is about it.
func putVersion(tx *ledger.Tx, v Version, e ledger.Event) error {
	if err := putRecord(tx, v); err != nil {
		return err
	}
	_, err := tx.Append(e)
	return err
}

func putRecord(tx *ledger.Tx, v Version) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("version %s: %w", v.ID, err)
	}
	return tx.Put(ledger.BaselinesTable, v.ID, data)
}

// versionEvent returns what happened to a version that has its new status already.
func versionEvent(v Version, actor ledger.Actor, previous []string) ledger.Event {
	action := map[Status]string{Unapproved: "captured", Proposed: "proposed", Approved: "approved", Rejected: "rejected", Superseded: "superseded"}[v.Status]
	e := ledger.Event{Actor: actor, Action: "baseline " + action, Record: v.ID, Subject: append(v.digests(), v.Diffs...), Previous: previous}
	e.Options, e.Environment = v.comparedDigests()
	return e
}

// comparedDigests returns the SHA-256 of what a version is compared by, and of its
// environment, each as JSON. Its record is not signed: a looser threshold, or
// another page's name, would let pass what no person approved.
func (v Version) comparedDigests() (options, environment string) {
	judged := struct {
		Name     string           `json:"name"`
		Number   int              `json:"version"`
		Options  qa.VisualOptions `json:"options"`
		Pictures []Picture        `json:"pictures"`
	}{v.Name, v.Number, v.Options, v.Pictures}
	a, errA := json.Marshal(judged)
	b, errB := json.Marshal(v.Environment)
	if errA != nil || errB != nil {
		return "", "" // the record can't be stored either, which says why
	}
	return ledger.BlobDigest(a), ledger.BlobDigest(b)
}

// newID never gives an id twice: it is random.
func newID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails, see crypto/rand
	return "b-" + hex.EncodeToString(b[:])
}

var idForm = pattern.New(`^b-[0-9a-f]{16}$`)

func validID(id string) bool { return idForm.MatchString(id) }

// validate refuses a version that could not be shown, compared or approved later.
func (n New) validate() error {
	if err := checkName(n.Name); err != nil {
		return err
	}
	if len(n.Pictures) == 0 {
		return errors.New("it has no picture")
	}
	if _, err := json.Marshal(n.Version); err != nil { // a number that is none
		return err
	}
	for digest, data := range n.Blobs {
		if is := ledger.BlobDigest(data); is != digest {
			return fmt.Errorf("the bytes given for SHA-256 %s have %s", digest, is)
		}
	}
	parts := map[string]bool{}
	for _, p := range n.Pictures {
		if parts[p.Part] {
			return fmt.Errorf("two pictures are of the same part %q", p.Part)
		}
		parts[p.Part] = true
		data, ok := n.Blobs[p.SHA256]
		if !ok {
			return fmt.Errorf("the bytes of picture %s of part %q are missing", p.SHA256, p.Part)
		}
		if err := p.validate(data); err != nil {
			return err
		}
		if _, ok := n.Blobs[p.Layout]; p.Layout != "" && !ok {
			return fmt.Errorf("the bytes of layout %s are missing", p.Layout)
		}
	}
	for _, diff := range n.Diffs {
		if _, ok := n.Blobs[diff]; !ok {
			return fmt.Errorf("the bytes of difference %s are missing", diff)
		}
	}
	return nil
}

// validate refuses bytes that are not the PNG that p describes. The pixels are not
// looked at.
func (p Picture) validate(data []byte) error {
	// The signature, then length, type and first fields of the first chunk (PNG 1.2, 3.1 and 4.1.1).
	if len(data) < 24 || !bytes.Equal(data[:8], []byte("\x89PNG\r\n\x1a\n")) || string(data[12:16]) != "IHDR" {
		return fmt.Errorf("picture %s of part %q is no PNG", p.SHA256, p.Part)
	}
	if w, h := binary.BigEndian.Uint32(data[16:]), binary.BigEndian.Uint32(data[20:]); int64(w) != int64(p.Width) || int64(h) != int64(p.Height) {
		return fmt.Errorf("picture %s of part %q is %d×%d pixels, not %d×%d as was said", p.SHA256, p.Part, w, h, p.Width, p.Height)
	}
	return nil
}
