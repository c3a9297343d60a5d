package config

import (
	"fmt"
	"log/slog"
)

// hidden stands in every text for a value that must not be shown.
const hidden = "[hidden]"

// Secret holds a text that never shows itself: printed, logged or marshalled it reads [hidden].
// Only the conversion string(s) gives its content, which makes every use easy to find.
type Secret string

// Format hides the content from every verb of package fmt, %q and %x included.
func (Secret) Format(f fmt.State, _ rune) {
	// A fmt.State can't report a failed write anywhere but here, and fmt ignores it too.
	_, _ = f.Write([]byte(hidden))
}

// LogValue hides the content from log/slog.
func (Secret) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalText hides the content from encoders such as encoding/json.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }
