package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lmittmann/tint"
	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/secrets"
	"github.com/assay-qa/assay/internal/terminal"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/internal/wiring"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/workspace"
)

// Exit codes.
const (
	exitPassed      = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// app holds what the program has of the outside world: streams, environment, clock.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	environ        []string // what getenv reads, whole: for programs that are the person's own
	now            func() time.Time
	self           func() (string, error) // path of this program; nil: os.Executable
	called         string                 // how a person calls this program; empty: assay
	browsers       *browser.Pool          // whose browsers are used; nil: its own
	waits          wait.Waits             // how long pages are waited for; zero: as long as in [wait.Standard]
	mutants        int                    // faults that prove a written test, at most; 0: as many as it asks for

	trustsCases bool // a person's own configuration is copied to its worker: it counts as where it came from
	configPath  string
	ownDir      func() (string, error)     // of the person's own configuration; nil: there is none
	dotEnv      map[string]config.Variable // of the working folder's .env
	outside     func(string) string        // the environment itself, without .env
	loaded      wiring.Loaded
	envName     string
	baseURL     string // --base-url: the environment is there instead
	profile     config.Profile
	timeLimit   time.Duration   // --time-limit; 0: that of the command
	bounded     context.Context // of the command that runs, with its deadline; nil: it has none
	unbound     context.CancelFunc
	verbose     bool
	logFormat   string             // text or json; empty: warnings and errors alone are logged
	style       terminal.Style     // of stdout
	flags       map[string]*string // config flags by dotted key
	log         *slog.Logger
	vault       atomic.Pointer[secrets.Vault] // nil before the configuration is read
}

// exitError ends the program with a code. Err may be nil when all was said.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// verdictError returns the error that ends a command with the exit code of its verdict; nil
// where that has passed.
func verdictError(s qa.Status) error {
	if code := s.ExitCode(); code != exitPassed {
		return &exitError{code: code}
	}
	return nil
}

func usage(format string, args ...any) error { return config.Usage(format, args...) }

// run executes one command line and returns the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	a.style = terminal.StyleOf(a.stdout, a.getenv)
	a.stdout, a.stderr = terminal.OnlyOurs(a.stdout), terminal.OnlyOurs(a.stderr)
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	stderr := masked{a, a.stderr, "text/plain"}
	if late := a.overdue(); late != nil && err != nil {
		fmt.Fprintln(stderr, "assay:", late)
		return exitFailed
	}
	var exit *exitError
	var wrong *config.UsageError
	switch {
	case err == nil:
		return exitPassed
	case errors.As(err, &wrong):
		fmt.Fprintln(stderr, "assay:", explained(wrong))
		return exitUsage
	case errors.As(err, &exit):
		if exit.err != nil {
			fmt.Fprintln(stderr, "assay:", explained(exit.err))
		}
		return exit.code
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "assay: interrupted")
		return exitInterrupted
	default:
		fmt.Fprintln(stderr, "assay:", explained(err))
		return exitFailed
	}
}

// explained returns what a person reads of an error that ends the program. Whatever it is
// that met a limit of the process, the limit is what must be changed.
func explained(err error) string {
	if disk.OutOfFiles(err) {
		err = disk.Explain(err)
	}
	return text.Undecoded(err.Error())
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "assay",
		Short: "Browser QA whose verdicts can be trusted",
		Long: `Browser QA whose verdicts can be trusted: an MCP server over stdio, and the
commands around it.

Help on a topic: assay help settings, flows, tasks, specs or exit-codes.`,
		Version: ownVersion(), SilenceUsage: true, SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			if err := a.bound(cmd, args); err != nil {
				return err
			}
			if !slices.Contains([]string{"", "text", "json"}, a.logFormat) {
				return usage("--log %q: use text or json", a.logFormat)
			}
			a.log = a.logger()
			return a.readDotEnv()
		},
		Args: strict(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if terminal.Is(a.stdin) { // a person, who asked for nothing
				return cmd.Help()
			}
			return serveCommand(a).RunE(cmd, nil)
		},
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(wrongFlag)
	pf := root.PersistentFlags()
	pf.StringVar(&a.configPath, "config", "", "configuration file (default mcp.toml of the working folder, else of the nearest folder above it in the repository; ASSAY_CONFIG)")
	pf.StringVar(&a.envName, "env", "", "environment under test, an [env.NAME] of the configuration (default: the only one; ASSAY_ENV)")
	pf.DurationVar(&a.timeLimit, "time-limit", 0, "end the command when it is not done in this time (default: long enough for the budgets of what it does)")
	pf.BoolVarP(&a.verbose, "verbose", "v", false, "log every step to stderr (default: warnings and errors)")
	pf.BoolVar(&a.verbose, "debug", false, "the same as --verbose")
	pf.StringVar(&a.logFormat, "log", "", "log what happens to stderr, in this `FORMAT`: text or json")
	a.flags = map[string]*string{}
	for _, key := range config.Keys() {
		if key.Flag == "" {
			continue
		}
		about := "sets " + key.Name
		if key.Name == "data_dir" {
			about = "folder of runs, baselines and the evidence log (default " + config.Default().DataDir + ", beside the configuration)"
		}
		a.flags[key.Name] = pf.String(key.Flag, "", about)
		if key.Name != "data_dir" {
			_ = pf.MarkHidden(key.Flag) // fails for unknown flags only
		}
	}
	root.AddCommand(serveCommand(a), checkCommand(a), generateCommand(a), runCommand(a), mergeCommand(a), acceptCommand(a), demoCommand(a), installCommand(a), doctorCommand(a), toolsCommand(a),
		loginCommand(a), runsCommand(a), reportCommand(a), verifyCommand(a), baselineCommand(a), metricsCommand(a), exportCommand(a), recordCommand(a), keyCommand(a), logCommand(a), initCommand(a),
		schemaCommand(a), versionCommand(a), licensesCommand(a), exploreCommand(a), testCommand(a), proveCommand(a), healCommand(a), authorCommand(a), trustCommand(a), workerCommand(a))
	addHelp(root)
	for _, c := range root.Commands() {
		sameAddress(c)
		if c.Name() != "completion" && c.Name() != "help" {
			c.Args = strict(c.Args)
		}
	}
	return root
}

// program returns what the rooms are given of the outside world and of the flags.
func (a *app) program() wiring.Program {
	return wiring.Program{Version: ownVersion(), Command: a.called, Getenv: a.getenv, Environ: a.environ, Now: a.now, Log: a.log,
		Env: a.envName, BaseURL: a.baseURL, Profile: a.profile, Vault: a.vault.Load(), Browsers: a.browsers, Waits: a.waits,
		Folder: wiring.Folder{Trust: a.loaded.Trust, Withheld: a.loaded.Withheld(), TypedOn: a.loaded.TypedOn, Folders: a.loaded.Folders, Place: a.loaded.Place, Own: a.ownFolder()}}
}

// desk wires the tools to a browser pool and a store. Nothing runs yet.
func (a *app) desk(cfg config.Config) (*workspace.Workspace, error) {
	a.vaultOf(cfg)
	return a.program().Desk(cfg)
}

// logger writes to stderr: warnings and errors, with --log what happens, and with
// --verbose every call of a tool.
func (a *app) logger() *slog.Logger {
	level := slog.LevelWarn
	switch {
	case a.verbose:
		level = slog.LevelDebug
	case a.logFormat != "":
		level = slog.LevelInfo
	}
	if a.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(stderrOf{a, "application/jsonl"}, &slog.HandlerOptions{Level: level}))
	}
	return slog.New(tint.NewTextHandler(stderrOf{a, "text/plain"}, &tint.Options{Level: level, TimeFormat: time.TimeOnly, NoColor: !terminal.StyleOf(a.stderr, a.getenv).Colour}))
}

// stderrOf writes masked lines to the program's stderr, also where live lines stand
// below it since.
type stderrOf struct {
	app  *app
	mime string
}

func (w stderrOf) Write(p []byte) (int, error) { return masked{w.app, w.app.stderr, w.mime}.Write(p) }

// goLive shows lines about what runs at the end of a person's terminal, below whatever
// is printed; nil where there is none. It is called before anything runs.
func (a *app) goLive() *terminal.Live {
	if !terminal.StyleOf(a.stderr, a.getenv).Moves {
		return nil
	}
	screen := a.stderr
	live := terminal.NewLive(screen, func() (int, int) { return terminal.Size(screen) })
	a.stdout, a.stderr = live.Over(a.stdout), live.Over(a.stderr)
	return live
}

// dataFolder loads the configuration, and returns the folder of the data with it.
func (a *app) dataFolder(cmd *cobra.Command) (config.Config, string, error) {
	cfg, err := a.settings(cmd)
	if err != nil {
		return cfg, "", err
	}
	dir, err := wiring.DataDir(cfg)
	return cfg, dir, err
}

// settings loads the configuration: the person's own file, the folder's, then environment, then flags. What is
// wrong in it stops the program before anything runs; what of the folder does not count is named.
func (a *app) settings(cmd *cobra.Command) (config.Config, error) {
	loaded, err := a.load(cmd)
	if err != nil {
		return config.Config{}, err
	}
	if err := loaded.CheckDataFolder(); err != nil {
		return config.Config{}, err
	}
	if a.loaded.Claims == nil { // once, where a command asks again
		a.sayWithheld(loaded.Withheld())
		a.sayDataFolder(loaded)
	}
	a.loaded = loaded
	for name, value := range loaded.Variables {
		a.environ = append(slices.Clip(a.environ), name+"="+value)
	}
	a.getenv = func(name string) string { return cmp.Or(a.outside(name), loaded.Variables[name]) }
	return loaded.Config, nil
}

// sayDataFolder names the data folder that is used and the one that is not, where the configuration was found above the
// working folder and each of the two folders has one.
func (a *app) sayDataFolder(loaded wiring.Loaded) {
	if loaded.DataDirPassed == "" {
		return
	}
	fmt.Fprintf(stderrOf{a, "text/plain"}, "assay: the configuration is %s, and results are stored in %s of this folder, not in %s: remove the one here, or name one with --data-dir\n",
		loaded.Path, loaded.Config.DataDir, loaded.DataDirPassed)
}

// load reads the configuration, and says nothing.
func (a *app) load(cmd *cobra.Command) (wiring.Loaded, error) {
	src := config.Source{Getenv: a.outside, Flags: map[string]string{}}
	for _, entry := range a.environ {
		if !strings.HasPrefix(entry, "ASSAY_CONFIG=") && !strings.HasPrefix(entry, "ASSAY_ENV=") {
			src.Environ = append(src.Environ, entry)
		}
	}
	for _, key := range config.Keys() {
		if value, ok := a.flags[key.Name]; ok && cmd.Flags().Changed(key.Flag) {
			src.Flags[key.Name] = *value
		}
	}
	for name, key := range map[string]string{"provider": "agent.provider", "model": "agent.model", "headless": "browser.headless"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed {
			src.Flags[key] = f.Value.String()
		}
	}
	return wiring.Settings(wiring.Places{Config: cmp.Or(a.configPath, a.outside("ASSAY_CONFIG")), Own: a.ownFolder(), CI: a.trustsCases || a.outside("CI") == "true", DotEnv: a.dotEnv}, src)
}

// ownFolder returns the folder of the person's own configuration; empty where the system knows of none.
func (a *app) ownFolder() string {
	if a.ownDir == nil {
		return ""
	}
	dir, err := a.ownDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "assay")
}
