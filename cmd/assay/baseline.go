package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
)

// shownDigest bounds how much of a SHA-256 is shown to a person, in
// characters.
const shownDigest = 12

// openBaselines opens the baselines of the data folder alone.
func openBaselines(a *app, cmd *cobra.Command) (*baseline.Store, string, error) {
	cfg, err := a.settings(cmd)
	if err != nil {
		return nil, "", err
	}
	return a.program().Baselines(cfg)
}

func baselineCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "baseline",
		Short: "Look at the pictures that pages are compared with, and decide on new ones",
		Long: `Pages are compared with baselines: pictures under a name, in versions, one line
of versions for each environment. What changed is proposed as a new version; a
person approves or rejects it here. No tool and no model can.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usage("say what to do with the baselines: %s list, show, approve, reject, export or import", cmd.CommandPath())
		},
	}
	c.AddCommand(baselineList(a), baselineShow(a), baselineDecision(a, "approve"), baselineDecision(a, "reject"), baselineExport(a), baselineImport(a))
	return c
}

func baselineList(a *app) *cobra.Command {
	var name string
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List all versions, by name, environment and number",
		Args:  strict(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			store, dir, err := openBaselines(a, cmd)
			if err != nil {
				return err
			}
			all, err := store.List(cmd.Context())
			if err != nil {
				return err
			}
			if name != "" {
				if all, err = baseline.Named(all, name); err != nil {
					return err
				}
			}
			if asJSON {
				return json.NewEncoder(a.stdout).Encode(append([]baseline.Version{}, all...))
			}
			if len(all) == 0 {
				fmt.Fprintf(a.stdout, "no baselines in %s\n", dir)
			}
			for _, v := range all {
				fmt.Fprintf(a.stdout, "%s  %-10s  version %-3d  %q  %s  %s  %s\n", v.ID, v.Status, v.Number, v.Name,
					text.Count(len(v.Pictures), "picture"), place(v.Environment), v.Time.UTC().Format(time.DateTime))
			}
			return nil
		},
	}
	c.Flags().StringVar(&name, "name", "", "only the baseline of this name")
	c.Flags().BoolVar(&asJSON, "json", false, "print the list as JSON")
	return c
}

func baselineShow(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "show ID|NAME",
		Short: "Show a version, or those of a name that are in force or wait for a decision",
		Args:  strict(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, _, err := openBaselines(a, cmd)
			if err != nil {
				return err
			}
			versions, err := store.Meant(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			shown := make([]baseline.StoredVersion, len(versions))
			for i, v := range versions {
				if shown[i], err = store.WithFiles(cmd.Context(), v); err != nil {
					return err
				}
			}
			if asJSON {
				return json.NewEncoder(a.stdout).Encode(shown)
			}
			for _, s := range shown {
				printBaseline(a, s)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	return c
}

func printBaseline(a *app, s baseline.StoredVersion) {
	line := func(what, format string, args ...any) {
		fmt.Fprintf(a.stdout, "  %-12s %s\n", what, fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(a.stdout, "%s  %s  version %d of %q\n", s.ID, s.Status, s.Number, s.Name)
	line("environment", "%s, fonts %s", place(s.Environment), short(s.Environment.Fonts))
	line("captured", "%s%s%s", s.Time.UTC().Format(time.DateTime), after(" from ", s.URL), after(" in run ", s.Run))
	if s.Imported != "" {
		line("imported", "%q", s.Imported)
	}
	if options := optionText(s.Options); options != "" {
		line("options", "%s", options)
	}
	for _, p := range s.Pictures {
		part := "page"
		if p.Part != "" {
			part = fmt.Sprintf("%q", p.Part)
		}
		line("picture", "%s  %d×%d  %s  %s", part, p.Width, p.Height, short(p.SHA256), s.File(p.SHA256))
	}
	for _, d := range s.Diffs {
		line("difference", "%s  %s", short(d), s.File(d))
	}
	if s.Replaces != "" {
		line("replaces", "%s", s.Replaces)
	}
	if d := s.Decision; d != nil {
		line("decision", "%s by %q on %s: %q", s.Status, d.By, d.Time.UTC().Format(time.DateTime), d.Reason)
	}
	if s.Status == baseline.Proposed || s.Status == baseline.Unapproved {
		line("next", `assay baseline approve %s --name "Your Name" --reason "why", or reject`, s.ID)
	}
}

// optionText returns the options that were set, as JSON without its outer braces.
func optionText(o qa.VisualOptions) string {
	doc, _ := json.Marshal(o) // plain values: never fails
	return strings.TrimSuffix(strings.TrimPrefix(string(doc), "{"), "}")
}

// place names an environment in a few words.
func place(e qa.VisualEnvironment) string {
	return fmt.Sprintf("%s %s, %s@%s, %s, %s", e.Browser, e.Version, e.Viewport, strconv.FormatFloat(e.Scale, 'g', -1, 64), e.Locale, e.OS)
}

func short(digest string) string { return digest[:min(len(digest), shownDigest)] }

func after(word, text string) string {
	if text == "" {
		return ""
	}
	return word + text
}
