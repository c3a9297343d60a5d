package wiring

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/server"
	"github.com/assay-qa/assay/suite/runner"
	"github.com/assay-qa/assay/tools"
	"github.com/assay-qa/assay/tools/author"
	"github.com/assay-qa/assay/tools/resources"
	"github.com/assay-qa/assay/tools/workspace"
)

// CloseLimit bounds the shutdown of browser and driver: the whole process is
// gone within two seconds of EOF or SIGTERM.
const CloseLimit = 1200 * time.Millisecond

// suitesLimit bounds the end of the suites that a server runs in the background.
const suitesLimit = time.Second

// Serve runs the server until its input ends or the process is asked to stop.
// A client ends a server in both ways, so both end well.
func (p Program) Serve(ctx context.Context, cfg config.Config, in io.Reader, out io.Writer, d *workspace.Workspace, background *runner.Background) error {
	serving, stop := context.WithCancel(ctx)
	defer stop()
	before, installed, err := beforeCalls(serving, p, cfg)
	if err != nil {
		return err
	}
	s := server.New(server.Options{
		Version: p.Version, Instructions: strings.TrimSpace(p.Folder.Notice() + "\n\n" + tools.Instructions()), Before: before,
		Unknown: func(name string) string { return tools.Unknown(d, name) },
		Later:   func() []server.Tool { return runner.ServerTools(tools.Catalogue(d)) }, Resources: serverResources(resources.All(d)),
		Latest: func() []server.Resource { return serverResources(resources.Latest(d)) }, Prompts: serverPrompts(tools.Prompts(d)), Now: p.Now, Log: p.Log,
	})
	err = s.Listen(ctx, in, out)
	stop()
	closing, cancel := wait.CleanUp(ctx, suitesLimit)
	CloseExplorations(closing, d)
	background.Close(closing)
	installed(closing)
	cancel()
	d.LastTraffic()
	closed := make(chan struct{})
	go func() { defer close(closed); d.Pool.Close(CloseLimit) }()
	err = errors.Join(err, d.Close())
	if d.Draft != nil {
		d.Draft.Reader.Close()
		err = errors.Join(err, d.Draft.Close())
	}
	<-closed
	return err
}

// CloseExplorations ends the explorations that run in the background of a workspace, the
// making of their tests, and what runs or heals tests.
func CloseExplorations(ctx context.Context, d *workspace.Workspace) {
	if explorations, ok := d.Explorations.(*author.Background); ok {
		explorations.Close(ctx)
	}
	if generations, ok := d.Generations.(*author.Generating); ok {
		generations.Close(ctx)
	}
	if tests, ok := d.TestRuns.(*author.Testing); ok {
		tests.Close(ctx)
	}
	if heals, ok := d.Heals.(*author.Healing); ok {
		heals.Close(ctx)
	}
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
