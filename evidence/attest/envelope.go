package attest

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"
)

// PayloadType names the media type of the statements in our envelopes.
const PayloadType = "application/vnd.in-toto+json"

// Envelope holds exact bytes and the signatures over them (DSSE,
// https://github.com/secure-systems-lab/dsse).
type Envelope = dsse.Envelope

// Seal signs a statement.
func (k *Key) Seal(statement []byte) (Envelope, error) {
	if len(statement) > maxStatement {
		return Envelope{}, fmt.Errorf("sign statement: it has %d bytes, and at most %d are read again", len(statement), maxStatement)
	}
	signature := ed25519.Sign(k.private, dsse.PAE(PayloadType, statement))
	return Envelope{
		PayloadType: PayloadType, Payload: base64.StdEncoding.EncodeToString(statement),
		Signatures: []dsse.Signature{{KeyID: KeyID(k.verifier), Sig: base64.StdEncoding.EncodeToString(signature)}},
	}, nil
}

// OpenEnvelope returns the statement in an envelope. It fails with
// [ErrSignature] if no trusted key signed it, or if a signature of one is wrong.
// Signatures of unknown keys are passed over. Only what is spelt as [Key.Seal]
// spells it is read.
func (t Trust) OpenEnvelope(e Envelope) (_ []byte, err error) {
	defer explain(&err, "envelope")
	if e.PayloadType != PayloadType {
		return nil, fmt.Errorf("its payload is %.100q, not %q", e.PayloadType, PayloadType)
	}
	if len(e.Payload) > base64.StdEncoding.EncodedLen(maxStatement) || len(e.Signatures) > maxSignatures {
		return nil, fmt.Errorf("it is too long: %d bytes and %d signatures, and at most %d and %d are read",
			len(e.Payload), len(e.Signatures), base64.StdEncoding.EncodedLen(maxStatement), maxSignatures)
	}
	statement, err := decodeCanonical(e.Payload)
	if err != nil {
		return nil, fmt.Errorf("payload: %w", err)
	}
	signed := dsse.PAE(e.PayloadType, statement)
	ids, known := map[string]bool{}, false
	for i, s := range e.Signatures {
		signature, err := decodeCanonical(s.Sig)
		if err != nil {
			return nil, fmt.Errorf("signature %d: %w", i+1, err)
		}
		if s.KeyID == "" || ids[s.KeyID] {
			return nil, fmt.Errorf("signature %d: its key %.100q has no name, or has signed before", i+1, s.KeyID)
		}
		ids[s.KeyID] = true
		for _, k := range t.keys {
			if KeyID(k.text) != s.KeyID {
				continue
			}
			if !ed25519.Verify(k.public, signed, signature) {
				return nil, fmt.Errorf("%w: that of %s is of something else", ErrSignature, s.KeyID)
			}
			known = true
		}
	}
	if !known {
		return nil, ErrSignature
	}
	return statement, nil
}
