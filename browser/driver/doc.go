// Package driver finds, installs and checks what a browser needs on this
// machine: the Playwright driver with its Node, a browser, the libraries and
// fonts of the system. It also makes the temporary folder that one run of the
// driver works in, and removes those that killed servers left.
//
// It starts no browser for a session and depends on no page: package browser does.
// Nothing is fetched that is there already, and a driver from the network is
// taken only with the checksum that its publisher gave. Whoever survives
// removes the driver's folder ([Launcher]): no process of ours is guaranteed
// to end in order.
//
// # Memory
//
// The package counts what a browser's processes use of this machine's memory, and finds
// the renderer processes of a page.
//
// The number of a process is what it shares with no other one: anonymous memory, in RAM
// or swapped out, as Chromium's own task manager counts it. What all processes of a
// browser share would otherwise be held against each page. Processes are counted on
// Linux only.
//
// It also gives back what this process itself no longer needs ([Trim]).
package driver
