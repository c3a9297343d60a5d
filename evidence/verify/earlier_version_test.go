package verify_test

import (
	"archive/zip"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/qa"
)

// earlier unpacks what commit 01ac1d1 has stored: the folder data with a run that passed and
// one that failed and is held, a baseline that was approved and one that was rejected, a log
// that is longer than a tile and whose key was rotated; the failed run's bundle.zip; the
// folder baselines, exported. The signing key is not in it.
func earlier(t *testing.T) string {
	t.Helper()
	packed, err := zip.OpenReader(filepath.Join("testdata", "01ac1d1.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	dir := t.TempDir()
	if err := os.CopyFS(dir, &packed.Reader); err != nil {
		t.Fatal(err)
	}
	return dir
}

// What an earlier version has stored is verified: the folder, its runs, its bundle (B8).
func TestEarlierVersion(t *testing.T) {
	dir := earlier(t)
	data := filepath.Join(dir, "data")
	got, err := verify.All(t.Context(), data, verify.Options{})
	if err != nil || got.Verdict != verify.Verified || got.Runs != 2 || got.Entries < 65 || len(got.Findings) > 0 {
		t.Errorf("the folder: %+v, %v", got, err)
	}
	store, err := evidence.Open(data, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := store.Runs()
	if err != nil || len(runs) != 2 || runs[0].Status != qa.Failed || runs[1].Status != qa.Passed {
		t.Fatalf("%+v, %v", runs, err)
	}
	for _, run := range runs {
		if got, err := verify.Run(t.Context(), data, run.ID, verify.Options{}); err != nil || got.Verdict != verify.Verified || got.Status != string(run.Status) {
			t.Errorf("run %s: %+v, %v", run.ID, got, err)
		}
		if err := store.CheckArtifacts(run.ID, qa.QAReport{}); err != nil {
			t.Error(err)
		}
	}
	if got, err := verify.Bundle(t.Context(), filepath.Join(dir, "bundle.zip"), verify.Options{}); err != nil || got.Verdict != verify.Verified || got.Status != "failed" {
		t.Errorf("the bundle: %+v, %v", got, err)
	}
}

// A changed byte of each file that an earlier version has stored is found (B8).
func TestEarlierVersionChanged(t *testing.T) {
	data := filepath.Join(earlier(t), "data")
	files := os.DirFS(data)
	found := 0
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || name == ".gitignore" {
			return err
		}
		whole, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		changed := slices.Clone(whole)
		changed[len(changed)/3] ^= 1
		if name == "assay.db" { // most of its bytes are free: it is cut
			changed = changed[:len(changed)/2]
		}
		path := filepath.Join(data, filepath.FromSlash(name))
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			return err
		}
		if got, err := verify.All(t.Context(), data, verify.Options{}); err != nil || got.Verdict == verify.Verified {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		found++
		return os.WriteFile(path, whole, 0o600)
	})
	if err != nil || found < 30 {
		t.Errorf("%d files, %v", found, err)
	}
}

// Today's version goes on with what an earlier one has stored: its log grows from the old
// one, and its baselines are in force (B8).
func TestEarlierVersionGoesOn(t *testing.T) {
	dir := earlier(t)
	data := filepath.Join(dir, "data")
	baselines, err := baseline.Open(data, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	all, err := baselines.List(t.Context())
	if err != nil || len(all) != 2 || all[0].Status != baseline.Approved || all[1].Status != baseline.Rejected {
		t.Fatalf("%+v, %v", all, err)
	}
	// The key is not in the fixture: it counts as lost, and a person begins another.
	l := ledger.Open(data, time.Now, ledger.Options{})
	if _, err := l.Rotate(t.Context(), "Ada L.", "the key was not copied"); err != nil {
		t.Fatal(err)
	}
	store, err := evidence.Open(data, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	work(t, store, 1, 1, 10, true)
	got, err := verify.All(t.Context(), data, verify.Options{})
	if err != nil || got.Verdict != verify.Verified || got.Runs != 3 {
		t.Errorf("%+v, %v", got, err)
	}
	fresh, err := baseline.Open(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	taken, err := fresh.Import(t.Context(), filepath.Join(dir, "baselines"), "Ada L.", false)
	if err != nil || len(taken) != 1 || taken[0].Status != baseline.Approved || taken[0].Decision.By != "Ada L." {
		t.Errorf("%+v, %v", taken, err)
	}
}
