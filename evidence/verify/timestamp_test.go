package verify_test

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
	"math/big"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/digitorus/timestamp"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/verify"
)

// authority stamps what it is given. That others read its tokens, and we those of
// others, is tested where they are read.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  crypto.Signer
	pool *x509.CertPool
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	usage, err := asn1.Marshal([]asn1.ObjectIdentifier{{1, 3, 6, 1, 5, 5, 7, 3, 8}})
	if err != nil {
		t.Fatal(err)
	}
	made := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Test authority"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true,
		ExtraExtensions: []pkix.Extension{{Id: asn1.ObjectIdentifier{2, 5, 29, 37}, Critical: true, Value: usage}},
	}
	der, err := x509.CreateCertificate(rand.Reader, made, made, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	a := &authority{t: t, cert: cert, key: key, pool: x509.NewCertPool()}
	a.pool.AddCert(cert)
	return a
}

func (a *authority) stamp(data []byte, at time.Time) attest.Timestamp {
	a.t.Helper()
	sum := sha256.Sum256(data)
	made := timestamp.Timestamp{HashAlgorithm: crypto.SHA256, HashedMessage: sum[:], Time: at, Policy: asn1.ObjectIdentifier{1, 2, 3}, SerialNumber: big.NewInt(7), AddTSACertificate: true}
	answer, err := made.CreateResponseWithOpts(a.cert, a.key, crypto.SHA256)
	if err != nil {
		a.t.Fatal(err)
	}
	read, err := timestamp.ParseResponse(answer)
	if err != nil {
		a.t.Fatal(err)
	}
	return attest.Timestamp{Authority: "http://tsa.test.example", Over: ledger.BlobDigest(data), Token: read.RawToken}
}

// stampedRun does a run whose checkpoint is stamped, and returns what is found.
func stampedRun(t *testing.T, o verify.Options, stamp func([]byte) attest.Timestamp) verify.Report {
	t.Helper()
	store, dir := stored(t, time.Now)
	store.Stamp = func(_ context.Context, checkpoint []byte) attest.Timestamp { return stamp(checkpoint) }
	r, err := verify.Run(t.Context(), dir, work(t, store, 1, 0, 0, true), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// B8: what an authority says of the time, about this checkpoint and no other.
func TestStamp(t *testing.T) {
	a, other := newAuthority(t), newAuthority(t)
	good := func(data []byte) attest.Timestamp { return a.stamp(data, time.Now()) }
	pinned := verify.Options{Authorities: a.pool}
	for name, c := range map[string]struct {
		options verify.Options
		stamp   func([]byte) attest.Timestamp
		verdict verify.Verdict
		codes   []string
	}{
		"good":       {pinned, good, verify.Verified, nil},
		"not pinned": {verify.Options{}, good, verify.Verified, []string{"timestamp-unpinned"}},
		"another's":  {verify.Options{Authorities: other.pool}, good, verify.Failed, []string{"timestamp-wrong"}},
		"over other data": {pinned, func(data []byte) attest.Timestamp {
			s := a.stamp(append(data, 'x'), time.Now())
			s.Over = ledger.BlobDigest(data)
			return s
		}, verify.Failed, []string{"timestamp-wrong"}},
		"said to be over":         {pinned, func(data []byte) attest.Timestamp { return a.stamp(append(data, 'x'), time.Now()) }, verify.Failed, []string{"timestamp-wrong"}},
		"said to be over nothing": {pinned, func(data []byte) attest.Timestamp { s := good(data); s.Over = ""; return s }, verify.Failed, []string{"timestamp-wrong"}},
		"no token": {pinned, func(data []byte) attest.Timestamp {
			return attest.Timestamp{Over: ledger.BlobDigest(data), Problem: "the authority is down"}
		}, verify.Verified, []string{"timestamp-none"}},
		"garbled":      {pinned, func(data []byte) attest.Timestamp { s := good(data); s.Token = s.Token[1:]; return s }, verify.Failed, []string{"timestamp-wrong"}},
		"another time": {pinned, func(data []byte) attest.Timestamp { return a.stamp(data, time.Now().Add(-10*time.Minute)) }, verify.Verified, []string{"clock-off"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := stampedRun(t, c.options, c.stamp)
			var codes []string
			for _, f := range r.Findings {
				codes = append(codes, f.Code)
			}
			if r.Verdict != c.verdict || !slices.Equal(codes, c.codes) || (len(r.Timestamps) == 1) != (c.verdict == verify.Verified && name != "no token") {
				t.Errorf("%+v", r)
			}
		})
	}
}

// B8: a time-stamp's bytes, changed one by one, tell no other time. Nobody signs
// the authority's address, nor all of what a token carries beside the time.
func TestStampFlips(t *testing.T) {
	a := newAuthority(t)
	store, dir := stored(t, time.Now)
	store.Stamp = func(_ context.Context, checkpoint []byte) attest.Timestamp { return a.stamp(checkpoint, time.Now()) }
	id := work(t, store, 0, 0, 0, true)
	f := &folder{t: t, dir: dir}
	good := f.run(id, verify.Options{Authorities: a.pool})
	record := f.read("runs/" + id + "/evidence.json")
	from := bytes.Index(record, []byte(`"timestamp"`))
	var free atomic.Int64
	var all []change
	for i, c := range flips("runs/"+id+"/evidence.json", len(record))[from:] {
		if i%5 == 0 {
			all = append(all, c)
		}
	}
	tryAll(t, dir, all, func(dir string, c change) string {
		r, err := verify.Run(t.Context(), dir, id, verify.Options{Authorities: a.pool})
		if err != nil || r.Verdict != verify.Verified {
			return blames(r, err, "evidence.json")
		}
		if !slices.Equal(r.Timestamps, good.Timestamps) {
			return "another time: " + r.Timestamps[0]
		}
		if !bytes.Contains(c.do(bytes.Clone(record)), []byte("http://tsa.test.example")) {
			return "" // the address
		}
		free.Add(1)
		return ""
	})
	t.Logf("%d of them mean nothing", free.Load())
	if int(free.Load()) > len(all)/20 {
		t.Error("these are too many to mean nothing")
	}
}
