package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/evidence/verify"
)

// verifiedRun checks a stored run against what was signed, now, and says on stderr
// what was found. A run that is not as it was signed is an error.
func verifiedRun(a *app, cmd *cobra.Command, dir, id string) (report.Verification, error) {
	cfg, err := a.settings(cmd)
	if err != nil {
		return report.Verification{}, err
	}
	found, err := verify.Run(cmd.Context(), dir, id, verify.Options{Trusted: cfg.Compliance.TrustedKeys})
	if errors.Is(err, verify.ErrPin) {
		return report.Verification{}, pinError(err)
	}
	if err != nil {
		return report.Verification{}, err
	}
	v := report.Verification{Time: a.now(), Outcome: string(found.Verdict), Line: found.Line(),
		Pinned: slices.ContainsFunc(found.Keys, func(k verify.Key) bool { return k.Pinned })}
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s\n", found.Verdict, v.Line)
	for _, f := range found.Findings {
		v.Findings = append(v.Findings, fmt.Sprintf("%s %s: %s: %s; next: %s", f.Severity, f.Code, cmp.Or(f.File, f.Run), f.Problem, f.Next))
		out.WriteString(f.Text())
	}
	if _, err := io.WriteString(masked{a, a.stderr, "text/plain"}, out.String()); err != nil {
		return v, err
	}
	if found.Verdict == verify.Failed {
		return v, fmt.Errorf("run %s is not as it was signed, so its report is not shown", id)
	}
	return v, nil
}
