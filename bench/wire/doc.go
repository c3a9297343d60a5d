// Package wire is what the benchmarks share: a server as a process, the smallest
// client for it, and the memory that it takes. It knows no server of its own.
package wire
