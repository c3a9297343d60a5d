package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/text"
)

func logCommand(a *app) *cobra.Command {
	var run string
	var asJSON bool
	c := &cobra.Command{
		Use:   "log",
		Short: "Print the evidence log: what happened, who did it, when and why",
		Long: `Print the entries of the log, the newest last: number, time (UTC), who, what was
done, what it was done to, and the reason. With --json each is the exact line
that was signed, with the digests too. With --run only those about that run, and
those that it made itself; "latest" is the newest finished one.

Damage is reported after what can be printed. Whether the entries are those
that were signed, assay verify --all says.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("run") {
				id, err := loggedRun(a, cmd, run)
				if err != nil {
					return err
				}
				run = id
			}
			cfg, dir, err := a.dataFolder(cmd)
			if err != nil {
				return err
			}
			p := logPrinter{app: a, run: run, exact: asJSON}
			if err := a.program().Ledger(cfg, dir).Events(cmd.Context(), p.entry); err != nil {
				return err
			}
			switch {
			case p.printed > 0 || asJSON && run == "":
			case run != "":
				return usage("the log in %s has no entry about run %q; see: assay log", dir, run)
			default:
				fmt.Fprintf(a.stdout, "the log in %s is empty: it begins with the first run or decision\n", dir)
			}
			return nil
		},
	}
	c.Flags().StringVar(&run, "run", "", "print what is about this run, or latest")
	c.Flags().BoolVar(&asJSON, "json", false, "print the exact lines")
	return c
}

// loggedRun returns the id of a run, also of one that was deleted: the log
// still has it.
func loggedRun(a *app, cmd *cobra.Command, name string) (string, error) {
	if name == "" {
		return "", usage("--run names no run; see: assay runs list")
	}
	if name != ledger.LatestRun {
		return name, nil
	}
	store, _, err := openStore(a, cmd)
	if err != nil {
		return "", err
	}
	found, err := findRun(a, store, name)
	return found.ID, err
}

// logPrinter prints entries as they are read: the log may be long.
type logPrinter struct {
	app     *app
	run     string // "" for all
	exact   bool
	printed int
}

// entry prints one that the flags select.
func (p *logPrinter) entry(leaf []byte, e ledger.Event) error {
	agent := e.Actor.Kind == "agent"
	if p.run != "" && e.Record != p.run && (!agent || e.Actor.ID != p.run) {
		return nil
	}
	p.printed++
	if p.exact {
		_, err := fmt.Fprintf(p.app.stdout, "%s\n", leaf)
		return err
	}
	who := text.Printable(e.Actor.Kind)
	switch {
	case e.Actor.Kind == "human":
		who = strconv.Quote(e.Actor.ID)
	case e.Actor.ID != e.Record:
		who += " " + text.Printable(e.Actor.ID)
	}
	why := ""
	if e.Reason != "" {
		why = "  " + strconv.Quote(e.Reason)
	}
	_, err := fmt.Fprintf(masked{p.app, p.app.stdout, "text/plain"}, "%6d  %s  %-16s  %-17s  %s%s\n",
		e.Seq, e.UTC.UTC().Format(time.RFC3339), who, text.Printable(e.Action), text.Printable(e.Record), why)
	return err
}
