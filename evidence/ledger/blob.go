package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/pattern"
)

// MaxBlob bounds a blob, in bytes.
const MaxBlob = 256 << 20

// ErrBlobCorrupt marks a blob that is missing, or is not what was stored.
var ErrBlobCorrupt = disk.ErrDamaged

var validDigest = pattern.New(`^[0-9a-f]{64}$`)

// ValidDigest reports whether text is a digest as [Digest] writes it.
func ValidDigest(text string) bool { return validDigest.MatchString(text) }

// BlobDigest returns the SHA-256 of data in lower-case hexadecimal: its name here.
func BlobDigest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// BlobStore keeps the blobs of one data folder, in blobs/sha256 of it. It is safe for
// concurrent use, and several processes may use the same folder.
type BlobStore struct{ dir string }

// OpenBlobs returns the blobs of a data folder. Nothing is written before Put.
func OpenBlobs(dir string) *BlobStore { return &BlobStore{dir: dir} }

// Put keeps data and returns its digest. It returns when data would outlast a
// power cut. What is there already stays; what was damaged is replaced.
func (s *BlobStore) Put(data []byte) (string, error) {
	digest := BlobDigest(data)
	if len(data) > MaxBlob {
		return "", fmt.Errorf("keep blob %s: it has %d bytes, more than %d", digest, len(data), MaxBlob)
	}
	if err := os.MkdirAll(s.dir, disk.DirPerm); err != nil {
		return "", fmt.Errorf("keep blob: make the data folder: %w", disk.Explain(err))
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return "", fmt.Errorf("keep blob: %w", disk.Explain(err))
	}
	defer root.Close()
	name := BlobFile(digest)
	if there, err := disk.Read(root, name, MaxBlob); err == nil && BlobDigest(there) == digest {
		err = disk.SyncFolders(root, path.Dir(name)) // who stored it may still be at it
		if err != nil {
			return "", fmt.Errorf("keep blob: %w", err)
		}
		return digest, nil
	}
	if err := disk.Write(root, name, data); err != nil {
		return "", fmt.Errorf("keep blob: %w", err)
	}
	return digest, nil
}

// Get returns the bytes of a digest. It fails with [ErrCorrupt] if they are
// missing, or are not those that were stored.
func (s *BlobStore) Get(digest string) ([]byte, error) {
	if !ValidDigest(digest) {
		return nil, fmt.Errorf("read blob: %q is no SHA-256: 64 digits from 0 to f are wanted", digest)
	}
	root, err := os.OpenRoot(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, damaged(digest, "is missing")
	}
	if err != nil {
		return nil, fmt.Errorf("read blob: %w", disk.Explain(err))
	}
	defer root.Close()
	data, err := disk.Read(root, BlobFile(digest), MaxBlob)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, damaged(digest, "is missing")
	case errors.Is(err, disk.ErrNotRegular), errors.Is(err, disk.ErrTooLong):
		return nil, damaged(digest, err.Error())
	case err != nil:
		return nil, fmt.Errorf("read blob %s: %w", digest, disk.Explain(err))
	}
	if now := BlobDigest(data); now != digest {
		return nil, damaged(digest, "has the SHA-256 "+now+" now")
	}
	return data, nil
}

func damaged(digest, why string) error {
	return fmt.Errorf("%w: blob %s: its file %s %s; restore it from a copy", ErrBlobCorrupt, digest, BlobFile(digest), why)
}

// BlobFile returns the path of a blob from the data folder, with slashes.
func BlobFile(digest string) string {
	return path.Join("blobs", "sha256", digest[:2], digest[2:])
}

// Path returns the file in which a person finds the bytes of a digest. What a
// program reads comes from [Store.Get], which checks it.
func (s *BlobStore) Path(digest string) string {
	return filepath.Join(s.dir, filepath.FromSlash(BlobFile(digest)))
}
