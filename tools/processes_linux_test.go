package tools_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// process is an entry of the process table.
type process struct {
	pid, parent int
	zombie      bool
	command     string
}

func processOf(pid int) (process, error) {
	folder := filepath.Join("/proc", strconv.Itoa(pid))
	stat, err := os.ReadFile(filepath.Join(folder, "stat"))
	if err != nil {
		return process{}, err
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // its name, in parentheses, may hold anything
	command, err := os.ReadFile(filepath.Join(folder, "cmdline"))
	parent, _ := strconv.Atoi(fields[1])
	return process{pid, parent, fields[0] == "Z", string(bytes.ReplaceAll(command, []byte{0}, []byte{' '}))}, err
}

// living are the pool's processes by kind: driver, browser, renderer, helper.
func (d mortal) living() map[string][]int {
	d.t.Helper()
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || len(folders) == 0 {
		d.t.Fatalf("no process table: %v", err)
	}
	children, kin := map[int][]process{}, map[string][]int{}
	var next []int
	for _, folder := range folders {
		pid, _ := strconv.Atoi(filepath.Base(folder)) // the glob took numbers only
		p, err := processOf(pid)
		if err != nil || p.zombie {
			continue // it ended meanwhile
		}
		children[p.parent] = append(children[p.parent], p)
		if strings.Contains(p.command, d.temp) && strings.Contains(p.command, "run-driver") {
			kin["driver"], next = append(kin["driver"], pid), append(next, pid)
		}
	}
	for ; len(next) > 0; next = next[1:] {
		for _, p := range children[next[0]] {
			kind := "helper"
			switch {
			case strings.Contains(p.command, "--type=renderer"):
				kind = "renderer"
			case strings.Contains(p.command, "--remote-debugging-pipe") && !strings.Contains(p.command, "--type="):
				kind = "browser"
			}
			kin[kind], next = append(kin[kind], p.pid), append(next, p.pid)
		}
	}
	return kin
}

// strike kills all of a kind but those that are to be spared.
func (d mortal) strike(kind string, spared []int) {
	victims := slices.DeleteFunc(d.living()[kind], func(pid int) bool { return slices.Contains(spared, pid) })
	if len(victims) == 0 {
		d.t.Errorf("no %s to kill: %v, spared %v", kind, d.living(), spared)
	}
	for _, pid := range victims {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			d.t.Error(err)
		}
	}
}
