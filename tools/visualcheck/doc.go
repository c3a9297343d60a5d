// Package visualcheck compares pictures of a page with a baseline's: it takes them
// when the page is at rest, finds out which elements are behind what differs, and
// returns rows, checks and findings. How pixels are compared is decided in visual,
// who approves a baseline in evidence/baseline.
//
// rule.go alone turns numbers into an outcome.
package visualcheck
