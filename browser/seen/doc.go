// Package seen decides what a person sees of a page, from what was measured
// there: whether words stand in texts that are painted in pieces, and whether
// pictures taken with and without a thing show it. It depends on no browser and no
// page. docs/verdict.md says what counts as seen.
package seen
