package verify

import "crypto/x509"

// Options names keys and authorities to trust beyond those that the evidence itself names.
type Options struct {
	Trusted     []string       // verifier keys to pin; none: those of log/keys will do, and the report says that none is pinned
	Checkpoint  []byte         // signed checkpoint of the log that was kept elsewhere
	Authorities *x509.CertPool // that certify time-stamps; nil: any, and a finding says so
}

// verification verifies one run, bundle or folder. It is for one goroutine.
type verification struct {
	*findings
	options  Options
	ring     *keyRing
	log      *openedLog           // nil: not at hand
	packed   *bundleProofs        // what a bundle has of it; nil: no bundle
	anchored bool                 // a pinned key signed a checkpoint that covers the run
	whole    bool                 // of a whole data folder
	stories  map[string]runEvents // of the whole log, by run; nil: not read
}

// newVerification takes the caller's keys. One that is no key is an error, not a finding.
func newVerification(subject string, o Options) (*verification, error) {
	ring, err := newKeyRing(o.Trusted)
	return &verification{findings: newFindings(subject), options: o, ring: ring}, err
}
