//go:build !windows

package disk

import (
	"os"
	"syscall"
)

// SameOwner reports whether two paths are there and belong to one user. A link counts itself, not what it leads to.
func SameOwner(a, b string) bool {
	one, first := owner(a)
	other, second := owner(b)
	return first && second && one == other
}

func owner(path string) (uid uint32, known bool) {
	info, err := os.Lstat(path)
	if err != nil {
		return 0, false
	}
	stat, known := info.Sys().(*syscall.Stat_t)
	if !known {
		return 0, false
	}
	return stat.Uid, true
}
