package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// ErrTooLarge says that a file has more bytes than may be read of it.
var ErrTooLarge = errors.New("it is too large")

// errNotRegular says that what is named is no file: a pipe would never end, and
// waits for its writer even when it is only opened.
var errNotRegular = errors.New("it is no regular file")

// inputLimit bounds how long a file may take to be read: that of a network drive
// which is gone is never there.
const inputLimit = 10 * time.Second

// ReadInput reads a file that a caller names, below root: a regular one of at most
// limit bytes, within a time. A link that leads out of root is refused.
func ReadInput(root *os.Root, name string, limit int64) ([]byte, error) {
	return inTime(func() ([]byte, error) { return readInput(root, name, limit) })
}

// ReadBelow reads a file of a folder as [ReadInput] does.
func ReadBelow(folder, name string, limit int64) ([]byte, error) {
	return inTime(func() (_ []byte, err error) {
		root, err := os.OpenRoot(folder)
		if err != nil {
			return nil, fmt.Errorf("open the folder: %w", err)
		}
		defer func() { err = errors.Join(err, root.Close()) }()
		return readInput(root, name, limit)
	})
}

// ReadPath reads a file that a person names by its path as [ReadInput] does,
// in the folder that it stands in or that its own link leads to.
func ReadPath(path string, limit int64) ([]byte, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	return ReadBelow(filepath.Dir(target), filepath.Base(target), limit)
}

func readInput(root *os.Root, name string, limit int64) (_ []byte, err error) {
	if info, err := root.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	file, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // it may have become a pipe meanwhile
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errNotRegular
	case info.Size() > limit:
		return nil, tooLarge(limit)
	}
	data, err := io.ReadAll(io.LimitReader(file, limit+1)) // some grow, and those of /proc have no size
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, tooLarge(limit)
	}
	return data, nil
}

func tooLarge(limit int64) error {
	if limit < 1<<20 {
		return fmt.Errorf("%w: more than %d bytes", ErrTooLarge, limit)
	}
	return fmt.Errorf("%w: more than %d MB", ErrTooLarge, limit>>20)
}

// inTime returns what read does, or an error when it takes too long; what hangs
// in the operating system then is left to it.
func inTime(read func() ([]byte, error)) ([]byte, error) {
	type outcome struct {
		data []byte
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		data, err := read()
		done <- outcome{data, err}
	}()
	bound, cancel := context.WithTimeout(context.Background(), inputLimit)
	defer cancel()
	select {
	case o := <-done:
		return o.data, o.err
	case <-bound.Done():
		return nil, fmt.Errorf("it could not be read within %v", inputLimit)
	}
}

// OpenBelow opens a regular file of a folder of at most limit bytes to read it. A link
// that leads out of the folder is refused.
func OpenBelow(folder, name string, limit int64) (_ *os.File, err error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("open the folder: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	if info, err := root.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	file, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // it may have become a pipe meanwhile
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = errNotRegular
	case info.Size() > limit:
		err = tooLarge(limit)
	default:
		return file, nil
	}
	return nil, errors.Join(err, file.Close())
}
