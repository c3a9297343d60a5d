package runner

import (
	"context"

	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
)

// requeueUnverified queues again what was kept from an older suite, unless its
// run is there as it was signed, and has passed: a suite's own files are not
// signed.
func requeueUnverified(ctx context.Context, dir string, trusted []string, entries []suite.Entry) {
	seen := map[string]bool{}
	for i := range entries {
		e := &entries[i]
		if e.State != suite.Kept {
			continue
		}
		why := ""
		id := e.Result.RunID
		found, err := verify.Run(ctx, dir, id, verify.Options{Trusted: trusted})
		switch {
		case err != nil:
			why = "its run can't be verified: " + err.Error()
		case found.Verdict != verify.Verified:
			why = "its run is not verified: " + found.Findings[0].Code
		case found.Status != string(qa.Passed) || seen[id]:
			why = "its run is not one that passed"
		}
		seen[id] = true
		if why != "" {
			e.State, e.Result, e.Note = suite.Queued, nil, why
		}
	}
}
