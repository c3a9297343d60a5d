package retain

import "time"

// Kind says what is deleted or kept.
type Kind string

// What there is in a data folder.
const (
	RunKind      Kind = "run"
	BlobKind     Kind = "blob"
	LeftoverKind Kind = "leftover" // temporary file of a killed writer
)

// Item holds one thing that is deleted or kept.
type Item struct {
	Kind  Kind      `json:"kind"`
	Name  string    `json:"name"` // run id, digest, or file from the data folder
	Bytes int64     `json:"bytes"`
	Time  time.Time `json:"time,omitzero"` // youngest sign of life
	Why   string    `json:"why"`
}

// Report holds what was deleted, what stays, and why. In a dry run nothing was
// deleted yet.
type Report struct {
	Folder       string    `json:"folder"`
	DryRun       bool      `json:"dryRun"`
	Time         time.Time `json:"time"`          // by the machine's clock
	Retention    int       `json:"retentionDays"` // that holds by the configuration
	Days         int       `json:"days"`          // that were asked for
	Clock        string    `json:"clock,omitempty"`
	Deleted      []Item    `json:"deleted"`
	DeletedBytes int64     `json:"deletedBytes"`
	Kept         []Item    `json:"kept"` // runs
	KeptBytes    int64     `json:"keptBytes"`
	Blobs        int       `json:"blobs"` // that stay
	BlobBytes    int64     `json:"blobBytes"`
	Left         []Item    `json:"left"`     // what is no business of ours
	Problems     []string  `json:"problems"` // what should have gone and did not, or could not be looked at
}

func (r *Report) delete(i Item) {
	r.Deleted = append(r.Deleted, i)
	r.DeletedBytes += i.Bytes
}

func (r *Report) keep(i Item) {
	r.Kept = append(r.Kept, i)
	r.KeptBytes += i.Bytes
}

func (r *Report) problem(text string) { r.Problems = append(r.Problems, text) }
