package memory

import "runtime/debug"

// heapGrowth is by how many percent the heap may grow before it is collected: half of Go's default.
const heapGrowth = 50

// Trim gives back what the start of this process took and its work does not need: the heap that was used
// once, and on Linux the pages of the program that were read for it. They are clean, so one that is needed
// again comes from the system's cache, in microseconds. It changes how this process collects from then on,
// unless somebody set that: it is for a program to call, once it waits for work.
func Trim() {
	if before := debug.SetGCPercent(heapGrowth); before != 100 {
		debug.SetGCPercent(before)
	}
	debug.FreeOSMemory()
	unmapProgram()
}
