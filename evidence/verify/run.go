package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/assay-qa/assay/evidence/paths"
	"github.com/assay-qa/assay/qa"

	"github.com/assay-qa/assay/evidence/blob"
)

// pendingSuffix ends the names of files that wait until the run is in the log; what
// a killed program leaves has such a name.
const pendingSuffix = ".tmp"

// Settings that a statement names where they were off.
const (
	noPictures = "screenshot_hashing=false"
	noAudit    = "audit_logging=false"
)

// verifyRun looks at all files of one run.
func (v *verification) verifyRun(ctx context.Context, f runFiles) error {
	v.report.Runs++
	for _, name := range slices.Sorted(maps.Keys(f.odd)) {
		v.fault("file-irregular", name, "find out who put it there, and remove it", "%s where only plain files belong", f.odd[name])
	}
	if !f.regular[paths.Evidence] && f.odd[paths.Evidence] == "" {
		return v.verifyUnsealed(ctx, f)
	}
	s, ok := v.readEvidence(ctx, f)
	report := v.reportOf(ctx, f, s)
	events, err := v.readEventLog(ctx, f, s, report)
	if err != nil || !ok {
		return err
	}
	if err := v.compareFiles(ctx, f, s, events); err != nil {
		return err
	}
	v.checkEventLogDigest(s, events)
	if report.readable {
		v.checkReport(ctx, s, events, report)
		v.checkCIFiles(ctx, f, report)
	}
	v.checkRunInLog(ctx, s)
	if len(v.ring.pinned) > 0 && !v.anchored {
		v.fault("key-not-pinned", paths.Evidence, "find out whose key it is: pin it with --key if it is yours", "no pinned key signed this run")
	}
	return ctx.Err()
}

// compareFiles compares the bytes of every signed file, and looks for files that are
// not signed.
func (v *verification) compareFiles(ctx context.Context, f runFiles, s provenEvidence, j eventLog) error {
	if s.subjects == nil && len(v.ring.keys) == 0 {
		return ctx.Err() // already reported with the keys
	}
	if s.subjects == nil {
		v.unseen("files-unseen", paths.Evidence, restore, "no statement can be trusted, so what the files were cannot be decided")
		return ctx.Err()
	}
	want := maps.Clone(s.subjects)
	if s.setting(noPictures) {
		v.note("setting", paths.Evidence, "set [compliance] screenshot_hashing = true to sign them too", "the statement leaves the pictures out, as was set; their digests in events.jsonl are signed with it")
		for _, a := range j.artifacts {
			if _, ok := want[a.Name]; !ok && strings.HasPrefix(a.MIMEType, "image/") {
				want[a.Name] = a.SHA256
			}
		}
	}
	if s.setting(noAudit) {
		v.note("setting", paths.Evidence, "set [compliance] audit_logging = true to have them", "the journal has no line for tool calls, as was set")
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if err := v.compareFile(ctx, f, name, want[name]); err != nil {
			return err
		}
	}
	for _, name := range f.names() {
		if _, ok := want[name]; ok || name == paths.Evidence {
			continue
		}
		if strings.HasSuffix(name, pendingSuffix) {
			v.note("file-leftover", name, "it is no part of the run: look at it, and remove it", "nobody signed this file; by its name a program that was killed has left it")
			continue
		}
		if slices.Contains([]string{".DS_Store", "Thumbs.db", "desktop.ini"}, path.Base(name)) {
			v.note("file-leftover", name, "it is no part of the run: remove it", "nobody signed this file; by its name whoever looked at the folder with a file manager has left it")
			continue
		}
		v.fault("file-unknown", name, "find out who put it there; if it is no part of the run, remove it", "nobody signed this file")
	}
	for _, name := range f.empty(want) {
		if name == paths.Screenshots || name == paths.Downloads {
			v.note("file-leftover", name+"/", "it is no part of the run: remove it", "it is empty; by its name a run whose first file could not be stored has left it")
			continue
		}
		v.fault("file-unknown", name+"/", "find out who put it there; if it is no part of the run, remove it", "no file of the run is in this folder")
	}
	return ctx.Err()
}

// compareFile compares one file with its digest.
func (v *verification) compareFile(ctx context.Context, f runFiles, name, want string) error {
	got, size, err := f.sum(ctx, name)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	switch {
	case f.odd[name] != "": // already reported
	case err != nil && f.regular[name+pendingSuffix]:
		aside, _, err := f.sum(ctx, name+pendingSuffix)
		if err == nil && aside == want {
			v.unseen("run-unfinished", name, "rename "+name+pendingSuffix+" to "+name+", and verify again", "the file is still under the name that it has until a run has ended: the program was killed in its last moment")
			return nil
		}
		v.unreadable(name, fs.ErrNotExist)
	case err != nil && !f.regular[name] && !errors.Is(err, fs.ErrNotExist):
		v.fault("file-irregular", name, restore, "it is a folder where a file was signed")
	case err != nil:
		v.unreadable(name, err)
	case got != want:
		v.add(Finding{Code: "file-changed", Severity: Fault, File: name, Expected: want, Found: got, Problem: "the file has other bytes than were signed", Next: restore})
	default:
		v.report.Files++
		v.report.Bytes += size
	}
	return nil
}

// setting reports whether the statement says that the run was set so.
func (s provenEvidence) setting(name string) bool { return s.settings(name) != "" }

// settings returns the digest of a setting, or "".
func (s provenEvidence) settings(name string) string {
	for _, c := range s.result.Settings {
		if c.Name == name {
			return c.SHA256
		}
	}
	return ""
}

// verifyUnsealed looks at a run without evidence.json: one that goes on, one whose
// program was killed, one of an older version, or one that somebody stripped.
func (v *verification) verifyUnsealed(ctx context.Context, f runFiles) error {
	story, err := v.readRunEvents(ctx)
	if err != nil {
		return err
	}
	if !story.started && !f.regular[paths.Events] && f.odd[paths.Events] == "" && !f.regular[paths.Report] {
		v.add(Finding{Code: "run-unfinished", Severity: v.unfinishedSeverity(), File: paths.Events, Problem: "the run has kept nothing yet: it begins this moment, or its program was killed", Next: "repeat the run if its program is gone"})
		return nil
	}
	j, err := v.readEventLog(ctx, f, provenEvidence{}, document{})
	if err != nil {
		return err
	}
	switch {
	case story.deleted && v.whole && !f.regular[paths.Report]: // already reported; it claims nothing
	case story.deleted:
		if !v.whole {
			v.note("run-deleted", paths.Runs+"/"+v.run, "assay runs prune finishes it", "its deletion is in the log, and its folder is not gone yet")
		}
		v.unseen("evidence-none", paths.Evidence, "there is nothing to be done", "what proves the run was deleted")
	case story.finished && f.regular[paths.Report+pendingSuffix]:
		v.unseen("run-unfinished", paths.Evidence, "repeat the run: this one was not sealed", "the log says that the run ended (%s), and what proves it is not there: the program was killed in that moment, or somebody made it look so", story.status)
	case story.finished:
		v.fault("evidence-missing", paths.Evidence, restore, "the log says that the run ended (%s), and what proves it was removed", story.status)
	case f.regular[paths.Report] && (story.started || j.chained):
		v.fault("evidence-missing", paths.Evidence, restore, "there is a report, and what proves it is missing")
	case f.regular[paths.Report]:
		v.unseen("evidence-none", paths.Evidence, "repeat the run with this version: what an older one has written can't be proved", "a version of assay that sealed nothing has made this run")
	default:
		v.add(Finding{Code: "run-unfinished", Severity: v.unfinishedSeverity(), File: paths.Events, Problem: "the run has no report: it is going on, or its program was killed", Next: "wait for its end; if its program is gone, repeat the run"})
	}
	if story.started && story.first != "" && j.first != "" && story.first != j.first {
		v.add(Finding{Code: "journal-broken", Severity: Fault, File: paths.Events, Line: 1, Expected: story.first, Found: j.first, Problem: "the first line is not the one that the log has", Next: restore})
	}
	return nil
}

// unfinishedSeverity returns how grave it is that a run has no end: a caller who names it needs
// proof; in a whole folder a run may be going on.
func (v *verification) unfinishedSeverity() Severity {
	if v.whole {
		return Note
	}
	return Unseen
}

// document holds report.json.
type document struct {
	qa.QAReport
	readable bool
	genuine  bool // its bytes are those that were signed
	parts    struct{ Task, Environment json.RawMessage }
}

// task and environment compare a part of the report with its digest. Another
// version of assay may know other fields of it than this one.
func (d document) task(want string) (string, bool) { return matchesDigest(want, d.Task, d.parts.Task) }

func (d document) environment(want string) (string, bool) {
	return matchesDigest(want, d.Environment, d.parts.Environment)
}

func matchesDigest(want string, value any, asWritten json.RawMessage) (string, bool) {
	sum := digestJSON(value)
	return sum, sum == want || digestJSON(asWritten) == want
}

func (v *verification) reportOf(ctx context.Context, f runFiles, s provenEvidence) document {
	var d document
	data, err := f.read(ctx, paths.Report)
	if err != nil {
		return d // is reported as a subject
	}
	if err := errors.Join(json.Unmarshal(data, &d.QAReport), json.Unmarshal(data, &d.parts)); err != nil {
		v.fault("report-wrong", paths.Report, restore, "the report can't be understood: %v", err)
		return d
	}
	d.readable, d.genuine = true, s.subjects[paths.Report] == blob.Digest(data)
	return d
}

func digestJSON(value any) string {
	doc, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprintf("no JSON: %v", err)
	}
	return blob.Digest(doc)
}
