package evidence_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
)

// asNobody runs f without the rights of root, who may write everywhere.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		if os.Getuid() == 0 {
			if err := syscall.Setfsuid(65534); err != nil {
				t.Errorf("setfsuid: %v", err)
				return
			}
		}
		f()
	}()
	<-done
}

func TestReadOnlyFolder(t *testing.T) {
	parent := t.TempDir()
	for dir, mode := range map[string]os.FileMode{filepath.Dir(parent): 0o755, parent: 0o555} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
	}
	s := must[*evidence.Store](t)(evidence.Open(filepath.Join(parent, "data"), time.Now))
	r := startRun(t, s)
	asNobody(t, func() {
		check := look("visible", "a", true)
		if _, err := r.AddCheck(check); !errors.Is(err, evidence.ErrReadOnly) {
			t.Errorf("AddCheck: %v, want ErrReadOnly", err)
		}
		if _, err := r.SaveScreenshot("a", []byte(png), 1, 1, 1); !errors.Is(err, evidence.ErrReadOnly) {
			t.Errorf("SaveScreenshot: %v, want ErrReadOnly", err)
		}
		report, err := r.Finish("", qa.Environment{}, nil)
		if !errors.Is(err, evidence.ErrReadOnly) || !strings.Contains(err.Error(), "--data-dir") {
			t.Errorf("Finish: %v, want ErrReadOnly with what to do", err)
		}
		// The check passed, but nobody will ever be able to read it.
		if report.Status != qa.Inconclusive || len(report.Checks) != 1 {
			t.Errorf("report: %s with %d checks, want inconclusive with 1", report.Status, len(report.Checks))
		}
	})
	if err := os.Chmod(parent, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Finish("", qa.Environment{}, nil); err != nil {
		t.Errorf("Finish, once the folder can be written: %v", err)
	}
}

// limitFiles bounds the size of files, which fails writes half-way as a full
// disk does. It returns a function that lifts the bound.
func limitFiles(t *testing.T, bytes uint64) (lift func()) {
	t.Helper()
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: bytes, Max: old.Max}); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
			t.Error(err)
		}
	}
}

// A write that breaks off half-way leaves nothing half: not a screenshot, not
// a line of the event log. Later writes work.
func TestWriteBreaksOff(t *testing.T) {
	s, _ := openStore(t)
	r := startRun(t, s)
	// The bound holds for the whole process, also for the log that go test keeps of
	// what the tests open: the event log must be the longer one.
	must[qa.Check](t)(r.AddCheck(look("visible", strings.Repeat("a", 8<<20), true)))
	journal := filepath.Join(r.Dir(), "events.jsonl")
	info := must[os.FileInfo](t)(os.Stat(journal))

	lift := limitFiles(t, uint64(info.Size())+20)
	defer lift()
	if _, err := r.AddCheck(look("visible", "b", false)); err == nil {
		t.Error("AddCheck succeeded though its line doesn't fit")
	}
	if _, err := r.SaveScreenshot("a", append([]byte(png), make([]byte, info.Size()+4096)...), 1, 1, 1); err == nil {
		t.Error("SaveScreenshot succeeded though it doesn't fit")
	}
	if now := must[os.FileInfo](t)(os.Stat(journal)); now.Size() != info.Size() {
		t.Errorf("the journal has %d bytes, want the %d of whole lines", now.Size(), info.Size())
	}
	if files, err := os.ReadDir(filepath.Join(r.Dir(), "screenshots")); err != nil || len(files) != 0 {
		t.Errorf("left of the screenshot: %v, %v", files, err)
	}
	lift()

	must[qa.Artifact](t)(r.SaveScreenshot("a", []byte(png), 1, 1, 1))
	report := must[qa.QAReport](t)(r.Finish("", qa.Environment{}, nil))
	if report.Status != qa.Failed || len(report.Checks) != 2 {
		t.Errorf("report: %s with %d checks; the failed one must not be lost", report.Status, len(report.Checks))
	}
	if _, err := s.Report(r.ID()); err != nil {
		t.Error(err)
	}
}
