package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/nearest"
	"github.com/assay-qa/assay/qa"
)

// maxEmbedded bounds the pictures that go into one HTML page.
const maxEmbedded = 20 << 20

// reportView writes one view of a report.
type reportView func(io.Writer, qa.QAReport) error

// reportFormats returns the views by the names of --format; HTML and Markdown, which
// tell of a verification too, are made where there is one.
func reportFormats() map[string]reportView {
	return map[string]reportView{"md": nil, "junit": report.JUnit, "junit-rich": report.RichJUnit, "ctrf": report.CTRF, "json": report.JSON, "qareport": report.Strict, "html": nil}
}

func reportCommand(a *app) *cobra.Command {
	var format, out string
	c := &cobra.Command{
		Use:   "report RUN",
		Short: "Show the report of a stored run, or write it in another format",
		Long: `Make a view of a stored run's report anew. RUN is a run's id, or "latest" for
the newest finished one. The run is verified first, as assay verify does it: one
that was changed is an error, and what could not be looked at is told on stderr
and in the HTML and the Markdown.

Formats: html, md, junit (strict), junit-rich, ctrf, json, qareport (the report
with the keys of the specification alone). Without --format the
name of --output decides (.html .md .xml .json), and Markdown is printed.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			format, err := reportFormat(format, out)
			if err != nil {
				return err
			}
			store, dir, err := openStore(a, cmd)
			if err != nil {
				return err
			}
			run, err := findRun(a, store, args[0])
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
			view := reportFormats()[format]
			switch format {
			case "html":
				view = htmlView(store, r, filepath.Join(dir, "runs", run.ID), out, &found)
			case "md":
				view = func(w io.Writer, r qa.QAReport) error { return report.VerifiedMarkdown(w, r, &found) }
			}
			return writeReport(a, r, out, view)
		},
	}
	c.Flags().StringVar(&format, "format", "", "html, md, junit, junit-rich, ctrf, json or qareport")
	c.Flags().StringVarP(&out, "output", "o", "", "file to write (default: print it)")
	return c
}

// reportFormat returns the format that is asked for, by name or by the file's ending.
func reportFormat(format, out string) (string, error) {
	known := slices.Sorted(maps.Keys(reportFormats()))
	if format == "" {
		format = "md"
		if out != "" {
			format = map[string]string{".html": "html", ".htm": "html", ".md": "md", ".xml": "junit", ".json": "json"}[strings.ToLower(filepath.Ext(out))]
		}
		if format == "" {
			return "", usage("--output %s: its ending tells no format; add --format %s", out, strings.Join(known, "|"))
		}
	}
	if !slices.Contains(known, format) {
		return "", usage("--format %q: use one of %s%s", format, strings.Join(known, ", "), nearest.Hint(format, known))
	}
	return format, nil
}

func writeReport(a *app, r qa.QAReport, out string, view reportView) error {
	if out == "" {
		return view(a.stdout, r)
	}
	var b bytes.Buffer
	if err := view(&b, r); err != nil {
		return err
	}
	if err := os.WriteFile(out, b.Bytes(), 0o600); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	fmt.Fprintf(a.stdout, "%s\n", out)
	return nil
}

// htmlView makes a page that may leave the run's folder: its pictures are in
// it. Where they are too many they are referred to, as other files are, by
// paths from the page's own folder; a page that is printed has no folder.
func htmlView(store *evidence.Store, r qa.QAReport, runDir, out string, found *report.Verification) reportView {
	size := int64(0)
	pictures := map[string]qa.Artifact{}
	for _, f := range r.Artifacts {
		if f.MIMEType == "image/png" || f.MIMEType == "image/jpeg" {
			size += f.Size
			pictures[f.Name] = f
		}
	}
	address := func(name string) string {
		if f, ok := pictures[name]; ok && size <= maxEmbedded {
			if data, _, err := store.Artifact(r.RunID, name); err == nil { // it was read a moment ago: else it is referred to
				return "data:" + f.MIMEType + ";base64," + base64.StdEncoding.EncodeToString(data)
			}
		}
		if out == "" {
			return ""
		}
		return relativeURL(out, filepath.Join(runDir, filepath.FromSlash(name)))
	}
	return func(w io.Writer, r qa.QAReport) error {
		return report.HTML(w, r, report.Options{ArtifactURL: address, Verified: found})
	}
}

// relativeURL leads from a page to a file, or is "" where no path does.
func relativeURL(page, file string) string {
	abs, err := filepath.Abs(page)
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(filepath.Dir(abs), file)
	if err != nil {
		return ""
	}
	return (&url.URL{Path: filepath.ToSlash(rel)}).String()
}
