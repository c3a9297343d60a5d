// Package testrun runs Playwright tests: with the project's own runner, or with
// the pinned one, behind a gate, without retries. What came of each test is
// filed as a run with evidence.
//
// # Confinement
//
// [ConfineLimits] bound what a program can do that runs tests of a model: it gets a
// scrubbed environment, a home of its own and limits on its resources, and where bwrap
// is installed, it sees no other processes and no files but those that it needs, and
// writes only where it is told to.
//
// It is no sandbox against faults of the kernel, the browser or Node, and it does not
// filter the network of the program itself: the gate filters that of its browser.
package testrun
