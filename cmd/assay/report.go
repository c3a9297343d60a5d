package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/internal/wiring"
	"github.com/assay-qa/assay/qa"
)

func reportCommand(a *app) *cobra.Command {
	var format, out string
	var open bool
	c := &cobra.Command{
		Use:   "report [RUN]",
		Short: "Show the report of a stored run, or write it in another format",
		Long: `Make a view of a stored run's report anew. RUN is a run's id; the
default is "latest", the newest finished one. The run is verified first, as assay verify does it: one
that was changed is an error, and what could not be looked at is printed to stderr
and in the HTML and the Markdown.

Formats: html, md, junit (strict), junit-rich, ctrf, json, qareport (the report
with the keys of the specification alone). Without --format the
name of --output decides (.html .md .xml .json), and Markdown is printed.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if open && (format != "" || out != "") {
				return usage("--open shows the report that is stored: leave --format and --output out")
			}
			format, err := report.Format(format, out)
			if err != nil {
				return usage("%w", err)
			}
			store, dir, err := openStore(a, cmd)
			if err != nil {
				return err
			}
			run, err := findRun(a, store, orLatest(args))
			if err != nil {
				return err
			}
			if run.State == evidence.Unfinished {
				return fmt.Errorf("run %s is not finished and has no report: its events so far are in %s", run.ID, filepath.Join(dir, "runs", run.ID, "events.jsonl"))
			}
			r, err := store.Report(run.ID)
			if err != nil {
				return err
			}
			if err := store.CheckArtifacts(run.ID, r); err != nil {
				return err
			}
			found, err := verifiedRun(a, cmd, dir, run.ID)
			if err != nil {
				return err
			}
			if open {
				return openPage(cmd.Context(), a, filepath.Join(dir, ledger.RunsFolder, run.ID, "report.html"))
			}
			files := report.Files{Folder: filepath.Join(dir, ledger.RunsFolder, run.ID), Page: out, Read: func(name string) ([]byte, error) {
				data, _, err := store.Artifact(run.ID, name)
				return data, err
			}}
			return writeReport(a, r, out, report.InFormat(format, files, &found))
		},
	}
	c.Flags().StringVar(&format, "format", "", "html, md, junit, junit-rich, ctrf, json or qareport")
	c.Flags().BoolVar(&open, "open", false, "show the stored report.html in your browser ($BROWSER, or the desktop's)")
	c.Flags().StringVarP(&out, "output", "o", "", "file to write (default: print it)")
	return c
}

func writeReport(a *app, r qa.QAReport, out string, view report.View) error {
	doc, err := view(r)
	if err != nil {
		return fmt.Errorf("report %s: %w", r.RunID, err)
	}
	if out == "" {
		_, err := a.stdout.Write(doc)
		return err
	}
	if err := os.WriteFile(out, doc, 0o600); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	fmt.Fprintf(a.stdout, "%s\n", out)
	return nil
}

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
