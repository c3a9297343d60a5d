package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
)

// Process says how a server is started.
type Process struct {
	Path    string
	Args    []string
	Dir     string   // working folder
	Environ []string // all of it
}

// DialProcess starts a server process, in a folder and with an environment of its own, and attaches to
// it. stderr receives what it logs. ctx bounds the start alone: the process ends with Close.
func DialProcess(ctx context.Context, stderr io.Writer, p Process) (*Client, error) {
	start := func(ctx context.Context, path string, _, args []string) (*exec.Cmd, error) {
		cmd := exec.CommandContext(ctx, path, args...)
		cmd.Dir, cmd.Env = p.Dir, p.Environ
		return cmd, nil
	}
	c := client.NewClient(transport.NewStdioWithOptions(p.Path, nil, p.Args, transport.WithCommandStderrWriter(stderr), transport.WithCommandFunc(start)))
	if err := c.Start(context.WithoutCancel(ctx)); err != nil {
		return nil, fmt.Errorf("start %s: %w", p.Path, err)
	}
	if _, err := c.Initialize(ctx, clientInfo()); err != nil {
		return nil, errors.Join(fmt.Errorf("attach to %s: %w", p.Path, err), c.Close())
	}
	return &Client{mcp: c, end: c.Close}, nil
}
