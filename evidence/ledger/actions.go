package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/pattern"
)

// What the log calls what happens to runs, blobs and keys: whoever writes one of
// these is read by others. Baselines have words of their own.
const (
	RunStarted  = "run started"  // Subject: SHA-256 of the first line of its event log
	RunFinished = "run finished" // Subject: SHA-256 of the statement about its files; Reason: its status
	RunDeleted  = "run deleted"  // Subject: that statement's, or that of the event log of a run without an end
	RunHeld     = "run held"     // it stays whatever its age
	RunReleased = "run released" // the hold is over
	BlobDeleted = "blob deleted" // Subject: the blobs' digests

	// Record is the new verifier key, Subject its SHA-256, Previous that of the one before.
	KeyRotated  = "key rotated"  // the checkpoint over the event is signed by both
	KeyReplaced = "key replaced" // the one before was lost: no signature shows who began the new one
)

// Hold keeps a run from being deleted until a person releases it. It is the record of
// table holds.
type Hold struct {
	By     string    `json:"by"` // printed name
	Reason string    `json:"reason"`
	Time   time.Time `json:"time"`
}

var validRun = pattern.New(`^\d{8}T\d{6}\.\d{3}Z-[a-z2-7]{6}$`)

// ValidRun reports whether text is the id of a run: its time, and a random part.
func ValidRun(text string) bool { return validRun.MatchString(text) }

// Runs lists the ids of the runs that a data folder has, newest first. What has no
// run's name is left out.
func Runs(dataDir string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(dataDir, RunsFolder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list runs: %w", disk.Explain(err))
	}
	var ids []string
	for _, e := range entries {
		if ValidRun(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return strings.Compare(b, a) })
	return ids, nil
}
