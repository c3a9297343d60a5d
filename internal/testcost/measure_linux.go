package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/assay-qa/assay/internal/wait"
)

// measure runs a test binary and writes what it took to a file: go test -exec calls it as
// "testcost measure FILE BINARY ARGS...". It returns the binary's exit code.
func measure(args []string) int {
	if len(args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: testcost measure FILE BINARY ARGS...")
		return 2
	}
	code, c, err := measured(args[1], args[1:])
	if err == nil {
		err = writeCost(args[0], c)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "testcost:", err)
		return 2
	}
	return code
}

// prSetChildSubreaper is PR_SET_CHILD_SUBREAPER: see prctl(2).
const prSetChildSubreaper = 36

// measured runs a program. Processes below it whose parents end become ours, so that
// their CPU time counts too, which only a parent that waits for them is told.
func measured(path string, argv []string) (int, cost, error) {
	path, err := exec.LookPath(path)
	if err != nil {
		return 0, cost{}, fmt.Errorf("run the tests: %w", err)
	}
	if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, prSetChildSubreaper, 1, 0); errno != 0 {
		return 0, cost{}, fmt.Errorf("become the parent of orphans: %w", errno)
	}
	counts := countProcesses()
	interrupts := make(chan os.Signal, 4)
	signal.Notify(interrupts, syscall.SIGQUIT, syscall.SIGINT, syscall.SIGTERM)
	process, err := os.StartProcess(path, argv, &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
	if err != nil {
		return 0, cost{}, err
	}
	go func() {
		for s := range interrupts {
			_ = process.Signal(s) // it may have ended
		}
	}()
	code, err := reap(process.Pid)
	if err != nil {
		return 0, cost{}, err
	}
	left := reapLate()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &usage); err != nil {
		return 0, cost{}, err
	}
	c := counts.end()
	c.Package, c.Left = packageOf(), left
	c.User, c.System = time.Duration(usage.Utime.Nano()).Seconds(), time.Duration(usage.Stime.Nano()).Seconds()
	return code, c, nil
}

// reap waits for children until the one with that number has ended, and returns its exit code.
func reap(pid int) (int, error) {
	for {
		var status syscall.WaitStatus
		ended, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return 0, fmt.Errorf("wait for the tests: %w", err)
		case ended == pid && status.Signaled():
			return 128 + int(status.Signal()), nil
		case ended == pid:
			return status.ExitStatus(), nil
		}
	}
}

// grace is how long processes may take to end after the tests.
const grace = 2 * time.Second

// reapLate waits for what is left of the tests, and returns the commands of what outlives
// that.
func reapLate() (left []string) {
	over, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	for waiting := true; waiting; {
		ended, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
		if err == syscall.ECHILD {
			return nil
		}
		if ended > 0 {
			continue
		}
		waiting = wait.For(over, 20*time.Millisecond) == nil
	}
	children, err := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/children", os.Getpid()))
	if err != nil {
		return nil // a kernel that does not tell
	}
	for _, child := range strings.Fields(string(children)) {
		pid, _ := strconv.ParseUint(child, 10, 32) // the kernel's word
		left = append(left, cmp.Or(strings.Join(commandOf(uint32(pid)), " "), "process "+child))
	}
	return left
}

// packageOf returns the package under test: go test runs its binary in the folder.
func packageOf() string {
	dir, err := os.Getwd()
	if err != nil {
		return "?"
	}
	for root := dir; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.work")); err == nil {
			rel, _ := filepath.Rel(root, dir) // both are absolute
			return filepath.ToSlash(rel)
		}
		if root == filepath.Dir(root) {
			return filepath.Base(dir)
		}
	}
}

// writeCost appends a line: packages are measured side by side.
func writeCost(file string, c cost) error {
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Write(append(line, '\n'))
	return err
}

// commandOf returns the program and the arguments of a process; none of one that has ended.
func commandOf(pid uint32) []string {
	text, err := os.ReadFile("/proc/" + strconv.FormatUint(uint64(pid), 10) + "/cmdline")
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimRight(string(text), "\x00"), "\x00")
}
