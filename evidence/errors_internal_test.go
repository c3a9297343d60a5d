package evidence

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"testing"
)

// TestDiskError: /dev/full is a disk that is always full.
func TestDiskError(t *testing.T) {
	if runtime.GOOS == "linux" {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer full.Close()
		_, err = full.WriteString("x")
		if got := diskError(err); !errors.Is(got, ErrDiskFull) || !errors.Is(got, err) {
			t.Errorf("diskError(%v) = %v, want ErrDiskFull around it", err, got)
		}
	}
	if got := diskError(fs.ErrPermission); !errors.Is(got, ErrReadOnly) {
		t.Errorf("diskError(permission) = %v, want ErrReadOnly", got)
	}
	if got := diskError(fs.ErrExist); got != fs.ErrExist { //nolint:errorlint // unwrapped is what is asked for
		t.Errorf("diskError(exists) = %v, want it as it was", got)
	}
	if diskError(nil) != nil {
		t.Error("diskError(nil) is an error")
	}
}
