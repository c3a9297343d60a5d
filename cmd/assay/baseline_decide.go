package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/evidence/baseline"
)

// baselineDecision returns the command of a person's act: approve or reject.
func baselineDecision(a *app, act string) *cobra.Command {
	does := map[string]string{
		"approve": "Put a version in force: pages are compared with it from now on",
		"reject":  "Refuse a version: it does not come in force",
	}
	var by signature
	var asJSON bool
	c := &cobra.Command{
		Use:   act + " ID",
		Short: does[act],
		Long: does[act] + `.
It is signed with a printed name and a reason, and recorded for good with the
hashes of the old pictures, the new ones and those of what differs.`,
		Args: strict(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := by.check("who decides", "new brand colour"); err != nil {
				return err
			}
			store, _, err := openBaselines(a, cmd)
			if err != nil {
				return err
			}
			decide := map[string]func(context.Context, string, string, string) (baseline.Version, error){"approve": store.Approve, "reject": store.Reject}[act]
			v, err := decide(cmd.Context(), args[0], by.by, by.reason)
			if err != nil {
				return store.ExplainUndecided(cmd.Context(), args[0], err)
			}
			if asJSON {
				return json.NewEncoder(a.stdout).Encode(v)
			}
			printDecision(a, v)
			return nil
		},
	}
	by.flags(c, "who decides")
	c.Flags().BoolVar(&asJSON, "json", false, "print the version as JSON")
	return c
}

func printDecision(a *app, v baseline.Version) {
	fmt.Fprintf(a.stdout, "%s: version %d of %q is %s", v.ID, v.Number, v.Name, v.Status)
	if v.Status == baseline.Approved {
		fmt.Fprintf(a.stdout, " and in force")
	}
	fmt.Fprintf(a.stdout, " (%s)\n", place(v.Environment))
	if d := v.Decision; d != nil {
		fmt.Fprintf(a.stdout, "  by           %q: %q\n  old → new    %s → %s\n", d.By, d.Reason, shortDigests(d.Old), shortDigests(d.New))
		if len(d.Diff) > 0 {
			fmt.Fprintf(a.stdout, "  difference   %s\n", shortDigests(d.Diff))
		}
	}
}

// shortDigests returns the beginnings of digests.
func shortDigests(digests []string) string {
	if len(digests) == 0 {
		return "none"
	}
	out := make([]string, len(digests))
	for i, d := range digests {
		out[i] = short(d)
	}
	return strings.Join(out, ", ")
}

func baselineExport(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "export DIR [NAME...]",
		Short: "Write the versions in force to a folder that fits in git: PNG and JSON",
		Args:  strict(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, _, err := openBaselines(a, cmd)
			if err != nil {
				return err
			}
			done, err := store.Export(cmd.Context(), args[0], args[1:])
			if err != nil {
				return err
			}
			return printMoved(a, "exported", done, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the versions as JSON")
	return c
}

func baselineImport(a *app) *cobra.Command {
	var by string
	var replace, asJSON bool
	c := &cobra.Command{
		Use:   "import DIR",
		Short: "Take versions from such a folder; what would replace another is proposed",
		Long: `Take the versions that "assay baseline export" has written. Those that are there
already stay. Where a name has another version in force, the imported one is a
proposal that a person approves; with --replace it is in force at once.`,
		Args: strict(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.TrimSpace(by) == "" {
				return usage(`--name is missing: who brings in baselines signs with a printed name, such as --name "Ada Lovelace"`)
			}
			store, _, err := openBaselines(a, cmd)
			if err != nil {
				return err
			}
			done, err := store.Import(cmd.Context(), args[0], by, replace)
			if err != nil {
				return err
			}
			return printMoved(a, "imported", done, asJSON)
		},
	}
	c.Flags().StringVar(&by, "name", "", "printed name of the person who brings them in")
	c.Flags().BoolVar(&replace, "replace", false, "put them in force in the place of others")
	c.Flags().BoolVar(&asJSON, "json", false, "print the versions as JSON")
	return c
}

func printMoved(a *app, word string, done []baseline.Version, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(a.stdout).Encode(append([]baseline.Version{}, done...))
	}
	for _, v := range done {
		fmt.Fprintf(a.stdout, "%s  %s  %-10s  version %-3d  %q  %s\n", word, v.ID, v.Status, v.Number, v.Name, place(v.Environment))
	}
	if len(done) == 0 {
		fmt.Fprintf(a.stdout, "nothing %s\n", word)
	}
	return nil
}
