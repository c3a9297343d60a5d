// Package sanity checks the sample dashboard with the program itself: by tool calls,
// and by the sanity task on variants whose seeded faults must all be found.
//
// It knows the program by its protocol and its exit codes alone.
package sanity
