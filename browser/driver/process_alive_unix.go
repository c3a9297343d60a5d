//go:build unix

package driver

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// ProcessAlive reports whether a process runs. A zombie does not: nothing of it is left but its number,
// which some containers never give back.
func ProcessAlive(pid int) bool {
	if pid <= 0 {
		return false
	}
	if err := syscall.Kill(pid, 0); err != nil && !errors.Is(err, syscall.EPERM) {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true // no /proc on this system, or not for us: the signal's answer stands
	}
	// "pid (name) state …"; the name may hold anything, so the state follows the last parenthesis.
	rest := bytes.TrimSpace(stat[bytes.LastIndexByte(stat, ')')+1:])
	return !bytes.HasPrefix(rest, []byte("Z")) && !bytes.HasPrefix(rest, []byte("X"))
}

// processSpace names the space in which process ids mean something: containers that share a temp
// folder see different processes under the same number.
func processSpace() string {
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return "host" // not Linux: one space for all
	}
	return space
}

// KillTogether makes a cancelled command take its children with it.
func KillTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}
