//go:build !linux

package driver

func processors() (all int, bounds bool) { return 0, false }

func limitProcessors(int, int) error { return nil }
