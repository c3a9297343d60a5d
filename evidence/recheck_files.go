package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/assay-qa/assay/qa"
)

// recheck reads files of the run's folder again. It names those that are not as they
// were stored, with a problem each.
func (f *runFolder) recheck(files []qa.Artifact) (check qa.EvidenceCheck, damaged []string) {
	check.Problems = []string{}
	wrong := func(name, why string) {
		check.Problems = append(check.Problems, name+" "+why+": find out what changed it, and repeat the run")
		damaged = append(damaged, name)
	}
	root, err := f.open()
	if err != nil {
		wrong(f.path, err.Error())
		return check, damaged
	}
	defer root.Close()
	for _, want := range files {
		sum, n, err := hashFile(root, want.Name, want.Size)
		check.Files, check.Bytes = check.Files+1, check.Bytes+n
		switch {
		case errors.Is(err, fs.ErrNotExist):
			wrong(want.Name, "is missing")
		case err != nil:
			wrong(want.Name, "can't be read: "+err.Error())
		case n != want.Size:
			wrong(want.Name, fmt.Sprintf("has another length: %d bytes were stored", want.Size))
		case sum != want.SHA256:
			wrong(want.Name, fmt.Sprintf("has other bytes: SHA-256 was %s when it was stored, is %s now", want.SHA256, sum))
		}
	}
	return check, damaged
}

// hashFile returns the SHA-256 of a regular file and the number of bytes read:
// one more than size at most, so that a file that grows has an end.
func hashFile(root *os.Root, name string, size int64) (sum string, n int64, err error) {
	file, err := openRegular(root, name)
	if err != nil {
		return "", 0, err
	}
	hash := sha256.New()
	n, err = io.Copy(hash, io.LimitReader(file, size+1))
	return hex.EncodeToString(hash.Sum(nil)), n, errors.Join(err, file.Close())
}
