package ledger

// Files and folders of a data folder, with slashes.
const (
	RunsFolder = "runs"           // a folder for each run
	Database   = "assay.db"       // records and the newest entries of the log
	Log        = "log"            // what is beside the database
	Key        = "log/key"        // signs; only its owner can read it
	NextKey    = "log/key.next"   // takes over from it, while that is done
	Keys       = "log/keys"       // verifier keys that were ever in use, a line each, oldest first
	Checkpoint = "log/checkpoint" // the newest checkpoint, outside the database
)

// Tables of the database.
const (
	BaselinesTable = "baselines" // versions of baselines, by id
	HoldsTable     = "holds"     // runs that a person keeps, by id
)

// Files and folders of a run.
const (
	EventsFile    = "events.jsonl"     // the event log, a chain of lines
	Report        = "report.json"      // a qa.QAReport
	Evidence      = "evidence.json"    // the signed statement and its proofs
	RunCheckpoint = "checkpoint.json"  // a qa.Checkpoint: what a loop goes on from (B10)
	TestResult    = "test-result.json" // a qa.TestResult (B4)
	HTML          = "report.html"
	Markdown      = "report.md"
	JUnit         = "junit.xml"
	RichJUnit     = "junit-rich.xml"
	CTRF          = "ctrf.json"
	Strict        = "qareport.json" // the report as the specification has it (A7, A19)
	Trace         = "trace.zip"
	Screenshots   = "screenshots"
	Downloads     = "downloads"
	Uploads       = "uploads"
)

// Pending ends the name of a file that is not whole yet, or waits until its run is in the
// log; what a killed program leaves has such a name.
const Pending = ".tmp"

// LatestRun stands for the newest finished run where a run's id is wanted.
const LatestRun = "latest"

// RunIDTime sets the layout of the time at the beginning of a run's id.
const RunIDTime = "20060102T150405.000Z"
