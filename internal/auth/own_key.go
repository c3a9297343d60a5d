package auth

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/assay-qa/assay/internal/disk"
)

// ownKeyFile holds the key of a data folder's sign-ins. No environment has a name
// that begins with a dot.
const ownKeyFile = ".key"

// OwnKey returns a function that reads the key with which a data folder's sign-ins
// are sealed where none is configured. It makes the key when it is first needed:
// 32 random bytes in base64, in a file for its owner only. Whoever takes the whole
// folder has both; whoever takes a state alone, or a bundle, has nothing.
func OwnKey(dataDir string) func() ([]byte, error) {
	return func() (_ []byte, err error) {
		folder := filepath.Join(dataDir, "auth")
		path := filepath.Join(folder, ownKeyFile)
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			if err := makeKey(folder); err != nil {
				return nil, fmt.Errorf("make %s: %w", path, err)
			}
		}
		info, err := os.Lstat(path)
		if err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			return nil, fmt.Errorf("%s may be read by other users of this machine; run: chmod 600 %s", path, path)
		}
		key, err := disk.ReadBelow(folder, ownKeyFile, 1<<10)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		return key, nil
	}
}

// makeKey stores a fresh key, unless another process is first.
func makeKey(folder string) (err error) {
	if err := os.MkdirAll(folder, disk.DirPerm); err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	draft := ownKeyFile + "." + rand.Text()
	key := make([]byte, minKey)
	if _, err := rand.Read(key); err != nil {
		return err
	}
	if err := disk.Write(root, draft, base64.StdEncoding.AppendEncode(nil, key)); err != nil {
		return err
	}
	if err := root.Link(draft, ownKeyFile); err != nil && !errors.Is(err, fs.ErrExist) {
		return errors.Join(err, root.Remove(draft))
	}
	return root.Remove(draft)
}
