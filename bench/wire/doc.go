// Package wire provides what the benchmarks share: a server as a process, the smallest
// client for it, and the memory that it takes. It contains no server.
package wire
