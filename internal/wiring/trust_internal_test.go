package wiring

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/internal/trust"
)

// B18: what a person says of a folder's own tests counts at once in a server that is up, and so does its end.
func TestTrustCountsAtOnce(t *testing.T) {
	work, err := trust.RealPath(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	started := Folder{Own: t.TempDir()}
	runs := func(f Folder, want bool, when string) {
		t.Helper()
		folders, err := f.whole(work)
		if got := testrun.CheckTrusted(work, folders) == nil; err != nil || got != want || (f.checkTests(work) == nil) != want {
			t.Errorf("%s: its tests are run: %v, %v, want %v", when, got, err, want)
		}
	}
	runs(started, false, "before")
	now, err := trust.Look(trust.Place{Work: work}, nil)
	if err != nil {
		t.Fatal(err)
	}
	now.Whole = true
	if err := TrustIn(started.Own).Keep(now); err != nil {
		t.Fatal(err)
	}
	runs(started, true, "a yes while the server is up")
	if err := os.WriteFile(filepath.Join(work, "playwright.config.ts"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	runs(started, false, "another configuration")
	if err := os.Remove(filepath.Join(work, "playwright.config.ts")); err != nil {
		t.Fatal(err)
	}
	later := Folder{Own: started.Own, Folders: []trust.Folder{{Path: work}}}
	runs(later, true, "trusted when the server was started")
	if _, err := TrustIn(started.Own).Forget(now); err != nil {
		t.Fatal(err)
	}
	runs(later, false, "taken back while the server is up")
	runs(Folder{Own: started.Own, Folders: []trust.Folder{{Path: work, Any: true}}}, true, "in a job")
}
