package workers

import (
	"archive/zip"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/queue"
)

// Storage has the files that judgments name.
type Storage interface {
	// Get returns the bytes of a SHA-256, or an error: never others.
	Get(digest string) ([]byte, error)
	// Path returns the file with those bytes.
	Path(digest string) string
}

// Acceptance decides which verdicts of workers count.
type Acceptance struct {
	Keys    func() []string // verifier keys of the workers that are known now
	Storage Storage
}

// Accept returns the result of a case that a worker judged. The error says why it does not
// count: then the case has to run again.
func (a Acceptance) Accept(ctx context.Context, job queue.Job, body []byte) (r suite.Result, bundle string, err error) {
	trust, err := attest.ParseTrust(a.Keys()...)
	if err != nil {
		return r, "", err
	}
	c, err := open(body, trust, job)
	if err != nil {
		return r, "", err
	}
	data, err := a.Storage.Get(c.result)
	if err != nil {
		return r, "", fmt.Errorf("its result: %w", err)
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, "", fmt.Errorf("its result is not one of a case: %w", err)
	}
	if stated(r.Status) != c.stated {
		return r, "", fmt.Errorf("it was signed as %s, and its result is %s", c.stated, r.Status)
	}
	if c.bundle == "" {
		return r, "", nil
	}
	if _, err := a.Storage.Get(c.bundle); err != nil {
		return r, "", fmt.Errorf("its run: %w", err)
	}
	if err := a.proves(ctx, a.Storage.Path(c.bundle), r); err != nil {
		return r, "", err
	}
	return r, a.Storage.Path(c.bundle), sameRun(a.Storage.Path(c.bundle), r.RunID)
}

// proves says why a bundle does not prove a result; nil: it does.
func (a Acceptance) proves(ctx context.Context, bundle string, r suite.Result) error {
	found, err := verify.Bundle(ctx, bundle, verify.Options{Trusted: a.Keys()})
	switch {
	case err != nil:
		return fmt.Errorf("its run can't be verified: %w", err)
	case found.Verdict != verify.Verified && (r.Status == qa.TestPassed || found.Verdict == verify.Failed):
		return fmt.Errorf("its run is not as it was signed: %s", found.Findings[0].Problem)
	case r.Status == qa.TestPassed && found.Status != string(qa.Passed), r.Status == qa.TestFailed && found.Status != string(qa.Failed):
		return fmt.Errorf("its run says %q, and its result %q", found.Status, r.Status)
	}
	return nil
}

// sameRun refuses a bundle of another run than a result names. The bundle was verified.
func sameRun(bundle, id string) error {
	z, err := zip.OpenReader(bundle)
	if err != nil {
		return fmt.Errorf("open its run: %w", err)
	}
	defer z.Close()
	f, err := z.Open(attest.BundleRun + "report.json")
	if err != nil {
		return fmt.Errorf("its run has no report: %w", err)
	}
	defer f.Close()
	var report struct {
		RunID string `json:"runId"`
	}
	if err := json.NewDecoder(io.LimitReader(f, ledger.MaxBlob)).Decode(&report); err != nil {
		return fmt.Errorf("read the report of its run: %w", err)
	}
	if report.RunID != id {
		return fmt.Errorf("its bundle has the run %s, and its result names %q", report.RunID, id)
	}
	return nil
}
