package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/evidence/retain"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/wiring"
)

// openKeeper opens what decides on deletion in the data folder.
func openKeeper(a *app, cmd *cobra.Command) (*retain.Keeper, error) {
	cfg, err := a.settings(cmd)
	if err != nil {
		return nil, err
	}
	dir, err := wiring.DataDir(cfg)
	if err != nil {
		return nil, err
	}
	store, err := evidence.Open(dir, a.now)
	if err != nil {
		return nil, usage("data directory: %w", err)
	}
	a.vaultOf(cfg)
	return retain.Open(dir, a.program().Ledger(cfg, dir), a.now, retain.Options{
		Days: cfg.Compliance.EvidenceRetentionDays, Damage: damageOf(store, dir, cfg.Compliance.TrustedKeys), Uses: baseline.Uses,
	})
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

// damageOf tells what is wrong with a run: what a verifier finds, or the journal
// alone tells where nothing was signed.
func damageOf(store *evidence.Store, dir string, trusted []string) func(context.Context, string) (string, error) {
	runs := sync.OnceValues(store.Runs)
	return func(ctx context.Context, id string) (string, error) {
		if _, err := os.Lstat(filepath.Join(dir, "runs", id, "evidence.json")); err != nil {
			all, err := runs()
			i := slices.IndexFunc(all, func(r evidence.RunSummary) bool { return r.ID == id })
			if i < 0 {
				return "", err
			}
			problem, _, _ := strings.Cut(all[i].Problem, "; ") // what to do about it comes after
			return problem, err
		}
		report, err := verify.Run(ctx, dir, id, verify.Options{Trusted: trusted})
		if err != nil || report.Verdict != verify.Failed {
			return "", err
		}
		worst := report.Findings[0]
		return strings.TrimSpace(worst.File + " " + worst.Code), nil
	}
}

// signature holds the name and the reason of a person who changes what is stored.
type signature struct{ by, reason string }

func (s *signature) flags(c *cobra.Command) {
	c.Flags().StringVar(&s.by, "name", "", "printed name of the person who decides")
	c.Flags().StringVar(&s.reason, "reason", "", "why")
}

func (s *signature) check(example string) error {
	if strings.TrimSpace(s.by) == "" {
		return usage(`--name is missing: who decides signs with a printed name, such as --name "Ada Lovelace"`)
	}
	if strings.TrimSpace(s.reason) == "" {
		return usage(`--reason is missing: say why, for who reads it in a year, such as --reason %q`, example)
	}
	return nil
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
				if err := by.check("older than a year"); err != nil {
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
	by.flags(c)
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
		fmt.Fprintf(out, "%-12s  %-8s  %s  %s%s  %s\n", word, i.Kind, name(i), size(i.Bytes), on(i.Time), i.Why)
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
		count(len(r.Deleted), "item"), size(r.DeletedBytes), count(len(r.Kept), "run"), size(r.KeptBytes), count(r.Blobs, "blob"), size(r.BlobBytes), r.Days)
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

func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// size returns a number of bytes as a person reads it.
func size(bytes int64) string {
	units := []string{"kB", "MB", "GB", "TB"}
	if bytes < 1000 {
		return fmt.Sprintf("%d B", bytes)
	}
	value, unit := float64(bytes)/1000, 0
	for ; value >= 1000 && unit < len(units)-1; unit++ {
		value /= 1000
	}
	return fmt.Sprintf("%.1f %s", value, units[unit])
}

// runsHold returns the command of a person's act: hold or release.
func runsHold(a *app, act string) *cobra.Command {
	does := map[string]string{
		"hold":    "Keep a run, whatever its age, until it is released",
		"release": "End a hold: the run is deleted by its age again",
	}
	var by signature
	c := &cobra.Command{
		Use:   act + " RUN",
		Short: does[act],
		Long:  does[act] + ".\nIt is signed with a printed name and a reason, and recorded in the log.",
		Args:  strict(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := by.check("litigation 2026/17"); err != nil {
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
			if act == "release" {
				fmt.Fprintf(a.stdout, "%s: released; it was held by %q since %s: %q\n", run, h.By, h.Time.Format(time.DateOnly), h.Reason)
				return nil
			}
			fmt.Fprintf(a.stdout, "%s: held by %q: %q\n", run, h.By, h.Reason)
			return nil
		},
	}
	by.flags(c)
	return c
}

// heldRun returns the run that a person names. A run to be released may be gone.
func heldRun(a *app, cmd *cobra.Command, word, act string) (string, error) {
	store, dir, err := openStore(a, cmd)
	if err != nil {
		return "", err
	}
	found, err := findRun(a, store, dir, word)
	if err != nil && act == "release" && word != latestRun {
		return word, nil // the ledger knows what is held
	}
	return found.ID, err
}
