//go:build windows

package driver

import (
	"os/exec"
	"strconv"
	"syscall"
)

// stillActive holds the exit code of a process that has not ended (STILL_ACTIVE).
const stillActive = 259

const processQueryLimitedInformation = 0x1000

// ProcessAlive reports whether a process runs. When Windows does not say, it does.
func ProcessAlive(pid int) bool {
	if pid <= 0 {
		return false
	}
	handle, err := syscall.OpenProcess(processQueryLimitedInformation, false, uint32(pid))
	if err != nil {
		return err == syscall.ERROR_ACCESS_DENIED
	}
	defer syscall.CloseHandle(handle)
	var code uint32
	if err := syscall.GetExitCodeProcess(handle, &code); err != nil {
		return true
	}
	return code == stillActive
}

// processSpace names the space in which process ids mean something; Windows has one.
func processSpace() string { return "host" }

// KillTogether makes a cancelled command take its children with it.
func KillTogether(cmd *exec.Cmd) {
	cmd.Cancel = func() error {
		tree := exec.Command("taskkill", "/pid", strconv.Itoa(cmd.Process.Pid), "/T", "/F")
		tree.Env, _ = Environment(tree.Environ(), "windows")
		if err := tree.Run(); err != nil {
			return cmd.Process.Kill()
		}
		return nil
	}
}
