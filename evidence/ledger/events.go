package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/evidence/attest"
)

// Events calls f with each entry of the log, and the exact line that was signed,
// oldest first. What is damaged is passed over, and named by the error.
func (l *Ledger) Events(ctx context.Context, f func(line []byte, e Event) error) error {
	return l.View(ctx, func(tx *Tx) error { return eachEvent(tx, f) })
}

func eachEvent(tx *Tx, f func([]byte, Event) error) error {
	var damage []error
	index := int64(0)
	for leaf, err := range tx.Leaves() {
		var lost *LostError
		switch {
		case errors.As(err, &lost):
			index = lost.Last + 1
			damage = append(damage, err)
			continue
		case err != nil:
			return errors.Join(append(damage, err)...)
		}
		index++
		var e Event
		if err := json.Unmarshal(leaf, &e); err != nil || e.Seq != index {
			damage = append(damage, fmt.Errorf("entry %d of the log is none of ours: %.200q", index-1, leaf))
			continue
		}
		if err := f(leaf, e); err != nil {
			return err
		}
	}
	if err := whole(tx); err != nil {
		damage = append(damage, err)
	}
	if len(damage) > 0 {
		return fmt.Errorf("the log is not whole; see: assay verify --all: %w", errors.Join(damage...))
	}
	return nil
}

// whole fails if the copy outside the database tells of entries that are gone.
func whole(tx *Tx) error {
	text, err := tx.CheckpointCopy()
	if err != nil || text == nil {
		return err
	}
	copied, err := attest.ReadCheckpoint(text)
	if err != nil {
		return fmt.Errorf("log/checkpoint: %w", err)
	}
	if copied.Size > tx.Size() {
		return fmt.Errorf("%w: it has %d entries, and had %d", ErrRolledBack, tx.Size(), copied.Size)
	}
	return nil
}

// KeyHistory describes the key that signs the log, and those before it.
type KeyHistory struct {
	Origin   string   `json:"origin,omitempty"`   // name of the log
	Verifier string   `json:"verifier,omitempty"` // what others trust
	Secret   string   `json:"secret"`             // where the signing half is
	Problem  string   `json:"problem,omitempty"`  // why it can't sign
	Keys     []KeyUse `json:"keys"`               // oldest first
}

// KeyHistory returns the keys of the log, and whether the last of them, whose secret
// half lies in a place of that name, can sign.
func (l *Ledger) KeyHistory(ctx context.Context, secret string) (KeyHistory, error) {
	keys, err := l.Keys(ctx)
	if err != nil {
		return KeyHistory{}, err
	}
	h := KeyHistory{Secret: secret, Keys: append([]KeyUse{}, keys...)}
	if len(keys) == 0 {
		return h, nil
	}
	h.Verifier = keys[len(keys)-1].Verifier
	h.Origin, _, _ = strings.Cut(h.Verifier, "+")
	if _, err := l.Key(); err != nil {
		h.Problem = err.Error()
	}
	return h, nil
}
