package verify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/disk"
)

// Bounds of what is read.
const (
	maxFiles    = 200_000  // in a run
	maxDocument = 64 << 20 // bytes of a document that has to be understood
)

var errTooLong = errors.New("it is longer than any such file")

// runFiles locates the bytes of one run: a folder, or a part of a zip.
type runFiles struct {
	regular map[string]bool
	odd     map[string]string // what is there and is no file to read: why
	folders []string          // each before those in it; none of a zip
	open    func(name string) (io.ReadCloser, error)
}

func (f runFiles) names() []string { return slices.Sorted(maps.Keys(f.regular)) }

// folderFiles lists a folder. It follows no symbolic link.
func folderFiles(root *os.Root) (runFiles, error) {
	f := runFiles{regular: map[string]bool{}, odd: map[string]string{}, open: openIn(root)}
	err := fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case len(f.regular)+len(f.odd)+len(f.folders) > maxFiles:
			return fmt.Errorf("it has more than %d files", maxFiles)
		case err != nil && name == ".":
			return err
		case err != nil:
			f.odd[name] = err.Error()
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir():
			if name != "." {
				f.folders = append(f.folders, name)
			}
		case d.Type().IsRegular():
			f.regular[name] = true
		default:
			f.odd[name] = kind(d.Type())
		}
		return nil
	})
	return f, err
}

// empty lists the folders without any file, but for those in others of them and those
// that a file of want would stand in.
func (f runFiles) empty(want map[string]string) []string {
	used := map[string]bool{}
	mark := func(name string) {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			used[dir] = true
		}
	}
	for name := range f.regular {
		mark(name)
	}
	for name := range f.odd {
		used[name] = true
		mark(name)
	}
	for name := range want {
		used[name] = true // a folder in its place is reported as that
		mark(name)
	}
	var out []string
	for _, name := range f.folders {
		inEmpty := slices.ContainsFunc(out, func(top string) bool { return strings.HasPrefix(name, top+"/") })
		if !used[name] && !inEmpty {
			out = append(out, name)
		}
	}
	return out
}

func kind(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "it is a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		return "it is a pipe"
	default:
		return "it is no regular file"
	}
}

// openIn opens plain files below root.
func openIn(root *os.Root) func(name string) (io.ReadCloser, error) {
	return func(name string) (io.ReadCloser, error) {
		info, err := root.Lstat(name) // it may have changed since it was listed; a pipe would never end
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() {
			return nil, errors.New(kind(info.Mode().Type()))
		}
		return root.Open(name)
	}
}

// sum returns the SHA-256 of a file and its length.
func (f runFiles) sum(ctx context.Context, name string) (digest string, size int64, err error) {
	file, err := f.open(name)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	hash := sha256.New()
	size, err = io.Copy(hash, disk.Reader(ctx, file))
	return hex.EncodeToString(hash.Sum(nil)), size, err
}

// read returns a document.
func (f runFiles) read(ctx context.Context, name string) ([]byte, error) {
	file, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(disk.Reader(ctx, file), maxDocument+1))
	if err == nil && len(data) > maxDocument {
		return nil, errTooLong
	}
	return data, err
}
