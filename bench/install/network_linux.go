package install

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// network is one that has a loopback and nothing else, with mounts of its own: whoever is started in
// it reaches what this program serves there, and what is mounted there is gone with it.
type network struct {
	work    chan func()
	ended   chan struct{}
	servers []*http.Server
	failed  chan error
}

// newNetwork makes a network. A thread of its own stays in it until the network is closed: what
// that starts, is in it too.
func newNetwork() (*network, error) {
	n := &network{work: make(chan func()), ended: make(chan struct{}), failed: make(chan error, 8)}
	made := make(chan error, 1)
	go func() {
		defer close(n.ended)
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		err := enter()
		made <- err
		if err != nil {
			return
		}
		for do := range n.work {
			do()
		}
	}()
	if err := <-made; err != nil {
		return nil, fmt.Errorf("make a network namespace: %w", err)
	}
	return n, nil
}

// enter takes the calling thread into a new network with mounts of its own, and starts its loopback.
func enter() error {
	if err := unix.Unshare(unix.CLONE_NEWNET | unix.CLONE_NEWNS); err != nil {
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	loopback, err := unix.NewIfreq("lo")
	if err != nil {
		return errors.Join(err, unix.Close(fd))
	}
	loopback.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return errors.Join(unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, loopback), unix.Close(fd))
}

// in does something on the thread that is in the network, and waits for its end.
func (n *network) in(do func() error) error {
	done := make(chan error, 1)
	n.work <- func() { done <- do() }
	return <-done
}

// serve serves at an address of the network.
func (n *network) serve(ctx context.Context, address string, handler http.Handler) error {
	var listener net.Listener
	if err := n.in(func() (err error) {
		listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", address)
		return err
	}); err != nil {
		return err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute, BaseContext: func(net.Listener) context.Context { return ctx }}
	n.servers = append(n.servers, server)
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			n.failed <- err
		}
	}()
	return nil
}

// close ends the servers and the network.
func (n *network) close() error {
	var all []error
	for _, server := range n.servers {
		all = append(all, server.Close())
	}
	close(n.work)
	<-n.ended
	select {
	case err := <-n.failed:
		all = append(all, err)
	default:
	}
	return errors.Join(all...)
}
