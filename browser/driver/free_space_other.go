//go:build !linux && !darwin

package driver

// freeBytes returns nothing here: the standard library has no way to read it.
func freeBytes(string) (uint64, bool) { return 0, false }
