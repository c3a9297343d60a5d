// Package runner runs suites: it loads the files of a request, has the agent, the
// recordings and the flows run as cases, and stores and publishes how each ends.
//
// What a terminal shows, flags and exit codes are not its business.
package runner
