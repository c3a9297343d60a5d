package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// MakeDataFolder makes a data folder that is not there yet, with a .gitignore of its own:
// what is stored holds pictures of pages, and belongs in no project's history. A folder
// that is there already stays as it is.
func MakeDataFolder(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), DirPerm); err != nil {
		return Explain(err)
	}
	err := os.Mkdir(dir, DirPerm)
	if errors.Is(err, fs.ErrExist) {
		return Explain(os.MkdirAll(dir, DirPerm)) // an error where it is a file
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*\n"), FilePerm)
	}
	return Explain(err)
}

// TryFolder reports why nothing could be stored in a folder, which need not be there yet:
// it writes a file into it, or into the nearest one above it, and removes it.
func TryFolder(dir string) error {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() || filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	f, err := os.CreateTemp(dir, ".assay-*.tmp")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
