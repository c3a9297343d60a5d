// Package load finds the flows, tasks and specs at given paths, reads and checks
// all of them for one environment, and selects those that a suite runs.
//
// All that is wrong in all files comes in one config.UsageError, and then nothing
// runs. How a case is run is not its business.
package load
