// Package bench holds the benchmarks that cross rooms: what one call costs in
// process, on the sample dashboard. The comparison with another server over the
// wire is bench/peer. It asserts nothing: a wall time is no test.
package bench
