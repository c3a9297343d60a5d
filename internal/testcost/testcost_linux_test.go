package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "measure" {
		os.Exit(measure(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// What a measured program starts is counted, orphans included, and its exit code is ours.
func TestMeasure(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "costs")
	busy := "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"
	for _, script := range []string{
		"sh -c '" + busy + "; true'; (" + busy + "; true) & (true & true) & wait; exit 3",
		"(sh -c '" + busy + "; sleep 0.2' &) ; exit 3", // the parent of what is busy has gone
	} {
		cmd := exec.Command(os.Args[0], "measure", file, "sh", "-c", script)
		out, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != 3 {
			t.Fatalf("%s: exit code %d, want 3: %v\n%s", script, code, err, out)
		}
	}
	all, err := readCosts(file)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d costs, want 2: %v", len(all), err)
	}
	for _, c := range all {
		if c.Package != "internal/testcost" || len(c.Left) != 0 {
			t.Errorf("measured %+v, want internal/testcost with nothing left", c)
		}
		if c.User <= 0 {
			t.Errorf("no CPU time was measured of a busy loop: %+v", c)
		}
		if os.Geteuid() == 0 && (!c.Counted || c.Processes < 3 || c.Browsers > 0) {
			t.Errorf("counted %+v, want at least 3 processes, and no browser", c)
		}
	}
}

// What outlives the tests is told.
func TestMeasureTellsWhatIsLeft(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "costs")
	out, err := exec.Command(os.Args[0], "measure", file, "sh", "-c", "sleep 5 >/dev/null 2>&1 & exit 0").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	all, err := readCosts(file)
	if err != nil || len(all) != 1 || len(all[0].Left) != 1 {
		t.Fatalf("measured %+v (%v), want one process left", all, err)
	}
	var table strings.Builder
	printTable(&table, all, results{})
	if !strings.Contains(table.String(), "internal/testcost left 1 processes behind: sleep 5") {
		t.Errorf("the table does not say it:\n%s", &table)
	}
}

// Temporary files are kept in memory where there is room, and where the person says
// otherwise as the person says.
func TestTemporary(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	if dir, err := temporary(); dir != "" || err != nil {
		t.Errorf("made %q (%v), though TMPDIR names a folder", dir, err)
	}
	t.Setenv("TMPDIR", "")
	dir, err := temporary()
	if err != nil {
		t.Fatal(err)
	}
	if dir == "" {
		t.Skipf("no memory for it: %d bytes are available", unusedMemory())
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if unusedMemory() < leastUnused || !strings.HasPrefix(dir, sharedMemory+"/") {
		t.Errorf("made %q with %d bytes available", dir, unusedMemory())
	}
}
