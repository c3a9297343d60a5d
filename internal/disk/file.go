package disk

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"strings"
)

// DirPerm and FilePerm keep files private to their owner: pictures show pages
// behind a sign-in.
const (
	DirPerm  = 0o700
	FilePerm = 0o600
)

// Write stores a file below root so that a reader sees all of it or what was
// there before, and so that it outlasts a power cut once Write has returned. It
// makes the folders that are missing. A symbolic link in its place is replaced.
func Write(root *os.Root, name string, data []byte) error {
	if err := replace(root, name, data, true); err != nil {
		return err
	}
	return SyncFolders(root, path.Dir(name))
}

// WriteUnsynced stores a file as [Write] does, but does not wait for the disk: a
// power cut may take it, a killed process does not.
func WriteUnsynced(root *os.Root, name string, data []byte) error {
	return replace(root, name, data, false)
}

// replace writes a file aside and renames it.
func replace(root *os.Root, name string, data []byte, synced bool) error {
	dir := path.Dir(name)
	if err := root.MkdirAll(dir, DirPerm); err != nil {
		return fmt.Errorf("make folder %s: %w", dir, Explain(err))
	}
	temp := name + "." + strings.ToLower(rand.Text()[:8]) + ".tmp" // another writer may be at the same name
	err := writeNew(root, temp, data, synced)
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		if cleanup := root.Remove(temp); cleanup != nil && !errors.Is(cleanup, fs.ErrNotExist) {
			err = errors.Join(err, cleanup)
		}
		return fmt.Errorf("store %s: %w", name, Explain(err))
	}
	return nil
}

func writeNew(root *os.Root, name string, data []byte, synced bool) error {
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, FilePerm)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil && synced {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// SyncFolders forces the names in dir, and in each folder above it up to root,
// to the disk: whoever made one of them may not have come to it yet.
func SyncFolders(root *os.Root, dir string) error {
	if runtime.GOOS == "windows" {
		return nil // a folder can't be synced there; its file system journals names
	}
	for {
		folder, err := root.Open(dir)
		if err == nil {
			err = errors.Join(folder.Sync(), folder.Close())
		}
		if err != nil {
			return fmt.Errorf("save folder %s to the disk: %w", dir, Explain(err))
		}
		if dir == "." {
			return nil
		}
		dir = path.Dir(dir)
	}
}

// What a file can be that is not read: a symbolic link leads elsewhere, a pipe
// would never end, and what is too long for its reader was not written by us.
var (
	ErrNotRegular = errors.New("is no regular file")
	ErrTooLong    = errors.New("is longer than any such file")
)

// OpenFolder opens a folder below root that is one itself: no symbolic link to one.
func OpenFolder(root *os.Root, name string) (*os.Root, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, ErrNoFolder
	}
	return root.OpenRoot(name)
}

// ErrNoFolder marks a file, or a symbolic link, in the place of a folder.
var ErrNoFolder = errors.New("it is no folder")

// Reader returns what reads from r until the context ends.
func Reader(ctx context.Context, r io.Reader) io.Reader { return contextReader{ctx, r} }

type contextReader struct {
	ctx  context.Context //nolint:containedctx // a reader can't be given one
	from io.Reader
}

func (r contextReader) Read(data []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.from.Read(data)
}

// Read returns a regular file of at most limit bytes below root.
func Read(root *os.Root, name string, limit int64) ([]byte, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	if info.Size() > limit {
		return nil, ErrTooLong
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, ErrTooLong
	}
	return data, nil
}
