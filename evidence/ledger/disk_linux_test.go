package ledger_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
)

const nobody = 65534

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

// A folder that can't be written is read as any other, with its tiles and
// proofs, by somebody who has no more rights than that; an update says what
// forbids it and changes nothing (B8).
func TestReadOnly(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "data")
	l := ledger.Open(dir, time.Now, ledger.Options{})
	many(t, l, 200)
	if err := os.Chmod(filepath.Dir(parent), 0o755); err != nil {
		t.Fatal(err)
	}
	modes := func(folder, file os.FileMode) {
		if err := filepath.Walk(parent, func(name string, info os.FileInfo, err error) error {
			mode := file
			if err == nil && info.IsDir() {
				mode = folder
			}
			return errors.Join(err, os.Chmod(name, mode))
		}); err != nil {
			t.Fatal(err)
		}
	}
	modes(0o555, 0o444)
	defer modes(0o755, 0o644)
	asNobody(t, func() {
		if err := l.View(t.Context(), func(tx *ledger.Tx) error {
			events, err := eventsOf(tx)
			if err != nil || len(events) != 200 {
				t.Errorf("%d events, %v", len(events), err)
			}
			_, published := tx.CheckpointCopy()
			_, proved := tx.Entry(3, 200)
			return errors.Join(published, proved)
		}); err != nil {
			t.Error(err)
		}
		if err := appends(t, l); !errors.Is(err, disk.ErrReadOnly) || !strings.Contains(err.Error(), "--data-dir") {
			t.Errorf("Update: %v, want ErrReadOnly with what to do", err)
		}
		fresh := ledger.Open(filepath.Join(parent, "new"), time.Now, ledger.Options{})
		if err := fresh.View(t.Context(), func(*ledger.Tx) error { return nil }); err != nil {
			t.Error(err)
		}
		if err := appends(t, fresh); !errors.Is(err, disk.ErrReadOnly) {
			t.Errorf("Update in a new folder: %v, want ErrReadOnly", err)
		}
	})
}

// A copy of the checkpoint that can't be written keeps an event from being kept,
// and is not found out afterwards (B8).
func TestReadOnlyCopy(t *testing.T) {
	dir := t.TempDir()
	l := ledger.Open(dir, time.Now, ledger.Options{})
	many(t, l, 3)
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, copied), 0o400); err != nil {
		t.Fatal(err)
	}
	if err := filepath.Walk(dir, func(name string, _ os.FileInfo, err error) error {
		if os.Getuid() == 0 {
			err = errors.Join(err, os.Chown(name, nobody, nobody))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	asNobody(t, func() {
		if err := appends(t, l); !errors.Is(err, disk.ErrReadOnly) {
			t.Errorf("Update: %v, want ErrReadOnly", err)
		}
	})
	if h := mustRead(t, filepath.Join(dir, database)); len(h.Events) != 3 {
		t.Errorf("%d events were kept", len(h.Events))
	}
}

// fullVariable tells a process of this test that it is a child, and its folder.
const fullVariable = "ASSAY_TEST_FULL_DISK"

// TestFullDisk runs itself again in processes that have little room: on a disk
// of 400 KB, where mounting one is allowed, and with a bound on the size of
// files, which fails writes half-way (B8).
func TestFullDisk(t *testing.T) {
	if dir := os.Getenv(fullVariable); dir != "" {
		fill(t, dir)
		return
	}
	const again = `exec "$0" -test.run='^TestFullDisk$' -test.v`
	for name, command := range map[string][]string{
		"small disk":    {"unshare", "--mount", "--map-root-user", "sh", "-c", `mount -t tmpfs -o size=400k tmpfs "$` + fullVariable + `" && ` + again},
		"bounded files": {"sh", "-c", "ulimit -S -f 200 && " + again},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), command[0], append(command[1:], os.Args[0])...)
			cmd.Env = append(os.Environ(), fullVariable+"="+t.TempDir())
			out, err := cmd.CombinedOutput()
			if err != nil && command[0] == "unshare" && !strings.Contains(string(out), "TestFullDisk") {
				t.Skipf("mounting a disk is not allowed here: %v: %s", err, out)
			}
			if err != nil || !strings.Contains(string(out), "it was full after") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// fill appends until there is no room. What was kept before stays, nothing comes
// half, and it works again once there is room.
func fill(t *testing.T, dir string) {
	l := ledger.Open(dir, time.Now, ledger.Options{})
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 60<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	kept := int64(0)
	burst := func(n int) error {
		return l.Update(t.Context(), func(tx *ledger.Tx) error {
			for range 9 {
				if _, err := tx.Append(ledger.Event{Action: "added", Reason: strings.Repeat("long ", 20)}); err != nil {
					return err
				}
			}
			return tx.Put("things", fmt.Sprint(n), make([]byte, 500))
		})
	}
	var full error
	for n := 0; full == nil && n < 2000; n++ {
		if full = burst(n); full == nil {
			kept += 9
		}
	}
	if errors.Is(full, ledger.ErrCorrupt) || !errors.Is(full, disk.ErrFull) || kept == 0 {
		t.Fatalf("after %d: %v, want ErrFull", kept, full)
	}
	t.Logf("it was full after %d: %v", kept, full)
	check := func() {
		t.Helper()
		view(t, l, func(tx *ledger.Tx) error {
			events, err := eventsOf(tx)
			if err != nil || int64(len(events)) != kept || int64(len(tx.Keys("things")))*9 != kept {
				t.Errorf("%d events and %d records, want %d: %v", len(events), len(tx.Keys("things")), kept, err)
			}
			return err
		})
	}
	for range 5 { // it stays so
		if err := burst(9999); err == nil {
			t.Log("a smaller need was met")
			kept += 9
			break
		} else if !errors.Is(err, disk.ErrFull) {
			t.Errorf("again: %v", err)
		}
		check()
	}
	var bound syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &bound); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(ballast), syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: bound.Max, Max: bound.Max})); err != nil {
		t.Fatal(err)
	}
	if err := burst(10000); err != nil {
		t.Fatalf("with room again: %v", err)
	}
	kept += 9
	check()
}
