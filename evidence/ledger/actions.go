package ledger

import "github.com/assay-qa/assay/pattern"

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

var validRun = pattern.New(`^\d{8}T\d{6}\.\d{3}Z-[a-z2-7]{6}$`)

// ValidRun reports whether text is the id of a run: its time, and a random part.
func ValidRun(text string) bool { return validRun.MatchString(text) }
