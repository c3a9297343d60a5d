//go:build !linux

package driver

import "errors"

// Counted reports whether processes are counted on this system.
const CountedMemory = false

// Below counts no processes on this system.
func Below(int) ([]BrowserProcess, error) { return nil, errors.ErrUnsupported }
