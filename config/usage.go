package config

import "fmt"

// UsageError reports a setting, a flag or a file of the user's that keeps a command from
// starting. The command ends with code 2, and nothing was run.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap returns the cause for errors.As.
func (e *UsageError) Unwrap() error { return e.Err }

// Usage makes a UsageError as fmt.Errorf makes errors.
func Usage(format string, args ...any) error {
	return &UsageError{Err: fmt.Errorf(format, args...)}
}
