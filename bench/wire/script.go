package wire

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// ScriptHome locates what a script runs on: Node, the driver's folder, the browser.
type ScriptHome struct{ Node, Driver, Browser string }

// Script holds a Node process that drives a browser of its own by Playwright, without
// a server around it.
type Script struct {
	command *exec.Cmd
	stdin   io.WriteCloser
	stdout  *bufio.Reader
}

// Start writes a script's source to a folder and runs it there. The script's arguments
// are the driver's folder, the browser, whether the browser has its sandbox, and args.
// Each line that it reads is a command, and each line that it writes says what that took:
// {"MS": 1.5}. Cancelling ctx kills it.
func (h ScriptHome) Start(ctx context.Context, dir string, source []byte, stderr io.Writer, args ...string) (*Script, error) {
	file := filepath.Join(dir, "script.mjs")
	if err := os.WriteFile(file, source, 0o600); err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, h.Node, append([]string{file, h.Driver, h.Browser, fmt.Sprint(os.Geteuid() != 0)}, args...)...)
	c.Dir, c.Stderr = dir, stderr
	stdin, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("start the script: %w", err)
	}
	return &Script{command: c, stdin: stdin, stdout: bufio.NewReader(stdout)}, nil
}

// Do sends a command and returns what it took.
func (s *Script) Do(command string) (time.Duration, error) {
	if _, err := fmt.Fprintln(s.stdin, command); err != nil {
		return 0, fmt.Errorf("script: %w", err)
	}
	watch := time.AfterFunc(callLimit, func() { _ = s.command.Process.Kill() }) // the read then fails
	defer watch.Stop()
	line, err := s.stdout.ReadBytes('\n')
	if err != nil {
		return 0, fmt.Errorf("script: no answer: %w", err)
	}
	var took struct{ MS float64 }
	if err := json.Unmarshal(line, &took); err != nil {
		return 0, fmt.Errorf("script: %s: %w", line, err)
	}
	return time.Duration(took.MS * float64(time.Millisecond)), nil
}

// Stop ends the script, which closes its browser.
func (s *Script) Stop() error { return errors.Join(s.stdin.Close(), s.command.Wait()) }
