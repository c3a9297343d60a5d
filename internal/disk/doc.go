// Package disk writes files that are whole after a crash, locks files between
// processes, and explains errors of the disk. It reads nothing into the files'
// contents.
package disk
