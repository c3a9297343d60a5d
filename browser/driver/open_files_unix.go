//go:build unix

package driver

import "syscall"

// openFiles returns how many files a process may have open at once. Go has raised the
// bound for this process as far as it may, and Node does so for the driver.
func openFiles() uint64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return limit.Cur
}
