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
)

// closeLimit bounds the shutdown of browser and driver: the whole process is
// gone within two seconds of EOF or SIGTERM.
const closeLimit = 1200 * time.Millisecond

// suitesLimit bounds the end of the suites that a server runs in the background.
const suitesLimit = time.Second

func (a *app) serveCommand() *cobra.Command {
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
				return a.runFiles(cmd, paths, flags)
			}
			if err := runFlagsAlone(cmd, flags); err != nil {
				return err
			}
			cfg, err := a.settings(cmd)
			if err != nil {
				return err
			}
			d, err := a.desk(cfg)
			if err != nil {
				return err
			}
			background, err := a.withSuites(cfg, d)
			if err != nil {
				return err
			}
			if n := a.networkLists(cfg); len(n.AllowedHosts) == 0 && !n.BlockExternal {
				a.sayHosts(n.HomeHosts)
			}
			d.Pool.Warm()
			return a.serve(cmd.Context(), d, background)
		},
	}
	c.Flags().BoolVar(&headless, "agent", false, "run the tasks and flows at PATH... without a client, as assay run does")
	flags.register(c)
	return c
}

// sayHosts says once what pages may reach where no list does.
func (a *app) sayHosts(home []string) {
	if len(home) > 0 {
		a.log.Info("network.allowed_hosts is empty: pages reach the hosts of the environment alone", "hosts", home)
		return
	}
	a.log.Warn("network.allowed_hosts is empty: pages reach every host; list those under test, or set network.block_external")
}

// runFlagsAlone refuses flags that mean nothing without --agent.
func runFlagsAlone(cmd *cobra.Command, flags runFlags) error {
	for _, name := range []string{"json", "base-url", "parallel", "resume", "summary", "tags", "grep", "shard", "var", "replay", "update-flows", "write-tests"} {
		if cmd.Flags().Changed(name) {
			return usage("--%s belongs to assay serve --agent", name)
		}
	}
	if !reflect.ValueOf(flags).IsZero() { // one that is not named above
		return usage("the flags of assay run belong to assay serve --agent")
	}
	return nil
}

// serve runs the server until its input ends or the process is asked to stop.
// A client ends a server in both ways, so both end well.
func (a *app) serve(ctx context.Context, d *tools.Desk, background *runner.Background) error {
	s := server.New(server.Options{
		Version: version, Instructions: tools.Instructions(),
		Tools: runner.ServerTools(d.Catalogue()), Resources: serverResources(d.Resources()), Prompts: serverPrompts(d.Prompts()), Now: a.now, Log: a.log,
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

func serverResources(resources []tools.Resource) []server.Resource {
	out := make([]server.Resource, len(resources))
	for i, r := range resources {
		out[i] = server.Resource{URI: r.URI, Name: r.Name, Description: r.Description, MIMEType: r.MIMEType,
			Read: func(ctx context.Context, uri string) (server.Content, error) {
				data, mime, err := r.Read(ctx, uri)
				if errors.Is(err, tools.ErrNoResource) {
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
