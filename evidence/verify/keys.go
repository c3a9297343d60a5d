package verify

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
)

// ErrPin marks a pinned key that is no valid verifier key.
var ErrPin = errors.New("a key to pin is none")

// keyRing holds the keys that a verification trusts: those that the caller pinned, and
// those that the folder names.
type keyRing struct {
	trust  attest.Trust
	named  []string // by the folder, oldest first
	pinned []string
}

// newKeyRing returns a ring with the keys that the caller pins.
func newKeyRing(pinned []string) (*keyRing, error) {
	trust, err := attest.ParseTrust(pinned...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPin, err)
	}
	return &keyRing{trust: trust, pinned: trust.Keys()}, nil
}

// addNamed adds the keys of log/keys.
func (r *keyRing) addNamed(found *findings, text []byte, err error) {
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(r.pinned) > 0:
		found.note("keys-missing", ledger.Keys, "put the file back from a copy", "the list of keys is missing; only the pinned ones are believed")
	case errors.Is(err, fs.ErrNotExist):
		found.unseen("keys-missing", ledger.Keys, "put the file back from a copy, or pin the key with --key", "the list of keys is missing")
	case err != nil:
		found.unseen("keys-missing", ledger.Keys, "put the file back from a copy, or pin the key with --key", "the list of keys can't be read: %v", err)
	default:
		r.addLines(found, string(text))
	}
}

func (r *keyRing) addLines(found *findings, text string) {
	const next = "put the file back from a copy, or pin the key with --key"
	if text == "" || !strings.HasSuffix(text, "\n") {
		found.fault("keys-changed", ledger.Keys, next, "the list of keys is cut: it has to end with a whole line")
	}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		trust, err := attest.ParseTrust(append(r.trust.Keys(), line)...)
		if err != nil || strings.TrimSpace(line) != line {
			found.add(Finding{Code: "keys-changed", Severity: Fault, File: ledger.Keys, Line: i + 1, Problem: "the list of keys has a line that is no key", Next: next})
			continue
		}
		if slices.Contains(r.named, line) {
			found.add(Finding{Code: "keys-changed", Severity: Fault, File: ledger.Keys, Line: i + 1, Problem: "the list of keys names a key twice", Next: next})
			continue
		}
		r.named, r.trust = append(r.named, line), trust
	}
}

func (r *keyRing) empty() bool { return len(r.trust.Keys()) == 0 }

// openedCheckpoint holds a checkpoint with who signed it.
type openedCheckpoint struct {
	attest.Checkpoint
	by     []string
	pinned bool
}

// open returns the checkpoint of a signed note. Whoever signed it is in the
// report.
func (r *keyRing) open(found *findings, signed []byte, file, what string) (openedCheckpoint, bool) {
	if r.empty() {
		found.unseen("key-unknown", ledger.Keys, "pin the key with --key", "who signed %s cannot be decided: no key is known", what)
		return openedCheckpoint{}, false
	}
	c, by, err := r.trust.OpenCheckpoint(signed)
	if err != nil {
		found.fault("checkpoint-signature", file, "restore the file from a copy; if the key is one of yours, pin it with --key", "%s is not signed by a key that is known here: %v", what, err)
		return openedCheckpoint{}, false
	}
	if strings.Count(string(signed), "\n— ") != len(by) {
		found.fault("checkpoint-signature", file, "restore the file from a copy", "%s has signatures of others, which could say anything", what)
		return openedCheckpoint{}, false
	}
	o := openedCheckpoint{Checkpoint: c, by: by, pinned: slices.ContainsFunc(by, r.isPinned)}
	for _, key := range by {
		found.report.addKey(Key{Verifier: key, Pinned: r.isPinned(key)})
	}
	return o, true
}

func (r *keyRing) isPinned(key string) bool { return slices.Contains(r.pinned, key) }
