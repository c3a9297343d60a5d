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
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/suite/runner"
)

//go:embed starter
var starter embed.FS

// starterFiles returns what init makes, by where it stands in the project. Without a
// model nothing runs a spec, so it is there as an example only: assay run would be
// inconclusive.
func starterFiles(flags initFlags) []struct{ to, from string } {
	spec := "specs/first.md"
	if flags.provider == "rules" {
		spec = "specs/first.md.example"
	}
	return []struct{ to, from string }{
		{"mcp.toml", "mcp.toml"},
		{"tasks/first.task.toml", "tasks/first.task.toml"},
		{"flows/first.flow.toml", "flows/first.flow.toml"},
		{spec, "specs/first.md"},
		{".mcp.json", "mcp.json"},
		{".cursor/mcp.json", "mcp.json"},
		{".vscode/mcp.json", "vscode.json"},
		{".github/workflows/assay.yml", "workflow.yml"},
	}
}

// initFlags are the flags of assay init.
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
	fill := flags.filler(base)
	settings, err := flags.settings()
	if err != nil {
		return err
	}
	if _, err := config.Load(config.Source{Name: "mcp.toml", File: []byte(fill.Replace(settings)), Getenv: a.getenv}); err != nil {
		return usage("--provider, --model or --base-url: %w", err)
	}
	for _, f := range starterFiles(flags) {
		data, err := starter.ReadFile("starter/" + f.from)
		if err != nil {
			return err
		}
		if f.to == "mcp.toml" {
			data = []byte(settings)
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

// qaAgent is the profile with the defaults of the specification of a QA agent's
// browser automation (B14).
const qaAgent = "qa-agent"

// settings returns mcp.toml before it is filled in.
func (f initFlags) settings() (string, error) {
	text, err := starter.ReadFile("starter/mcp.toml")
	if err != nil {
		return "", err
	}
	switch f.profile {
	case "":
		if !f.headless {
			text = append(text, "\n[browser]\nheadless = false\n"...)
		}
		return string(text), nil
	case qaAgent:
		more, err := starter.ReadFile("starter/qa-agent.toml")
		return string(text) + string(more), err
	default:
		return "", usage("--profile %q is unknown; accepted: %s", f.profile, qaAgent)
	}
}

// filler fills in what the starter files leave open.
func (f initFlags) filler(base *url.URL) *strings.Replacer {
	hosts, block, model := []string{base.Hostname()}, "", ""
	if f.profile == qaAgent {
		block = "block_external = true\n"
		for _, host := range []string{"localhost", "*.test.example"} {
			if host != base.Hostname() {
				hosts = append(hosts, host)
			}
		}
	}
	if f.model != "" {
		model = "model = " + strconv.Quote(f.model) + "\n"
	}
	return strings.NewReplacer("@HOSTS@", `"`+strings.Join(hosts, `", "`)+`"`, "@BLOCK@", block, "@BASE_URL@", base.String(), "@PROVIDER@", f.provider,
		"@MODEL@", model, "@HEADLESS@", strconv.FormatBool(f.headless))
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
