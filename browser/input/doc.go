// Package input holds what a caller asks to be done to a page: steps of a person at the
// machine, keys, texts, files. What can't be done as it is written is refused before a
// page is touched; how it is done is not its business.
package input
