package measure

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// Memory holds what a server takes, in bytes.
type Memory struct {
	Server    int64 // resident, of the server's own process
	Tree      int64 // proportional, of it and all its descendants: shared pages are shared out
	Resident  int64 // resident, of the same: shared pages count in every process
	Processes int
}

// ErrNoProc says that memory can't be measured here.
var ErrNoProc = errors.New("memory is read from /proc, which only Linux has")

// Of reads the memory of pid and its descendants.
func Of(pid int) (Memory, error) {
	if runtime.GOOS != "linux" {
		return Memory{}, ErrNoProc
	}
	tree, err := descendants(pid)
	if err != nil {
		return Memory{}, err
	}
	var m Memory
	for _, p := range tree {
		pss, rss, err := rollup(p)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errGone) {
			continue // it ended meanwhile
		}
		if err != nil {
			return m, err
		}
		if p == pid {
			m.Server = rss
		}
		m.Tree += pss
		m.Resident += rss
		m.Processes++
	}
	return m, nil
}

// descendants lists pid and all processes below it.
func descendants(pid int) ([]int, error) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	children := map[int][]int{}
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it ended meanwhile
		}
		// "pid (name) state ppid …"; the name may hold anything, so count from its end.
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		child, childErr := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if len(fields) < 2 || childErr != nil {
			return nil, fmt.Errorf("%s: unexpected form: %.100s", path, text)
		}
		parent, err := strconv.Atoi(fields[1])
		if err != nil {
			return nil, fmt.Errorf("%s: parent: %w", path, err)
		}
		children[parent] = append(children[parent], child)
	}
	tree := []int{pid}
	for i := 0; i < len(tree); i++ {
		tree = append(tree, children[tree[i]]...)
	}
	return tree, nil
}

// errGone reports a process that has ended but was not yet waited for.
var errGone = errors.New("the process has no memory")

// rollup reads the proportional and the resident size of a process.
func rollup(pid int) (pss, rss int64, err error) {
	path := fmt.Sprintf("/proc/%d/smaps_rollup", pid)
	text, err := os.ReadFile(path)
	if err != nil {
		if _, statErr := os.Stat(filepath.Dir(path)); statErr == nil && !errors.Is(err, fs.ErrPermission) {
			err = errGone
		}
		return 0, 0, err
	}
	for line := range strings.Lines(string(text)) {
		var kilobytes int64
		if _, scanErr := fmt.Sscanf(line, "Pss: %d kB", &kilobytes); scanErr == nil {
			pss = kilobytes << 10
		}
		if _, scanErr := fmt.Sscanf(line, "Rss: %d kB", &kilobytes); scanErr == nil {
			rss = kilobytes << 10
		}
	}
	if rss == 0 {
		return 0, 0, errGone
	}
	return pss, rss, nil
}
