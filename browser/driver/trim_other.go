//go:build !linux

package driver

func unmapProgram() {}
