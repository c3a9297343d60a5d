// Package baseline keeps the pictures that pages are compared with: named,
// versioned, one line of versions for each environment, addressed by their
// content. It keeps proposals of new ones too, and who approved what.
//
// It refuses to put a picture in force by itself: where a name has a
// version already, only a person's approval replaces it.
package baseline

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/qa"
)

// Status records how far a version is to be trusted.
type Status string

// The states of a version.
const (
	Unapproved Status = "unapproved" // the first of its name: in force, but no person has looked at it
	Proposed   Status = "proposed"   // not in force: a person must approve or reject it
	Approved   Status = "approved"   // a person approved it
	Rejected   Status = "rejected"   // a person rejected it
	Superseded Status = "superseded" // another version was approved
)

// Picture describes one picture of a version: of the page, or of an element.
type Picture struct {
	Part   string `json:"part,omitempty"` // selector of the element; empty: the page
	SHA256 string `json:"sha256"`         // of the PNG
	Width  int    `json:"width"`          // pixels
	Height int    `json:"height"`
	Layout string `json:"layout"` // SHA-256 of the map of its elements, JSON
}

// Version describes one version of a baseline: what a name's pictures looked like.
type Version struct {
	ID          string               `json:"id"` // such as b-3f2a…; never given twice
	Name        string               `json:"name"`
	Number      int                  `json:"version"` // from 1, for this name and environment
	Status      Status               `json:"status"`
	Environment qa.VisualEnvironment `json:"environment"`
	Options     qa.VisualOptions     `json:"options"`
	Pictures    []Picture            `json:"pictures"`
	URL         string               `json:"url,omitempty"` // where it was captured
	Run         string               `json:"run,omitempty"` // the run that captured it
	Time        time.Time            `json:"time"`
	Replaces    string               `json:"replaces,omitempty"` // id of the version in force when it was proposed
	Diffs       []string             `json:"diffs,omitempty"`    // SHA-256 of the pictures of what differs
	Decision    *Decision            `json:"decision,omitempty"` // a person's
	Imported    string               `json:"imported,omitempty"` // the folder it came from
	Closed      time.Time            `json:"closed,omitzero"`    // when a proposal was rejected, or another took its place
}

// Decision holds a person's decision about a version, bound to that version.
type Decision struct {
	By     string    `json:"by"` // the person's printed name
	Reason string    `json:"reason"`
	Time   time.Time `json:"time"`
	Old    []string  `json:"old"`  // SHA-256 of the pictures that were in force
	New    []string  `json:"new"`  // of those decided on
	Diff   []string  `json:"diff"` // of the pictures of what differs
}

// Errors that callers distinguish. Others are of the disk.
var (
	ErrNotFound = errors.New("no such baseline")
	ErrNone     = errors.New("none is in force yet; capture one first") // of any name
	ErrLocked   = ledger.ErrLocked
	ErrCorrupt  = disk.ErrDamaged
	ErrDiskFull = disk.ErrFull
	ErrReadOnly = disk.ErrReadOnly
	ErrDecided  = errors.New("it is decided already")
)

// Store keeps the baselines of one data folder. It is safe for concurrent use, and several
// processes may use the same folder.
type Store struct {
	// Log enters versions and decisions in the ledger of the data folder.
	// Replace it before the first use, if at all.
	Log *ledger.Ledger

	blobs *ledger.BlobStore
	now   func() time.Time
}

// Open returns the baselines in a data folder. Nothing is written before there
// is something to keep.
func Open(dir string, now func() time.Time) (*Store, error) {
	if dir == "" || now == nil {
		return nil, errors.New("open baselines: a folder and a clock are needed")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open baselines in %s: %w", dir, err)
	}
	return &Store{Log: ledger.Open(abs, now, ledger.Options{}), blobs: ledger.OpenBlobs(abs), now: now}, nil
}

// New holds what Capture and Propose take: a version without what the store gives
// it, and the bytes behind its digests.
type New struct {
	Version
	Blobs map[string][]byte // by SHA-256: pictures, layouts, diffs
}
