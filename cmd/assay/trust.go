package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/terminal"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/internal/trust"
	"github.com/assay-qa/assay/internal/wiring"
)

// maxShownValue bounds what is shown of a value that a folder says, in bytes.
const maxShownValue = 120

// trustFlags holds the flags of assay trust.
type trustFlags struct{ yes, show, remove, asJSON bool }

func trustCommand(a *app) *cobra.Command {
	var f trustFlags
	c := &cobra.Command{
		Use:   "trust",
		Short: "Trust the working folder: its keys, programs and addresses, and its own tests",
		Args:  cobra.NoArgs,
		Long: `Trust the working folder with its configuration. A folder may come from a stranger, so
what its mcp.toml and its .env say of programs, keys, addresses of providers, webhooks
and folders does not count, its rules can only be stricter than yours, and its own
Playwright tests are not run, until a person who knows it says so here.

Shown is what is trusted; it is kept in your own configuration with the folder's path,
the values of these settings, and the digests of the files that they start. A change
there is asked for again, a change elsewhere is not.

What you set yourself needs no trust: mcp.toml in your own configuration, variables and
flags. In CI, CI=true in the environment with --config FILE is trust.

Exit codes: 0 trusted; 1 not trusted; 2 a flag or a setting is wrong, or nobody can
answer: --yes is needed where there is no terminal.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return trustFolder(a, cmd, f) },
	}
	c.Flags().BoolVar(&f.yes, "yes", false, "trust without a question")
	c.Flags().BoolVar(&f.show, "show", false, "show what there is to trust, and whether it is trusted; change nothing")
	c.Flags().BoolVar(&f.remove, "remove", false, "trust the folder no longer")
	c.Flags().BoolVar(&f.asJSON, "json", false, "with --show or --yes, print it as JSON")
	return c
}

func trustFolder(a *app, cmd *cobra.Command, f trustFlags) error {
	loaded, err := a.load(cmd)
	if err != nil {
		return err
	}
	store := wiring.TrustIn(a.ownFolder())
	now, err := trust.Look(loaded.Place, loaded.Claims)
	if err != nil {
		return usage("%w", err)
	}
	if f.remove {
		there, err := store.Forget(now)
		if err == nil && there {
			fmt.Fprintf(a.stdout, "not trusted any more: %s\n", now.Folder)
		} else if err == nil {
			fmt.Fprintf(a.stdout, "it was not trusted: %s\n", now.Folder)
		}
		return err
	}
	if !f.asJSON {
		showTrust(a, now, loaded)
	}
	switch trusted := slices.ContainsFunc(loaded.Folders, now.SameTests); {
	case f.show || trusted:
		return tellTrust(a, now, trusted, f.asJSON)
	case f.yes:
	default:
		if err := a.askTrust(); err != nil {
			return err
		}
	}
	now.Whole, now.Since = true, a.now().UTC()
	if err := store.Keep(now); err != nil {
		return usage("%w", err)
	}
	return tellTrust(a, now, true, f.asJSON)
}

// askTrust asks the person at the terminal.
func (a *app) askTrust() error {
	if !terminal.Is(a.stdin) {
		return usage("nobody can answer here: a person runs assay trust at a terminal, or assay trust --yes")
	}
	fmt.Fprint(a.stdout, "Trust it? [y/N] ")
	answer, err := bufio.NewReader(a.stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return &exitError{code: exitFailed, err: errors.New("not trusted")}
	}
	return nil
}

// showTrust prints what there is to trust.
func showTrust(a *app, now trust.Record, loaded wiring.Loaded) {
	out := masked{a, a.stdout, "text/plain"}
	fmt.Fprintf(out, "folder  %s\n", now.Folder)
	if now.Config != "" {
		fmt.Fprintf(out, "config  %s\n", filepath.Base(now.Config))
	}
	for _, line := range claimLines(loaded.Claims) {
		fmt.Fprintln(out, line)
	}
	for _, file := range now.Files {
		if file.Sum == "" {
			fmt.Fprintf(out, "starts  %s (it is not there)\n", file.Path)
			continue
		}
		fmt.Fprintf(out, "starts  %s (SHA-256 %.12s…)\n", file.Path, file.Sum)
	}
	for _, file := range now.Tests {
		fmt.Fprintf(out, "decides on tests  %s (SHA-256 %.12s…)\n", file.Path, file.Sum)
	}
	fmt.Fprintln(out, "tests   assay test, prove, heal, author, and clients that ask for it, run what the folder has: playwright.config.*, its tests, its node_modules\n"+
		"secrets of your own configuration may be typed on any page that the folder's flows open")
}

// tellTrust says what came of it.
func tellTrust(a *app, now trust.Record, trusted, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(a.stdout).Encode(map[string]any{"trusted": trusted, "folder": now.Folder, "config": now.Config, "settings": now.Settings, "files": now.Files, "tests": now.Tests})
	}
	if !trusted {
		return &exitError{code: exitFailed, err: errors.New("not trusted: assay trust trusts it")}
	}
	fmt.Fprintln(a.stdout, "trusted")
	return nil
}

// claimLines tells what a folder says that takes a person's word, a line each. The values may be a stranger's: they
// are quoted as they stand in a file, and cut.
func claimLines(claims []config.Claim) []string {
	out := make([]string, len(claims))
	for i, c := range claims {
		out[i] = fmt.Sprintf("%s  %s = %s  (%s)", c.Where, c.Key, text.Shorten(c.Value, maxShownValue), c.Why)
	}
	return out
}

// sayWithheld names on stderr what of the folder does not count.
func (a *app) sayWithheld(claims []config.Claim) {
	if len(claims) == 0 {
		return
	}
	fmt.Fprintf(stderrOf{a, "text/plain"}, "assay: nobody has trusted this folder, so this of it does not count:\n  %s\nWhoever knows the folder runs assay trust "+
		"once, for configurations of earlier versions too; your own configuration, variables and flags need no trust.\n",
		strings.Join(claimLines(claims), "\n  "))
}
