package ledger

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/internal/disk"
)

// keysTable has, for each verifier key that replaced another, the checkpoint
// over the event of the change.
const keysTable = "keys"

// pendingKey holds a key that is to replace the present one.
type pendingKey struct {
	signers []*attest.Key // the new one, and the one before unless it is lost
}

// Takeover returns the signed checkpoint that a verifier key's first event is
// the last of: both keys signed it, or the new one alone if the one before was
// lost. False: the key took over from none.
func (t *Tx) Takeover(verifier string) ([]byte, bool) { return t.Get(keysTable, verifier) }

// Rotate begins a new signing key, and enters that in the log, with a person's
// printed name and words. Where the present key is missing it is replaced.
//
// Its steps are: log/key.next is written, log/keys names it, the event is kept,
// log/key.next becomes log/key. Whatever ends it between two of them, the next
// event goes on, or takes it all back: what decides is whether the event was kept.
func (l *Ledger) Rotate(ctx context.Context, by, reason string) (Event, error) {
	if l.options.Key != nil {
		return Event{}, errors.New("rotate the signing key: it doesn't lie in log/key: store it there (mode 600), take [compliance] signing_key out of " +
			"the configuration, rotate, and move what log/key holds then to where the key was")
	}
	root, err := l.openFolder()
	if err != nil {
		return Event{}, err
	}
	defer root.Close()
	var done Event
	err = l.Update(ctx, func(tx *Tx) error {
		done, err = l.beginRotation(root, tx, by, reason)
		return err
	})
	if err != nil {
		return Event{}, fmt.Errorf("rotate the signing key: %w", err)
	}
	if err := l.Update(ctx, func(tx *Tx) error { return l.finishRotation(root, tx) }); err != nil {
		return done, fmt.Errorf("the signing key was changed, and the next event will put it in its place: %w", err)
	}
	return done, nil
}

func (l *Ledger) beginRotation(root *os.Root, tx *Tx, by, reason string) (Event, error) {
	if tx.Size() == 0 {
		return Event{}, errors.New("the log is empty: its key is made with the first event")
	}
	e := Event{Actor: Actor{Kind: "human", ID: by}, Action: KeyRotated, Reason: reason}
	old, err := l.signingKey(root, tx)
	if errors.Is(err, ErrKeyLost) {
		e.Action, err = KeyReplaced, nil
	}
	if err != nil {
		return Event{}, err
	}
	keys, err := verifiers(root)
	if err != nil {
		return Event{}, err
	}
	point, err := attest.ReadCheckpoint(tx.signed)
	if err != nil {
		return Event{}, err
	}
	next, err := attest.NewKey(rand.Reader, point.Origin)
	if err != nil {
		return Event{}, err
	}
	if err := disk.Write(root, NextKey, []byte(next.Secret()+"\n")); err != nil {
		return Event{}, err
	}
	e.Record, e.Subject, e.Previous = next.Verifier(), []string{BlobDigest([]byte(next.Verifier()))}, []string{BlobDigest([]byte(keys[len(keys)-1]))}
	if err := writeVerifiers(root, append(keys, next.Verifier())); err != nil {
		return Event{}, err
	}
	tx.change = &pendingKey{signers: []*attest.Key{next}}
	if old != nil {
		tx.change.signers = append(tx.change.signers, old)
	}
	return tx.Append(e)
}

// finishRotation ends a rotation that is under way: it happened if the new key signed
// the log.
func (l *Ledger) finishRotation(root *os.Root, tx *Tx) error {
	if !exists(root, NextKey) {
		return nil
	}
	next, err := l.readKeyFile(root, NextKey)
	if err != nil {
		return err
	}
	trust, err := attest.ParseTrust(next.Verifier())
	if err != nil {
		return err
	}
	if _, _, err := trust.OpenCheckpoint(tx.signed); err == nil {
		if err := root.Rename(NextKey, Key); err != nil {
			return fmt.Errorf("put the new signing key in its place: %w", disk.Explain(err))
		}
		return disk.SyncFolders(root, Log)
	}
	keys, err := verifiers(root)
	if err != nil {
		return err
	}
	if n := len(keys); n > 1 && keys[n-1] == next.Verifier() {
		if err := writeVerifiers(root, keys[:n-1]); err != nil {
			return err
		}
	}
	if err := root.Remove(NextKey); err != nil {
		return fmt.Errorf("take back the new signing key: %w", disk.Explain(err))
	}
	return disk.SyncFolders(root, Log)
}

// KeyUse describes a key of the log, and since when it signs.
type KeyUse struct {
	Verifier string    `json:"verifier"`
	Action   string    `json:"action,omitempty"` // what the log says of it; none: it was the first
	Since    time.Time `json:"since"`            // when it first signed
	Index    int64     `json:"index"`            // of the first event that it signed
	By       string    `json:"by,omitempty"`     // who put it in the place of the one before
	Reason   string    `json:"reason,omitempty"`
}

// Keys returns the keys of the log, oldest first; none while it is empty.
func (l *Ledger) Keys(ctx context.Context) ([]KeyUse, error) {
	var uses []KeyUse
	err := l.View(ctx, func(tx *Tx) error {
		if tx.Size() == 0 || tx.signed == nil {
			return nil
		}
		trust, err := l.Trust()
		if err != nil {
			return err
		}
		for i, verifier := range trust.Keys() {
			use, err := tx.keyUse(verifier)
			if err != nil {
				return err
			}
			if i == 0 || use.Action != "" { // otherwise it is about to be taken back, see settle
				uses = append(uses, use)
			}
		}
		return nil
	})
	return uses, err
}

func (t *Tx) keyUse(verifier string) (KeyUse, error) {
	use := KeyUse{Verifier: verifier}
	if signed, ok := t.Takeover(verifier); ok {
		point, err := attest.ReadCheckpoint(signed)
		if err != nil {
			return use, err
		}
		use.Index = point.Size - 1
	}
	entry, err := t.Entry(use.Index, t.Size())
	if err != nil {
		return use, err
	}
	var e Event
	if err := json.Unmarshal([]byte(entry.Leaf), &e); err != nil {
		return use, corrupt("event %d: %v", use.Index+1, err)
	}
	use.Since = e.UTC
	if e.Record == verifier {
		use.Action, use.By, use.Reason = e.Action, e.Actor.ID, e.Reason
	}
	return use, nil
}
