package driver

import (
	"bytes"
	"fmt"
	"os"
	"syscall"
)

// unmapProgram forgets which pages of this program's file are in memory. What the kernel refuses stays
// mapped.
func unmapProgram() { adviseProgram(syscall.MADV_DONTNEED) }

// adviseProgram gives the kernel advice about the code and the constants of this program. What can be
// written is left alone: it is not as it is in the file.
func adviseProgram(advice uintptr) {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return
	}
	for line := range bytes.Lines(maps) {
		var from, to uintptr
		var rights string
		if !bytes.HasSuffix(bytes.TrimSpace(line), []byte(program)) {
			continue
		}
		if _, err := fmt.Sscanf(string(line), "%x-%x %s", &from, &to, &rights); err == nil && rights[1] != 'w' {
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, advice)
		}
	}
}
