//go:build unix

package terminal

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// AwaitUnread waits until nobody can read any more what is written to a pipe, a socket or
// a terminal, and returns nil then. It needs no write, so it tells of a reader that left
// while there was nothing to say. A file has readers for ever. It returns the error of
// ctx when that ends first.
func AwaitUnread(ctx context.Context, stream *os.File) error {
	wake, end, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("watch %s: %w", stream.Name(), err)
	}
	defer wake.Close()
	stop := context.AfterFunc(ctx, func() { _ = end.Close() }) // which ends the poll
	defer func() {
		if stop() {
			_ = end.Close()
		}
	}()
	// Errors and hang-ups are reported without being asked for.
	watched := []unix.PollFd{{Fd: int32(stream.Fd())}, {Fd: int32(wake.Fd()), Events: unix.POLLIN}}
	for {
		_, err := unix.Poll(watched, -1)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return fmt.Errorf("watch %s: %w", stream.Name(), err)
		case watched[0].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) != 0:
			return nil
		}
	}
}
