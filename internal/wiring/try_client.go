package wiring

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/assay-qa/assay/internal/starter"
	"github.com/assay-qa/assay/server"
)

// tryLimit bounds the start of a server that is tried.
const tryLimit = 20 * time.Second

// TryServer starts a server in a project's folder as a client does, attaches to it, and
// returns how many tools it offers. The error says why a client would have none.
func TryServer(ctx context.Context, getenv func(string) string, dir string, s starter.Server) (tools int, err error) {
	ctx, cancel := context.WithTimeout(ctx, tryLimit)
	defer cancel()
	path := s.Command
	if filepath.Base(path) == path {
		if path, err = exec.LookPath(s.Command); err != nil {
			return 0, fmt.Errorf("%s is not in the PATH: name it with its full path", s.Command)
		}
	}
	var said lastLine
	client, err := server.DialProcess(ctx, &said, server.Process{Path: path, Args: s.Args, Dir: dir, Environ: clientEnviron(getenv, s.Env)})
	if err == nil {
		var offers []server.Offer
		offers, err = client.Tools(ctx)
		tools = len(offers)
		if closed := client.Close(); err == nil {
			err = closed
		}
	}
	if why := said.String(); err != nil && why != "" {
		err = fmt.Errorf("%w: it said: %s", err, why)
	}
	return tools, err
}

// clientEnviron returns the variables that clients hand to a server: few of their own,
// and those of the settings. Where a person's own configuration is they may not tell; here it is the same.
func clientEnviron(getenv func(string) string, own map[string]string) []string {
	var out []string
	for _, name := range []string{"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "TMPDIR", "XDG_CONFIG_HOME",
		"APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE"} {
		if value := getenv(name); value != "" {
			out = append(out, name+"="+value)
		}
	}
	for name, value := range own {
		out = append(out, name+"="+value)
	}
	return out
}

// lastLine keeps the last line that a process wrote.
type lastLine struct {
	mu   sync.Mutex
	text string
}

func (l *lastLine) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(string(p)) {
		if line = strings.TrimSpace(line); line != "" {
			l.text = line
		}
	}
	return len(p), nil
}

func (l *lastLine) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text
}
