package disk

import (
	"errors"
	"fmt"
)

// What a disk can do to whoever stores something.
var (
	ErrFull     = errors.New("the disk is full: free some space, or use another folder (--data-dir)")
	ErrReadOnly = errors.New("the folder can't be written: fix its permissions, or use another folder (--data-dir)")
	ErrDamaged  = errors.New("the store is damaged")
)

// Explain adds to an error of the file system what the caller can do about it.
func Explain(err error) error {
	switch {
	case err == nil, errors.Is(err, ErrFull), errors.Is(err, ErrReadOnly):
		return err
	case isFull(err):
		return fmt.Errorf("%w (%w)", ErrFull, err)
	case isReadOnly(err):
		return fmt.Errorf("%w (%w)", ErrReadOnly, err)
	default:
		return err
	}
}
