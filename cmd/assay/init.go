package main

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/suite/runner"
)

//go:embed starter
var starter embed.FS

// starterFiles returns what init makes, by where it stands in the project.
func starterFiles() []struct{ to, from string } {
	return []struct{ to, from string }{
		{"mcp.toml", "mcp.toml"},
		{"tasks/first.task.toml", "tasks/first.task.toml"},
		{"specs/first.md", "specs/first.md"},
		{".mcp.json", "mcp.json"},
		{".cursor/mcp.json", "mcp.json"},
		{".vscode/mcp.json", "vscode.json"},
		{".github/workflows/assay.yml", "workflow.yml"},
	}
}

// initFlags are the flags of assay init.
type initFlags struct{ baseURL, provider string }

func initCommand(a *app) *cobra.Command {
	var flags initFlags
	c := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Set a project up: configuration, a first task and spec, clients, CI",
		Long: `Set up the project in DIR (default: the current folder): mcp.toml, a first task and
a first spec, the configuration of Claude Code, Cursor and VS Code, and a CI
workflow; what goes into Claude Desktop's is printed. A file that is there
already is left as it is.

Exit codes: 0 set up; 2 a flag is wrong, or a file can't be written.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return setUpProject(a, cmp.Or(strings.Join(args, ""), "."), flags)
		},
	}
	c.Flags().StringVar(&flags.baseURL, "base-url", "http://localhost:3000", "address of the site under test")
	c.Flags().StringVar(&flags.provider, "provider", "rules", "who runs tasks and specs: rules, openai, azure, anthropic, google or chat")
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
	fill := strings.NewReplacer("@HOST@", base.Hostname(), "@BASE_URL@", base.String(), "@PROVIDER@", flags.provider)
	settings, err := starter.ReadFile("starter/mcp.toml")
	if err != nil {
		return err
	}
	if _, err := config.Load(config.Source{Name: "mcp.toml", File: []byte(fill.Replace(string(settings))), Getenv: a.getenv}); err != nil {
		return usage("--provider or --base-url: %w", err)
	}
	for _, f := range starterFiles() {
		data, err := starter.ReadFile("starter/" + f.from)
		if err != nil {
			return err
		}
		if err := putFile(a, filepath.Join(dir, filepath.FromSlash(f.to)), fill.Replace(string(data))); err != nil {
			return err
		}
	}
	if err := ignoreRuns(a, filepath.Join(dir, ".gitignore")); err != nil {
		return err
	}
	return printNext(a, dir, base.String(), flags.provider)
}

// putFile writes a file that is not there yet, and says which of both it was.
func putFile(a *app, path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return usage("%w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		fmt.Fprintf(a.stdout, "kept     %s (it is there already)\n", path)
		return nil
	}
	if err != nil {
		return usage("%w", err)
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return usage("%w", err)
	}
	fmt.Fprintf(a.stdout, "created  %s\n", path)
	return nil
}

// ignoreRuns keeps the runs out of the project's history: they hold pictures of
// the site, and grow.
func ignoreRuns(a *app, path string) error {
	const line = ".assay/"
	old, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return putFile(a, path, line+"\n")
	case err != nil:
		return usage("%w", err)
	}
	if !slices.ContainsFunc(strings.Split(string(old), "\n"), func(l string) bool { return strings.Trim(l, "/ \r") == ".assay" }) {
		fmt.Fprintf(a.stdout, "kept     %s: add the line %s to it\n", path, line)
	}
	return nil
}

// printNext says what goes where init can't write, and what to do now.
func printNext(a *app, dir, base, name string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	whole, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	// A desktop program has neither this folder nor the shell's PATH.
	server := map[string]any{"command": program, "args": []string{"serve", "--config", filepath.Join(whole, "mcp.toml"), "--data-dir", filepath.Join(whole, ".assay")}}
	snippet, err := json.MarshalIndent(map[string]any{"mcpServers": map[string]any{"assay": server}}, "", "  ")
	if err != nil {
		return err
	}
	specs := "once agent.provider in mcp.toml names a model"
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
  assay run tasks    with the site running at %s
  assay run specs    %s
`, snippet, base, specs)
	return nil
}
