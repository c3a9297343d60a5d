package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Inside returns a path as seen from a folder, and whether it lies in it or is the folder
// itself. It compares names and reads no disk: both are absolute, or seen from one place,
// and a link may still lead out, which [CheckInside] and [os.Root] refuse.
func Inside(folder, path string) (name string, ok bool) {
	name, err := filepath.Rel(folder, path)
	return name, err == nil && filepath.IsLocal(name)
}

// HiddenOrInstalled reports whether a name is that of a hidden file or folder, or of the folder of installed packages:
// none of a project's own files are in it.
func HiddenOrInstalled(name string) bool {
	return name == "node_modules" || name != "." && strings.HasPrefix(name, ".")
}

// ErrOutside says that a path leads out of the folder that it should lie in.
var ErrOutside = errors.New("it leads out of the folder")

// CheckInside refuses a name that leads out of a folder, by a symbolic link either. What is
// not there is an [fs.ErrNotExist].
func CheckInside(folder, name string) error {
	if !filepath.IsLocal(name) {
		return ErrOutside
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return fmt.Errorf("open the folder: %w", err)
	}
	defer root.Close()
	_, err = root.Stat(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		if _, there := os.Stat(filepath.Join(folder, name)); there == nil { // whoever follows links finds it, outside
			return fmt.Errorf("%w by a link: %w", ErrOutside, err)
		}
	}
	return err
}
