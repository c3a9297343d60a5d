package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/internal/terminal"
	"github.com/assay-qa/assay/internal/wiring"
	"github.com/assay-qa/assay/suite/runner"
	"github.com/assay-qa/assay/tools/login"
	"github.com/assay-qa/assay/tools/workspace"
)

// personLimit bounds a sign-in by hand.
const personLimit = 5 * time.Minute

type loginFlags struct {
	headed, check, asJSON bool
	flow                  string
	kept                  string // flags that a command after this one needs, too
}

func loginCommand(a *app) *cobra.Command {
	var flags loginFlags
	c := &cobra.Command{
		Use:   "login ROLE",
		Short: "Sign in as a role once, and keep the sign-in for all runs",
		Args:  cobra.ExactArgs(1),
		Long: `Sign in as a role of an environment ([env.NAME.roles.ROLE]) and store the
sign-in: by the role's login_flow, or with --headed by hand in a window. What is
stored is tried in a fresh browser context before it is kept.

Exit codes: 0 signed in, or with --check: the stored sign-in works; 1 not;
2 a flag or a setting is wrong; 130 interrupted.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return loginOrCheck(a, cmd, args[0], flags)
		},
	}
	c.Flags().BoolVar(&flags.headed, "headed", false, "sign in by hand, in a window")
	c.Flags().StringVar(&flags.flow, "flow", "", "sign in by this flow instead of the role's login_flow")
	c.Flags().BoolVar(&flags.check, "check", false, "only tell whether the stored sign-in still works")
	c.Flags().StringVar(&a.baseURL, "base-url", "", "sign in there instead of at the environment's base_url, as assay run --base-url does")
	c.Flags().BoolVar(&flags.asJSON, "json", false, "print the outcome as JSON")
	sameEverywhere(c)
	return c
}

// loginOrCheck checks the flags before anything runs.
func loginOrCheck(a *app, cmd *cobra.Command, role string, flags loginFlags) error {
	cfg, err := a.settings(cmd)
	if err != nil {
		return err
	}
	if err := runner.CheckBaseURL(a.baseURL); err != nil {
		return err
	}
	name, _, err := a.program().Environment(cfg)
	switch {
	case err != nil:
		return err
	case name == "" && len(cfg.Environments) == 0:
		return usage("no environment is configured: add [env.NAME] with base_url, and [env.NAME.roles.%s], to mcp.toml", role)
	case name == "":
		return usage("which environment? give --env NAME; known: %s", strings.Join(slices.Sorted(maps.Keys(cfg.Environments)), ", "))
	case flags.check && (flags.headed || flags.flow != ""), flags.headed && flags.flow != "":
		return usage("--headed, --flow and --check exclude each other")
	case flags.headed && !hasDisplay(a):
		return usage("--headed: " + noDisplay + ": sign in by a flow (--flow FILE, or " +
			"login_flow of the role), or run this where you have a desktop and copy the stored file")
	}
	cfg.Browser.Headless = cfg.Browser.Headless && !flags.headed
	d, err := a.desk(cfg)
	if err != nil {
		return err
	}
	if err := d.KnowsRole(role); err != nil {
		return usage("%w", withHint(err))
	}
	o := login.Options{Role: role, Person: flags.headed, Progress: func(m string) { fmt.Fprintln(masked{a, a.stderr, "text/plain"}, m) }}
	if o.Flow, err = wiring.LoginFlow(flags.flow, d.Target.BaseURL); err != nil {
		return usage("--flow: %w", err)
	}
	if o.Flow == nil && d.Target.Roles[role].Login == nil && !flags.headed && !flags.check {
		return usage("role %q has no login_flow: give --flow FILE, or --headed to sign in by hand", role)
	}
	if flags.headed && d.Target.BaseURL == "" {
		return usage("env.%s has no base_url: there is no page to open", name)
	}
	defer d.Pool.Close(wiring.CloseLimit)
	if flags.kept = keptFlags(cmd, "env", "base-url", "url", "config", "data-dir"); !strings.Contains(flags.kept, " --env ") {
		flags.kept = " --env " + name + flags.kept
	}
	return loginRole(cmd.Context(), a, d, o, flags)
}

// noDisplay says why no window can be shown.
const noDisplay = "this machine has no display to open a window on (DISPLAY is not set)"

// hasDisplay reports whether a window can be shown.
func hasDisplay(a *app) bool {
	return runtime.GOOS != "linux" || a.getenv("DISPLAY") != "" || a.getenv("WAYLAND_DISPLAY") != ""
}

// loginRole signs in, or checks, and says what came of it.
func loginRole(ctx context.Context, a *app, d *workspace.Workspace, o login.Options, flags loginFlags) error {
	var result login.Result
	var err error
	switch {
	case flags.check:
		result, err = login.Check(ctx, d, o.Role, o.Progress)
	case flags.headed:
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, personLimit)
		defer cancel()
		o.Done = enterPressed(a)
		fmt.Fprintf(a.stderr, "sign in within %s; press Enter here when you are done, if the window does not close by itself\n", personLimit)
		result, err = login.Login(ctx, d, o)
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("nobody signed in within %s", personLimit)
		}
	default:
		result, err = login.Login(ctx, d, o)
	}
	if err != nil {
		return withHint(err)
	}
	if flags.asJSON {
		if err := json.NewEncoder(a.stdout).Encode(result); err != nil {
			return err
		}
	} else {
		fmt.Fprint(a.stdout, result.Text(flags.check, flags.kept))
	}
	if !result.Works {
		return &exitError{code: exitFailed}
	}
	return nil
}

// enterPressed returns a channel that is closed when a person presses Enter;
// nil without a terminal.
func enterPressed(a *app) <-chan struct{} {
	if !terminal.Is(a.stdin) {
		return nil
	}
	done := make(chan struct{})
	go func() {
		if _, err := bufio.NewReader(a.stdin).ReadString('\n'); err == nil {
			close(done)
		}
	}()
	return done
}
