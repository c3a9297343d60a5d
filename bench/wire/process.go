package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const (
	callLimit = time.Minute // a call that takes longer ends the measurement
	stopLimit = 15 * time.Second
)

// Program describes a server and how it is started.
type Program struct {
	Name string
	Argv []string
	Dir  string   // working directory, and where its log goes
	Env  []string // added to the environment
}

// Process holds a running server and the client on its pipes.
type Process struct {
	Program
	Client  *Client
	Started time.Time
	command *exec.Cmd
	stdin   io.Closer
	log     *os.File
}

// Start starts the server's process. Cancelling ctx kills it.
func (p Program) Start(ctx context.Context) (*Process, error) {
	log, err := os.Create(filepath.Join(p.Dir, "stderr.log"))
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, p.Argv[0], p.Argv[1:]...)
	c.Dir, c.Stderr, c.WaitDelay = p.Dir, log, stopLimit
	c.Env = append(os.Environ(), p.Env...)
	stdin, err := c.StdinPipe()
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	started := time.Now()
	if err := c.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", p.Name, err), log.Close())
	}
	return &Process{Program: p, command: c, stdin: stdin, log: log, Started: started, Client: NewClient(stdin, stdout)}, nil
}

// Pid returns the number of the server's process.
func (p *Process) Pid() int { return p.command.Process.Pid }

// Within makes a call end when it takes too long, by killing the server.
func (p *Process) Within(call func() (Answer, error)) (Answer, error) {
	watch := time.AfterFunc(callLimit, func() { _ = p.command.Process.Kill() }) // the call then fails and says so
	defer watch.Stop()
	a, err := call()
	if err != nil {
		err = fmt.Errorf("%s: %w%s", p.Name, err, p.lastWords())
	}
	return a, err
}

// Stop says goodbye as a client does, by closing stdin, and waits for the end.
func (p *Process) Stop() error {
	closeErr := p.stdin.Close()
	watch := time.AfterFunc(stopLimit, func() { _ = p.command.Process.Kill() }) // Wait then returns the error
	defer watch.Stop()
	err := p.command.Wait()
	if err != nil {
		err = fmt.Errorf("%s: ended badly: %w%s", p.Name, err, p.lastWords())
	}
	return errors.Join(closeErr, err, p.log.Close())
}

// lastWords returns the end of the server's log.
func (p *Process) lastWords() string {
	text, err := os.ReadFile(p.log.Name())
	if err != nil || len(text) == 0 {
		return ""
	}
	return "; its log ends: " + string(text[max(0, len(text)-500):])
}
