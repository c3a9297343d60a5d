package attest_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/digitorus/timestamp"

	"github.com/assay-qa/assay/evidence/attest"
)

const stamped = "a signed checkpoint\n"

func stamp(t *testing.T, a *authority) []byte {
	t.Helper()
	token, err := attest.Stamp(t.Context(), http.DefaultClient, a.url, []byte(stamped), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// A token of openssl's authority holds here, and openssl agrees (B8, RFC 3161).
// Both ways to name the signing certificate are known.
func TestStamp(t *testing.T) {
	for _, names := range []string{"sha1", "sha256", "sha512"} {
		t.Run(names, func(t *testing.T) {
			a := newAuthority(t, "sha256", names)
			before := time.Now().Truncate(time.Second)
			token := stamp(t, a)
			at, signer, err := attest.CheckStamp(token, []byte(stamped), a.pool)
			if err != nil || signer != "CN=Test authority" || at.Before(before) || at.After(time.Now()) || at.Location() != time.UTC {
				t.Errorf("%s by %q, %v", at, signer, err)
			}
			if _, signer, err := attest.CheckStamp(token, []byte(stamped), nil); err != nil || signer != "CN=Test authority"+attest.NotPinned {
				t.Errorf("without authorities: %q, %v", signer, err)
			}
			for name, data := range map[string][]byte{"token": token, "data": []byte(stamped)} {
				if err := os.WriteFile(filepath.Join(a.dir, name), data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			out := openssl(t, a.dir, "ts", "-verify", "-in", "token", "-token_in", "-data", "data", "-CAfile", "ca.pem")
			if !strings.Contains(out, "Verification: OK") {
				t.Error(out)
			}
		})
	}
}

// What an authority can answer instead of a token is an error that names it.
func TestStampRefused(t *testing.T) {
	a := newAuthority(t, "sha256", "sha256")
	var earlier []byte
	a.instead = func(w http.ResponseWriter, _ *http.Request, answer []byte) {
		earlier = answer
		_, _ = w.Write(answer) // the client's error tells
	}
	stamp(t, a)
	send := func(b []byte) func(http.ResponseWriter, *http.Request, []byte) {
		return func(w http.ResponseWriter, _ *http.Request, _ []byte) { _, _ = w.Write(b) }
	}
	for name, c := range map[string]struct {
		instead func(http.ResponseWriter, *http.Request, []byte)
		want    string
	}{
		"answer to another request": {send(earlier), "it answers another request"},
		"cut answer": {func(w http.ResponseWriter, _ *http.Request, answer []byte) {
			_, _ = w.Write(answer[:len(answer)/2])
		}, "no RFC 3161 response"},
		"bytes behind": {func(w http.ResponseWriter, _ *http.Request, answer []byte) {
			_, _ = w.Write(append(answer, 0))
		}, "no RFC 3161 response"},
		"page": {func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<!doctype html><title>Sign in</title>"))
		}, `"text/html"`},
		"nothing":    {send(nil), "no RFC 3161 response"},
		"endless":    {send(make([]byte, 1<<20)), "longer than 65536 bytes"},
		"error page": {func(w http.ResponseWriter, _ *http.Request, _ []byte) { w.WriteHeader(http.StatusForbidden) }, "403"},
	} {
		a.instead = c.instead
		_, err := attest.Stamp(t.Context(), http.DefaultClient, a.url, []byte(stamped), rand.Reader)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), a.url) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	refuses := newAuthority(t, "sha512", "sha256") // rejects what we ask
	if _, err := attest.Stamp(t.Context(), http.DefaultClient, refuses.url, []byte(stamped), rand.Reader); !errors.Is(err, attest.ErrStamp) || !strings.Contains(err.Error(), "rejected") {
		t.Errorf("a refusal: %v", err)
	}
	asked := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	a.instead = func(_ http.ResponseWriter, r *http.Request, _ []byte) {
		close(asked)
		<-r.Context().Done() // until the client has gone
	}
	go func() { <-asked; cancel() }()
	if _, err := attest.Stamp(ctx, http.DefaultClient, a.url, []byte(stamped), rand.Reader); !errors.Is(err, context.Canceled) {
		t.Errorf("an authority that hangs: %v", err)
	}
	if _, err := attest.Stamp(t.Context(), http.DefaultClient, a.url, []byte(stamped), strings.NewReader("x")); err == nil {
		t.Error("no random bytes, and no error")
	}
}

// A token is believed for its data, by its authority, as it came (E5: every
// flipped byte is seen, or changes nothing).
func TestStampChanged(t *testing.T) {
	a, other := newAuthority(t, "sha256", "sha256"), newAuthority(t, "sha256", "sha256")
	token := stamp(t, a)
	want, signer, err := attest.CheckStamp(token, []byte(stamped), a.pool)
	if err != nil {
		t.Fatal(err)
	}
	for name, check := range map[string]func() error{
		"other data":        func() error { _, _, err := attest.CheckStamp(token, []byte("other"), a.pool); return err },
		"other authority":   func() error { _, _, err := attest.CheckStamp(token, []byte(stamped), other.pool); return err },
		"nobody trusted":    func() error { _, _, err := attest.CheckStamp(token, []byte(stamped), x509.NewCertPool()); return err },
		"expired authority": func() error { _, _, err := attest.CheckStamp(token, []byte(stamped), expired(t, a)); return err },
		"nothing":           func() error { _, _, err := attest.CheckStamp(nil, []byte(stamped), a.pool); return err },
		"bytes behind": func() error {
			_, _, err := attest.CheckStamp(append(bytes.Clone(token), 0), []byte(stamped), a.pool)
			return err
		},
		"too long": func() error { _, _, err := attest.CheckStamp(make([]byte, 1<<17), []byte(stamped), a.pool); return err },
	} {
		if err := check(); !errors.Is(err, attest.ErrStamp) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var same int
	for at := range token {
		if _, _, err := attest.CheckStamp(token[:at], []byte(stamped), a.pool); !errors.Is(err, attest.ErrStamp) {
			t.Errorf("cut to %d bytes: %v", at, err)
		}
		for _, mask := range flips() {
			changed := bytes.Clone(token)
			changed[at] ^= mask
			got, by, err := attest.CheckStamp(changed, []byte(stamped), a.pool)
			switch {
			case err == nil && (!got.Equal(want) || by != signer):
				t.Errorf("byte %d^%02x: %s by %q", at, mask, got, by)
			case err == nil:
				same++
			case !errors.Is(err, attest.ErrStamp):
				t.Errorf("byte %d^%02x: %v", at, mask, err)
			}
		}
	}
	t.Logf("%d bits flipped, %d of them in what a token carries along and nobody asks for", len(flips())*len(token), same)
}

// expired returns an authority like a, whose certificate has ended.
func expired(t *testing.T, a *authority) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	old := *a.root
	old.NotBefore, old.NotAfter = time.Now().Add(-48*time.Hour), time.Now().Add(-24*time.Hour)
	der, err := x509.CreateCertificate(rand.Reader, &old, &x509.Certificate{Subject: a.root.Subject}, a.root.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	root, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(root)
	return pool
}

// A certificate that is for other things as well could have been given to
// anybody: openssl's authority refuses to use it, so one of our own does.
func TestStampPurpose(t *testing.T) {
	for name, c := range map[string]struct {
		template x509.Certificate
		good     bool
	}{
		"for stamps":               {x509.Certificate{ExtraExtensions: usages(t, forStamps)}, true},
		"for nothing":              {x509.Certificate{}, false},
		"for servers":              {x509.Certificate{ExtraExtensions: usages(t, forServers)}, false},
		"for servers as well":      {x509.Certificate{ExtraExtensions: usages(t, forStamps, forServers)}, false},
		"for stamps, not critical": {x509.Certificate{ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping}}, false},
		"ended":                    {x509.Certificate{ExtraExtensions: usages(t, forStamps), NotAfter: time.Now().Add(-time.Hour)}, false},
	} {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		cert := c.template
		cert.SerialNumber, cert.Subject, cert.NotBefore = big.NewInt(7), pkix.Name{CommonName: "Own"}, time.Now().Add(-24*time.Hour)
		if cert.NotAfter.IsZero() {
			cert.NotAfter = time.Now().Add(time.Hour)
		}
		der, err := x509.CreateCertificate(rand.Reader, &cert, &cert, key.Public(), key)
		if err != nil {
			t.Fatal(err)
		}
		signer, err := x509.ParseCertificate(der)
		if err != nil {
			t.Fatal(err)
		}
		token := ownToken(t, signer, key)
		pool := x509.NewCertPool()
		pool.AddCert(signer)
		for _, authorities := range []*x509.CertPool{nil, pool} {
			if _, _, err := attest.CheckStamp(token, []byte(stamped), authorities); (err == nil) != c.good || err != nil && !errors.Is(err, attest.ErrStamp) {
				t.Errorf("a certificate %s: %v", name, err)
			}
		}
	}
}

// Two certificates of one key and one number: the token names by its hash which
// of them signed (RFC 5035).
func TestStampNamesItsCertificate(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	issuer := &x509.Certificate{Subject: pkix.Name{CommonName: "Root"}}
	issue := func(name string) *x509.Certificate {
		der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
			SerialNumber: big.NewInt(7), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), ExtraExtensions: usages(t, forStamps),
		}, issuer, key.Public(), key)
		if err != nil {
			t.Fatal(err)
		}
		cert, err := x509.ParseCertificate(der)
		if err != nil {
			t.Fatal(err)
		}
		return cert
	}
	ours, theirs := issue("Ours"), issue("Fake")
	for len(theirs.Raw) != len(ours.Raw) { // the length of a signature differs by some bytes
		theirs = issue("Fake")
	}
	token := ownToken(t, ours, key)
	if _, signer, err := attest.CheckStamp(token, []byte(stamped), nil); err != nil || signer != "CN=Ours"+attest.NotPinned {
		t.Errorf("%q, %v", signer, err)
	}
	exchanged := bytes.Replace(token, ours.Raw, theirs.Raw, 1)
	if _, signer, err := attest.CheckStamp(exchanged, []byte(stamped), nil); !errors.Is(err, attest.ErrStamp) || bytes.Equal(exchanged, token) {
		t.Errorf("the other certificate: %q, %v", signer, err)
	}
}

// ownToken returns a token that no authority of openssl would make.
func ownToken(t *testing.T, cert *x509.Certificate, key crypto.Signer) []byte {
	t.Helper()
	sum := sha256.Sum256([]byte(stamped))
	answer, err := (&timestamp.Timestamp{HashAlgorithm: crypto.SHA256, HashedMessage: sum[:], Time: time.Now(), AddTSACertificate: true, Policy: asn1.ObjectIdentifier{1, 2}}).
		CreateResponseWithOpts(cert, key, crypto.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	var response struct {
		Status struct{ Status int }
		Token  asn1.RawValue
	}
	if _, err := asn1.Unmarshal(answer, &response); err != nil {
		t.Fatal(err)
	}
	return response.Token.FullBytes
}

var (
	forStamps  = asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 3, 8}
	forServers = asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 3, 1}
)

// usages returns the extension that says what a certificate is for, critical.
func usages(t *testing.T, ids ...asn1.ObjectIdentifier) []pkix.Extension {
	t.Helper()
	value, err := asn1.Marshal(ids)
	if err != nil {
		t.Fatal(err)
	}
	return []pkix.Extension{{Id: asn1.ObjectIdentifier{2, 5, 29, 37}, Critical: true, Value: value}}
}
