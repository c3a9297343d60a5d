package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
)

// verified checks a stored run against what was signed, now, and says on stderr
// what was found. A run that is not as it was signed is an error.
func (a *app) verified(cmd *cobra.Command, dir, id string) (report.Verification, error) {
	cfg, err := a.settings(cmd)
	if err != nil {
		return report.Verification{}, err
	}
	found, err := verify.Run(cmd.Context(), dir, id, verify.Options{Trusted: cfg.Compliance.TrustedKeys})
	if errors.Is(err, verify.ErrPin) {
		return report.Verification{}, badPin(err)
	}
	if err != nil {
		return report.Verification{}, err
	}
	v := report.Verification{Time: a.now(), Outcome: string(found.Verdict), Line: verifiedBy(found),
		Pinned: slices.ContainsFunc(found.Keys, func(k verify.Key) bool { return k.Pinned })}
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s: %s\n", found.Verdict, v.Line)
	for _, f := range found.Findings {
		v.Findings = append(v.Findings, fmt.Sprintf("%s %s: %s: %s; next: %s", f.Severity, f.Code, cmp.Or(f.File, f.Run), f.Problem, f.Next))
		printFinding(&out, f)
	}
	if _, err := (masked{a, a.stderr, "text/plain"}).Write(out.Bytes()); err != nil {
		return v, err
	}
	if found.Verdict == verify.Failed {
		return v, fmt.Errorf("run %s is not as it was signed, so its report is not shown", id)
	}
	return v, nil
}

// recheck queues again what was kept from an older suite, unless its run is there
// as it was signed, and has passed: a suite's own files are signed by nobody.
func recheck(ctx context.Context, dir string, trusted []string, entries []suite.Entry) {
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
