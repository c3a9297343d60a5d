package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/disk"
)

// StoredBlob describes a blob's file on the disk. Its bytes were not read.
type StoredBlob struct {
	Digest string
	Size   int64     // bytes
	Time   time.Time // when it was written
}

// List returns the blobs, and the names of other files among them, from the
// data folder.
func (s *BlobStore) List() (blobs []StoredBlob, others []string, err error) {
	root, err := os.OpenRoot(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("list blobs: %w", disk.Explain(err))
	}
	defer root.Close()
	const top = "blobs/sha256"
	err = fs.WalkDir(root.FS(), top, func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // none was kept yet, or it was deleted this moment
			return nil
		}
		if err != nil || entry.IsDir() {
			return err
		}
		digest := strings.ReplaceAll(strings.TrimPrefix(name, top), "/", "")
		info, err := entry.Info()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case !ValidDigest(digest) || BlobFile(digest) != name || !info.Mode().IsRegular():
			others = append(others, name)
		default:
			blobs = append(blobs, StoredBlob{Digest: digest, Size: info.Size(), Time: info.ModTime()})
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("list blobs: %w", disk.Explain(err))
	}
	return blobs, others, nil
}

// Has reports whether there is a file of that digest. Its bytes are not looked
// at.
func (s *BlobStore) Has(digest string) bool {
	if !ValidDigest(digest) {
		return false
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return false
	}
	defer root.Close()
	info, err := root.Lstat(BlobFile(digest))
	return err == nil && info.Mode().IsRegular()
}

// Delete removes a blob's file. That there is none is no error. The
// caller ensures that nothing needs the blob, nor begins to need it meanwhile.
func (s *BlobStore) Delete(digest string) error {
	if !ValidDigest(digest) {
		return fmt.Errorf("delete blob: %q is no SHA-256", digest)
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return fmt.Errorf("delete blob %s: %w", digest, disk.Explain(err))
	}
	defer root.Close()
	if err := root.Remove(BlobFile(digest)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete blob %s: %w", digest, disk.Explain(err))
	}
	if err := disk.SyncFolders(root, path.Dir(BlobFile(digest))); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete blob %s: %w", digest, err)
	}
	return nil
}
