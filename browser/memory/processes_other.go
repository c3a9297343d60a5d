//go:build !linux

package memory

import "errors"

// Counted reports whether processes are counted on this system.
const Counted = false

// Below counts no processes on this system.
func Below(int) ([]Process, error) { return nil, errors.ErrUnsupported }
