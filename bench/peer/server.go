package main

import (
	"bufio"
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

// server is a running server of one side and the client on its pipes.
type server struct {
	side
	client  client
	command *exec.Cmd
	stdin   io.Closer
	log     *os.File
	started time.Time
	page    string // what the last look showed
}

// start starts the server's process. Cancelling ctx kills it.
func (s side) start(ctx context.Context) (*server, error) {
	log, err := os.Create(filepath.Join(s.dir, "stderr.log"))
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, s.argv[0], s.argv[1:]...)
	c.Dir, c.Stderr, c.WaitDelay = s.dir, log, stopLimit
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
		return nil, errors.Join(fmt.Errorf("start %s: %w", s.name, err), log.Close())
	}
	return &server{side: s, command: c, stdin: stdin, log: log, started: started,
		client: client{in: stdin, out: bufio.NewReaderSize(stdout, 1<<20)}}, nil
}

// within makes a call end when it takes too long, by killing the server.
func (s *server) within(call func() (answer, error)) (answer, error) {
	watch := time.AfterFunc(callLimit, func() { _ = s.command.Process.Kill() }) // the call then fails and says so
	defer watch.Stop()
	a, err := call()
	if err != nil {
		err = fmt.Errorf("%s: %w%s", s.name, err, s.lastWords())
	}
	return a, err
}

// do performs one step in this server's own way.
func (s *server) do(st step) (answer, error) {
	call, err := s.hands.call(st, s.page)
	if err != nil {
		return answer{}, fmt.Errorf("%s: %s: %w", s.name, st, err)
	}
	a, err := s.within(func() (answer, error) { return s.client.tool(call) })
	if err != nil {
		return a, err
	}
	if a.failed || st.verb == check && !s.hands.passed(a) {
		return a, fmt.Errorf("%s: %s: %s", s.name, st, a.text)
	}
	if st.verb == look {
		s.page = a.text
	}
	return a, nil
}

// stop says goodbye as a client does, by closing stdin, and waits for the end.
func (s *server) stop() error {
	closeErr := s.stdin.Close()
	watch := time.AfterFunc(stopLimit, func() { _ = s.command.Process.Kill() }) // Wait then tells
	defer watch.Stop()
	err := s.command.Wait()
	if err != nil {
		err = fmt.Errorf("%s: ended badly: %w%s", s.name, err, s.lastWords())
	}
	return errors.Join(closeErr, err, s.log.Close())
}

// lastWords is the end of the server's log.
func (s *server) lastWords() string {
	text, err := os.ReadFile(s.log.Name())
	if err != nil || len(text) == 0 {
		return ""
	}
	return "; its log ends: " + string(text[max(0, len(text)-500):])
}
