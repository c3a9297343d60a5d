package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
	texts "github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
)

// maxDoc bounds event log, report and evidence.json, in bytes.
const maxDoc = 256 << 20

// runRecord holds what the run's own files say of it.
type runRecord struct {
	record *attest.Record  // nil: none that can be read
	listed map[string]bool // files that the run stored
	report struct {
		qa.QAReport
		StatusReason string `json:"statusReason"` // quoted, as all else
	}
	problem  error     // why report.json can't be read
	finished time.Time // as far as is known
}

// readRunRecord reads what the run says of itself. What it doesn't say is left open:
// a damaged run is packed too.
func readRunRecord(root *os.Root, run string) runRecord {
	started, _ := time.Parse(ledger.RunIDTime, run[:strings.LastIndexByte(run, '-')]) // its form was checked
	k := runRecord{finished: started}
	data, err := disk.Read(root, ledger.Report, maxDoc)
	if err == nil {
		err = json.Unmarshal(data, &k.report)
	}
	k.problem = err
	if err == nil && !k.report.FinishedAt.IsZero() {
		k.finished = k.report.FinishedAt.UTC()
	}
	data, err = disk.Read(root, ledger.Evidence, maxDoc)
	var record attest.Record
	if err == nil && json.Unmarshal(data, &record) == nil && record.Format == attest.RecordFormat {
		k.record = &record
	}
	k.listFiles(root)
	return k
}

// listFiles sets what files the run has: those that its statement is about. Without
// one, or where pictures were left out of it, the event log has their names.
func (k *runRecord) listFiles(root *os.Root) {
	k.listed = map[string]bool{ledger.Evidence: true, ledger.Report: true, ledger.EventsFile: true}
	var subjects []attest.Subject
	var result attest.Result
	err := errors.New("there is no statement")
	if k.record != nil {
		var payload []byte
		if payload, err = k.record.Envelope.DecodeB64Payload(); err == nil {
			subjects, result, err = attest.ParseStatement(payload)
		}
	}
	for _, s := range subjects {
		k.listed[s.Name] = true
	}
	if err != nil || result.Setting(attest.NoPictures) != "" {
		for _, name := range filesInEventLog(root) {
			k.listed[name] = true
		}
	}
}

// filesInEventLog returns the files that the run's event log lists. What is damaged lists none.
func filesInEventLog(root *os.Root) []string {
	data, err := disk.Read(root, ledger.EventsFile, maxDoc)
	if err != nil {
		return nil
	}
	var names []string
	for line := range bytes.Lines(data) {
		var e struct{ Artifacts []qa.Artifact }
		if json.Unmarshal(line, &e) == nil {
			for _, a := range e.Artifacts {
				names = append(names, a.Name)
			}
		}
	}
	return names
}

// facts tell what was tested and what came out, each in one line.
func (k runRecord) facts() []string {
	r := k.report
	if k.problem != nil {
		return []string{"Result   unknown: report.json can't be read: " + strconv.Quote(k.problem.Error())}
	}
	facts := []string{
		"Task     " + onOneLine(r.Task.Goal),
		"Result   " + onOneLine(string(r.Status)) + ": " + onOneLine(r.StatusReason),
		fmt.Sprintf("Checks   %d; findings: %d", len(r.Checks), len(r.Findings)),
		"Time     " + r.StartedAt.UTC().Format(time.RFC3339) + " to " + r.FinishedAt.UTC().Format(time.RFC3339),
		"Tester   assay " + onOneLine(r.Environment.AssayVersion) + ", " + onOneLine(strings.TrimSpace(r.Environment.Browser+" "+r.Environment.BrowserVersion)) + " on " + onOneLine(r.Environment.OS),
	}
	if r.Environment.BaseURL != "" {
		facts = append(facts, "Tested   "+onOneLine(r.Environment.BaseURL))
	}
	return facts
}

const maxQuoted = 300 // runes

// onOneLine keeps a text of unknown origin on its line.
func onOneLine(text string) string {
	return strconv.Quote(texts.Shorten(text, maxQuoted))
}
