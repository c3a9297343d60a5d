package driver

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// CountedMemory reports whether processes are counted on this system.
const CountedMemory = true

// Below returns the processes that the process with that number started, and those that these
// started. One that ends meanwhile is left out.
func Below(root int) ([]BrowserProcess, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("list the processes of this machine: %w", err)
	}
	children := map[int][]int{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue // no process
		}
		if parent, ok := parentOf(pid); ok {
			children[parent] = append(children[parent], pid)
		}
	}
	var out []BrowserProcess
	for queue := children[root]; len(queue) > 0; queue = queue[1:] {
		pid := queue[0]
		queue = append(queue, children[pid]...)
		private, ok := privateOf(pid)
		if !ok {
			continue
		}
		out = append(out, BrowserProcess{PID: pid, Kind: kindOf(pid), Private: private})
	}
	return out, nil
}

func read(pid int, name string) []byte {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/" + name) // nothing of a process that ended
	return text
}

// parentOf reads "pid (name) state parent …"; the name may hold anything, so the rest is what
// follows the last parenthesis.
func parentOf(pid int) (int, bool) {
	stat := read(pid, "stat")
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 2 {
		return 0, false
	}
	parent, err := strconv.Atoi(fields[1])
	return parent, err == nil
}

// kindOf reads Chromium's --type from the command line, the words of which are separated by zeros,
// or by blanks in a process that was not started with them.
func kindOf(pid int) string {
	words := bytes.FieldsFunc(read(pid, "cmdline"), func(r rune) bool { return r == 0 || r == ' ' })
	for _, word := range words {
		if kind, ok := bytes.CutPrefix(word, []byte("--type=")); ok {
			return string(kind)
		}
	}
	return ""
}

// privateOf adds up RssAnon and VmSwap of status, in bytes. That file is open to everybody, while
// smaps of a process in a sandbox is not. A zombie has neither line.
func privateOf(pid int) (int64, bool) {
	var sum int64
	found := false
	for line := range strings.Lines(string(read(pid, "status"))) {
		name, value, _ := strings.Cut(line, ":")
		if name != "RssAnon" && name != "VmSwap" {
			continue
		}
		kB, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		if err != nil {
			return 0, false
		}
		sum, found = sum+kB<<10, true
	}
	return sum, found
}
