package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/tools/resources"
	"github.com/assay-qa/assay/tools/schema"
)

func schemaCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print a JSON Schema, of tasks, flows or reports, or list them",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			all := resources.Schemas()
			names := schema.SortedKeys(all)
			if len(args) == 0 {
				fmt.Fprintln(a.stdout, strings.Join(names, "\n"))
				return nil
			}
			found, ok := all[args[0]]
			if !ok {
				return usage("there is no schema %q%s; there are: %s", args[0], text.Hint(args[0], names), strings.Join(names, ", "))
			}
			out := json.NewEncoder(a.stdout)
			out.SetIndent("", "  ")
			return out.Encode(found())
		},
	}
}
