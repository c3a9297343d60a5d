package main

import (
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/terminal"
	"github.com/assay-qa/assay/internal/wiring"
	"github.com/assay-qa/assay/suite/runner"
)

func serveCommand(a *app) *cobra.Command {
	var headless bool
	var flags runFlags
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve MCP over stdio",
		Long: `Serve MCP over stdin and stdout until stdin ends. A client starts it; see the README for the snippet to paste.

With --agent nobody is served: it is "assay run PATH...", with its flags and exit codes.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if headless {
				return nil
			}
			return cobra.NoArgs(cmd, args)
		},
		RunE: func(cmd *cobra.Command, paths []string) error {
			if headless {
				return runFiles(a, cmd, paths, flags)
			}
			brokenPipe := make(chan os.Signal, 1) // with nobody to read the log any more, writing to it must not end the process
			signal.Notify(brokenPipe, syscall.SIGPIPE)
			defer signal.Stop(brokenPipe)
			if err := runFlagsAlone(cmd); err != nil {
				return err
			}
			cfg, err := a.settings(cmd)
			if err != nil {
				return err
			}
			a.baseURL = flags.request.BaseURL
			if err := runner.CheckBaseURL(a.baseURL); err != nil {
				return err
			}
			d, err := a.desk(cfg)
			if err != nil {
				return err
			}
			if d.Target.Name == "" { // without an environment the address is all that is known of one
				d.Target.BaseURL, d.Environment.BaseURL = a.baseURL, a.baseURL
			}
			background, err := a.program().Suites(cfg, d, inCI(a))
			if err != nil {
				return err
			}
			if err := wiring.Explorations(a.program(), cfg, d, a.environ); err != nil {
				return err
			}
			if err := wiring.Heals(a.program(), cfg, d, a.environ); err != nil {
				return err
			}
			if n := a.program().NetworkLists(cfg); len(n.AllowedHosts) == 0 && !n.BlockExternal {
				logHosts(a, n.HomeHosts)
			}
			greet(a, cfg)
			d.Warm()
			return a.program().Serve(cmd.Context(), cfg, a.stdin, a.stdout, d, background)
		},
	}
	c.Flags().BoolVar(&headless, "agent", false, "run the tasks and flows at PATH... without a client, as assay run does")
	flags.register(c)
	sameEverywhere(c)
	return c
}

// greet tells a person who started a server at a terminal what it waits for, and anyone
// that nothing can be stored.
func greet(a *app, cfg config.Config) {
	if terminal.Is(a.stdin) {
		fmt.Fprintln(a.stderr, "assay serve speaks MCP over stdin and stdout: a client starts it, not a person.\n"+
			"To attach one: assay init, or: claude mcp add assay -- assay serve\nCtrl-C ends it.")
	}
	if _, err := wiring.WritableDataDir(cfg); err != nil {
		a.log.Warn("no run can be stored", "err", err)
	}
}

// logHosts says once what pages may reach where no list does.
func logHosts(a *app, home []string) {
	if len(home) > 0 {
		fmt.Fprintf(stderrOf{a, "text/plain"}, "network.allowed_hosts is empty: pages reach the hosts of the environment alone: %s\n", strings.Join(home, ", "))
		return
	}
	a.log.Warn("network.allowed_hosts is empty: pages reach every host; list those under test, or set network.block_external")
}
