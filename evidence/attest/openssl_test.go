package attest_test

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"github.com/assay-qa/assay/evidence/attest"
)

// resigned returns any text as a signed note.
func resigned(t *testing.T, key *attest.Key, text string) []byte {
	t.Helper()
	signer, err := note.NewSigner(key.Secret())
	if err != nil {
		t.Fatal(err)
	}
	signed, err := note.Sign(&note.Note{Text: text}, signer)
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

// publicKey writes a verifier key's raw Ed25519 half as openssl reads it: after
// the prefix of RFC 8410 in DER.
func publicKey(t *testing.T, dir, verifier string) {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(strings.SplitN(verifier, "+", 3)[2])
	if err != nil {
		t.Fatal(err)
	}
	der := append([]byte{0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00}, raw[1:]...) // after the byte that says Ed25519
	if err := os.WriteFile(filepath.Join(dir, "key.der"), der, 0o600); err != nil {
		t.Fatal(err)
	}
}

// openedElsewhere lets openssl check an Ed25519 signature.
func openedElsewhere(t *testing.T, dir string, signed, signature []byte) {
	t.Helper()
	for name, data := range map[string][]byte{"signed": signed, "signature": signature} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := openssl(t, dir, "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", "key.der", "-rawin", "-in", "signed", "-sigfile", "signature")
	if !strings.Contains(out, "Signature Verified Successfully") {
		t.Error(out)
	}
}

// openssl opens a checkpoint and an envelope, taken apart by hand as the formats
// say, with the raw public key (B8).
func TestSignaturesElsewhere(t *testing.T) {
	key, dir := newKey(t, "assay/test"), t.TempDir()
	publicKey(t, dir, key.Verifier())
	r := sampleRecord(t, key)
	text, line, ok := strings.Cut(r.Checkpoint, "\n\n")
	encoded := strings.TrimSuffix(strings.TrimPrefix(line, "— assay/test "), "\n")
	signature, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(signature) != 4+64 {
		t.Fatalf("%q, %v", r.Checkpoint, err)
	}
	openedElsewhere(t, dir, []byte(text+"\n"), signature[4:])

	payload, err := base64.StdEncoding.DecodeString(r.Envelope.Payload)
	if err != nil {
		t.Fatal(err)
	}
	if signature, err = base64.StdEncoding.DecodeString(r.Envelope.Signatures[0].Sig); err != nil {
		t.Fatal(err)
	}
	const kind = "application/vnd.in-toto+json"
	openedElsewhere(t, dir, bytes.Join([][]byte{[]byte("DSSEv1"), []byte(strconv.Itoa(len(kind))), []byte(kind), []byte(strconv.Itoa(len(payload))), payload}, []byte(" ")), signature)
}
