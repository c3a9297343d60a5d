package attest

// Names in a bundle: the zip that "assay export" writes. Its run is below
// BundleRun, each file under its path in the run's folder.
const (
	BundleReadme     = "README.md"
	BundleSums       = "SHA256SUMS"        // of all other files, for sha256sum -c
	BundleRun        = "run/"              // report.json, events.jsonl, evidence.json, …
	BundleCheckpoint = "log/checkpoint"    // the log's newest, a signed note
	BundleKeys       = "log/keys"          // verifier keys that were ever in use, a line each, oldest first
	BundleEntries    = "log/entries.jsonl" // what the log says about the run: a line is an entry's exact bytes
	BundleProofs     = "log/proofs.json"   // [Proofs]
)

// ProofsFormat names the layout of log/proofs.json.
const ProofsFormat = "assay-proofs/1"

// Proofs describes log/proofs.json of a bundle. It ties what the bundle holds to one
// checkpoint, the newest: the whole of log/checkpoint.
type Proofs struct {
	Format  string      `json:"format"`
	RunID   string      `json:"runId"`
	Entries []Inclusion `json:"entries"` // one for each line of log/entries.jsonl, in its order
	Growth  []Growth    `json:"growth"`
}

// Inclusion proves that the tree of log/checkpoint holds an entry.
type Inclusion struct {
	Index int64    `json:"index"` // in the log, from 0: one less than the entry's seq
	Proof []string `json:"proof"` // RFC 9162, 2.1.3, base64, leaf first
}

// Growth proves that the tree of log/checkpoint begins with that of an older
// checkpoint, which stands in a file of the run.
type Growth struct {
	File  string   `json:"file"`  // run/report.json (evidence.checkpoint) or run/evidence.json (checkpoint)
	Size  int64    `json:"size"`  // of the older checkpoint
	Proof []string `json:"proof"` // RFC 9162, 2.1.4, base64
}
