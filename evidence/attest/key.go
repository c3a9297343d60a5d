// Package attest signs what evidence rests on, and checks such signatures:
// checkpoints of a log (C2SP tlog-checkpoint in a signed note), and statements
// about runs (in-toto, in a DSSE envelope). It reads and writes no file.
package attest

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// ErrSignature marks a signature that no trusted key made, or that is not
// one of what it stands under.
var ErrSignature = errors.New("no trusted key signed this")

// algEd25519 marks the keys of signed notes (golang.org/x/mod/sumdb/note).
const algEd25519 = 1

// What is read is bounded: it may come from anybody.
const (
	maxKey        = 512      // bytes of a key
	maxTrusted    = 1000     // keys
	maxSignatures = 16       // of one checkpoint or envelope
	maxCheckpoint = 16 << 10 // bytes of a signed checkpoint
	maxStatement  = 16 << 20 // bytes of a statement: a hundred thousand files
	maxSize       = 1 << 56  // entries of a log; x/mod's arithmetic of trees ends not far above
)

// Key signs. Its name is the origin of the log that it signs for.
type Key struct {
	name, secret, verifier string
	signer                 note.Signer
	private                ed25519.PrivateKey
}

// NewKey makes a key from a source of random bytes.
func NewKey(random io.Reader, name string) (*Key, error) {
	secret, _, err := note.GenerateKey(random, name)
	if err != nil {
		return nil, fmt.Errorf("make a signing key: %w", err)
	}
	return ParseKey(secret)
}

// ParseKey reads a key as [Key.Secret] writes it. Its errors don't hold the key.
func ParseKey(text string) (*Key, error) {
	text = strings.TrimSpace(text)
	signer, err := note.NewSigner(text)
	if err != nil || len(text) > maxKey {
		return nil, errors.New("read the signing key: it is none of ours, which begin with PRIVATE+KEY+, or was changed")
	}
	_, data, _ := strings.Cut(strings.TrimPrefix(text, "PRIVATE+KEY+"+signer.Name()+"+"), "+") // hash+data
	seed, err := decodeCanonical(data)
	if err != nil || len(seed) != 1+ed25519.SeedSize || seed[0] != algEd25519 {
		return nil, errors.New("read the signing key: it is no Ed25519 key")
	}
	private := ed25519.NewKeyFromSeed(seed[1:])
	verifier, err := note.NewEd25519VerifierKey(signer.Name(), public(private))
	if err != nil {
		return nil, fmt.Errorf("read the signing key: %w", err)
	}
	return &Key{name: signer.Name(), secret: text, verifier: verifier, signer: signer, private: private}, nil
}

func public(private ed25519.PrivateKey) ed25519.PublicKey {
	return ed25519.PublicKey(private[ed25519.SeedSize:])
}

// Name returns the origin of the log that the key signs for.
func (k *Key) Name() string { return k.name }

// Secret returns the key itself, for the file that keeps it.
func (k *Key) Secret() string { return k.secret }

// Verifier returns the public half, as signed notes have it: name+hash+base64.
func (k *Key) Verifier() string { return k.verifier }

// Trust holds a set of verifier keys. The zero value trusts no key.
type Trust struct{ keys []trusted }

type trusted struct {
	text     string
	verifier note.Verifier
	public   ed25519.PublicKey
}

// ParseTrust reads verifier keys as [Key.Verifier] writes them. One that stands
// there twice counts once.
func ParseTrust(verifiers ...string) (Trust, error) {
	if len(verifiers) > maxTrusted {
		return Trust{}, fmt.Errorf("read verifier keys: there are %d, and at most %d are read", len(verifiers), maxTrusted)
	}
	var t Trust
	seen := map[string]string{}
	for _, text := range verifiers {
		text = strings.TrimSpace(text)
		k, err := parseVerifier(text)
		if err != nil {
			return Trust{}, fmt.Errorf("read verifier key %.200q: %w", text, err)
		}
		id := KeyID(text)
		if before, ok := seen[id]; ok && before != text {
			return Trust{}, fmt.Errorf("read verifier keys: two keys are called %s: somebody made one that looks like the other", id)
		} else if !ok {
			t.keys = append(t.keys, k)
		}
		seen[id] = text
	}
	return t, nil
}

func parseVerifier(text string) (trusted, error) {
	v, err := note.NewVerifier(text)
	if err != nil {
		return trusted{}, err
	}
	parts := strings.Split(text, "+") // name+hash+data
	data, err := base64.StdEncoding.DecodeString(strings.Join(parts[2:], "+"))
	if err != nil || len(data) != 1+ed25519.PublicKeySize || data[0] != algEd25519 {
		return trusted{}, errors.New("it is no Ed25519 key")
	}
	public := ed25519.PublicKey(data[1:])
	if spelt, err := note.NewEd25519VerifierKey(v.Name(), public); err != nil || spelt != text || len(text) > maxKey {
		return trusted{}, errors.New("it is not spelt as it was made")
	}
	return trusted{text: text, verifier: v, public: public}, nil
}

// Keys returns the verifier keys, as they came.
func (t Trust) Keys() []string {
	keys := make([]string, len(t.keys))
	for i, k := range t.keys {
		keys[i] = k.text
	}
	return keys
}

// KeyID names a key in envelopes: its verifier key without the public half,
// name+hash.
func KeyID(verifier string) string {
	name, rest, _ := strings.Cut(verifier, "+")
	hash, _, _ := strings.Cut(rest, "+")
	return name + "+" + hash
}

// explain puts what was done before an error, if there is one.
func explain(err *error, what string) {
	if *err != nil {
		*err = fmt.Errorf("%s: %w", what, *err)
	}
}

// decodeCanonical decodes base64 that is spelt the one way that an encoder spells it.
// Others mean the same, and are not what was written.
func decodeCanonical(text string) ([]byte, error) {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("it is no base64: %w", err)
	}
	if base64.StdEncoding.EncodeToString(data) != text {
		return nil, errors.New("its base64 is not spelt as an encoder spells it")
	}
	return data, nil
}
