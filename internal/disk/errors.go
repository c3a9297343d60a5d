package disk

import (
	"errors"
	"fmt"
	"syscall"
)

// What a disk can do to whoever stores something.
var (
	ErrFull     = errors.New("the disk is full: free some space, or use another folder (--data-dir)")
	ErrReadOnly = errors.New("the folder can't be written: fix its permissions, or use another folder (--data-dir)")
	ErrDamaged  = errors.New("the store is damaged")
	ErrNoFiles  = errors.New("this process may open no more files: raise that limit where assay is started (ulimit -n 1024)")
)

// OutOfFiles reports whether this process, or its system, could open no more files.
func OutOfFiles(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// Explain adds to an error of the file system what the caller can do about it.
func Explain(err error) error {
	switch {
	case err == nil, errors.Is(err, ErrFull), errors.Is(err, ErrReadOnly), errors.Is(err, ErrNoFiles):
		return err
	case OutOfFiles(err):
		return fmt.Errorf("%w (%w)", ErrNoFiles, err)
	case isFull(err):
		return fmt.Errorf("%w (%w)", ErrFull, err)
	case isReadOnly(err):
		return fmt.Errorf("%w (%w)", ErrReadOnly, err)
	default:
		return err
	}
}
