package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/retain"
	"github.com/assay-qa/assay/internal/text"
)

// openKeeper opens what decides on deletion in the data folder.
func openKeeper(a *app, cmd *cobra.Command) (*retain.Keeper, error) {
	cfg, err := a.settings(cmd)
	if err != nil {
		return nil, err
	}
	a.vaultOf(cfg)
	return a.program().Keeper(cfg)
}

// fileAlone refuses a retention that a flag or a variable sets: what shortens
// it has to stand where it is reviewed.
func fileAlone(a *app, cmd *cobra.Command) error {
	const flag, variable = "compliance-evidence-retention-days", "ASSAY_COMPLIANCE_EVIDENCE_RETENTION_DAYS"
	set := ""
	if cmd.Flags().Changed(flag) {
		set = "--" + flag
	}
	if a.getenv(variable) != "" {
		set = variable
	}
	if set == "" {
		return nil
	}
	return usage("%s: the retention is set in the configuration file alone ([compliance] evidence_retention_days), where it is reviewed; --older-than asks for more", set)
}

func runsPrune(a *app) *cobra.Command {
	var by signature
	var asJSON, dry bool
	var older, today string
	c := &cobra.Command{
		Use:   "prune",
		Short: "Delete runs that are older than the retention, and blobs that nothing needs",
		Long: `Delete runs that are older than [compliance] evidence_retention_days, blobs that
nothing needs any more, and leftovers of processes that were killed. What is
younger stays, whatever is asked for, and so does what is held (assay runs hold).
The log says what goes before it goes, with name and reason. --dry-run shows it.`,
		Args: strict(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !dry {
				if err := by.check("who decides", "older than a year"); err != nil {
					return err
				}
			}
			order := retain.PruneRequest{By: by.by, Reason: by.reason, Today: today, DryRun: dry}
			var err error
			if order.Days, err = daysOf(older); err != nil {
				return err
			}
			if err := fileAlone(a, cmd); err != nil {
				return err
			}
			keeper, err := openKeeper(a, cmd)
			if err != nil {
				return err
			}
			report, err := keeper.Prune(cmd.Context(), order)
			if errors.Is(err, retain.ErrPruneRequest) {
				return usage("%w", err)
			}
			if asJSON && report.Folder != "" {
				err = errors.Join(err, json.NewEncoder(masked{a, a.stdout, "application/json"}).Encode(report))
			} else if report.Folder != "" {
				printPruned(a, report, err == nil)
			}
			if err == nil && len(report.Problems) > 0 {
				return &exitError{code: exitFailed}
			}
			return err
		},
	}
	by.flags(c, "who decides")
	c.Flags().BoolVar(&dry, "dry-run", false, "show what would go, and delete nothing")
	c.Flags().BoolVar(&asJSON, "json", false, "print the outcome as JSON")
	c.Flags().StringVar(&older, "older-than", "", "delete only what is older, such as 400d; never less than the retention")
	c.Flags().StringVar(&today, "today", "", "the date, such as 2026-11-22, where the clock is far ahead of the log; make sure that it is right")
	return c
}

// daysOf reads such as 400d; 0 for nothing.
func daysOf(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	digits, ok := strings.CutSuffix(text, "d")
	days, err := strconv.Atoi(digits)
	if !ok || err != nil || days < 1 {
		return 0, usage("--older-than %q: a number of days is wanted, such as 400d", text)
	}
	return days, nil
}

func printPruned(a *app, r retain.Report, done bool) {
	out := masked{a, a.stdout, "text/plain"}
	verb := "deleted"
	if r.DryRun {
		verb = "would delete"
	}
	row := func(word string, i retain.Item) {
		fmt.Fprintf(out, "%-12s  %-8s  %s  %s%s  %s\n", word, i.Kind, name(i), text.Size(i.Bytes), on(i.Time), i.Why)
	}
	for _, i := range r.Deleted {
		row(verb, i)
	}
	for _, i := range r.Kept {
		row("kept", i)
	}
	for _, i := range r.Left {
		row("left alone", i)
	}
	if r.Clock != "" {
		fmt.Fprintf(out, "clock: %s\n", r.Clock)
	}
	for _, p := range r.Problems {
		fmt.Fprintf(out, "problem: %q\n", p)
	}
	if !done && len(r.Deleted) == 0 {
		return
	}
	fmt.Fprintf(out, "%s %s (%s), kept %s (%s) and %s (%s); what is younger than %d days stays\n", verb,
		text.Count(len(r.Deleted), "item"), text.Size(r.DeletedBytes), text.Count(len(r.Kept), "run"), text.Size(r.KeptBytes), text.Count(r.Blobs, "blob"), text.Size(r.BlobBytes), r.Days)
	if r.DryRun && len(r.Deleted) > 0 {
		fmt.Fprintf(out, "next: assay runs prune --name \"Your Name\" --reason \"why\"\n")
	}
}

// name returns what a person reads: names that others gave are quoted.
func name(i retain.Item) string {
	switch i.Kind {
	case retain.BlobKind:
		return short(i.Name)
	case retain.RunKind:
		return i.Name
	default:
		return strconv.Quote(i.Name)
	}
}

func on(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return "  " + t.Format(time.DateOnly)
}

// runsHold returns the command of a person's act: hold or release.
func runsHold(a *app, act string) *cobra.Command {
	does := map[string]string{
		"hold":    "Keep a run, whatever its age, until it is released",
		"release": "End a hold: the run is deleted by its age again",
	}
	var by signature
	var asJSON bool
	c := &cobra.Command{
		Use:   act + " RUN",
		Short: does[act],
		Long:  does[act] + ".\nIt is signed with a printed name and a reason, and recorded in the log.",
		Args:  strict(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := by.check("who decides", "litigation 2026/17"); err != nil {
				return err
			}
			keeper, err := openKeeper(a, cmd)
			if err != nil {
				return err
			}
			run, err := heldRun(a, cmd, args[0], act)
			if err != nil {
				return err
			}
			decide := map[string]func(context.Context, string, string, string) (retain.Hold, error){"hold": keeper.Hold, "release": keeper.Release}[act]
			h, err := decide(cmd.Context(), run, by.by, by.reason)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(a.stdout).Encode(map[string]any{"run_id": run, "held": act == "hold", "by": h.By, "reason": h.Reason, "time": h.Time})
			}
			if act == "release" {
				fmt.Fprintf(a.stdout, "%s: released; it was held by %q since %s: %q\n", run, h.By, h.Time.Format(time.DateOnly), h.Reason)
				return nil
			}
			fmt.Fprintf(a.stdout, "%s: held by %q: %q\n", run, h.By, h.Reason)
			return nil
		},
	}
	by.flags(c, "who decides")
	c.Flags().BoolVar(&asJSON, "json", false, "print the hold as JSON")
	return c
}

// heldRun returns the run that a person names. A run to be released may be gone.
func heldRun(a *app, cmd *cobra.Command, word, act string) (string, error) {
	store, _, err := openStore(a, cmd)
	if err != nil {
		return "", err
	}
	found, err := findRun(a, store, word)
	if err != nil && act == "release" && word != ledger.LatestRun {
		return word, nil // the ledger knows what is held
	}
	return found.ID, err
}
