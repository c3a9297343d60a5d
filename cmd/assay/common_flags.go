package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/internal/text"
)

// sameEverywhere gives a command the flags that mean the same everywhere (D7):
// --provider, --model and --headless. One that the command has already stays.
func sameEverywhere(c *cobra.Command) {
	add := func(name string, register func()) {
		if c.Flags().Lookup(name) == nil {
			register()
		}
	}
	add("provider", func() { c.Flags().String("provider", "", "who runs tasks and specs: sets agent.provider") })
	add("model", func() { c.Flags().String("model", "", "the provider's name of the model: sets agent.model") })
	add("headless", func() { windowless(c) })
}

// windowless gives a command that starts our browser the flag that says whether in a window.
func windowless(c *cobra.Command) {
	c.Flags().Bool("headless", true, "start the browser without a window: sets browser.headless")
}

// sameAddress gives every command with --base-url the flag --url for it.
func sameAddress(c *cobra.Command) {
	if f := c.Flags().Lookup("base-url"); f != nil && c.Flags().Lookup("url") == nil {
		c.Flags().Var(f.Value, "url", "the same as --base-url")
	}
}

// keptFlags returns those of some flags that were given to a command, as one that it offers to be typed has them.
func keptFlags(cmd *cobra.Command, names ...string) string {
	var kept strings.Builder
	for _, name := range names {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed {
			kept.WriteString(" --" + name + " " + shellWord(f.Value.String()))
		}
	}
	return kept.String()
}

// shellWord returns a value as a command that is offered has it: in quotes where it needs them.
func shellWord(value string) string {
	if strings.ContainsAny(value, " \t\"'$`\\&;|<>()*?#~") {
		return text.ShellWord(value)
	}
	return value
}

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
