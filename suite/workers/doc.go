// Package workers runs the cases of a suite on several machines: a coordinator queues
// them, workers take them, and what a worker says counts if its signature, the files that
// it names and the job that it is about fit.
//
// A worker stores the files of a run first, signs what it found, publishes that, and then
// acknowledges the job. So whatever is killed in between, a case has one verdict.
package workers
