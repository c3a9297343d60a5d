package driver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// installCommand runs a program for the installer: bounded in time and in output, never on our stdin
// or stdout, which may carry the protocol.
type installCommand struct {
	path    string
	args    []string
	dir     string
	environ []string // of the program; nil: what driver and browser get of the process's own
	env     []string // added to that
	timeout time.Duration
}

// installOutput keeps the end of what a program printed; the beginning of a long log is worth less.
type installOutput struct {
	tail []byte
}

const maxInstallOutput = 64 << 10

// Write keeps the last bytes and never fails, so that a chatty program is not stopped by its pipe.
func (o *installOutput) Write(p []byte) (int, error) {
	o.tail = append(o.tail, p...)
	if over := len(o.tail) - maxInstallOutput; over > 0 {
		o.tail = append(o.tail[:0], o.tail[over:]...)
	}
	return len(p), nil
}

// run returns what the program printed, and an error that ends with the lines that say why it failed.
func (c installCommand) run(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	var out installOutput
	cmd := exec.CommandContext(ctx, c.path, c.args...)
	cmd.Dir = c.dir
	cmd.Env = append(c.environment(), c.env...)
	cmd.Stdout, cmd.Stderr = &out, &out
	KillTogether(cmd)
	cmd.WaitDelay = 5 * time.Second // a grandchild may hold the pipes open
	err := cmd.Run()
	printed := string(bytes.ToValidUTF8(out.tail, []byte("?")))
	if err == nil {
		return printed, nil
	}
	line := filepath.Base(c.path) + " " + strings.Join(c.args, " ")
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return printed, fmt.Errorf("%s: no end within %s: %w", line, c.timeout, context.DeadlineExceeded)
	}
	if why := tellingLines(printed); why != "" {
		return printed, fmt.Errorf("%s: %w: %s", line, err, why)
	}
	return printed, fmt.Errorf("%s: %w", line, err)
}

// environment returns what the program gets besides env. It is never the process's own
// whole one.
func (c installCommand) environment() []string {
	if c.environ != nil {
		return slices.Clone(c.environ)
	}
	kept, _ := Environment((&exec.Cmd{}).Environ(), runtime.GOOS)
	return kept
}

// tellingLines picks the lines that name a cause out of a log, each once.
func tellingLines(printed string) string {
	const most = 4
	var picked []string
	last := ""
	seen := map[string]bool{}
	for line := range strings.Lines(printed) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		last = line
		if !isTelling(line) || seen[line] || len(picked) == most {
			continue
		}
		seen[line] = true
		picked = append(picked, line)
	}
	if len(picked) == 0 && last != "" {
		picked = []string{last}
	}
	return clip(strings.Join(picked, " | "), 800)
}

func isTelling(line string) bool {
	for _, prefix := range []string{"Error: ", "E: ", "npm error ", "npm ERR! ", "ERROR: "} {
		if strings.HasPrefix(line, prefix) {
			return !strings.Contains(line, "A complete log of this run")
		}
	}
	return strings.Contains(line, "error while loading shared libraries")
}

// clip cuts s to at most n bytes on a rune's border, and says that it did.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + " …"
}
