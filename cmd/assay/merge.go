package main

import (
	"cmp"
	"encoding/json"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/internal/wiring"
	"github.com/assay-qa/assay/suite/publish"
)

// mergeFlags holds the flags of assay merge.
type mergeFlags struct {
	asJSON, comment        bool
	folder, summary, junit string
}

func mergeCommand(a *app) *cobra.Command {
	var flags mergeFlags
	c := &cobra.Command{
		Use:   "merge DIR...",
		Short: "Make one suite of the shards that several jobs ran",
		Long: `Make one suite of its shards: DIR is the data folder (.assay, or a folder with it) of
each job that ran assay run --shard i/n. Shards that are missing, are there twice,
have not ended or ran under another configuration are refused by name. A pass
counts only if its run is in its folder, as it was signed.

Exit codes: 0 all passed; 1 something failed or was inconclusive; 2 the shards are
not those of one suite, or a flag or a setting is wrong.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, folders []string) error { return mergeShards(a, cmd, folders, flags) },
	}
	c.Flags().BoolVar(&flags.asJSON, "json", false, "print one JSON document with all results")
	c.Flags().StringVarP(&flags.folder, "output", "o", "", "write index, summary, JUnit and CTRF into this `FOLDER` (default: suites/ID in the data folder)")
	c.Flags().StringVar(&flags.summary, "summary", "", "write a Markdown summary to this `FILE` ($GITHUB_STEP_SUMMARY gets one by itself)")
	c.Flags().StringVar(&flags.junit, "junit", "", "write the suite as JUnit XML to this `FILE`")
	c.Flags().BoolVar(&flags.comment, "comment", false, "comment on the pull request that the CI's run belongs to, or update that comment")
	return c
}

// mergeShards merges the shards in the folders, writes the documents and prints the outcome.
func mergeShards(a *app, cmd *cobra.Command, folders []string, flags mergeFlags) error {
	cfg, err := a.settings(cmd)
	if err != nil {
		return err
	}
	a.vaultOf(cfg)
	shards, err := publish.Read(folders)
	if err != nil {
		return usage("%w", err)
	}
	keys, err := a.pinnedKeys(cfg)
	if err != nil {
		return err
	}
	s, err := publish.Merge(cmd.Context(), shards, keys)
	if err != nil {
		return usage("%w", err)
	}
	dir, err := wiring.DataDir(cfg)
	if err != nil {
		return err
	}
	p, err := a.program().Publisher(cfg, dir, cmp.Or(flags.folder, filepath.Join(dir, "suites", s.ID)))
	if err != nil {
		return err
	}
	p.Summary, p.JUnit = flags.summary, flags.junit
	p.Publish(cmd.Context(), s)
	if flags.asJSON {
		if err := json.NewEncoder(a.stdout).Encode(s.Sum()); err != nil {
			return err
		}
	} else {
		for _, e := range s.Entries {
			printCase(a, e)
		}
		printSuite(a, s, filepath.Join(p.Folder, "index.html"))
	}
	if flags.comment {
		postComment(cmd.Context(), a, p, s)
	}
	return verdictError(s.Sum().Status.Verdict())
}
