package attest

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Checkpoint describes the state of a log: which one, how many entries, and the
// root of their Merkle tree (RFC 6962, section 2.1).
type Checkpoint struct {
	Origin string
	Size   int64
	Root   [tlog.HashSize]byte
}

// text returns the checkpoint as it is signed (https://c2sp.org/tlog-checkpoint).
func (c Checkpoint) text() string {
	return fmt.Sprintf("%s\n%d\n%s\n", c.Origin, c.Size, base64.StdEncoding.EncodeToString(c.Root[:]))
}

// SignCheckpoint returns the checkpoint as a signed note
// (https://c2sp.org/signed-note). A second key signs too while one takes over
// from another.
func SignCheckpoint(c Checkpoint, key *Key, others ...*Key) ([]byte, error) {
	signers := []note.Signer{key.signer}
	for _, k := range others {
		signers = append(signers, k.signer)
	}
	signed, err := note.Sign(&note.Note{Text: c.text()}, signers...)
	if err != nil {
		return nil, fmt.Errorf("sign checkpoint: %w", err)
	}
	return signed, nil
}

// OpenCheckpoint returns the checkpoint in a signed note, and the verifier keys
// of ours that signed it. It fails with [ErrSignature] if there is none: a key
// signs for the log that it is named after, and for no other. Signatures of
// unknown keys are passed over. Only what is spelt as [SignCheckpoint] spells it
// is read.
func (t Trust) OpenCheckpoint(signed []byte) (Checkpoint, []string, error) {
	c, err := ReadCheckpoint(signed)
	if err != nil {
		return Checkpoint{}, nil, err
	}
	verifiers := make([]note.Verifier, len(t.keys))
	for i, k := range t.keys {
		verifiers[i] = k.verifier
	}
	opened, err := note.Open(signed, note.VerifierList(verifiers...))
	if err != nil {
		return Checkpoint{}, nil, fmt.Errorf("checkpoint: %w (%w)", ErrSignature, err)
	}
	var by []string
	for _, k := range t.keys {
		for _, sig := range opened.Sigs {
			if sig.Name == k.verifier.Name() && sig.Hash == k.verifier.KeyHash() && sig.Name == c.Origin {
				by = append(by, k.text)
			}
		}
	}
	if len(by) == 0 {
		return Checkpoint{}, nil, fmt.Errorf("checkpoint: %w: it is of log %q, and the keys that signed it are for others", ErrSignature, c.Origin)
	}
	return c, by, nil
}

// ReadCheckpoint returns what a note says without asking who signed it.
func ReadCheckpoint(signed []byte) (Checkpoint, error) {
	if len(signed) > maxCheckpoint {
		return Checkpoint{}, fmt.Errorf("checkpoint: it has %d bytes, and at most %d are read", len(signed), maxCheckpoint)
	}
	split := bytes.LastIndex(signed, []byte("\n\n"))
	if split < 0 {
		return Checkpoint{}, errors.New("checkpoint: it is no signed note")
	}
	lines := strings.SplitAfter(string(signed[split+2:]), "\n")
	signatures, rest := lines[:len(lines)-1], lines[len(lines)-1]
	if rest != "" || len(signatures) == 0 || len(signatures) > maxSignatures {
		return Checkpoint{}, errors.New("checkpoint: it is no signed note: it is cut, or has too many signatures")
	}
	by := map[string]bool{}
	for i, line := range signatures {
		name, text, ok := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(line, "— "), "\n"), " ")
		signature, err := decodeCanonical(text)
		if !ok || !strings.HasPrefix(line, "— ") || err != nil || len(signature) < 4 {
			return Checkpoint{}, fmt.Errorf("checkpoint: line %d of its signatures is none", i+1)
		}
		key := fmt.Sprintf("%s+%x", name, signature[:4])
		if by[key] {
			return Checkpoint{}, fmt.Errorf("checkpoint: key %.100q signed twice", key)
		}
		by[key] = true
	}
	return parseCheckpoint(string(signed[:split+1]))
}

func parseCheckpoint(text string) (Checkpoint, error) {
	lines := strings.Split(text, "\n")
	if len(lines) != 4 || lines[3] != "" { // extension lines are none of ours
		return Checkpoint{}, errors.New("checkpoint: origin, size and root are wanted, a line each")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || size < 0 || size > maxSize || strconv.FormatInt(size, 10) != lines[1] {
		return Checkpoint{}, fmt.Errorf("checkpoint: %.100q is no size", lines[1])
	}
	root, err := parseHash(lines[2])
	if err != nil {
		return Checkpoint{}, fmt.Errorf("checkpoint: %.100q is no root", lines[2])
	}
	return Checkpoint{Origin: lines[0], Size: size, Root: root}, nil
}

// Entry holds one entry of a log, with the proof that a checkpoint covers it.
type Entry struct {
	Index int64    `json:"index"`           // from 0
	Leaf  string   `json:"leaf"`            // its exact bytes: one line of JSON, without the line's end
	Proof []string `json:"proof,omitempty"` // inclusion in the checkpoint's tree (RFC 9162, 2.1.3), base64, leaf first
}

// Check fails unless the checkpoint covers the entry.
func (e Entry) Check(c Checkpoint) error {
	proof, err := parseHashes(e.Proof)
	if err != nil {
		return fmt.Errorf("entry %d: its proof: %w", e.Index, err)
	}
	if e.Index < 0 || e.Index >= c.Size || c.Size > maxSize {
		return fmt.Errorf("entry %d: the checkpoint covers %d entries", e.Index, c.Size)
	}
	if err := tlog.CheckRecord(tlog.RecordProof(proof), c.Size, c.Root, e.Index, tlog.RecordHash([]byte(e.Leaf))); err != nil {
		return fmt.Errorf("entry %d: its proof doesn't lead to the checkpoint's root", e.Index)
	}
	return nil
}

// CheckGrowth fails unless the newer checkpoint's tree begins with the older
// one's. The proof is as RFC 9162, 2.1.4 has it, in base64.
func CheckGrowth(older, newer Checkpoint, proof []string) error {
	if older.Origin != newer.Origin {
		return fmt.Errorf("log %q is not log %q", newer.Origin, older.Origin)
	}
	if older.Size < 0 || newer.Size > maxSize {
		return fmt.Errorf("no log grows from %d to %d entries", older.Size, newer.Size)
	}
	if older.Size > newer.Size {
		return fmt.Errorf("the log had %d entries, and has %d now: it was rolled back", older.Size, newer.Size)
	}
	hashes, err := parseHashes(proof)
	if err != nil {
		return fmt.Errorf("growth from %d to %d entries: %w", older.Size, newer.Size, err)
	}
	if older.Size == 0 {
		if len(hashes) > 0 || older.Root != emptyRoot() {
			return errors.New("the tree of no entries has one root, and its growth needs no proof")
		}
		return nil
	}
	if err := tlog.CheckTree(tlog.TreeProof(hashes), newer.Size, newer.Root, older.Size, older.Root); err != nil {
		return fmt.Errorf("the first %d of %d entries are not those that were signed", older.Size, newer.Size)
	}
	return nil
}

// emptyRoot returns the root of a tree without entries (RFC 6962, 2.1).
func emptyRoot() tlog.Hash { return sha256.Sum256(nil) }

// maxProof limits how many hashes a proof has at most: two for each level.
const maxProof = 128

func parseHashes(texts []string) ([]tlog.Hash, error) {
	if len(texts) > maxProof {
		return nil, fmt.Errorf("%d hashes are more than any proof has", len(texts))
	}
	hashes := make([]tlog.Hash, len(texts))
	for i, text := range texts {
		var err error
		if hashes[i], err = parseHash(text); err != nil {
			return nil, fmt.Errorf("part %d is no hash", i)
		}
	}
	return hashes, nil
}

func parseHash(text string) (tlog.Hash, error) {
	data, err := decodeCanonical(text)
	if err == nil && len(data) != tlog.HashSize {
		err = fmt.Errorf("it has %d bytes", len(data))
	}
	if err != nil {
		return tlog.Hash{}, err
	}
	return tlog.Hash(data), nil
}
