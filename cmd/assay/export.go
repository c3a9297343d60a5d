package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/bundle"
	"github.com/assay-qa/assay/evidence/verify"
)

func exportCommand(a *app) *cobra.Command {
	var out string
	var asJSON bool
	var steps flowExport
	c := &cobra.Command{
		Use:   "export [RUN]",
		Short: "Pack a run into one zip, or write its calls as a flow or a Playwright test",
		Long: `Pack a finished run into one zip: its folder, what the log says of it, proofs,
public keys, and a README.md with commands that check all this without assay.
RUN is a run's id; the default is "latest", the
newest finished one.

The same run and the same log give the same bytes. No file is overwritten. What
was written is verified. A run that was damaged is packed as it is, and the exit
code is 1. Files that nobody signed, and what is no regular file, are named and
left out.

With --flow or --playwright the calls that a client made in the run are written as
a flow, or as a Playwright test, after the run was verified. Secrets stay
references: ${secret:NAME} in a flow, variables of the environment in a test. What
no step does, such as a mock, is a named gap: a flow with one is inconclusive, a
test is marked as one to be mended. Such a file is recorded, not run: --check runs
the test once, as assay test does, and names each request by which its pages asked
the site to change something.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, dir, err := openStore(a, cmd)
			if err != nil {
				return err
			}
			run, err := findRun(a, store, orLatest(args))
			if err != nil {
				return err
			}
			if run.State == evidence.Unfinished {
				return fmt.Errorf("run %s is not finished, and nothing is signed yet: the client that started it finishes it; if that has ended, repeat the run. "+
					"What it kept is in %s", run.ID, filepath.Join(dir, "runs", run.ID))
			}
			if steps.wanted() {
				steps.out, steps.asJSON = out, asJSON
				return exportFlow(a, cmd, store, dir, run, steps)
			}
			if out == "" {
				out = run.ID + ".zip"
			}
			b, err := bundle.Write(cmd.Context(), bundle.Source{Dir: dir, Run: run.ID, Ledger: store.Log}, out)
			if errors.Is(err, bundle.ErrTarget) {
				return usage("%w", err)
			}
			if err != nil {
				return err
			}
			return exportedRun(a, cmd, run, b, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print what was written, and what verifying it found, as JSON")
	c.Flags().StringVar(&out, "out", "", "file to write (default: RUN.zip in the working folder; of --flow and --playwright called after the run's goal)")
	c.Flags().BoolVar(&steps.asFlow, "flow", false, "write the run's calls as a flow, which assay run takes")
	c.Flags().BoolVar(&steps.asTest, "playwright", false, "write the run's calls as a Playwright test")
	c.Flags().BoolVar(&steps.check, "check", false, "with --playwright: run the test once, as assay test does, and say what it asked the site to change")
	return c
}

// exportedRun tells what was written, and what somebody will find who verifies it.
func exportedRun(a *app, cmd *cobra.Command, run evidence.RunSummary, b bundle.Bundle, asJSON bool) error {
	cfg, err := a.settings(cmd)
	if err != nil {
		return err
	}
	keys, err := a.pinnedKeys(cfg)
	if err != nil {
		return err
	}
	found, err := verify.Bundle(cmd.Context(), b.Path, verify.Options{Trusted: keys})
	if err != nil {
		return fmt.Errorf("%s was written, and could not be verified: %w", b.Path, err)
	}
	if asJSON {
		err = json.NewEncoder(masked{a, a.stdout, "application/json"}).Encode(map[string]any{"path": b.Path, "run_id": run.ID,
			"files": b.Files, "bytes": b.Bytes, "sha256": b.SHA256, "left_out": append([]string{}, b.Left...), "verification": found})
	} else {
		_, err = fmt.Fprintf(masked{a, a.stdout, "text/plain"}, "%s\n  %d files, %d bytes, SHA-256 %s\n%s", b.Path, b.Files, b.Bytes, b.SHA256, found.Text())
	}
	if err != nil {
		return err
	}
	if found.Verdict == verify.Verified && len(b.Left) == 0 {
		return nil
	}
	problem := fmt.Sprintf("run %s is exported as it is, but not all is in order", run.ID)
	if len(b.Left) > 0 {
		problem += "; not in the bundle, as its README.md says:\n  " + strings.Join(b.Left, "\n  ")
	}
	return errors.New(problem)
}
