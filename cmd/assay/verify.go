package main

import (
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/internal/disk"
)

// maxTrustFile bounds a checkpoint and a list of certificates, in bytes.
const maxTrustFile = 1 << 20

// verifyFlags holds what is verified, and the keys and authorities to trust.
type verifyFlags struct {
	all, json          bool
	keys               []string
	checkpoint, tsaCAs string
}

func verifyCommand(a *app) *cobra.Command {
	var flags verifyFlags
	c := &cobra.Command{
		Use:   "verify [RUN|BUNDLE.zip]",
		Short: "Check that runs are as they were signed",
		Long: `Check a stored run (default: latest, the newest finished one), an exported bundle, or
with --all the whole data folder:
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
	if flags.all && len(args) > 0 {
		return usage("--all verifies the whole data folder: leave %s out, or --all", args[0])
	}
	cfg, dir, err := a.dataFolder(cmd)
	if err != nil {
		return err
	}
	if !cmd.Flags().Changed("key") {
		if flags.keys, err = a.pinnedKeys(cfg); err != nil {
			return err
		}
	}
	options, err := flags.options()
	if err != nil {
		return err
	}
	subject := ""
	if !flags.all {
		subject = orLatest(args)
	}
	report, err := verify.Subject(cmd.Context(), dir, subject, options)
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
		_, err = io.WriteString(masked{a, a.stdout, "text/plain"}, report.Text())
	}
	if err != nil {
		return err
	}
	if report.Verdict != verify.Verified {
		return &exitError{code: exitFailed}
	}
	return nil
}

// pinnedKeys returns the keys that the configuration pins. Where the folder alone says them, a verification would
// either believe a stranger or find less than was asked for.
func (a *app) pinnedKeys(cfg config.Config) ([]string, error) {
	return cfg.Compliance.TrustedKeys, a.program().Folder.Check("compliance.trusted_keys", "a verification")
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
