// Package wait waits for a time that a context can end, in one way for all rooms.
package wait
