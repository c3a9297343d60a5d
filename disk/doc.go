// Package disk writes files that are whole after a crash, locks files between
// processes, and says in words what a disk refused. It knows nothing of what is
// in the files.
package disk
