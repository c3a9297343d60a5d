package disk

import (
	"errors"
	"io/fs"
	"syscall"
)

// Windows answers with errors of its own instead of ENOSPC and EROFS.
const (
	errWriteProtect   = syscall.Errno(19)
	errHandleDiskFull = syscall.Errno(39)
	errDiskFull       = syscall.Errno(112)
	errFileTooLarge   = syscall.Errno(223)
)

func isFull(err error) bool {
	return errors.Is(err, errDiskFull) || errors.Is(err, errHandleDiskFull) || errors.Is(err, errFileTooLarge)
}

func isReadOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, errWriteProtect)
}
