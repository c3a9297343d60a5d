package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/starter"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/internal/trust"
	"github.com/assay-qa/assay/internal/wiring"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite/runner"
)

// initFlags holds the flags of assay init.
type initFlags struct {
	baseURL, provider, model, profile string
	headless, asJSON, undo            bool
	workflow                          string
	clients                           []string
}

func initCommand(a *app) *cobra.Command {
	var flags initFlags
	c := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Set a project up: configuration, a first task and spec, clients, CI",
		Long: `Set up the project in DIR (default: the current folder): mcp.toml, a first task,
flow and spec, assay in the settings of clients (of Claude Code, Cursor and VS Code,
or of those that --client names), and a CI workflow. Then the server is started as
each of these clients would start it.

A file that is there already is left as it is; settings of clients and .gitignore get
what is missing in them. Nothing is written through a symbolic link. The settings that
were written are trusted, and the folder whole where it was empty (see assay trust).
--undo takes assay out of the settings of clients, and touches nothing else.

Exit codes: 0 set up; 1 a client's settings are not usable, or what they start does not
work; 2 a flag is wrong, or a file can't be written.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := cmp.Or(strings.Join(args, ""), ".")
			if flags.undo {
				return leaveClients(a, dir, flags)
			}
			from := ""
			if !cmd.Flags().Changed("base-url") && !cmd.Flags().Changed("url") {
				if found, file := starter.AddressOf(dir); found != "" {
					flags.baseURL, from = found, file
				}
			}
			return setUpProject(cmd.Context(), a, dir, flags, from)
		},
	}
	c.Flags().StringVar(&flags.baseURL, "base-url", "http://localhost:3000", "address of the site under test; where playwright.config, vite.config or package.json names one, it is the default")
	c.Flags().StringSliceVar(&flags.clients, "client", starter.ByDefault(), "clients to set up, with commas between them: "+strings.Join(clientNames(), ", "))
	c.Flags().BoolVar(&flags.undo, "undo", false, "take assay out of the settings of clients again")
	c.Flags().StringVar(&flags.provider, "provider", "rules", "who runs tasks and specs: rules, openai, azure, anthropic, google, chat, ollama or lmstudio")
	c.Flags().StringVar(&flags.model, "model", "", "the provider's name of the model (default: the provider's default)")
	c.Flags().BoolVar(&flags.headless, "headless", true, "start the browser without a window")
	c.Flags().StringVar(&flags.profile, "profile", "", "settings to begin with: qa-agent (allowlist with block_external, full_page, quality, limits as that specification prints them)")
	c.Flags().StringVar(&flags.workflow, "workflow", "", "write a CI workflow that builds assay from this `FOLDER` of the project (default: one that installs this version, if it is a released one)")
	c.Flags().BoolVar(&flags.asJSON, "json", false, "print what was written, and how trying it went, as JSON")
	sameEverywhere(c)
	return c
}

// clientNames lists the clients that --client takes.
func clientNames() []string {
	var out []string
	for _, c := range starter.Clients(starter.Home{}) {
		out = append(out, c.Name)
	}
	return out
}

// initClients are the clients that a project is set up for, and how each starts assay.
type initClients struct {
	all    []starter.Client
	server func(starter.Client) (starter.Server, error)
}

// initClients also returns how a person calls this program.
func (a *app) initClients(dir string, flags initFlags) (out initClients, called string, err error) {
	home := starter.Home{Dir: cmp.Or(a.getenv("HOME"), a.getenv("USERPROFILE"))}
	if a.ownDir != nil {
		if home.Config, err = a.ownDir(); err != nil {
			home.Config = "" // a client whose settings lie there says so
		}
	}
	if out.all, err = starter.ClientsNamed(home, flags.clients); err != nil {
		return out, "", err
	}
	program, name, err := a.ownProgram()
	if err != nil {
		return out, "", err
	}
	copied, called, err := installed(a)
	if err != nil {
		return out, "", err
	}
	start := starter.Start{InFolder: []string{name}, Anywhere: []string{program}}
	if words := copied.ForClients(); words != nil {
		start = starter.Start{InFolder: words, Anywhere: words}
	}
	out.server = func(c starter.Client) (starter.Server, error) { return c.Server(start, dir) }
	return out, called, nil
}

// leaveClients takes assay out of the settings of clients.
func leaveClients(a *app, dir string, flags initFlags) error {
	clients, _, err := a.initClients(dir, flags)
	if err != nil {
		return err
	}
	done, err := starter.Remove(dir, clients.all, clients.server)
	if err != nil {
		return usage("%w", err)
	}
	if flags.asJSON {
		err = json.NewEncoder(a.stdout).Encode(map[string]any{"files": done})
	} else {
		for _, o := range done {
			fmt.Fprintln(a.stdout, o)
		}
	}
	if err == nil && slices.ContainsFunc(done, func(o starter.Outcome) bool { return o.Done == "left" }) {
		err = &exitError{code: exitFailed}
	}
	return err
}

// setUpProject writes the starter files that are not there yet, and tries what clients
// will start. From is the file of the project that names the address; empty: the caller did.
func setUpProject(ctx context.Context, a *app, dir string, flags initFlags, from string) error {
	if err := runner.CheckBaseURL(flags.baseURL); err != nil {
		return err
	}
	base, err := url.Parse(flags.baseURL)
	if err != nil || base.Host == "" {
		return usage("--base-url %s: give an http(s) address", flags.baseURL)
	}
	project := starter.Project{Base: base, Provider: flags.provider, Model: flags.model, Profile: flags.profile, Headless: flags.headless, Release: released(ownVersion()), Source: flags.workflow}
	files, err := project.Files()
	if err != nil {
		return err
	}
	if _, err := config.Load(config.Source{Name: starter.Settings, File: []byte(files[0].Text), Getenv: a.getenv}); err != nil {
		return usage("--provider, --model or --base-url: %w", err)
	}
	clients, command, err := a.initClients(dir, flags)
	if err != nil {
		return err
	}
	fresh := isFresh(dir)
	written, err := starter.Write(dir, files)
	if err != nil {
		return usage("%w", err)
	}
	settings, err := starter.Add(dir, clients.all, clients.server)
	if written = append(written, settings...); err != nil {
		return usage("%w", err)
	}
	trusted := "what was there already is for a person to look at: assay trust"
	if written[0].Done == "created" {
		trusted = a.trustWritten(dir, files[0], fresh)
	}
	tried := tryClients(ctx, a, dir, clients)
	if flags.asJSON {
		err = json.NewEncoder(a.stdout).Encode(map[string]any{"files": written, "clients": tried, "trusted": trusted == ""})
	} else {
		if from != "" {
			fmt.Fprintf(a.stdout, "address  %s, as %s has it\n", flags.baseURL, from)
		}
		for _, o := range written {
			fmt.Fprintln(a.stdout, o)
		}
		if project.Release == "" && project.Source == "" {
			fmt.Fprintf(a.stdout, "skipped  %s (this build, %s, is no release that a workflow could install; --workflow "+
				"FOLDER writes one that builds assay from a folder of the project)\n", starter.Workflow, ownVersion())
		}
		switch {
		case trusted != "":
			fmt.Fprintf(a.stdout, "untrusted %s: %s\n", written[0].Path, trusted)
		case fresh:
			fmt.Fprintf(a.stdout, "trusted  %s; once it has Playwright tests of its own: assay trust\n", dir)
		default:
			fmt.Fprintf(a.stdout, "trusted  %s as it was written; before the folder's own tests are run: assay trust\n", written[0].Path)
		}
		printTried(a, tried)
		err = printNext(a, tried, command, dir, flags)
	}
	if err == nil && slices.ContainsFunc(tried, func(t triedClient) bool { return t.Problem != "" }) {
		err = &exitError{code: exitFailed}
	}
	return err
}

// isFresh reports whether a folder has nothing that somebody else has put there.
func isFresh(dir string) bool {
	entries, err := os.ReadDir(dir)
	return errors.Is(err, fs.ErrNotExist) || err == nil && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() != ".git" })
}

// trustWritten trusts a folder with the settings that were just written, and whole where nothing else was there. It
// returns why it could not.
func (a *app) trustWritten(dir string, settings starter.File, whole bool) string {
	path := filepath.Join(dir, settings.To)
	all, err := config.Read(config.Source{Folder: config.Folder{Name: path, File: []byte(settings.Text)}})
	var now trust.Record
	if err == nil {
		now, err = trust.Look(trust.Place{Work: dir, Config: path}, all.Claims)
	}
	if err == nil {
		now.Whole, now.Since = whole, a.now().UTC()
		err = wiring.TrustIn(a.ownFolder()).Keep(now)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// released returns the version that others can install, or "".
func released(version string) string {
	if !regexp.MustCompile(`^v\d+\.\d+\.\d+$`).MatchString(version) {
		return ""
	}
	return version
}

// ownProgram returns the path of this program, and the command that clients start it
// by: its name, if the PATH leads there, or its path.
func (a *app) ownProgram() (program, command string, err error) {
	self := a.self
	if self == nil {
		self = os.Executable
	}
	if program, err = self(); err != nil {
		return "", "", err
	}
	own, err := os.Stat(program)
	if err != nil {
		return "", "", err
	}
	if found, err := exec.LookPath("assay"); err == nil {
		if info, err := os.Stat(found); err == nil && os.SameFile(info, own) {
			return program, "assay", nil
		}
	}
	return program, program, nil
}

// triedClient says how starting the server went by a client's settings.
type triedClient struct {
	Client  string `json:"client"`
	File    string `json:"file"`
	Command string `json:"command,omitempty"`
	Tools   int    `json:"tools"`
	Problem string `json:"problem,omitempty"`
	Skipped string `json:"skipped,omitempty"`
}

// tryClients starts the server as the settings of each client say, where they are what assay init writes: anything
// else may be a stranger's, and is for a person to start. What is the same in several is started once.
func tryClients(ctx context.Context, a *app, dir string, clients initClients) []triedClient {
	var all []triedClient
	for _, c := range clients.all {
		t := triedClient{Client: c.Title, File: c.File}
		if c.Own {
			t.File = c.Path(dir)
		}
		own, err := clients.server(c)
		var server starter.Server
		var same bool
		if err == nil {
			server, same, err = c.Read(dir, own)
		}
		if err == nil {
			t.Command = strings.Join(append([]string{server.Command}, server.Args...), " ")
			if !same {
				t.Skipped = fmt.Sprintf("it was there already, is not as assay init writes it, and starts %q: not tried", text.Shorten(t.Command, maxShownValue))
				all = append(all, t)
				continue
			}
			if i := slices.IndexFunc(all, func(o triedClient) bool { return o.Skipped == "" && o.Command == t.Command && len(server.Env) == 0 }); i >= 0 {
				t.Tools, t.Problem = all[i].Tools, all[i].Problem
				all = append(all, t)
				continue
			}
			t.Tools, err = wiring.TryServer(ctx, a.getenv, dir, server)
		}
		if err != nil {
			t.Problem = err.Error()
		}
		all = append(all, t)
	}
	return all
}

func printTried(a *app, tried []triedClient) {
	for _, t := range tried {
		if t.Skipped != "" {
			fmt.Fprintln(a.stdout, a.style.Wrap("", fmt.Sprintf("skipped  %s: %s", t.File, text.Line(t.Skipped))))
			continue
		}
		if t.Problem != "" {
			fmt.Fprintln(a.stdout, a.style.Wrap("", fmt.Sprintf("%sfailed   %s: %s", a.mark(qa.Failed), t.File, text.Line(t.Problem))))
			continue
		}
		fmt.Fprintf(a.stdout, "%stried    %s: %q answers, with %s\n", a.mark(qa.Passed), t.File, t.Command, text.Count(t.Tools, "tool"))
	}
}

// printNext says which clients answered, and what to do now.
func printNext(a *app, tried []triedClient, command, dir string, flags initFlags) error {
	specs := "rules work the first spec, without a model"
	if key, ok := provider.KeyVariable(flags.provider); ok {
		specs = "a model runs the first spec, and it is recorded"
		if key != "" {
			specs = "with the key in " + key + ": " + specs
		}
	}
	if dir != "." {
		command = "cd " + dir + " && " + command
	}
	var found []string
	for _, t := range tried {
		if t.Problem == "" && t.Skipped == "" {
			found = append(found, t.Client)
		}
	}
	if len(found) > 0 {
		fmt.Fprintf(a.stdout, "\nassay answered as started by: %s. Other clients: assay init --client NAME, of %s\n", strings.Join(found, ", "), strings.Join(clientNames(), ", "))
	}
	_, err := fmt.Fprintf(a.stdout, `
next:
  %[1]s doctor       what is there, what is missing, and how to get it
  %[1]s run          the first task, flow and spec, with the site running at %[2]s
  %[1]s run specs    %[3]s
`, command, flags.baseURL, specs)
	return err
}
