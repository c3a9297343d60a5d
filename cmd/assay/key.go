package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/evidence/ledger"
)

func keyCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "key",
		Short: "Show the key that signs the log, or change it",
		Long: `What happens is entered in a log, whose state is signed with a key: log/key in the
data folder, or [compliance] signing_key. Whoever holds it can write another past.
Keep its public half, as "assay key show" prints it, where nobody can change it
who can change the data folder, and name it to "assay verify --key".`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usage("say what to do with the key: %s show or rotate", cmd.CommandPath())
		},
	}
	c.AddCommand(keyShow(a), keyRotate(a))
	return c
}

func keyShow(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "show",
		Short: "Show the public half of the key, and since when it signs",
		Args:  strict(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			log, secret, err := keyLedger(a, cmd)
			if err != nil {
				return err
			}
			shown, err := log.KeyHistory(cmd.Context(), secret)
			if err != nil {
				return err
			}
			if asJSON {
				if err := json.NewEncoder(a.stdout).Encode(shown); err != nil {
					return err
				}
			} else {
				printKey(a, shown)
			}
			if shown.Problem != "" {
				return &exitError{code: exitFailed, err: fmt.Errorf("nothing can be signed: %s", shown.Problem)}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return c
}

// keyLedger opens the log of the data folder, and says where its key is.
func keyLedger(a *app, cmd *cobra.Command) (log *ledger.Ledger, secret string, err error) {
	cfg, dir, err := a.dataFolder(cmd)
	if err == nil {
		err = a.program().Folder.Check("compliance.signing_key", "the evidence log")
	}
	if err != nil {
		return nil, "", err
	}
	secret = filepath.Join(dir, filepath.FromSlash(ledger.Key))
	if cfg.Compliance.SigningKey != "" {
		secret = "[compliance] signing_key"
	}
	return a.program().Ledger(cfg, dir), secret, nil
}

func printKey(a *app, k ledger.KeyHistory) {
	if len(k.Keys) == 0 {
		fmt.Fprintln(a.stdout, "no key yet: it is made with the first event of the log")
		return
	}
	fmt.Fprintf(a.stdout, "%s\n  log     %s\n  secret  %s\n", k.Verifier, k.Origin, k.Secret)
	for i := len(k.Keys) - 1; i >= 0; i-- {
		use, word := k.Keys[i], "since"
		if i < len(k.Keys)-1 {
			word = "before"
		}
		fmt.Fprintf(a.stdout, "  %-6s  %s, event %d", word, use.Since.UTC().Format(time.DateTime), use.Index+1)
		if use.Action != "" {
			fmt.Fprintf(a.stdout, ": %s by %q: %q", use.Action, use.By, use.Reason)
		}
		if i < len(k.Keys)-1 {
			fmt.Fprintf(a.stdout, "; %s", use.Verifier)
		}
		fmt.Fprintln(a.stdout)
	}
}

func keyRotate(a *app) *cobra.Command {
	var by signature
	var asJSON bool
	c := &cobra.Command{
		Use:   "rotate",
		Short: "Begin a new key; the log says so, signed by both",
		Long: `Begin a new key for the log, which keeps its name. That is entered in the log,
and the state of the log after it is signed by both keys. If the present key is
missing, the new one replaces it: the log says that too, and verifiers report it.
What was signed before stays valid under the key before.`,
		Args: strict(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := by.check("who changes the key", "yearly change"); err != nil {
				return err
			}
			log, _, err := keyLedger(a, cmd)
			if err != nil {
				return err
			}
			e, err := log.Rotate(cmd.Context(), by.by, by.reason)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(a.stdout).Encode(e)
			}
			fmt.Fprintf(a.stdout, "%s: %s, event %d, by %q: %q\nkeep the new public half where the old one is kept; assay verify wants both for what is older\n",
				e.Record, e.Action, e.Seq, by.by, by.reason)
			return nil
		},
	}
	by.flags(c, "who changes it")
	c.Flags().BoolVar(&asJSON, "json", false, "print the entry of the log as JSON")
	return c
}
