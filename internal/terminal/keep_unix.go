//go:build unix

package terminal

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// KeepStdout returns a file that alone reaches what stdout led to. Whatever is written to
// stdout's own descriptor from then on, by any library, goes to stderr. No child process
// gets the returned file.
func KeepStdout(stdout, stderr *os.File) (*os.File, error) {
	const afterStderr = 3
	kept, err := unix.FcntlInt(stdout.Fd(), unix.F_DUPFD_CLOEXEC, afterStderr)
	if err != nil {
		return nil, fmt.Errorf("keep %s for answers: %w", stdout.Name(), err)
	}
	answers := os.NewFile(uintptr(kept), stdout.Name())
	if err := unix.Dup2(int(stderr.Fd()), int(stdout.Fd())); err != nil {
		_ = answers.Close() // nothing was written to it
		return nil, fmt.Errorf("point %s at %s: %w", stdout.Name(), stderr.Name(), err)
	}
	return answers, nil
}
