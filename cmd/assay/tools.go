package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/internal/wiring"
	"github.com/assay-qa/assay/tools"
)

func toolsCommand(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "tools",
		Short: "List the tools on offer",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := a.settings(cmd)
			if err != nil {
				return err
			}
			d, err := a.desk(cfg)
			if err != nil {
				return err
			}
			if _, err := a.program().Suites(cfg, d, inCI(a)); err != nil {
				return err
			}
			if err := wiring.Explorations(a.program(), cfg, d, a.environ); err != nil {
				return err
			}
			if err := wiring.Heals(a.program(), cfg, d, a.environ); err != nil {
				return err
			}
			catalogue := tools.Catalogue(d)
			if asJSON {
				definitions := make([]any, len(catalogue))
				for i, t := range catalogue {
					definitions[i] = t.Definition
				}
				return json.NewEncoder(a.stdout).Encode(definitions)
			}
			for _, t := range catalogue {
				fmt.Fprintf(a.stdout, "%-24s %s\n", t.Definition.Name, t.Definition.Description)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the definitions as clients see them")
	return c
}
