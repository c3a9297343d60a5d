package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/wait"
)

func (l *Ledger) open(waiting context.Context, readOnly bool) (*bbolt.DB, error) {
	for {
		db, err := l.tryOpen(readOnly)
		if !errors.Is(err, bolterrors.ErrTimeout) {
			return db, err
		}
		if wait.For(waiting, lockRetryPause) != nil {
			return nil, context.Cause(waiting)
		}
	}
}

// tryOpen opens the file if no process has locked it.
func (l *Ledger) tryOpen(readOnly bool) (db *bbolt.DB, err error) {
	var file *os.File
	err = recoverDamage(func() (err error) {
		db, err = bbolt.Open(l.path, disk.FilePerm, &bbolt.Options{
			ReadOnly: readOnly,
			Timeout:  time.Millisecond, // one attempt: bbolt's own wait takes no context
			OpenFile: func(name string, flag int, perm os.FileMode) (*os.File, error) {
				file, err = os.OpenFile(name, flag, perm)
				return file, err
			},
		})
		return err
	})
	if db == nil && file != nil {
		_ = file.Close() // after a panic it would stay locked; otherwise bbolt has closed it
	}
	var path *fs.PathError
	var number syscall.Errno
	switch {
	case err == nil:
		return db, nil
	case errors.Is(err, bolterrors.ErrTimeout), errors.Is(err, ErrCorrupt), errors.As(err, &path), errors.As(err, &number):
		return nil, err
	default:
		return nil, corrupt("bbolt: %v", err) // it complains about the file, not about the disk
	}
}

// recoverDamage turns what bbolt does with a damaged file into errors: it panics, or
// reads beyond the file's end, which is a fault of memory.
func recoverDamage(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = corrupt("bbolt: %v", r)
		}
	}()
	return disk.Explain(withErrno(f()))
}

// withErrno adds to an error the number that it states only in words: bbolt hides
// why it could not make its file longer.
func withErrno(err error) error {
	for _, number := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		if err == nil || errors.Is(err, number) {
			continue
		}
		if text, ok := strings.CutSuffix(err.Error(), ": "+number.Error()); ok {
			return fmt.Errorf("%s: %w", text, number)
		}
	}
	return err
}
