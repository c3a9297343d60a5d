//go:build !windows

package disk

import (
	"errors"
	"io/fs"
	"syscall"
)

// isFull includes the bound on a file's size: to whoever stores something it is
// the same.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}

func isReadOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}
