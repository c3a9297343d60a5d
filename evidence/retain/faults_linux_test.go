package retain_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/evidence/retain"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/qa"
)

// Several prunes at once, beside a server that writes runs: each old run is
// deleted once, no young one is touched (B8).
func TestTwoAtOnce(t *testing.T) {
	f := newFolder(t)
	var old []string
	for n := range 12 {
		old = append(old, f.craft(n))
	}
	f.today(400)
	var live []string
	var work sync.WaitGroup
	stores := must[*evidence.Store](t)(evidence.Open(f.dir, f.clock.now))
	server := &folder{T: t, dir: f.dir, clock: f.clock, store: stores}
	keepers := []*retain.Keeper{f.keeper(), f.keeper(), f.keeper()}
	var total sync.Map
	for _, k := range keepers {
		work.Go(func() {
			report, err := k.Prune(t.Context(), order())
			if err != nil || len(report.Problems) > 0 {
				t.Errorf("%v; %q", err, report.Problems)
			}
			for _, i := range report.Deleted {
				total.Store(i.Name, true)
			}
		})
	}
	work.Go(func() {
		for range 5 {
			live = append(live, server.finished(400))
		}
	})
	work.Wait()
	deleted := f.events("run deleted")
	for _, id := range old {
		if _, told := total.Load(id); !told || f.there(id) || f.there(id+".deleted") || len(deleted[id]) != 1 {
			t.Errorf("%s: told %t, there %t, %d deletions", id, told, f.there(id), len(deleted[id]))
		}
	}
	for _, id := range live {
		report := must[qa.QAReport](t)(server.store.Report(id))
		if !f.there(id) || report.Status != "passed" || len(deleted[id]) != 0 {
			t.Errorf("%s, which is new: there %t, %s: %s", id, f.there(id), report.Status, report.StatusReason)
		}
	}
}

// What is no run's folder is left alone and named; no symbolic link is followed,
// beside runs or in them (B8).
func TestNotOurs(t *testing.T) {
	f := newFolder(t)
	outside := t.TempDir()
	precious := filepath.Join(outside, "events.jsonl")
	if err := os.WriteFile(precious, []byte("theirs\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	old := f.craft(0)
	runs := filepath.Join(f.dir, "runs")
	link, file := "20200101T000100.000Z-bbbbbb", "20200101T000200.000Z-cccccc"
	if err := errors.Join(
		os.Symlink(outside, filepath.Join(runs, link)),
		os.Symlink(outside, filepath.Join(runs, old, "elsewhere")),
		os.Symlink(precious, filepath.Join(runs, old, "file")),
		os.WriteFile(filepath.Join(runs, file), []byte("x"), 0o600),
		os.Mkdir(filepath.Join(runs, "notes"), 0o700),
		os.Mkdir(filepath.Join(runs, file+".deleted"), 0o700),
		os.Mkdir(filepath.Join(runs, strings.ToUpper(old)), 0o700),
		os.Mkdir(filepath.Join(runs, "20201399T000000.000Z-aaaaaa"), 0o700), // no date
	); err != nil {
		t.Fatal(err)
	}
	f.today(400)
	report, err := f.keeper().Prune(t.Context(), order())
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{link: "no folder", file: "no folder", "notes": "no run id", file + ".deleted": "no deletion", strings.ToUpper(old): "no run id"} {
		if got := why(report.Left)["runs/"+name]; !strings.Contains(got, want) || !f.there(name) {
			t.Errorf("%s: %q; there: %t", name, got, f.there(name))
		}
	}
	if len(report.Left) != 5 || len(report.Deleted) != 1 || f.there(old) {
		t.Errorf("deleted %+v, left alone %+v", report.Deleted, report.Left)
	}
	if !slices.ContainsFunc(report.Problems, func(p string) bool { return strings.Contains(p, "20201399T") }) || len(report.Problems) != 1 {
		t.Errorf("a date that is none: %q", report.Problems)
	}
	if data, err := os.ReadFile(precious); err != nil || string(data) != "theirs\n" {
		t.Errorf("what a link leads to: %q, %v", data, err)
	}
	for _, run := range []string{link, file} {
		if _, err := f.keeper().Hold(t.Context(), run, "Ada", "x"); !errors.Is(err, retain.ErrNoRun) {
			t.Errorf("held %s: %v", run, err)
		}
	}
}

const nobody = 65534 // a user without rights

// asNobody runs f without the rights of root, who may write everywhere.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		if os.Getuid() == 0 {
			if err := syscall.Setfsuid(nobody); err != nil {
				t.Errorf("setfsuid: %v", err)
				return
			}
		}
		f()
	}()
	<-done
}

// A folder that can't be written says so, and a look at it works. A run that
// can't be removed is told, and goes the next time.
func TestReadOnly(t *testing.T) {
	f := newFolder(t)
	old := f.craft(0)
	f.today(400)
	modes := func(dir string, folder, file os.FileMode) {
		if err := filepath.Walk(dir, func(name string, info os.FileInfo, err error) error {
			mode := file
			if err == nil && info.IsDir() {
				mode = folder
			}
			if os.Getuid() == 0 {
				err = errors.Join(err, os.Chown(name, nobody, -1))
			}
			return errors.Join(err, os.Chmod(name, mode))
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Dir(filepath.Dir(f.dir)), 0o755); err != nil {
		t.Fatal(err)
	}
	parent := filepath.Dir(f.dir)
	modes(parent, 0o555, 0o444)
	defer modes(parent, 0o700, 0o600)
	asNobody(t, func() {
		if dry, err := f.keeper().Prune(t.Context(), retain.PruneRequest{DryRun: true}); err != nil || len(dry.Deleted) != 1 {
			t.Errorf("a look: %+v, %v", dry, err)
		}
		if _, err := f.keeper().Prune(t.Context(), order()); !errors.Is(err, disk.ErrReadOnly) {
			t.Errorf("prune: %v", err)
		}
		if _, err := f.keeper().Hold(t.Context(), old, "Ada", "x"); !errors.Is(err, disk.ErrReadOnly) {
			t.Errorf("hold: %v", err)
		}
	})
	if !f.intact(old) {
		t.Error("it is not whole any more")
	}
	modes(parent, 0o700, 0o600)
	modes(filepath.Join(f.dir, "runs"), 0o555, 0o444)
	asNobody(t, func() {
		report, err := f.keeper().Prune(t.Context(), order())
		if err != nil || len(report.Deleted) != 0 || len(report.Problems) != 1 || !strings.Contains(report.Problems[0], "prune again") {
			t.Errorf("runs that can't be removed: %+v, %v", report, err)
		}
		if _, err := f.keeper().Hold(t.Context(), old, "Grace", "too late"); !errors.Is(err, retain.ErrDeleted) {
			t.Errorf("held what the log says is deleted: %v", err)
		}
	})
	modes(parent, 0o700, 0o600)
	if got := f.prune(order()); len(got.Deleted) != 1 || f.there(old) || len(f.events("run deleted")[old]) != 1 {
		t.Errorf("then: %+v", got)
	}
}

// Who verifies the folder while it is pruned finds nothing wrong (B8).
func TestVerifyBeside(t *testing.T) {
	f := newFolder(t)
	s := must[*baseline.Store](t)(baseline.Open(f.dir, f.clock.now))
	for i := range 8 {
		f.finished(0)
		v := must[baseline.Version](t)(s.Propose(t.Context(), shot(t, "Sales", uint8(i))))
		must[baseline.Version](t)(s.Reject(t.Context(), v.ID, "Ada", "x"))
	}
	f.today(400)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if report, err := f.keeper().Prune(t.Context(), order()); err != nil || len(report.Deleted) < 16 {
			t.Errorf("%d deleted, %v", len(report.Deleted), err)
		}
	}()
	for over := false; !over; {
		select {
		case <-done:
			over = true
		default:
		}
		f.verified()
	}
}
