// Package watch says which cases of a suite a change to a file can affect, and waits for such changes.
package watch
