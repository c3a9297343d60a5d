//go:build !linux && !darwin

package driver

// freeBytes is not known here without more than the standard library.
func freeBytes(string) (uint64, bool) { return 0, false }
