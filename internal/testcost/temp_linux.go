package main

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"syscall"
)

// Linux keeps files in this folder in memory. The tests make and remove hundreds of
// thousands of files, profiles of browsers among them: on a disk that takes a third of the
// CPU time of those that start many processes.
const sharedMemory = "/dev/shm"

const (
	tmpfsMagic   = 0x01021994 // statfs(2)
	noExec       = 8          // ST_NOEXEC; tests run what they write
	leastFree    = 4 << 30    // bytes; what the tests keep at once is a tenth of that
	leastUnused  = 8 << 30    // bytes of memory that programs could have
	ownTempNames = "assay-tests-"
)

// temporary makes a folder for the temporary files of tests, where the machine has the
// memory for it and nobody has named another; "" where it has not. It is to be removed.
func temporary() (string, error) {
	if os.Getenv("TMPDIR") != "" {
		return "", nil
	}
	var of syscall.Statfs_t
	if err := syscall.Statfs(sharedMemory, &of); err != nil {
		return "", nil //nolint:nilerr // it is not there
	}
	if int64(of.Type) != tmpfsMagic || of.Flags&noExec != 0 || int64(of.Bavail)*int64(of.Bsize) < leastFree || unusedMemory() < leastUnused { //nolint:unconvert // other types on other processors
		return "", nil
	}
	dir, err := os.MkdirTemp(sharedMemory, ownTempNames)
	if errors.Is(err, os.ErrPermission) {
		return "", nil
	}
	return dir, err
}

// unusedMemory returns how many bytes of memory are available; 0 where nothing tells.
func unusedMemory() int64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(text) {
		fields := bytes.Fields(line)
		if len(fields) == 3 && string(fields[0]) == "MemAvailable:" {
			kilobytes, _ := strconv.ParseInt(string(fields[1]), 10, 64) // 0 of what is no number
			return kilobytes << 10
		}
	}
	return 0
}
