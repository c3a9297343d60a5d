package verify

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/paths"
)

// ErrPin marks a pinned key that is no valid verifier key.
var ErrPin = errors.New("a key to pin is none")

// keyRing holds the keys that a verification trusts: those that the caller pinned, and
// those that the folder names.
type keyRing struct {
	trust  attest.Trust
	keys   []string // all of them
	named  []string // by the folder, oldest first
	pinned []string
}

// pinKeys takes the caller's keys. They are the caller's words: one that is no key
// is an error, not a finding.
func (v *verification) pinKeys() error {
	trust, err := attest.ParseTrust(v.options.Trusted...)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPin, err)
	}
	v.ring = keyRing{trust: trust, keys: trust.Keys(), pinned: trust.Keys()}
	return nil
}

// addNamedKeys adds the keys of log/keys.
func (v *verification) addNamedKeys(text []byte, err error) {
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(v.ring.pinned) > 0:
		v.note("keys-missing", paths.Keys, "put the file back from a copy", "the list of keys is missing; only the pinned ones are believed")
	case errors.Is(err, fs.ErrNotExist):
		v.unseen("keys-missing", paths.Keys, "put the file back from a copy, or pin the key with --key", "the list of keys is missing")
	case err != nil:
		v.unseen("keys-missing", paths.Keys, "put the file back from a copy, or pin the key with --key", "the list of keys can't be read: %v", err)
	default:
		v.addKeys(string(text))
	}
}

func (v *verification) addKeys(text string) {
	const next = "put the file back from a copy, or pin the key with --key"
	if text == "" || !strings.HasSuffix(text, "\n") {
		v.fault("keys-changed", paths.Keys, next, "the list of keys is cut: it has to end with a whole line")
	}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if _, err := attest.ParseTrust(line); err != nil || strings.TrimSpace(line) != line {
			v.add(Finding{Code: "keys-changed", Severity: Fault, File: paths.Keys, Line: i + 1, Problem: "the list of keys has a line that is no key", Next: next})
			continue
		}
		if slices.Contains(v.ring.named, line) {
			v.add(Finding{Code: "keys-changed", Severity: Fault, File: paths.Keys, Line: i + 1, Problem: "the list of keys names a key twice", Next: next})
			continue
		}
		v.ring.named = append(v.ring.named, line)
		if !slices.Contains(v.ring.keys, line) {
			v.ring.keys = append(v.ring.keys, line)
		}
	}
	if trust, err := attest.ParseTrust(v.ring.keys...); err == nil { // each was parsed before
		v.ring.trust = trust
	}
}

// openedCheckpoint holds a checkpoint with who signed it.
type openedCheckpoint struct {
	attest.Checkpoint
	by     []string
	pinned bool
}

// openCheckpoint returns the checkpoint of a signed note. Whoever signed it is in the
// report.
func (v *verification) openCheckpoint(signed []byte, file, what string) (openedCheckpoint, bool) {
	if len(v.ring.keys) == 0 {
		v.unseen("key-unknown", paths.Keys, "pin the key with --key", "who signed %s cannot be decided: no key is known", what)
		return openedCheckpoint{}, false
	}
	c, by, err := v.ring.trust.OpenCheckpoint(signed)
	if err != nil {
		v.fault("checkpoint-signature", file, "restore the file from a copy; if the key is one of yours, pin it with --key", "%s is not signed by a key that is known here: %v", what, err)
		return openedCheckpoint{}, false
	}
	if strings.Count(string(signed), "\n— ") != len(by) {
		v.fault("checkpoint-signature", file, "restore the file from a copy", "%s has signatures of others, which could say anything", what)
		return openedCheckpoint{}, false
	}
	for _, key := range by {
		if name, _, _ := strings.Cut(key, "+"); name != c.Origin {
			v.fault("checkpoint-signature", file, "restore the file from a copy", "%s is of log %q, and its key is of log %q", what, c.Origin, name)
			return openedCheckpoint{}, false
		}
	}
	o := openedCheckpoint{Checkpoint: c, by: by, pinned: slices.ContainsFunc(by, v.isPinned)}
	for _, key := range by {
		v.report.addKey(Key{Verifier: key, Pinned: v.isPinned(key)})
	}
	return o, true
}

func (v *verification) isPinned(key string) bool { return slices.Contains(v.ring.pinned, key) }
