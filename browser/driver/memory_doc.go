// memory: counts what a browser's processes use of this machine's memory, and finds the
// renderer processes of a page.
//
// The number of a process is what it shares with no other one: anonymous memory, in RAM or swapped
// out, as Chromium's own task manager counts it. What all processes of a browser share would
// otherwise be held against each page. Processes are counted on Linux only.
//
// It also gives back what this process itself no longer needs ([Trim]).

package driver
