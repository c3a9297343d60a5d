//go:build !linux

package main

// temporary makes no folder: the system's will do.
func temporary() (string, error) { return "", nil }
