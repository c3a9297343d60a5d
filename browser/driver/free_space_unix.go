//go:build linux || darwin

package driver

import "syscall"

// freeBytes returns the room that an ordinary user has where path is.
func freeBytes(path string) (uint64, bool) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(path, &fs); err != nil {
		return 0, false
	}
	return uint64(fs.Bavail) * uint64(fs.Bsize), true //nolint:unconvert // signed on some systems
}
