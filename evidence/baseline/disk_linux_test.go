package baseline_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/assay-qa/assay/evidence/baseline"
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

// A folder that can't be written still shows what is in it, and says what to
// do about the rest.
func TestReadOnlyFolder(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "data")
	s := open(t, dir)
	v := must[baseline.Version](t)(s.Capture(t.Context(), shot(t, "Sales", 10)))
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
		if found, err := s.Find(t.Context(), "Sales", here()); err != nil || found.ID != v.ID {
			t.Errorf("Find: %+v, %v", found, err)
		}
		if _, err := s.Read(v.Pictures[0].SHA256); err != nil {
			t.Error(err)
		}
		_, captured := s.Capture(t.Context(), shot(t, "Sales", 20))
		_, approved := s.Approve(t.Context(), v.ID, "Ada", "x")
		_, elsewhere := open(t, filepath.Join(parent, "new")).Capture(t.Context(), shot(t, "Sales", 20))
		for what, err := range map[string]error{"Capture": captured, "Approve": approved, "Capture in a new folder": elsewhere} {
			if !errors.Is(err, baseline.ErrReadOnly) || !strings.Contains(err.Error(), "--data-dir") {
				t.Errorf("%s: %v, want ErrReadOnly with what to do", what, err)
			}
		}
	})
}

// fullVariable tells a process of this test that it is a child, and its folder.
const fullVariable = "ASSAY_TEST_FULL_DISK"

// TestFullDisk runs itself again in processes that have little room: on a disk
// of 256 KB, where mounting one is allowed, and with a bound on the size of
// files, which fails writes half-way.
func TestFullDisk(t *testing.T) {
	if dir := os.Getenv(fullVariable); dir != "" {
		fill(t, dir)
		return
	}
	const again = `exec "$0" -test.run='^TestFullDisk$' -test.v`
	for name, command := range map[string][]string{
		"small disk":    {"unshare", "--mount", "--map-root-user", "sh", "-c", `mount -t tmpfs -o size=256k tmpfs "$` + fullVariable + `" && ` + again},
		"bounded files": {"sh", "-c", "ulimit -S -f 100 && " + again},
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

// fill captures until there is no room. What was kept before stays, and it works
// again once there is room.
func fill(t *testing.T, dir string) {
	s := open(t, dir)
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 50<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	var kept []baseline.Version
	var full error
	for shade := uint8(1); full == nil && shade < 255; shade++ {
		v, err := s.Capture(t.Context(), shot(t, "Sales", shade))
		if full = err; err == nil {
			kept = append(kept, v)
		}
	}
	if errors.Is(full, baseline.ErrCorrupt) || !errors.Is(full, baseline.ErrDiskFull) || len(kept) == 0 {
		t.Fatalf("after %d: %v, want ErrDiskFull", len(kept), full)
	}
	t.Logf("it was full after %d: %v", len(kept), full)
	check := func() {
		t.Helper()
		all := must[[]baseline.Version](t)(s.List(t.Context()))
		for _, v := range kept {
			if !slices.ContainsFunc(all, func(o baseline.Version) bool { return o.ID == v.ID }) {
				t.Errorf("%s is lost", v.ID)
			}
			for _, p := range v.Pictures {
				must[[]byte](t)(s.Read(p.SHA256))
			}
		}
	}
	check()
	var bound syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &bound); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(ballast), syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: bound.Max, Max: bound.Max})); err != nil {
		t.Fatal(err)
	}
	kept = append(kept, must[baseline.Version](t)(s.Capture(t.Context(), shot(t, "Sales", 255))))
	check()
}
