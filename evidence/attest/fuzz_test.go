package attest_test

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/assay-qa/assay/evidence/attest"
)

// fixedKey returns the same in every run, so that what a fuzzer found is found again.
func fixedKey(t testing.TB) *attest.Key {
	t.Helper()
	key, err := attest.NewKey(strings.NewReader(strings.Repeat("k", 64)), "assay/fuzz")
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// Whatever the bytes are, a checkpoint that opens is one that was signed.
func FuzzOpenCheckpoint(f *testing.F) {
	key := fixedKey(f)
	trusted := trust(f, key)
	want := newReference(f).point(7)
	want.Origin = key.Name()
	signed, err := attest.SignCheckpoint(want, key)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(signed)
	f.Add([]byte("assay/fuzz\n9223372036854775807\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n— assay/fuzz AAAAAAAA\n"))
	f.Add([]byte("\n\n— "))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, _, err := trusted.OpenCheckpoint(data); err == nil && got != want {
			t.Errorf("%+v of %q", got, data)
		}
	})
}

// Whatever the bytes are, evidence that is read is spelt as it would be written,
// and what its signatures cover is what was signed.
func FuzzRecord(f *testing.F) {
	key := fixedKey(f)
	trusted := trust(f, key)
	sample := sampleRecord(f, key)
	data, err := sample.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"format":"assay-evidence/1","started":{"index":-1,"proof":[""]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := attest.ParseRecord(data)
		if err != nil {
			return
		}
		if again, err := r.Encode(); err != nil || !bytes.Equal(again, data) {
			t.Errorf("%q is read, and %q written", data, again)
		}
		if _, err := trusted.OpenEnvelope(r.Envelope); err == nil && r.Envelope.Payload != sample.Envelope.Payload {
			t.Errorf("%q opens", r.Envelope)
		}
		if err := r.Started.Check(newReference(t).point(7)); err == nil && !reflect.DeepEqual(r.Started, newReference(t).entry(int(r.Started.Index), 7)) {
			t.Errorf("%+v is proved", r.Started)
		}
	})
}

// A statement that is read says the same when it is written again.
func FuzzParseStatement(f *testing.F) {
	statement, err := trust(f, fixedKey(f)).OpenEnvelope(sampleRecord(f, fixedKey(f)).Envelope)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(statement)
	f.Add([]byte(`{"_type":"https://in-toto.io/Statement/v1","subject":[{}],"predicateType":"https://in-toto.io/attestation/test-result/v0.1","predicate":{"result":null}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		subjects, result, err := attest.ParseStatement(data)
		if err != nil {
			return
		}
		again, err := attest.NewStatement(subjects, result)
		if err != nil {
			t.Fatalf("%q is read, and not written: %v", data, err)
		}
		s, r, err := attest.ParseStatement(again)
		if err != nil || !reflect.DeepEqual(s, subjects) || !reflect.DeepEqual(r, result) {
			t.Errorf("%q is read, and %q written: %v", data, again, err)
		}
	})
}

// A token that holds is about its data; no bytes end the program. The seed was
// made by openssl ts.
func FuzzCheckStamp(f *testing.F) {
	token, err := os.ReadFile("testdata/token.der")
	if err != nil {
		f.Fatal(err)
	}
	root, err := os.ReadFile("testdata/token-root.pem")
	if err != nil {
		f.Fatal(err)
	}
	block, _ := pem.Decode(root)
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		f.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(cert)
	want, _, err := attest.CheckStamp(token, []byte(stamped), pool)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(token)
	f.Add([]byte{0x30, 0x80, 0, 0})
	f.Add(bytes.Repeat([]byte{0x30, 0x84, 0, 0, 0xff, 0}, 2000))
	f.Fuzz(func(t *testing.T, data []byte) {
		if at, _, err := attest.CheckStamp(data, []byte(stamped), pool); err == nil && !at.Equal(want) {
			t.Errorf("%x says %s", data, at)
		}
		_, _, _ = attest.CheckStamp(data, []byte(stamped), nil) // must not panic
	})
}

// Keys that are read are spelt as they are written.
func FuzzKeys(f *testing.F) {
	key := fixedKey(f)
	f.Add(key.Secret())
	f.Add(key.Verifier())
	f.Add("PRIVATE+KEY+++")
	f.Fuzz(func(t *testing.T, text string) {
		if k, err := attest.ParseKey(text); err == nil && k.Secret() != strings.TrimSpace(text) {
			t.Errorf("%q", text)
		}
		trusted, err := attest.ParseTrust(text)
		if err == nil && trusted.Keys()[0] != strings.TrimSpace(text) {
			t.Errorf("%q", text)
		}
		if err == nil && attest.KeyID(text) == "" {
			t.Errorf("%q has no name", text)
		}
	})
}
