package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/internal/wiring"
)

// verifiedRun checks a stored run against what was signed, now, and says on stderr
// what was found. A run that is not as it was signed is an error.
func verifiedRun(a *app, cmd *cobra.Command, dir, id string) (report.Verification, error) {
	cfg, err := a.settings(cmd)
	if err != nil {
		return report.Verification{}, err
	}
	keys, err := a.pinnedKeys(cfg)
	if err != nil {
		return report.Verification{}, err
	}
	found, err := verify.Run(cmd.Context(), dir, id, verify.Options{Trusted: keys})
	if errors.Is(err, verify.ErrPin) {
		return report.Verification{}, pinError(err)
	}
	if err != nil {
		return report.Verification{}, err
	}
	v := wiring.Verification(found, a.now())
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s\n", found.Verdict, v.Line)
	for _, f := range found.Findings {
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
