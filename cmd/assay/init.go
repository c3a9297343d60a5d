package main

import (
	"cmp"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/starter"
	"github.com/assay-qa/assay/suite/runner"
)

// initFlags holds the flags of assay init.
type initFlags struct {
	baseURL, provider, model, profile string
	headless                          bool
}

func initCommand(a *app) *cobra.Command {
	var flags initFlags
	c := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Set a project up: configuration, a first task and spec, clients, CI",
		Long: `Set up the project in DIR (default: the current folder): mcp.toml, a first task,
flow and spec (without a model first.md.example), the configuration of Claude Code, Cursor and VS Code, and a CI
workflow; what goes into Claude Desktop's is printed. A file that is there
already is left as it is.

Exit codes: 0 set up; 2 a flag is wrong, or a file can't be written.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return setUpProject(a, cmp.Or(strings.Join(args, ""), "."), flags)
		},
	}
	c.Flags().StringVar(&flags.baseURL, "base-url", "http://localhost:3000", "address of the site under test")
	c.Flags().StringVar(&flags.provider, "provider", "rules", "who runs tasks and specs: rules, openai, azure, anthropic, google, chat, ollama or lmstudio")
	c.Flags().StringVar(&flags.model, "model", "", "the provider's name of the model (default: the provider's default)")
	c.Flags().BoolVar(&flags.headless, "headless", true, "start the browser without a window")
	c.Flags().StringVar(&flags.profile, "profile", "", "settings to begin with: qa-agent (allowlist with block_external, full_page, quality, limits as that specification prints them)")
	sameEverywhere(c)
	return c
}

// setUpProject writes the starter files that are not there yet.
func setUpProject(a *app, dir string, flags initFlags) error {
	if err := runner.CheckBaseURL(flags.baseURL); err != nil {
		return err
	}
	base, err := url.Parse(flags.baseURL)
	if err != nil || base.Host == "" {
		return usage("--base-url %s: give an http(s) address", flags.baseURL)
	}
	project := starter.Project{Base: base, Provider: flags.provider, Model: flags.model, Profile: flags.profile, Headless: flags.headless}
	files, err := project.Files()
	if err != nil {
		return err
	}
	if _, err := config.Load(config.Source{Name: starter.Settings, File: []byte(files[0].Text), Getenv: a.getenv}); err != nil {
		return usage("--provider, --model or --base-url: %w", err)
	}
	if err := starter.Write(dir, files, func(line string) { fmt.Fprintln(a.stdout, line) }); err != nil {
		return usage("%w", err)
	}
	return printNext(a, dir, base.String(), flags.provider)
}

// printNext says what goes where init can't write, and what to do now.
func printNext(a *app, dir, base, name string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	snippet, err := starter.ClaudeDesktop(program, dir)
	if err != nil {
		return err
	}
	specs := "once agent.provider in mcp.toml names a model: rename specs/first.md.example to first.md then"
	if key, ok := provider.KeyVariable(name); ok {
		specs = "a model runs the first spec, and it is recorded"
		if key != "" {
			specs = "with the key in " + key + ": " + specs
		}
	}
	fmt.Fprintf(a.stdout, `
Claude Code, Cursor and VS Code find assay by the files above, if it is in the PATH.
Claude Desktop (claude_desktop_config.json):
%s

next:
  assay doctor       what is there, what is missing, and how to get it
  assay run          the first task and flow, with the site running at %s
  assay run specs    %s
`, snippet, base, specs)
	return nil
}
