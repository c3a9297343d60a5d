//go:build unix

package terminal

import (
	"cmp"
	"os"

	"golang.org/x/sys/unix"
)

// Size returns the size of a stream's terminal; 80 by 24 where that is not known.
func Size(stream any) (columns, rows int) {
	columns, rows = 80, 24
	if f, ok := unfiltered(stream).(*os.File); ok {
		if size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ); err == nil {
			columns, rows = cmp.Or(int(size.Col), columns), cmp.Or(int(size.Row), rows)
		}
	}
	return columns, rows
}
