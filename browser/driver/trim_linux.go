package driver

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// unmapProgram forgets which pages of this program's file are in memory. What the kernel refuses stays
// mapped.
func unmapProgram() { adviseProgram(syscall.MADV_DONTNEED) }

// adviseProgram gives the kernel advice about the parts of this program's file that are in memory as they
// are in the file. What can be written, or was when the program was loaded (a program that is built to lie
// anywhere has addresses put into it then), is left alone: it would be lost.
func adviseProgram(advice uintptr) {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return
	}
	for _, part := range unchangedParts(maps, program) {
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, part.from, part.to-part.from, advice)
	}
}

// memoryPart is a range of addresses.
type memoryPart struct{ from, to uintptr }

// unchangedParts lists, of what /proc/PID/smaps says, the parts of a file that can't be written and of which
// this process has no page of its own.
func unchangedParts(smaps []byte, file string) (out []memoryPart) {
	var part memoryPart
	fits := false
	for line := range bytes.Lines(smaps) {
		var at memoryPart
		var rights string
		var kilobytes int
		if n, _ := fmt.Sscanf(string(line), "%x-%x %s", &at.from, &at.to, &rights); n == 3 {
			part, fits = at, !strings.Contains(rights, "w") && bytes.HasSuffix(bytes.TrimSpace(line), []byte(" "+file))
		} else if n, _ := fmt.Sscanf(string(line), "Anonymous: %d", &kilobytes); n == 1 && kilobytes == 0 && fits {
			out = append(out, part)
		}
	}
	return out
}
