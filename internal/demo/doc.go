// sanity: checks the sample dashboard with the program itself: by tool
// calls, and by the sanity task on variants whose seeded faults must all be
// found.
//
// It uses the program only through its protocol and its exit codes.

package demo
