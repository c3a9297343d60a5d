package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/server"
	"github.com/assay-qa/assay/tools"
)

// closeLimit bounds the shutdown of browser and driver: the whole process is
// gone within two seconds of EOF or SIGTERM.
const closeLimit = 1200 * time.Millisecond

func (a *app) serveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "serve",
		Short: "Serve MCP over stdio",
		Long:  "Serve MCP over stdin and stdout until stdin ends. A client starts it; see the README for the snippet to paste.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := a.settings(cmd)
			if err != nil {
				return err
			}
			d, err := a.desk(cfg)
			if err != nil {
				return err
			}
			d.Pool.Warm()
			return a.serve(cmd.Context(), d)
		},
	}
}

// serve runs the server until its input ends or the process is told to stop.
// Both are how a client says goodbye, so both end well.
func (a *app) serve(ctx context.Context, d *tools.Desk) error {
	s := server.New(server.Options{
		Version: version, Instructions: tools.Instructions(),
		Tools: serverTools(d.Catalogue()), Resources: serverResources(d.Resources()), Now: a.now, Log: a.log,
	})
	err := s.Listen(ctx, a.stdin, a.stdout)
	d.LastTraffic()
	closed := make(chan struct{})
	go func() { defer close(closed); d.Pool.Close(closeLimit) }()
	err = errors.Join(err, d.Close())
	<-closed
	return err
}

// serverTools hands the catalogue to the server, which knows no room of ours.
func serverTools(catalogue []tools.Tool) []server.Tool {
	out := make([]server.Tool, len(catalogue))
	for i, t := range catalogue {
		out[i] = server.Tool{Definition: t.Definition, Handle: t.Handle}
	}
	return out
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
