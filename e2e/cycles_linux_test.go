package e2e_test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"testing"
)

// cycles is how often a session is opened and closed.
func cycles() int {
	if soak() {
		return 200
	}
	return 12
}

// mayGrow is how much memory the cycles may add to the server, in KiB. What
// leaked per session would be a multiple of it.
const mayGrow = 24 << 10

// residentKB is how much memory a process holds.
func residentKB(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(status)
	if found == nil {
		t.Fatalf("no VmRSS in %s", status)
	}
	kb, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kb
}

// openFiles is how many files, pipes and sockets a process holds.
func openFiles(t *testing.T, pid int) int {
	t.Helper()
	found, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		t.Fatal(err)
	}
	return len(found)
}

// threads is how many threads a process has; a blocked call would keep one.
func threads(t *testing.T, pid int) int {
	t.Helper()
	found, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		t.Fatal(err)
	}
	return len(found)
}

// B6: sessions opened and closed leave no process, no temporary file, no
// open file, and no memory to speak of: 12 by make test, 200 by make soak.
func TestCycles(t *testing.T) {
	w, site := aloneOnSite(t, "")
	cycle := func() {
		session := field[string](w, w.do("browser_launch", nil), "session_id")
		w.do("browser_close", map[string]any{"session_id": session})
	}
	for range 3 { // what is made once is made
		cycle()
	}
	pid := w.cmd.Process.Pid
	type footprint struct{ processes, files, temp int }
	look := func() footprint {
		return footprint{len(below(t, pid)), openFiles(t, pid), len(entries(w))}
	}
	before, memory, tasks := look(), residentKB(t, pid), threads(t, pid)
	for range cycles() {
		cycle()
	}
	// A closed page's renderer takes a moment to end.
	eventually(t, patience, func() string {
		if now := look(); now.processes > before.processes || now.files > before.files || now.temp > before.temp {
			return fmt.Sprintf("%+v, and before %+v: %v %v", now, before, below(t, pid), entries(w))
		}
		return ""
	})
	grown := residentKB(t, pid) - memory
	t.Logf("after %d cycles: %d KiB, %d KiB more than before; %d threads, before %d; %+v", cycles(), memory+grown, grown, threads(t, pid), tasks, before)
	if grown > mayGrow {
		t.Errorf("the server grew by %d KiB, more than %d", grown, mayGrow)
	}
	w.well(site)
}

// B5: five sessions at once, a sixth waits and is refused, and a place that
// gets free is taken.
func TestSessionLimit(t *testing.T) {
	t.Parallel()
	w, site := onSite(t, "")
	var sessions []string
	for range 5 {
		sessions = append(sessions, field[string](w, w.do("browser_launch", nil), "session_id"))
	}
	w.fails(w.call("browser_launch", nil), "SESSION_LIMIT")
	w.fails(w.call("page_navigate", map[string]any{"url": site + "/ok"}), "SESSION_NOT_FOUND")
	// One that waits gets the place of one that goes.
	waiting := w.beginWithProgress("t", "browser_launch", nil)
	w.awaitProgress(`"t"`)
	w.do("browser_close", map[string]any{"session_id": sessions[0]})
	if a := w.result(w.answer(waiting)); !a.envelope.OK {
		t.Errorf("a place was free: %s", a.text())
	}
	for _, session := range sessions[1:] {
		w.do("page_navigate", map[string]any{"url": site + "/ok", "session_id": session})
	}
	w.fails(w.call("page_snapshot", map[string]any{"session_id": sessions[0]}), "SESSION_NOT_FOUND")
}
