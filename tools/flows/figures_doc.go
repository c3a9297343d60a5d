// figures: runs comparisons of figures within a call: it chooses oracle,
// ranges and tolerance, brings the page to each range, and files the result.
//
// What comes with a task is not for a caller to loosen. Reading and judging
// is tools/kpicheck's.

package flows
