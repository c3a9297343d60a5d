// Package assertion makes assertions about the page of a session: it looks until one
// holds or time is over, looks a second time at what held, watches the page before
// something is absent, and makes a counter-check that must fail.
//
// What holds and proves nothing is said in the outcome: it is about what the caller
// typed, or holds with other words, too. A look that is not possible is an error,
// never a failed check.
package assertion
