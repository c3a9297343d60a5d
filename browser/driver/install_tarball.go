package driver

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Bounds of an npm archive: the driver is 2 MB packed, 8 MB and 335 files unpacked.
const (
	maxArchiveBytes = 64 << 20
	maxTreeBytes    = 256 << 20
	maxTreeFiles    = 10_000
)

// extractTarball unpacks a gzipped tar into dir: regular files and folders only, all of them inside dir,
// within fixed bounds. The checksum was right, but what writes files checks for itself.
func extractTarball(archive, dir string) (err error) {
	f, err := os.Open(archive)
	if err != nil {
		return fmt.Errorf("reading the archive: %w", err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("unpacking the archive: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("unpacking into %s: %w", dir, err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()

	tree := tar.NewReader(unzipped)
	budget := int64(maxTreeBytes)
	for files := 0; ; files++ {
		entry, err := tree.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("unpacking the archive: %w", err)
		}
		if budget -= entry.Size; files >= maxTreeFiles || budget < 0 {
			return fmt.Errorf("unpacking the archive: it holds more than %d files or %d bytes", maxTreeFiles, maxTreeBytes)
		}
		if err := extractEntry(root, entry, tree); err != nil {
			return fmt.Errorf("unpacking %q: %w", clip(entry.Name, 200), err)
		}
	}
}

func extractEntry(root *os.Root, entry *tar.Header, content io.Reader) error {
	name := filepath.FromSlash(strings.TrimSuffix(entry.Name, "/"))
	if !filepath.IsLocal(name) {
		return errors.New("the name leads out of the folder")
	}
	switch entry.Typeflag {
	case tar.TypeDir:
		return root.MkdirAll(name, 0o755)
	case tar.TypeReg:
	case tar.TypeXGlobalHeader:
		return nil
	default:
		return fmt.Errorf("a link or device (type %q) has no place here", entry.Typeflag)
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	mode := os.FileMode(0o644) | os.FileMode(entry.Mode)&0o111
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if _, err := io.CopyN(f, content, entry.Size); err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}
