package evidence

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/qa"
)

const (
	dirPerm  = 0o700 // screenshots of signed-in pages are private
	filePerm = 0o600
)

// Store manages a data folder and its runs. It is safe for concurrent use, and
// several processes may use the same folder: each run has one writer.
type Store struct {
	// Mask hides secrets in what is about to be stored, by its media type: the
	// digest is that of the masked bytes. Nil stores everything as it is. Set it before
	// the first run.
	Mask func(mime string, data []byte) []byte
	// Log enters runs in the ledger of the data folder. Replace it before the
	// first run, if at all.
	Log Log
	// Stamp asks an authority for the time of a checkpoint; nil: none is configured.
	// What it can't get is in its answer, and no reason to fail a run.
	Stamp func(ctx context.Context, checkpoint []byte) attest.Timestamp
	// NoPictureHashes leaves pictures out of the statements about runs, and NoAudit
	// the calls of tools and the steps of flows out of journals. The statements say so.
	NoPictureHashes, NoAudit bool

	dir string
	now func() time.Time

	mu   sync.Mutex
	last time.Time // of the newest run id, so that ids of one store always sort
}

// Log holds what a store uses of its data folder's ledger: it enters runs and
// reads entries. Only a person's command changes the ledger's key, and opens
// the ledger itself for that.
type Log interface {
	View(ctx context.Context, f func(*ledger.Tx) error) error
	Update(ctx context.Context, f func(*ledger.Tx) error) error
	// Key returns the key that signs.
	Key() (*attest.Key, error)
	// Trust returns the verifier keys that the data folder itself names.
	Trust() (attest.Trust, error)
}

// Open returns the store in dir. Nothing is written, not even dir itself,
// before a run has something to keep.
func Open(dir string, now func() time.Time) (*Store, error) {
	if dir == "" || now == nil {
		return nil, errors.New("open evidence store: a folder and a clock are needed")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open evidence store %s: %w", dir, err)
	}
	for _, path := range []string{abs, filepath.Join(abs, ledger.RunsFolder)} {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("open evidence store: %w", disk.Explain(err))
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("open evidence store: %s is a file: name a folder with --data-dir", path)
		}
	}
	return &Store{Log: ledger.Open(abs, now, ledger.Options{}), dir: abs, now: now}, nil
}

// Start begins a run. Its folder is made when there is something to keep.
func (s *Store) Start(task qa.TaskSpec) (*Run, error) {
	if err := task.Validate(); err != nil {
		return nil, fmt.Errorf("start run: %w", err)
	}
	begun := s.now()
	started := begun.UTC()
	id := s.newID(started)
	dir := filepath.Join(s.dir, ledger.RunsFolder, id)
	return &Run{
		id: id, dir: dir, store: s, begun: begun, started: started, task: task.Number(),
		folder: runFolder{data: s.dir, path: dir},
	}, nil
}

// newID returns an id that sorts after every earlier one of this store, even if
// the clock stands still or goes back.
func (s *Store) newID(t time.Time) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	t = t.Truncate(time.Millisecond)
	if !t.After(s.last) {
		t = s.last.Add(time.Millisecond)
	}
	s.last = t
	return t.Format(ledger.RunIDTime) + "-" + strings.ToLower(rand.Text()[:6])
}

// openRun opens the folder of a stored run; every file of the run is reached
// through it, so that no name and no symbolic link leads outside.
func (s *Store) openRun(id string) (*os.Root, error) {
	if !ledger.ValidRun(id) {
		return nil, fmt.Errorf("%w: %q is no run id", ErrNotFound, id)
	}
	runs, err := os.OpenRoot(filepath.Join(s.dir, ledger.RunsFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: run %s", ErrNotFound, id)
	}
	if err != nil {
		return nil, fmt.Errorf("open runs: %w", disk.Explain(err))
	}
	defer runs.Close()
	root, err := disk.OpenFolder(runs, id)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: run %s", ErrNotFound, id)
	case errors.Is(err, disk.ErrNoFolder):
		return nil, &CorruptError{Run: id, File: ".", Why: "is no folder"}
	case err != nil:
		return nil, fmt.Errorf("open run %s: %w", id, disk.Explain(err))
	}
	return root, nil
}
