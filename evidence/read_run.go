package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/qa"
)

// maxEventLog bounds what is read of an event log: far beyond any run's, and far
// below what would hurt.
const maxEventLog = 512 << 20

// maxEvidence bounds what is read of evidence.json.
const maxEvidence = 64 << 20

// Report returns the report of a finished run, after its bytes were compared
// with the digest in the run's event log. A run that isn't finished has none:
// [ErrNotFound].
func (s *Store) Report(id string) (qa.QAReport, error) {
	root, err := s.openRun(id)
	if err != nil {
		return qa.QAReport{}, err
	}
	defer root.Close()
	j, err := readEventLog(root, id)
	if err != nil {
		return qa.QAReport{}, err
	}
	return j.report(root)
}

// Has reports whether the store has a folder of a run.
func (s *Store) Has(id string) bool {
	root, err := s.openRun(id)
	if err != nil {
		return false
	}
	return root.Close() == nil
}

// Artifact returns the bytes of a run's artefact or document (such as
// report.html), compared with the digest that was recorded when they were
// stored, and their media type. It works while the run is still going on.
// The folder of a screenshot or a download may be left out. What proves
// evidence.json is in it: it comes as it is.
func (s *Store) Artifact(id, name string) (data []byte, mime string, err error) {
	root, err := s.openRun(id)
	if err != nil {
		return nil, "", err
	}
	defer root.Close()
	if name == ledger.Evidence {
		return readEvidence(root, id)
	}
	j, err := readEventLog(root, id)
	if err != nil {
		return nil, "", err
	}
	return j.read(root, name)
}

// read returns the bytes and the media type of a file that the event log lists.
func (j eventLog) read(root *os.Root, name string) (data []byte, mime string, err error) {
	want, ok := findArtifact(j.artifacts, name)
	if !ok {
		return nil, "", j.missingReport(root, name)
	}
	data, sum, err := readRegular(root, want.Name, want.Size)
	damaged := &CorruptError{Run: j.run, File: want.Name, Want: want.SHA256, Got: sum}
	switch {
	case errors.Is(err, fs.ErrNotExist) && isPending(root, want.Name):
		return nil, "", fmt.Errorf("%w: run %s is not finished and has no %s", ErrNotFound, j.run, want.Name)
	case errors.Is(err, fs.ErrNotExist):
		damaged.Why = "is missing"
	case err != nil:
		damaged.Why = err.Error()
	case sum != want.SHA256 || data == nil: // nil: longer than recorded
		damaged.Why = "has other bytes"
	default:
		return data, want.MIMEType, nil
	}
	return nil, "", damaged
}

// isPending reports whether a document is there, but not under its name yet: its
// run was not sealed.
func isPending(root *os.Root, name string) bool {
	if !isOwnDocument(name) {
		return false
	}
	_, err := root.Lstat(pendingName(name))
	return err == nil
}

func readEvidence(root *os.Root, id string) (data []byte, mime string, err error) {
	data, _, err = readRegular(root, ledger.Evidence, maxEvidence)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", fmt.Errorf("%w: run %s has no %s: it is not finished, or an older version made it", ErrNotFound, id, ledger.Evidence)
	case err != nil:
		return nil, "", &CorruptError{Run: id, File: ledger.Evidence, Why: err.Error()}
	case data == nil:
		return nil, "", &CorruptError{Run: id, File: ledger.Evidence, Why: fmt.Sprintf("is longer than %d bytes", maxEvidence)}
	}
	return data, "application/json", nil
}

func (j eventLog) report(root *os.Root) (qa.QAReport, error) {
	data, _, err := j.read(root, ledger.Report)
	if err != nil {
		return qa.QAReport{}, err
	}
	if _, err := root.Lstat(ledger.Evidence); j.chained && errors.Is(err, fs.ErrNotExist) { // it is there before the report
		return qa.QAReport{}, &CorruptError{Run: j.run, File: ledger.Evidence, Why: "is missing"}
	}
	var report qa.QAReport
	if err := json.Unmarshal(data, &report); err != nil {
		return qa.QAReport{}, &CorruptError{Run: j.run, File: ledger.Report, Why: err.Error()}
	}
	return report, nil
}

// missingReport distinguishes a report whose digest is gone from one that never was.
func (j eventLog) missingReport(root *os.Root, name string) error {
	if name == ledger.Report {
		if _, err := root.Lstat(ledger.Report); err == nil {
			return &CorruptError{Run: j.run, File: ledger.Report, Why: "its digest is missing from " + ledger.EventsFile}
		}
		return fmt.Errorf("%w: run %s is not finished and has no report", ErrNotFound, j.run)
	}
	return fmt.Errorf("%w: run %s has no %q", ErrNotFound, j.run, name)
}

// eventLog holds what events.jsonl records of a run.
type eventLog struct {
	run       string // id
	started   Event
	checks    int
	findings  int
	finished  bool // its last line records the end
	abandoned bool // its client went away before
	executed  []qa.Check
	status    qa.Status
	chained   bool // its lines name each other: such a run is sealed
	artifacts map[string]qa.Artifact
}

// readEventLog reads the whole lines of events.jsonl, and follows their chain. A
// last line without its end is what a crash leaves: it was never acknowledged,
// and is skipped, but not after the run's end.
func readEventLog(root *os.Root, id string) (eventLog, error) {
	j := eventLog{run: id, artifacts: map[string]qa.Artifact{}}
	data, _, err := readRegular(root, ledger.EventsFile, maxEventLog)
	if errors.Is(err, fs.ErrNotExist) {
		return j, nil // killed before its first line
	}
	if err != nil {
		return j, &CorruptError{Run: id, File: ledger.EventsFile, Why: err.Error()}
	}
	if data == nil {
		return j, &CorruptError{Run: id, File: ledger.EventsFile, Why: fmt.Sprintf("is longer than %d bytes", maxEventLog)}
	}
	prev := ""
	for n := 1; ; n++ {
		line, rest, whole := bytes.Cut(data, []byte{'\n'})
		if !whole && len(data) > 0 && j.finished && j.chained {
			return j, &CorruptError{Run: id, File: ledger.EventsFile, Why: fmt.Sprintf("line %d: there is more after the run's end", n)}
		}
		if !whole {
			return j, nil
		}
		data = rest
		var e Event
		if err := json.Unmarshal(line, &e); err != nil {
			return j, &CorruptError{Run: id, File: ledger.EventsFile, Why: fmt.Sprintf("line %d: %v", n, err)}
		}
		if e.RunID != id {
			return j, &CorruptError{Run: id, File: ledger.EventsFile, Why: fmt.Sprintf("line %d is of run %q", n, e.RunID)}
		}
		if n == 1 {
			j.chained = e.Seq != 0 // runs of older versions have no chain
		}
		if j.chained && (e.Seq != int64(n) || e.Prev != prev) || !j.chained && (e.Seq != 0 || e.Prev != "") {
			return j, &CorruptError{Run: id, File: ledger.EventsFile, Why: fmt.Sprintf("line %d does not follow the one before: it, or that one, was changed, moved or taken out", n)}
		}
		prev = ledger.BlobDigest(line)
		j.add(e)
	}
}

func (j *eventLog) add(e Event) {
	j.finished = e.Name == RunFinished
	switch e.Name {
	case RunStarted:
		j.started = e
	case TaskAmended:
		j.started.Task = e.Task
	case RunFinished:
		j.status = e.Status
	case Interrupted:
		j.abandoned = j.abandoned || e.Interruption != nil && *e.Interruption == Abandoned()
	case CheckExecuted:
		j.checks++
		if e.Check != nil {
			j.executed = append(j.executed, *e.Check)
		}
	case FindingRecorded:
		j.findings++
	}
	for _, a := range e.Artifacts {
		j.artifacts[a.Name] = a
	}
}
