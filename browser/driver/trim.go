package driver

import "runtime/debug"

// heapGrowth is by how many percent the heap may grow before it is collected. Go's default is 100: a server's
// heap of 5 MB would take 10, and collecting it takes 4 ms.
const heapGrowth = 30

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
