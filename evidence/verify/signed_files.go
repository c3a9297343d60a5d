package verify

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
)

// compareFiles compares the bytes of every signed file, and looks for files that are
// not signed.
func compareFiles(ctx context.Context, found *findings, ring *keyRing, f runFiles, s provenEvidence, j eventLog) error {
	if s.subjects == nil && ring.empty() {
		return ctx.Err() // already reported with the keys
	}
	if s.subjects == nil {
		found.unseen("files-unseen", ledger.Evidence, restore, "no statement can be trusted, so what the files were cannot be decided")
		return ctx.Err()
	}
	want := maps.Clone(s.subjects)
	if s.result.Setting(attest.NoPictures) != "" {
		found.note("setting", ledger.Evidence, "set [compliance] screenshot_hashing = true to sign them too",
			"the statement leaves the pictures out, as was set; their digests in events.jsonl are signed with it")
		for _, a := range j.artifacts {
			if _, ok := want[a.Name]; !ok && strings.HasPrefix(a.MIMEType, "image/") {
				want[a.Name] = a.SHA256
			}
		}
	}
	if s.result.Setting(attest.NoAudit) != "" {
		found.note("setting", ledger.Evidence, "set [compliance] audit_logging = true to have them", "the journal has no line for tool calls, as was set")
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if err := compareFile(ctx, found, f, name, want[name]); err != nil {
			return err
		}
	}
	for _, name := range f.names() {
		if _, ok := want[name]; ok || name == ledger.Evidence {
			continue
		}
		if strings.HasSuffix(name, ledger.Pending) {
			found.note("file-leftover", name, "it is no part of the run: look at it, and remove it", "nobody signed this file; by its name a program that was killed has left it")
			continue
		}
		if slices.Contains([]string{".DS_Store", "Thumbs.db", "desktop.ini"}, path.Base(name)) {
			found.note("file-leftover", name, "it is no part of the run: remove it", "nobody signed this file; by its name whoever looked at the folder with a file manager has left it")
			continue
		}
		found.fault("file-unknown", name, "find out who put it there; if it is no part of the run, remove it", "nobody signed this file")
	}
	for _, name := range f.empty(want) {
		if slices.Contains([]string{ledger.Screenshots, ledger.Downloads, ledger.Uploads}, name) {
			found.note("file-leftover", name+"/", "it is no part of the run: remove it", "it is empty; by its name a run whose first file could not be stored has left it")
			continue
		}
		found.fault("file-unknown", name+"/", "find out who put it there; if it is no part of the run, remove it", "no file of the run is in this folder")
	}
	return ctx.Err()
}

// compareFile compares one file with its digest.
func compareFile(ctx context.Context, found *findings, f runFiles, name, want string) error {
	got, size, err := f.sum(ctx, name)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	switch {
	case f.odd[name] != "": // already reported
	case err != nil && f.regular[name+ledger.Pending]:
		aside, _, err := f.sum(ctx, name+ledger.Pending)
		if err == nil && aside == want {
			found.unseen("run-unfinished", name, "rename "+name+ledger.Pending+" to "+name+", and verify again",
				"the file is still under the name that it has until a run has ended: the program was killed in its last moment")
			return nil
		}
		found.unreadable(name, fs.ErrNotExist)
	case err != nil && !f.regular[name] && !errors.Is(err, fs.ErrNotExist):
		found.fault("file-irregular", name, restore, "it is a folder where a file was signed")
	case err != nil:
		found.unreadable(name, err)
	case got != want:
		found.add(Finding{Code: "file-changed", Severity: Fault, File: name, Expected: want, Found: got, Problem: "the file has other bytes than were signed", Next: restore})
	default:
		found.report.Files++
		found.report.Bytes += size
	}
	return nil
}
