package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/assay-qa/assay/evidence/paths"
	"github.com/assay-qa/assay/qa"
)

// recheck reads the event log and every artefact from the disk again. What is not
// as it was stored keeps the run from passing: nobody could check the verdict.
func (r *Run) recheck() qa.EvidenceCheck {
	check := qa.EvidenceCheck{Time: r.store.now().UTC(), Problems: []string{}}
	wrong := func(name, why string) {
		problem := name + " " + why + ": find out what changed it, and repeat the run"
		check.Problems = append(check.Problems, problem)
		r.folder.skipSync(name) // there may be nothing to save
		in := qa.Interruption{Kind: qa.NotExecuted, Subject: "evidence", Detail: problem}
		if !slices.Contains(r.interruptions, in) { // an earlier try to finish may have found it
			r.interruptions = append(r.interruptions, in)
			r.recordInterruption(Interrupted, in)
		}
	}
	root, err := r.folder.open()
	if err != nil {
		wrong(r.dir, err.Error())
		return check
	}
	defer root.Close()
	files := []qa.Artifact{{Name: paths.Events, SHA256: r.chain.sum(), Size: r.folder.journal}}
	for _, name := range r.names {
		files = append(files, r.artifacts[name])
	}
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
	return check
}

// hashFile returns the SHA-256 of a regular file and the number of bytes read:
// one more than size at most, so that a file that grows has an end.
func hashFile(root *os.Root, name string, size int64) (sum string, n int64, err error) {
	info, err := root.Lstat(name)
	if err != nil {
		return "", 0, err
	}
	if !info.Mode().IsRegular() {
		return "", 0, errNotRegular
	}
	file, err := root.Open(name)
	if err != nil {
		return "", 0, err
	}
	hash := sha256.New()
	n, err = io.Copy(hash, io.LimitReader(file, size+1))
	return hex.EncodeToString(hash.Sum(nil)), n, errors.Join(err, file.Close())
}
