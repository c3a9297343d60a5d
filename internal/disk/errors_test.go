package disk

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestExplain: /dev/full is a disk that is always full.
func TestExplain(t *testing.T) {
	if runtime.GOOS == "linux" {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer full.Close()
		_, err = full.WriteString("x")
		if got := Explain(err); !errors.Is(got, ErrFull) || !errors.Is(got, err) {
			t.Errorf("Explain(%v) = %v, want ErrFull around it", err, got)
		}
	}
	long := &fs.PathError{Op: "write", Path: "x", Err: syscall.EFBIG} // of a bound on the size of files
	if got := Explain(Explain(long)); runtime.GOOS != "windows" && (!errors.Is(got, ErrFull) || strings.Count(got.Error(), "disk is full") != 1) {
		t.Errorf("Explain(%v) = %v, want ErrFull, once", long, got)
	}
	many := &fs.PathError{Op: "open", Path: "x", Err: syscall.EMFILE}
	if got := Explain(Explain(many)); !errors.Is(got, ErrNoFiles) || !errors.Is(got, many) || strings.Count(got.Error(), "ulimit -n 1024") != 1 {
		t.Errorf("Explain(%v) = %v, want ErrNoFiles, once", many, got)
	}
	if got := Explain(fs.ErrPermission); !errors.Is(got, ErrReadOnly) {
		t.Errorf("Explain(permission) = %v, want ErrReadOnly", got)
	}
	if got := Explain(fs.ErrExist); got != fs.ErrExist { //nolint:errorlint // unwrapped is what is asked for
		t.Errorf("Explain(exists) = %v, want it as it was", got)
	}
	if Explain(nil) != nil {
		t.Error("Explain(nil) is an error")
	}
}
