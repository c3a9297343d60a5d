package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-qa/assay/internal/pattern"
	texts "github.com/assay-qa/assay/internal/text"
)

// strict makes wrong arguments a usage error, in words that say what to type.
func strict(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if check == nil || check(cmd, args) == nil {
			return nil
		}
		return wrongArguments(cmd, args)
	}
}

// wrongArguments says which arguments a command takes, after others were given.
func wrongArguments(cmd *cobra.Command, args []string) error {
	_, wanted, _ := strings.Cut(cmd.Use, " ")
	example, _, _ := strings.Cut(strings.TrimSpace(cmd.Example), "\n")
	example, _, _ = strings.Cut(example, "  #")
	example = strings.TrimSpace(example)
	switch {
	case cmd.HasSubCommands() && len(args) > 0:
		var names []string
		for _, c := range cmd.Commands() {
			names = append(names, c.Name())
		}
		return usage("unknown command %q%s; see: %s --help", args[0], texts.Hint(args[0], names), cmd.CommandPath())
	case cmd.Name() == "check":
		return usage("name a page: %s", example)
	case wanted == "":
		return usage("%s takes no argument, and got %q; see: %s --help", cmd.CommandPath(), strings.Join(args, " "), cmd.CommandPath())
	case len(args) == 0:
		return usage("%s wants %s: %s; see: %s --help", cmd.CommandPath(), wanted, example, cmd.CommandPath())
	default:
		return usage("%s takes %s, and got %q; see: %s --help", cmd.CommandPath(), wanted, strings.Join(args, " "), cmd.CommandPath())
	}
}

// invalidValue matches what the library says of a value that a flag does not take.
var invalidValue = pattern.New(`^invalid argument "(?s:(.*))" for "(?:-\w, )?(--[\w-]+)" flag: (.*)$`)

// wrongFlag says what is wrong with a flag, and what was most likely meant.
func wrongFlag(cmd *cobra.Command, err error) error {
	see := "; see: " + cmd.CommandPath() + " --help"
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "unknown flag: --"); ok {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		hint := elsewhere(cmd, name)
		if near := texts.Nearest(name, known); near != "" {
			hint = "; did you mean --" + near + "?"
		}
		return usage("unknown flag: --%s%s%s", name, hint, see)
	}
	if flag, ok := strings.CutPrefix(text, "flag needs an argument: "); ok {
		return usage("%s needs a value%s", flag, see)
	}
	if m := invalidValue.FindStringSubmatch(text); m != nil {
		return usage("%s %q: %s%s", m[2], m[1], wantedValue(cmd, m[2], m[3]), see)
	}
	return usage("%w%s", err, see)
}

// elsewhere says which other commands have a flag, and what it does there; "" where none has.
func elsewhere(cmd *cobra.Command, name string) string {
	var commands []string
	does := ""
	for _, other := range cmd.Root().Commands() {
		if f := other.Flags().Lookup(name); f != nil && other.Name() != "serve" {
			commands = append(commands, "assay "+other.Name())
			_, about := pflag.UnquoteUsage(f)
			does = cmp.Or(does, about)
		}
	}
	if len(commands) == 0 {
		return ""
	}
	return fmt.Sprintf(": it belongs to %s, where it does this: %s", strings.Join(commands, ", "), does)
}

// runFlagsAlone refuses flags of assay run, which mean nothing without --agent.
func runFlagsAlone(cmd *cobra.Command) (err error) {
	all := &cobra.Command{}
	new(runFlags).register(all)
	all.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "base-url" && cmd.Flags().Changed(f.Name) && err == nil {
			err = usage("--%s belongs to assay serve --agent", f.Name)
		}
	})
	return err
}

// wantedValue says what values a flag takes.
func wantedValue(cmd *cobra.Command, flag, problem string) string {
	f := cmd.Flags().Lookup(strings.TrimPrefix(flag, "--"))
	if f == nil {
		return problem
	}
	wanted, ok := map[string]string{"bool": "true or false is wanted", "int": "a whole number is wanted", "duration": "a duration is wanted, such as 10s or 2m"}[f.Value.Type()]
	if !ok {
		return problem
	}
	return wanted
}

// helpCommand returns the help on a command or a topic. What it does not know is an
// error, and no help on everything.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND|TOPIC]",
		Short: "Help on a command, or on a topic",
		Long:  "Help on a command, or on a topic: " + strings.Join(topicNames(), ", ") + ".",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return root.Help()
			}
			if text, ok := topic(args[0]); ok && len(args) == 1 {
				fmt.Fprint(cmd.OutOrStdout(), text)
				return nil
			}
			found, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 || found == root {
				known := topicNames()
				for _, c := range root.Commands() {
					known = append(known, c.Name())
				}
				return usage("no help on %q%s; topics: %s; commands: assay --help", strings.Join(args, " "), texts.Hint(args[0], known), strings.Join(topicNames(), ", "))
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}
