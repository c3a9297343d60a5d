package e2e_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// process is an entry of the process table. Its start tells it from a later
// one with the same id.
type process struct {
	pid, parent int
	start       string
	zombie      bool
	command     string
}

func (p process) String() string { return fmt.Sprintf("%d (%.120s)", p.pid, p.command) }

// processes reads the process table.
func processes(t *testing.T) []process {
	t.Helper()
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no process table in /proc: %v", err)
	}
	var all []process
	for _, folder := range folders {
		stat, err := os.ReadFile(filepath.Join(folder, "stat"))
		if err != nil {
			continue // it ended meanwhile
		}
		// Its name, in parentheses, may hold anything; the state follows it.
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		command, _ := os.ReadFile(filepath.Join(folder, "cmdline")) // empty for one that ends just now
		p := process{zombie: fields[0] == "Z", start: fields[19], command: strings.TrimSpace(string(bytes.ReplaceAll(command, []byte{0}, []byte{' '})))}
		p.pid, _ = strconv.Atoi(filepath.Base(folder)) // the glob took numbers only
		p.parent, _ = strconv.Atoi(fields[1])
		all = append(all, p)
	}
	return all
}

// below lists the descendants of a process.
func below(t *testing.T, pid int) []process {
	t.Helper()
	children := map[int][]process{}
	for _, p := range processes(t) {
		children[p.parent] = append(children[p.parent], p)
	}
	var found []process
	for queue := []int{pid}; len(queue) > 0; queue = queue[1:] {
		for _, p := range children[queue[0]] {
			found = append(found, p)
			queue = append(queue, p.pid)
		}
	}
	return found
}

// family is what belongs to a server: its descendants now, and whoever was
// started with its folder for temporary files, wherever it hangs in the tree.
func (w *wire) family() []process {
	w.t.Helper()
	found := below(w.t, w.cmd.Process.Pid)
	for _, p := range processes(w.t) {
		environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.pid))
		if err == nil && bytes.Contains(environ, []byte(w.temp)) && p.pid != w.cmd.Process.Pid {
			found = append(found, p)
		}
	}
	return found
}

// left says what remains of a server: processes of its family, then and now,
// and temporary files.
func (w *wire) left(then []process) string {
	w.t.Helper()
	var left []string
	family := append(slices.Clone(then), w.family()...)
	for _, p := range processes(w.t) {
		same := func(q process) bool { return p.pid == q.pid && p.start == q.start }
		if !p.zombie && slices.ContainsFunc(family, same) {
			left = append(left, p.String())
		}
	}
	return strings.Join(append(left, entries(w)...), ", ")
}

// driver is the server's Playwright driver, and the other two what it started.
func (w *wire) driver() process {
	w.t.Helper()
	return w.only("driver", func(p process) bool { return strings.Contains(p.command, "run-driver") })
}

func (w *wire) browser() process {
	w.t.Helper()
	return w.only("browser", func(p process) bool {
		return strings.Contains(p.command, "--remote-debugging-pipe") && !strings.Contains(p.command, "--type=")
	})
}

func (w *wire) renderer() process {
	w.t.Helper()
	return w.only("renderer", func(p process) bool { return strings.Contains(p.command, "--type=renderer") })
}

// only waits for the one descendant that fits; where more than one does, the
// youngest is taken.
func (w *wire) only(what string, fits func(process) bool) process {
	w.t.Helper()
	var found process
	eventually(w.t, patience, func() string {
		for _, p := range below(w.t, w.cmd.Process.Pid) {
			if !p.zombie && fits(p) && p.pid >= found.pid {
				found = p
			}
		}
		if found.pid == 0 {
			return "no " + what
		}
		return ""
	})
	if found.pid == 0 {
		w.t.FailNow()
	}
	return found
}

// kill ends a process without a word.
func kill(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}
