package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/server"
	"github.com/assay-qa/assay/suite/runner"
	"github.com/assay-qa/assay/tools"
	"github.com/assay-qa/assay/tools/resources"
	"github.com/assay-qa/assay/tools/workspace"
)

// closeLimit bounds the shutdown of browser and driver: the whole process is
// gone within two seconds of EOF or SIGTERM.
const closeLimit = 1200 * time.Millisecond

// suitesLimit bounds the end of the suites that a server runs in the background.
const suitesLimit = time.Second

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
			if err := runFlagsAlone(cmd, flags); err != nil {
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
			if n := a.program().NetworkLists(cfg); len(n.AllowedHosts) == 0 && !n.BlockExternal {
				logHosts(a, n.HomeHosts)
			}
			d.Pool.Warm()
			return runServer(cmd.Context(), a, d, background)
		},
	}
	c.Flags().BoolVar(&headless, "agent", false, "run the tasks and flows at PATH... without a client, as assay run does")
	flags.register(c)
	sameEverywhere(c)
	return c
}

// logHosts says once what pages may reach where no list does.
func logHosts(a *app, home []string) {
	if len(home) > 0 {
		a.log.Info("network.allowed_hosts is empty: pages reach the hosts of the environment alone", "hosts", home)
		return
	}
	a.log.Warn("network.allowed_hosts is empty: pages reach every host; list those under test, or set network.block_external")
}

// runFlagsAlone refuses flags that mean nothing without --agent.
func runFlagsAlone(cmd *cobra.Command, flags runFlags) error {
	for _, name := range []string{"json", "parallel", "resume", "summary", "junit", "comment", "report-dir", "tags", "grep", "shard", "profile", "var", "replay", "update-flows", "record", "write-tests"} {
		if cmd.Flags().Changed(name) {
			return usage("--%s belongs to assay serve --agent", name)
		}
	}
	flags.request.BaseURL = ""
	if !reflect.ValueOf(flags).IsZero() { // one that is not named above
		return usage("the flags of assay run belong to assay serve --agent")
	}
	return nil
}

// runServer runs the server until its input ends or the process is asked to stop.
// A client ends a server in both ways, so both end well.
func runServer(ctx context.Context, a *app, d *workspace.Workspace, background *runner.Background) error {
	s := server.New(server.Options{
		Version: version, Instructions: tools.Instructions(),
		Tools: runner.ServerTools(tools.Catalogue(d)), Resources: serverResources(resources.All(d)), Prompts: serverPrompts(tools.Prompts(d)), Now: a.now, Log: a.log,
	})
	err := s.Listen(ctx, a.stdin, a.stdout)
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), suitesLimit)
	background.Close(closing)
	cancel()
	d.LastTraffic()
	closed := make(chan struct{})
	go func() { defer close(closed); d.Pool.Close(closeLimit) }()
	err = errors.Join(err, d.Close())
	<-closed
	return err
}

func serverResources(offered []resources.Resource) []server.Resource {
	out := make([]server.Resource, len(offered))
	for i, r := range offered {
		out[i] = server.Resource{URI: r.URI, Name: r.Name, Description: r.Description, MIMEType: r.MIMEType,
			Read: func(ctx context.Context, uri string) (server.Content, error) {
				data, mime, err := r.Read(ctx, uri)
				if errors.Is(err, resources.ErrNoResource) {
					err = errors.Join(server.ErrNotFound, err)
				}
				return server.Content{Data: data, MIMEType: mime}, err
			}}
	}
	return out
}

func serverPrompts(prompts []tools.Prompt) []server.Prompt {
	out := make([]server.Prompt, len(prompts))
	for i, p := range prompts {
		out[i] = server.Prompt{Name: p.Name, Title: p.Title, Description: p.Description,
			Render: func(arguments map[string]string) (string, error) {
				text, err := p.Render(arguments)
				if errors.Is(err, tools.ErrPromptArguments) {
					err = fmt.Errorf("%w: %w", server.ErrInvalidParams, err)
				}
				return text, err
			}}
		for _, a := range p.Arguments {
			out[i].Arguments = append(out[i].Arguments, server.PromptArgument(a))
		}
	}
	return out
}
