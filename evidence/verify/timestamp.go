package verify

import (
	"crypto/x509"
	"strings"
	"time"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
)

// clockSlack bounds how far the machine's clock may be from an authority's before
// it is worth a word. A time-stamp is requested within seconds of the entry.
const clockSlack = time.Minute

// checkTimestamp checks what an authority says of the time.
func (s provenEvidence) checkTimestamp(found *findings, authorities *x509.CertPool) {
	stamp := s.record.Timestamp
	if stamp == nil {
		if authorities != nil { // a caller who wants one has to know that no authority confirms the time
			found.note("timestamp-none", ledger.Evidence, "the time of this run is the machine's own; set [compliance] tsa_url for the next", "there is no time-stamp")
		}
		return
	}
	if want := ledger.BlobDigest([]byte(s.record.Checkpoint)); stamp.Over != want {
		found.add(Finding{Code: "timestamp-wrong", Severity: Fault, File: ledger.Evidence, Expected: want, Found: stamp.Over, Problem: "the time-stamp is over another checkpoint", Next: restore})
		return
	}
	if len(stamp.Token) == 0 {
		found.note("timestamp-none", ledger.Evidence, "the time of this run is the machine's own; fix [compliance] tsa_url for the next", "there is no time-stamp: %q", stamp.Problem)
		return
	}
	at, signer, err := attest.CheckStamp(stamp.Token, []byte(s.record.Checkpoint), authorities)
	if err != nil {
		found.fault("timestamp-wrong", ledger.Evidence, "name the authority's certificate with --tsa-ca; if it is the right one, "+restore, "%v", err)
		return
	}
	found.report.Timestamps = append(found.report.Timestamps, at.UTC().Format(time.RFC3339))
	if name, unpinned := strings.CutSuffix(signer, attest.NotPinned); unpinned {
		found.note("timestamp-unpinned", ledger.Evidence, "name the certificate of the authority that you trust with --tsa-ca", "nobody has said that %q is to be believed about the time", name)
	}
	if s.finished == nil {
		return
	}
	if off := s.finished.UTC.Sub(at).Round(time.Second); off.Abs() > clockSlack {
		found.note("clock-off", ledger.Evidence, "believe the authority; set the machine's clock", "the machine's clock differs by %s from the authority's", off)
	}
}
