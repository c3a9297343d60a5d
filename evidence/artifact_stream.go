package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/qa"
)

// SaveStream stores an artefact that is too large for memory, such as a trace:
// write is given where to write it. If the name is taken, trace.zip becomes
// trace-2.zip. Nothing is masked; what write writes must hold no secret. If
// write fails nothing is stored. Other records of the run need not wait for it.
func (r *Run) SaveStream(name, mime string, step int, write func(io.Writer) error) (qa.Artifact, error) {
	if !plainName.MatchString(name) || isOwnDocument(name) {
		return qa.Artifact{}, fmt.Errorf("run %s: store %q: use a plain file name that the run doesn't use itself", r.id, name)
	}
	root, temp, err := r.beginStream(name)
	if err != nil {
		return qa.Artifact{}, err
	}
	defer root.Close()
	a := qa.Artifact{MIMEType: mime, Step: step}
	err = streamFile(root, temp, &a, write)
	if err == nil {
		err = r.endStream(root, temp, name, &a)
	}
	if err != nil {
		if cleanup := root.Remove(temp); cleanup != nil && !errors.Is(cleanup, fs.ErrNotExist) {
			err = errors.Join(err, cleanup)
		}
		return qa.Artifact{}, fmt.Errorf("run %s: store %s: %w", r.id, name, err)
	}
	return a, nil
}

// beginStream opens the run's folder and names a temporary file in it.
func (r *Run) beginStream(name string) (*os.Root, string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.finished {
		return nil, "", r.refuse("file " + name)
	}
	root, err := r.folder.open()
	if err != nil {
		return nil, "", fmt.Errorf("run %s: %w", r.id, err)
	}
	r.streams++
	return root, name + "." + strconv.Itoa(r.streams) + ledger.Pending, nil
}

// streamFile writes a file and notes its size and its digest.
func streamFile(root *os.Root, name string, a *qa.Artifact, write func(io.Writer) error) error {
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, filePerm)
	if err != nil {
		return disk.Explain(err)
	}
	hash, size := sha256.New(), new(byteCount)
	err = write(io.MultiWriter(file, hash, size))
	a.SHA256, a.Size = hex.EncodeToString(hash.Sum(nil)), int64(*size)
	return disk.Explain(errors.Join(err, file.Close()))
}

// endStream gives the file its name and records it.
func (r *Run) endStream(root *os.Root, temp, name string, a *qa.Artifact) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.finished {
		return ErrFinished
	}
	a.Name, a.Time = r.artifacts.free(name), r.store.now().UTC()
	if _, err := root.Lstat(a.Name); err == nil {
		return fmt.Errorf("%s: %w: evidence is never overwritten", a.Name, fs.ErrExist)
	}
	if err := root.Rename(temp, a.Name); err != nil {
		return disk.Explain(err)
	}
	if err := r.append(Event{Name: ArtifactStored, Step: a.Step, Artifacts: []qa.Artifact{*a}}); err != nil {
		return errors.Join(err, root.Remove(a.Name))
	}
	r.folder.unsaved = append(r.folder.unsaved, a.Name)
	r.artifacts.add(*a)
	return nil
}

// byteCount counts what is written to it.
type byteCount int64

func (c *byteCount) Write(b []byte) (int, error) {
	*c += byteCount(len(b))
	return len(b), nil
}
