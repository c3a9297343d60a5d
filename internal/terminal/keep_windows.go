package terminal

import (
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// Keep returns a file that alone reaches what stdout led to. Whoever asks the system for
// the standard output from then on gets stderr; the variable os.Stdout is the caller's
// to change. No child process gets the returned file.
func KeepStdout(stdout, stderr *os.File) (*os.File, error) {
	self := windows.CurrentProcess()
	var kept windows.Handle
	if err := windows.DuplicateHandle(self, windows.Handle(stdout.Fd()), self, &kept, 0, false, windows.DUPLICATE_SAME_ACCESS); err != nil {
		return nil, fmt.Errorf("keep %s for answers: %w", stdout.Name(), err)
	}
	answers := os.NewFile(uintptr(kept), stdout.Name())
	if err := windows.SetStdHandle(windows.STD_OUTPUT_HANDLE, windows.Handle(stderr.Fd())); err != nil {
		_ = answers.Close() // nothing was written to it
		return nil, fmt.Errorf("point %s at %s: %w", stdout.Name(), stderr.Name(), err)
	}
	return answers, nil
}
