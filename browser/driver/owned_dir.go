package driver

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// An owned folder is temporary and belongs to one process. Its name carries the owner
// ("assay-4711-1w2x3y-830214": prefix, process id, process space, chance), so that whoever comes later
// can tell a folder in use from one whose owner was killed, without opening a file that the owner may
// not have had the time to write.

// driverPIDFile in an owned folder names a second process that still works in it.
const driverPIDFile = "driver.pid"

// makeOwnedDir makes a new folder of this process, readable by no other user.
func makeOwnedDir(parent, prefix string) (string, error) {
	name := fmt.Sprintf("%s%d-%s-*", prefix, os.Getpid(), spaceTag())
	dir, err := os.MkdirTemp(parent, name)
	if err != nil {
		return "", fmt.Errorf("making a temporary folder: %w", err)
	}
	return dir, nil
}

// spaceTag returns the process space as a short word for a file name.
func spaceTag() string {
	h := fnv.New32a()
	h.Write([]byte(processSpace())) // a hash.Hash never fails
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// removeStale removes the owned folders in parent whose processes are gone. What cannot be determined or
// removed stays for the next time, and is the error: a folder too many is a nuisance, a folder too few
// a broken run.
func removeStale(parent, prefix string) error {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return fmt.Errorf("looking for stale folders: %w", err)
	}
	var failed []error
	for _, entry := range entries {
		dir := filepath.Join(parent, entry.Name())
		// For a symbolic link, which anybody could put into a shared temp
		// folder, IsDir returns false.
		if !entry.IsDir() || !isStale(dir, prefix) {
			continue
		}
		if err := os.RemoveAll(dir); err != nil {
			failed = append(failed, fmt.Errorf("removing a stale folder: %w", err))
		}
	}
	return errors.Join(failed...)
}

// ownerOf returns the process that an owned folder's name carries. A folder of another
// process space has none here.
func ownerOf(dir, prefix string) (pid int, ok bool) {
	rest, ours := strings.CutPrefix(filepath.Base(dir), prefix)
	parts := strings.Split(rest, "-")
	if !ours || len(parts) != 3 || parts[1] != spaceTag() {
		return 0, false
	}
	pid, err := strconv.Atoi(parts[0])
	return pid, err == nil
}

func isStale(dir, prefix string) bool {
	owner, ok := ownerOf(dir, prefix)
	if !ok || ProcessAlive(owner) {
		return false
	}
	second, ok := readPIDFile(filepath.Join(dir, driverPIDFile))
	return !ok || !ProcessAlive(second)
}

// readPIDFile returns the process id that a file holds, if it holds one.
func readPIDFile(path string) (int, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	return pid, err == nil && pid > 0
}
