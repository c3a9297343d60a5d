package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// signature holds the name and the reason of a person who changes what is stored.
type signature struct{ by, reason string }

// flags adds the flags of a signature; who says what the person does, as in "who
// decides".
func (s *signature) flags(c *cobra.Command, who string) {
	c.Flags().StringVar(&s.by, "name", "", "printed name of the person "+who)
	c.Flags().StringVar(&s.reason, "reason", "", "why")
}

// check refuses a signature without a name or a reason.
func (s *signature) check(who, example string) error {
	if strings.TrimSpace(s.by) == "" {
		return usage(`--name is missing: %s signs with a printed name, such as --name "Ada Lovelace"`, who)
	}
	if strings.TrimSpace(s.reason) == "" {
		return usage(`--reason is missing: say why, for who reads it in a year, such as --reason %q`, example)
	}
	return nil
}
