package workers

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/wait"
)

// Local starts the processes of a suite on this machine: a broker and workers. Each of
// them ends when this process does, since its standard input does.
type Local struct {
	Program string   // assay's own
	Args    []string // of a worker, after its own: where things are, and the settings it shares
	Environ []string
	Folder  string // of what the processes keep: the queue, and a folder for each worker
	Log     *slog.Logger
	Stderr  io.Writer
	// GiveUp is told why the suite can't go on: without a broker or any worker its cases
	// would wait for ever.
	GiveUp func(error)

	mu   sync.Mutex
	keys []string // of the workers that have started
	dead int      // workers that are not started again
	all  int

	broker, workers sync.WaitGroup
}

const (
	startLimit = 20 * time.Second
	restarts   = 50 // of one process: where every case ends its worker, the suite has an end

	restartPause = time.Second // after a start that failed
	endGrace     = 10 * time.Second
)

// BrokerName is the program of the broker.
const BrokerName = "assay-broker"

// FindBrokerProgram returns the broker's program: beside assay's own, or in the PATH.
func FindBrokerProgram(own string) (string, error) {
	name := BrokerName
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	beside := filepath.Join(filepath.Dir(own), name)
	if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
		return beside, nil
	}
	if found, err := exec.LookPath(name); err == nil {
		return found, nil
	}
	return "", fmt.Errorf("workers need %s, which is neither beside %s nor in the PATH: go install github.com/assay-qa/assay/cmd/%s, in the version that assay version tells",
		name, own, BrokerName)
}

// Broker starts the broker's program, and returns its address. It runs until ctx ends, and
// is started again at the same address if it dies before.
func (l *Local) Broker(ctx context.Context, program, token string) (address string, err error) {
	address = "127.0.0.1:0"
	start := func() (*child, error) {
		c, err := l.start(ctx, program, nil, l.Folder)
		if err != nil {
			return nil, err
		}
		settings, err := json.Marshal(map[string]string{"listen": address, "folder": filepath.Join(l.Folder, "queue"), "token": token})
		if err == nil {
			_, err = c.stdin.Write(append(settings, '\n'))
		}
		var ready struct {
			Address string `json:"address"`
		}
		if err == nil {
			err = c.ready(ctx, &ready)
		}
		if err != nil {
			c.end()
			return nil, err
		}
		address = ready.Address
		return c, nil
	}
	first, err := start()
	if err != nil {
		return "", fmt.Errorf("start the broker: %w", err)
	}
	l.broker.Go(func() {
		if err := l.keep(ctx, "the broker", first, start); err != nil {
			l.GiveUp(err)
		}
	})
	return address, nil
}

// Worker starts a worker, and returns when it is ready. It is started again if it dies
// before ctx ends.
func (l *Local) Worker(ctx context.Context, n int) error {
	name := fmt.Sprintf("worker-%d", n)
	start := func() (*child, error) {
		folder := filepath.Join(l.Folder, name)
		if err := os.MkdirAll(folder, disk.DirPerm); err != nil {
			return nil, disk.Explain(err)
		}
		own := []string{"worker", "--name", name, "--data-dir", filepath.Join(folder, "data"), "--folder", filepath.Join(folder, "project")}
		c, err := l.start(ctx, l.Program, append(own, l.Args...), folder)
		if err != nil {
			return nil, err
		}
		var ready struct {
			Key string `json:"key"`
		}
		if err := c.ready(ctx, &ready); err != nil {
			c.end()
			return nil, err
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		if !slices.Contains(l.keys, ready.Key) {
			l.keys = append(l.keys, ready.Key)
		}
		return c, nil
	}
	first, err := start()
	if err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	l.mu.Lock()
	l.all++
	l.mu.Unlock()
	l.workers.Go(func() {
		if err := l.keep(ctx, name, first, start); err != nil {
			l.lose(err)
		}
	})
	return nil
}

// Keys returns the verifier keys of the workers.
func (l *Local) Keys() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.keys)
}

// WaitWorkers waits until the workers have ended, after the context of their starts has.
func (l *Local) WaitWorkers() { l.workers.Wait() }

// WaitBroker waits until the broker has ended, after the context of its start has.
func (l *Local) WaitBroker() { l.broker.Wait() }

// lose gives the suite up when no worker is left.
func (l *Local) lose(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dead++; l.dead == l.all {
		l.GiveUp(err)
	}
}

// keep starts a process again that has died, as often as is sensible. It returns nil when ctx
// has ended.
func (l *Local) keep(ctx context.Context, what string, c *child, start func() (*child, error)) error {
	ended := func() bool { return ctx.Err() != nil }
	err := c.wait()
	for n := range restarts {
		if ended() {
			return nil
		}
		l.Log.Warn(what+" has died, and is started again", "time", n+1, "err", err)
		again, wrong := start()
		if wrong != nil {
			err = wrong
			_ = wait.For(ctx, restartPause) // its end is seen above
			continue
		}
		err = again.wait()
	}
	if ended() {
		return nil
	}
	return fmt.Errorf("%s has died %d times, and is not started again; the last time: %w", what, restarts, err)
}

// child is a process that was started.
type child struct {
	process *exec.Cmd
	stdin   io.WriteCloser
	stdout  *bufio.Reader
}

func (l *Local) start(ctx context.Context, program string, args []string, folder string) (*child, error) {
	if err := os.MkdirAll(folder, disk.DirPerm); err != nil {
		return nil, disk.Explain(err)
	}
	p := exec.CommandContext(ctx, program, args...) //nolint:gosec // assay's own program, and the broker beside it
	p.Dir, p.Env, p.Stderr, p.WaitDelay = folder, l.Environ, l.Stderr, endGrace
	stdin, err := p.StdinPipe()
	if err != nil {
		return nil, err
	}
	p.SysProcAttr = ownGroup()
	p.Cancel = stdin.Close // both end by themselves when their input does
	stdout, err := p.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.Start(); err != nil {
		return nil, err
	}
	c := &child{process: p, stdin: stdin, stdout: bufio.NewReader(stdout)}
	return c, nil
}

// ready reads the line that the process prints when it is ready.
func (c *child) ready(ctx context.Context, into any) error {
	limited, stop := context.WithTimeout(ctx, startLimit)
	defer stop()
	line := make(chan []byte, 1)
	failed := make(chan error, 1)
	go func() {
		text, err := c.stdout.ReadBytes('\n')
		if err != nil {
			failed <- err
			return
		}
		line <- text
	}()
	select {
	case text := <-line:
		return json.Unmarshal(text, into)
	case err := <-failed:
		return fmt.Errorf("%s ended before it was ready: %w", filepath.Base(c.process.Path), err)
	case <-limited.Done():
		return fmt.Errorf("%s is not ready after %s", filepath.Base(c.process.Path), startLimit)
	}
}

func (c *child) wait() error { return c.process.Wait() }

// end ends the process.
func (c *child) end() {
	_ = c.stdin.Close() // it ends by itself, or is killed
	_ = c.process.Process.Kill()
	_ = c.process.Wait() // that it was killed is known
}

// Serve serves files on a free port of this machine until ctx ends.
func Serve(ctx context.Context, handler http.Handler) (address string, err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("serve the files of the suite: %w", err)
	}
	s := &http.Server{Handler: handler, ReadHeaderTimeout: startLimit}
	go func() { _ = s.Serve(listener) }() // it ends with Close
	context.AfterFunc(ctx, func() { _ = s.Close() })
	return "http://" + listener.Addr().String(), nil
}
