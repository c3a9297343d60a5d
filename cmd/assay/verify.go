package main

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/disk"
	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/wiring"
)

// maxTrustFile bounds a checkpoint and a list of certificates, in bytes.
const maxTrustFile = 1 << 20

// verifyFlags say what is verified, and whom to believe.
type verifyFlags struct {
	all, json          bool
	keys               []string
	checkpoint, tsaCAs string
}

func verifyCommand(a *app) *cobra.Command {
	var flags verifyFlags
	c := &cobra.Command{
		Use:   "verify [RUN|latest|BUNDLE.zip]",
		Short: "Check that runs are as they were signed",
		Long: `Check a stored run, an exported bundle, or with --all the whole data folder:
every file of every run, every signature, every entry of the log, every baseline
(suites/ is signed by nobody). Nothing is written. What is not as it was signed
is named, worst first, with what to do.

The data folder and a bundle name their own keys, so whoever can replace all of
them can replace the keys too. Pin yours with --key or in [compliance]
trusted_keys (see: assay key show), and keep a checkpoint elsewhere: every
report.json and evidence.json holds one, and so does log/checkpoint.

Exit codes: 0 verified; 1 something is not as it was signed, or could not be
looked at; 2 usage or configuration.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runVerify(a, cmd, args, flags)
		},
	}
	c.Flags().BoolVar(&flags.all, "all", false, "verify the whole data folder")
	c.Flags().BoolVar(&flags.json, "json", false, "print what was found as JSON")
	c.Flags().StringArrayVar(&flags.keys, "key", nil, "verifier key to pin, as assay key show prints it (may be repeated; default: [compliance] trusted_keys)")
	c.Flags().StringVar(&flags.checkpoint, "checkpoint", "", "file with a checkpoint of the log that was kept elsewhere")
	c.Flags().StringVar(&flags.tsaCAs, "tsa-ca", "", "file with the certificates (PEM) of the trusted time-stamp authorities")
	return c
}

func runVerify(a *app, cmd *cobra.Command, args []string, flags verifyFlags) error {
	if flags.all == (len(args) == 1) {
		return usage("name one run, latest, a bundle, or --all; see: %s --help", cmd.CommandPath())
	}
	cfg, err := a.settings(cmd)
	if err != nil {
		return err
	}
	dir, err := wiring.DataDir(cfg)
	if err != nil {
		return err
	}
	if !cmd.Flags().Changed("key") {
		flags.keys = cfg.Compliance.TrustedKeys
	}
	options, err := flags.options()
	if err != nil {
		return err
	}
	subject := ""
	if len(args) == 1 {
		subject = args[0]
	}
	report, err := verifySubject(cmd.Context(), dir, subject, options)
	switch {
	case errors.Is(err, verify.ErrPin):
		return pinError(err)
	case errors.Is(err, verify.ErrNoSubject):
		return usage("%w", err)
	case err != nil:
		return err
	}
	if flags.json {
		err = json.NewEncoder(a.stdout).Encode(report)
	} else {
		err = printVerification(a, report)
	}
	if err != nil {
		return err
	}
	if report.Verdict != verify.Verified {
		return &exitError{code: exitFailed}
	}
	return nil
}

// pinError says where keys to pin are named, and where they are had from.
func pinError(err error) error {
	return usage("%w; --key and [compliance] trusted_keys want what assay key show prints first", err)
}

// options reads what the flags name.
func (f verifyFlags) options() (verify.Options, error) {
	o := verify.Options{Trusted: f.keys}
	if f.checkpoint != "" {
		text, err := trustFile("--checkpoint", f.checkpoint)
		if err != nil {
			return o, err
		}
		if _, err := attest.ReadCheckpoint(text); err != nil {
			return o, usage("--checkpoint %s: a file like log/checkpoint is wanted, with nothing else in it; docs/evidence.md says how to take one out of a report: %w", f.checkpoint, err)
		}
		o.Checkpoint = text
	}
	if f.tsaCAs != "" {
		text, err := trustFile("--tsa-ca", f.tsaCAs)
		if err != nil {
			return o, err
		}
		o.Authorities = x509.NewCertPool()
		if !o.Authorities.AppendCertsFromPEM(text) {
			return o, usage("--tsa-ca %s: there is no certificate in it, which begins with -----BEGIN CERTIFICATE-----", f.tsaCAs)
		}
	}
	return o, nil
}

func trustFile(flag, path string) ([]byte, error) {
	text, err := disk.ReadPath(path, maxTrustFile)
	if err != nil {
		return nil, usage("%s %s: %w", flag, path, disk.Explain(err))
	}
	return text, nil
}

// verifySubject verifies what is named: the data folder, a run of it, or a zip.
func verifySubject(ctx context.Context, dir, subject string, o verify.Options) (verify.Report, error) {
	if subject == "" {
		return verify.All(ctx, dir, o)
	}
	ids, err := verify.Runs(dir)
	if err != nil {
		return verify.Report{}, err
	}
	if subject == latestRun {
		for _, id := range ids {
			if ended(dir, id) {
				return verify.Run(ctx, dir, id, o)
			}
			// One that goes on is passed over. One that somebody stripped of its end is not.
			if r, err := verify.Run(ctx, dir, id, o); err == nil && r.Verdict == verify.Failed || ctx.Err() != nil {
				return r, err
			}
		}
		return verify.Report{}, usage("no finished run is stored in %s; see: assay runs list", dir)
	}
	for _, id := range ids {
		if id == subject {
			return verify.Run(ctx, dir, id, o)
		}
	}
	info, err := os.Stat(subject)
	if err == nil && info.IsDir() {
		return verify.Report{}, usage("%s is a folder: a data folder is verified with --all --data-dir %s, a run by its id", subject, subject)
	}
	if strings.EqualFold(filepath.Ext(subject), ".zip") || err == nil && info.Mode().IsRegular() {
		if err != nil {
			return verify.Report{}, usage("bundle: %w", err)
		}
		return verify.Bundle(ctx, subject, o)
	}
	return verify.Report{}, usage("there is no run %q in %s%s; see: assay runs list", subject, dir, runHint(subject, ids))
}

// ended reports whether a run has come to its end, as far as its files tell.
func ended(dir, id string) bool {
	for _, name := range []string{"report.json", "evidence.json"} {
		if _, err := os.Lstat(filepath.Join(dir, "runs", id, name)); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// printVerification prints what was found for a person: the verdict in one
// line, then the findings. What came from a page or a person is quoted.
func printVerification(a *app, r verify.Report) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s: %s", r.Verdict, r.Subject)
	if r.Status != "" {
		fmt.Fprintf(&out, " (its report says %s)", r.Status)
	}
	fmt.Fprintf(&out, ": %s\n", verifiedLine(r))
	for _, f := range r.Findings {
		printFinding(&out, f)
	}
	_, err := masked{a, a.stdout, "text/plain"}.Write(out.Bytes())
	return err
}

// verifiedLine says what was checked, and whose signatures it rests on.
func verifiedLine(r verify.Report) string {
	var parts []string
	if r.Runs != 1 {
		parts = append(parts, fmt.Sprintf("%d runs", r.Runs))
	}
	parts = append(parts, count(r.Files, "file"), entries(r.Entries, "log "))
	if c, err := attest.ReadCheckpoint([]byte(r.Checkpoint)); err == nil {
		parts = append(parts, "checkpoint of "+entries(c.Size, ""))
	}
	for _, k := range r.Keys {
		pinned := "not pinned"
		if k.Pinned {
			pinned = "pinned"
		}
		parts = append(parts, fmt.Sprintf("key %s (%s)", attest.KeyID(k.Verifier), pinned))
	}
	for _, at := range r.Timestamps {
		parts = append(parts, "time-stamp of "+at)
	}
	return strings.Join(parts, ", ")
}

func entries(n int64, kind string) string {
	if n == 1 {
		return "1 " + kind + "entry"
	}
	return fmt.Sprintf("%d %sentries", n, kind)
}

func printFinding(out *bytes.Buffer, f verify.Finding) {
	place := f.File
	if strconv.Quote(place) != `"`+place+`"` { // a name that could move the cursor
		place = strconv.Quote(place)
	}
	if f.Run != "" {
		place = strings.TrimSpace("run " + f.Run + " " + place)
	}
	if f.Line > 0 {
		place += fmt.Sprintf(" line %d", f.Line)
	}
	if f.Entry != nil {
		place += fmt.Sprintf(" entry %d", *f.Entry)
	}
	fmt.Fprintf(out, "%s %s: %s: %s\n", f.Severity, f.Code, strings.TrimSpace(place), printable(f.Problem))
	if f.Expected != "" {
		fmt.Fprintf(out, "    expected %q\n", f.Expected)
	}
	if f.Found != "" {
		fmt.Fprintf(out, "    found    %q\n", f.Found)
	}
	if f.Next != "" {
		fmt.Fprintf(out, "    next: %s\n", printable(f.Next))
	}
}

// printable keeps a sentence on its line, and its line in its place.
func printable(text string) string {
	quoted := strconv.Quote(text)
	return strings.ReplaceAll(strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`), `\\`, `\`)
}
