package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/paths"
	"github.com/assay-qa/assay/nearest"
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

// findRun returns the summary of a run by its id, or of the newest finished one.
func findRun(a *app, store *evidence.Store, dir, name string) (evidence.RunSummary, error) {
	runs, err := store.Runs()
	if err != nil {
		return evidence.RunSummary{}, err
	}
	var ids []string
	for _, r := range runs {
		switch {
		case name == r.ID:
			return r, nil
		case name == paths.Latest && r.State == evidence.Finished:
			return r, nil
		case name == paths.Latest:
			fmt.Fprintf(masked{a, a.stderr, "text/plain"}, "skipped: run %s is %s\n", r.ID, r.State)
		}
		ids = append(ids, r.ID)
	}
	switch {
	case len(ids) == 0:
		return evidence.RunSummary{}, usage("no run is stored in %s: name the folder with --data-dir", dir)
	case name == paths.Latest:
		return evidence.RunSummary{}, usage("no finished run is stored in %s; see: assay runs list", dir)
	default:
		return evidence.RunSummary{}, usage("there is no run %q%s; see: assay runs list", name, nearest.HintID(name, ids, paths.Latest))
	}
}

// damagedFiles names what is no longer as it was stored, of a run's artefacts.
func damagedFiles(store *evidence.Store, id string, names []string) []error {
	var damaged []error
	for _, name := range names {
		if _, _, err := store.Artifact(id, name); err != nil {
			if !errors.Is(err, evidence.ErrCorrupt) {
				err = fmt.Errorf("%s: %w", name, err)
			}
			damaged = append(damaged, err)
		}
	}
	return damaged
}
