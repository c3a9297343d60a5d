//go:build unix

package terminal_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/assay-qa/assay/internal/terminal"
)

// pairs are the streams that clients give a server: the first is written to, the second
// is read.
func pairs(t *testing.T) map[string][2]*os.File {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	sockets, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	return map[string][2]*os.File{
		"pipe":              {write, read},
		"socket, as Node's": {os.NewFile(uintptr(sockets[0]), "ours"), os.NewFile(uintptr(sockets[1]), "theirs")},
	}
}

// A reader that leaves is noticed without a word being written.
func TestAwaitUnread(t *testing.T) {
	for name, pair := range pairs(t) {
		over := make(chan error, 1)
		go func() { over <- terminal.AwaitUnread(t.Context(), pair[0]) }()
		if err := pair[1].Close(); err != nil {
			t.Fatal(err)
		}
		if err := <-over; err != nil {
			t.Errorf("%s: %v, want word that nobody reads", name, err)
		}
		_ = pair[0].Close()
	}
}

// While somebody reads, and on a file, the wait ends with its context alone.
func TestAwaitUnreadWithReader(t *testing.T) {
	streamsOf := pairs(t)
	file, err := os.Create(filepath.Join(t.TempDir(), "answers"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	streamsOf["file"] = [2]*os.File{file, file}
	for name, pair := range streamsOf {
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan error, 1)
		go func() { over <- terminal.AwaitUnread(ctx, pair[0]) }()
		cancel()
		if err := <-over; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want the context's error", name, err)
		}
	}
}
