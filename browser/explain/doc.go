// Package explain makes the errors of a browser's calls: facts in, a sentence and a next
// step out. It knows no page and no driver, so each of its sentences is tested without one.
package explain
