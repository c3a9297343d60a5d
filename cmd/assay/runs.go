package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/ledger"
)

// openStore opens the data folder alone, without browser and tools.
func openStore(a *app, cmd *cobra.Command) (*evidence.Store, string, error) {
	cfg, err := a.settings(cmd)
	if err != nil {
		return nil, "", err
	}
	return a.program().Store(cfg)
}

func runsCommand(a *app) *cobra.Command {
	var asJSON bool
	list := &cobra.Command{
		Use:   "list",
		Short: "List the stored runs, newest first",
		Args:  strict(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			store, dir, err := openStore(a, cmd)
			if err != nil {
				return err
			}
			runs, err := store.Runs()
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(a.stdout).Encode(append([]evidence.RunSummary{}, runs...))
			}
			if len(runs) == 0 {
				fmt.Fprintf(a.stdout, "no runs in %s\n", dir)
			}
			for _, r := range runs {
				printRun(a, r)
			}
			return nil
		},
	}
	list.Flags().BoolVar(&asJSON, "json", false, "print the list as JSON")
	c := &cobra.Command{
		Use:   "runs",
		Short: "Look at the stored runs, hold them, delete old ones",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usage("say what to do with the runs: %s list, prune, hold or release", cmd.CommandPath())
		},
	}
	c.AddCommand(list, runsPrune(a), runsHold(a, "hold"), runsHold(a, "release"))
	return c
}

func printRun(a *app, r evidence.RunSummary) {
	word := string(r.Status)
	if r.State != evidence.Finished {
		word = string(r.State)
	}
	fmt.Fprintf(a.stdout, "%s  %-12s  %3d checks  %3d findings  %s  %q\n", r.ID, word, r.Checks, r.Findings, r.StartedAt.UTC().Format(time.DateTime), r.Goal)
	if r.Problem != "" {
		fmt.Fprintf(a.stdout, "  problem: %q\n", r.Problem)
	}
}

// orLatest returns the run that is named, or the newest finished one.
func orLatest(args []string) string {
	if len(args) == 0 {
		return ledger.LatestRun
	}
	return args[0]
}

// findRun finds a run by its id, or the newest finished one.
func findRun(a *app, store *evidence.Store, name string) (evidence.RunSummary, error) {
	found, err := store.Find(name, func(r evidence.RunSummary) {
		fmt.Fprintf(masked{a, a.stderr, "text/plain"}, "skipped: run %s is %s\n", r.ID, r.State)
	})
	var none *evidence.NoRunError
	if errors.As(err, &none) {
		err = usage("%w", err)
	}
	return found, err
}
