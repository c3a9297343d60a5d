//go:build unix

package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// groupsDir in a launcher's folder has a file for each process group that the driver has
// started and not seen the end of: driver_shim.js.
const groupsDir = "groups"

// processTree is what a driver has started. Unix keeps nothing of it for us: the driver
// notes its process groups.
type processTree struct{}

func (processTree) hold(int) error { return nil }
func (processTree) release()       {}

// kill kills the noted groups. Of a stopped process SIGKILL needs no leave.
func (processTree) kill(dir string) {
	for _, group := range groupsIn(dir) {
		_ = syscall.Kill(-group, syscall.SIGKILL) // it may have ended meanwhile, which is what we want
	}
}

// groupsIn lists the process groups that are noted in a launcher's folder.
func groupsIn(dir string) (groups []int) {
	files, err := os.ReadDir(filepath.Join(dir, groupsDir))
	if err != nil {
		return nil // it ended in order, and its folder with it
	}
	for _, file := range files {
		if group, err := strconv.Atoi(file.Name()); err == nil && group > 1 {
			groups = append(groups, group)
		}
	}
	return groups
}

// killOrphansOf kills the driver and the browsers of a launcher whose server is gone. A
// number may be another's by now: only a process whose command names the folder is killed,
// which Linux alone tells.
func killOrphansOf(dir string) {
	for _, group := range groupsIn(dir) {
		if runsFrom(group, dir) {
			_ = syscall.Kill(-group, syscall.SIGKILL) // it may have ended meanwhile
		}
	}
	if driver, ok := readPIDFile(filepath.Join(dir, driverPIDFile)); ok && runsFrom(driver, dir) {
		_ = syscall.Kill(driver, syscall.SIGKILL) // it may have ended meanwhile
	}
}

// runsFrom reports whether the command line of a process names a launcher's folder.
func runsFrom(pid int, dir string) bool {
	command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && strings.Contains(string(command), filepath.Base(dir))
}
