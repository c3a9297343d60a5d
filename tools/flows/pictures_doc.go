// pictures: runs comparisons with baselines within a call, and files their
// pictures, rows, checks and findings, for the tools and for steps of flows.
//
// Comparing is tools/visualcheck's, and approving a person's.

package flows
